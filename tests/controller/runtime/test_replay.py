"""A journal played again: each event under the rulebook that was in force then."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.events import HandStarted, TableEvent
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.runtime import Journal, JournalError, replay

ROOT = Path(__file__).resolve().parents[3]
LINES = (ROOT / "docs" / "examples" / "duplicate.jsonl").read_bytes().splitlines()
EVENTS: list[TableEvent] = [msgspec.json.decode(line, type=TableEvent) for line in LINES]


def play(path: Path, rulebook: str, hand: int) -> None:
    """A hand of the example under a rulebook, recorded as a table does."""
    book = load_rulebook(rulebook)
    state = new_table(book)
    with closing(Journal.open(path, rulebook=rulebook)) as journal:
        for told in EVENTS:
            is_start = isinstance(told, HandStarted)
            event = msgspec.structs.replace(told, hand=hand) if is_start else told
            outcome = advance(state, event, book)
            state = outcome.state
            journal.record(journal.append(event, hand=hand), outcome.rulings)


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A house that changed its rulebook between two hands."""
    path = tmp_path / "t.journal"
    play(path, "ck", 1)
    play(path, "fr2", 2)
    return path


def test_after_a_change_of_rulebook_every_ruling_comes_out_again(changed: Path) -> None:
    with closing(Journal.open(changed, read_only=True)) as journal:
        played = replay(journal)

    assert played.is_same
    assert played.rulebooks == ("ck", "fr2")
    assert [ruling.rulebook for ruling in played.rulings] == ["ck", "fr2"]


def test_under_one_rulebook_the_hand_of_the_other_differs(changed: Path) -> None:
    with closing(Journal.open(changed, read_only=True)) as journal:
        under_ck, under_fr2 = (
            replay(journal, load_rulebook("ck")),
            replay(journal, load_rulebook("fr2")),
        )

    assert len(under_ck.differences) == len(under_fr2.differences) == 1
    assert under_ck.differences[0].event_seq > len(EVENTS)
    assert under_fr2.differences[0].event_seq <= len(EVENTS)


def test_a_journal_that_names_no_rulebook_is_not_decided(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "t.journal")) as journal:
        journal.append(EVENTS[0])

        with pytest.raises(JournalError, match="names no rulebook; give one with --rulebook"):
            replay(journal)


def test_a_ruling_that_was_never_stored_is_a_difference(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "t.journal", rulebook="ck")) as journal:
        for event in EVENTS:
            journal.append(event, hand=1)
        played = replay(journal)

    (difference,) = played.differences
    assert difference.stored == b""
    assert b'"rulebook":"ck"' in difference.computed
