"""``cutcard journal``: what a person and a script are told of a journal."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.cli import main
from controller.events import HandStarted, TableEvent
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.runtime.journal import Journal
from controller.runtime.journal.location import Location
from tests.controller.runtime.journal.places import NOON_MS, Clock, Place, play_hands
from tests.controller.runtime.journal.test_migrations import VERSION_0_1
from tests.postgres import Server

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "exposed_remedied.jsonl"
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def played(tmp_path: Path) -> Place:
    """A journal of two hands, its keys where they usually lie."""
    place = Place(str(tmp_path / "t.journal"), tmp_path / "t.journal.key")
    with closing(place.open()) as journal:
        play_hands(journal, 2)
    return place


def record_example(where: str, key: Path) -> None:
    """The example's hand, as a table under ck writes it."""
    book = load_rulebook("ck")
    state = new_table(book)
    lines = EXAMPLE.read_bytes().splitlines()
    events = [msgspec.json.decode(line, type=TableEvent) for line in lines]
    with closing(Journal.open(where, table_id="One", rulebook="ck", key=key)) as journal:
        for event in events:
            outcome = advance(state, event, book)
            state = outcome.state
            journal.record(journal.append(event, hand=1), outcome.rulings)


def out(capsys: Captured) -> list[str]:
    return capsys.readouterr().out.splitlines()


def error(capsys: Captured) -> str:
    """The one line on standard error."""
    (line,) = capsys.readouterr().err.splitlines()
    return line


# --- verify ---------------------------------------------------------------------------------


def test_a_whole_journal_is_said_to_be_whole(played: Place, capsys: Captured) -> None:
    assert main(["journal", "verify", played.where]) == 0
    assert out(capsys) == [
        "table T1: 15 records from 1 to 15, signed to the end: nothing was changed"
    ]


def test_what_was_changed_is_said_with_record_time_and_kind(
    played: Place, capsys: Captured
) -> None:
    played.tamper("UPDATE journal_records SET at_ms = 1005 WHERE seq = 7")

    assert main(["journal", "verify", played.where]) == 1

    first, last = out(capsys)
    assert first.startswith("record 7 does not follow from the one before")
    assert first.endswith(
        "(record 7, hand 1, event card_dealt, 2026-01-01 12:00:00 UTC, table clock 1.005 s)"
    )
    assert last.endswith("1 findings")


def test_a_script_gets_the_same_as_json(played: Place, capsys: Captured) -> None:
    played.tamper("DELETE FROM journal_records WHERE seq IN (6, 7)")

    assert main(["journal", "verify", played.where, "--json"]) == 1

    finding, summary = (json.loads(line) for line in out(capsys))
    assert (finding["problem"], finding["first"], finding["last"]) == ("missing", 6, 7)
    assert (finding["hand"], finding["written_ms"]) == (1, NOON_MS)
    assert summary == {
        "table": "T1",
        "whole": False,
        "first": 1,
        "last": 15,
        "records": 13,
        "signed": 15,
        "findings": 1,
        "clock_set_back": [],
        "pictures": 0,
        "waiting": 0,
    }


def test_a_clock_set_back_and_unsigned_records_are_notes_and_no_failure(
    tmp_path: Path, capsys: Captured
) -> None:
    clock = Clock()
    place = Place(str(tmp_path / "t.journal"), tmp_path / "t.journal.key")
    with closing(place.open(clock)) as journal:
        journal.append(HandStarted(hand=1, seats=(1, 2), button=1), hand=1)
        clock.now_ms -= 90_000
        journal.append(HandStarted(hand=1, seats=(1, 2), button=1), hand=1)

        assert main(["journal", "verify", place.where]) == 0

    assert out(capsys) == [
        "note: the computer's clock was set back by 90.0 s before record 3",
        "table T1: 3 records from 1 to 3, the last 1 are not signed yet: nothing was changed",
    ]


def test_a_head_noted_earlier_finds_an_end_cut_off(
    played: Place, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["journal", "head", played.where]) == 0
    noted = tmp_path / "tonight.head"
    noted.write_text(capsys.readouterr().out)
    played.tamper(
        "DELETE FROM journal_heads WHERE seq = 15", "DELETE FROM journal_records WHERE seq > 12"
    )

    assert main(["journal", "verify", played.where]) == 0
    assert main(["journal", "verify", played.where, "--head", str(noted)]) == 1
    assert "records 13 to 15 are missing at the end" in capsys.readouterr().out


def test_a_trusted_key_kept_elsewhere_finds_a_journal_written_anew(
    played: Place, tmp_path: Path, capsys: Captured
) -> None:
    safe = tmp_path / "safe.pub"
    played.public.rename(safe)
    for path in (Path(played.where), played.key):
        path.unlink()
    with closing(played.open()) as journal:
        play_hands(journal, 2)

    assert main(["journal", "verify", played.where]) == 0
    assert main(["journal", "verify", played.where, "--public-key", str(safe)]) == 1
    assert "which is not among those given" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.journal"], "there is no such file"),
        (["{journal}", "--public-key", "nowhere.pub"], "nowhere.pub: No such file"),
        (["{journal}", "--public-key", "{journal}"], "it holds no Ed25519 public key"),
        (["{journal}", "--head", "nowhere.head"], "nowhere.head: No such file"),
        (["{journal}", "--head", "{key}"], "it holds no head"),
        (["{journal}", "--table", "T9"], "no table 'T9' in it, only T1"),
        (["postgresql://u:secret@127.0.0.1:1/x"], "the database cannot be reached"),
    ],
)
def test_what_cannot_be_checked_is_one_line(
    arguments: list[str], words: str, played: Place, capsys: Captured
) -> None:
    given = [word.format(journal=played.where, key=played.key) for word in arguments]

    assert main(["journal", "verify", *given]) == 2

    said = error(capsys)
    assert words in said
    assert "secret" not in said


def test_without_a_public_key_nothing_is_called_whole(played: Place, capsys: Captured) -> None:
    played.public.unlink()

    assert main(["journal", "verify", played.where]) == 2
    assert "t.journal.pub is not there; give the public key with --public-key" in error(capsys)


def test_a_journal_from_before_there_was_a_chain_is_said_to_be_one(
    tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "old.journal"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(VERSION_0_1)

    assert main(["journal", "verify", str(path)]) == 2
    assert "it was written before journals had a chain" in error(capsys)
    assert main(["journal", "migrate", str(path)]) == 0
    assert main(["journal", "verify", str(path)]) == 0


# --- export ---------------------------------------------------------------------------------


def test_what_is_exported_is_judged_the_same(tmp_path: Path, capsys: Captured) -> None:
    where = str(tmp_path / "t.journal")
    record_example(where, tmp_path / "t.journal.key")
    exported = tmp_path / "night.jsonl"
    assert main(["journal", "export", where, "--output", str(exported)]) == 0

    assert main(["judge", str(exported), "--rulebook", "ck"]) == 0
    again = capsys.readouterr().out
    assert main(["judge", str(EXAMPLE), "--rulebook", "ck"]) == 0
    assert again == capsys.readouterr().out


def test_one_hand_goes_to_standard_output(played: Place, capsys: Captured) -> None:
    assert main(["journal", "export", played.where, "--hand", "2"]) == 0

    lines = [json.loads(line) for line in out(capsys)]
    assert [line["event"] for line in lines] == ["hand_started", *["card_dealt"] * 5]
    assert lines[0]["hand"] == 2


def test_all_records_can_be_had_with_their_hashes(played: Place, capsys: Captured) -> None:
    assert main(["journal", "export", played.where, "--records"]) == 0

    lines = [json.loads(line) for line in out(capsys)]
    assert [line["seq"] for line in lines] == list(range(1, 16))
    assert [line["type"] for line in lines][:5] == ["opened", "event", "event", "event", "ruling"]
    assert all(len(bytes.fromhex(line["hash"])) == 32 for line in lines)


def test_a_stranger_can_compute_the_chain_from_the_page(played: Place, capsys: Captured) -> None:
    """As docs/journal.md describes it, with nothing but a hash function."""
    assert main(["journal", "export", played.where, "--records"]) == 0
    previous = bytes(32)
    for line in out(capsys):
        record = json.loads(line)
        keys = ("table_id", "seq", "type", "event", "hand", "at_ms", "written_ms", "kind")
        head = json.dumps(
            ["cutcard record 1", *(record[key] for key in keys)],
            separators=(",", ":"),
            ensure_ascii=False,
        )
        body = line[line.index('"body":') + 7 : line.rindex(',"hash"')]
        previous = hashlib.sha256(previous + f"{head}\n{body}".encode()).digest()

        assert previous.hex() == record["hash"]


def test_a_file_that_cannot_be_made_is_one_line(played: Place, capsys: Captured) -> None:
    assert main(["journal", "export", played.where, "-o", "/nowhere/x.jsonl"]) == 2
    assert "/nowhere/x.jsonl: No such file or directory; name another file" in error(capsys)


# --- retain and migrate ---------------------------------------------------------------------


def test_old_hands_are_removed_once_it_is_not_a_trial(played: Place, capsys: Captured) -> None:
    words = ["journal", "retain", played.where, "--days", "1"]

    assert main([*words, "--dry-run", "--json"]) == 0
    assert json.loads(out(capsys)[0]) == {
        "table_id": "T1",
        "removed": 8,
        "first_seq": 9,
        "pictures": 0,
        "dry_run": True,
    }
    assert main(words) == 0
    assert out(capsys) == ["8 records removed; the journal begins at record 9"]
    assert main(["journal", "verify", played.where]) == 0


def test_nothing_is_removed_from_a_journal_that_was_changed(
    played: Place, capsys: Captured
) -> None:
    played.tamper("UPDATE journal_records SET at_ms = 5 WHERE seq = 3")

    assert main(["journal", "retain", played.where, "--days", "1"]) == 2
    assert "nothing was removed, as record 3 does not follow" in error(capsys)


def test_migrating_what_is_up_to_date_changes_nothing_but_notes_the_opening(
    played: Place, capsys: Captured
) -> None:
    assert main(["journal", "migrate", played.where]) == 0
    assert main(["journal", "verify", played.where]) == 0
    assert out(capsys)[-1].startswith("table T1: 16 records from 1 to 16, signed to the end")


def test_migrating_makes_no_file(tmp_path: Path, capsys: Captured) -> None:
    assert main(["journal", "migrate", str(tmp_path / "t.journal")]) == 2
    assert "there is no such file" in error(capsys)
    assert list(tmp_path.iterdir()) == []


def test_a_backup_is_restored_by_naming_it(played: Place, tmp_path: Path, capsys: Captured) -> None:
    backup = str(tmp_path / "backup.journal")
    assert main(["journal", "copy", played.where, backup]) == 0
    assert out(capsys) == [f"15 records copied to {backup}"]

    assert main(["journal", "verify", backup, "--public-key", str(played.public)]) == 0
    with closing(Journal.open(backup, key=played.key)) as restored:
        assert restored.last_seq == 12


def test_a_backup_over_a_journal_is_refused(played: Place, capsys: Captured) -> None:
    assert main(["journal", "copy", played.where, played.where]) == 2
    assert "there is a journal in it already; name a new one" in error(capsys)


# --- PostgreSQL -----------------------------------------------------------------------------


def test_the_same_of_a_database(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """Keys are in the user's data folder then, which XDG_DATA_HOME names (freedesktop.org)."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url = postgres.database()
    record_example(url, Location.of(url).keys("One").private)

    assert main(["journal", "verify", url]) == 0
    assert main(["replay", url]) == 0
    assert main(["journal", "export", url, "--table", "One"]) == 0
    verified, replayed, *events = out(capsys)
    assert verified.startswith("table One: ")
    assert replayed.endswith("1 rulings under ck, 0 differences")
    assert len(events) == len(EXAMPLE.read_text().splitlines())
    assert (tmp_path / "cutcard" / "keys" / "One.key").stat().st_mode & 0o777 == 0o600
