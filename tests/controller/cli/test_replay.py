"""``cutcard replay``: the same rulings again, and the differences where there are any."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.cli import main
from controller.events import TableEvent
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.rulings import Verdict
from controller.runtime.journal import Journal

ROOT = Path(__file__).resolve().parents[3]
EVENTS = (ROOT / "docs" / "examples" / "exposed.jsonl").read_bytes().splitlines()


def record(path: Path, verdict: Verdict | None = None) -> Path:
    """A journal of the example's hand; with another verdict than the engine's if one is given."""
    book = load_rulebook("ck")
    state = new_table(book)
    journal = Journal.open(path, table_id="One", rulebook="ck")
    for line in EVENTS:
        event: TableEvent = msgspec.json.decode(line, type=TableEvent)
        outcome = advance(state, event, book)
        state = outcome.state
        rulings = outcome.rulings
        if verdict is not None:
            rulings = tuple(msgspec.structs.replace(r, verdict=verdict) for r in rulings)
        journal.record(journal.append(event, hand=1), rulings)
    journal.close()
    return path


def test_a_recorded_table_is_decided_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "table.journal")

    assert main(["replay", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "rulebook": "ck",
        "events": len(EVENTS),
        "rulings": 1,
        "differences": 0,
    }


def test_a_ruling_that_comes_out_differently_is_shown_and_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "table.journal", Verdict.MISDEAL)

    assert main(["replay", str(path), "--json"]) == 1

    difference, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert difference["stored"]["verdict"] == "misdeal"
    assert difference["computed"]["verdict"] == "continue"
    assert summary["differences"] == 1


def test_a_person_reads_what_was_and_what_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "table.journal", Verdict.MISDEAL)

    assert main(["replay", str(path)]) == 1
    assert "was misdeal" in capsys.readouterr().out


def test_where_the_verdict_is_the_same_the_other_parts_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "table.journal")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TRIGGER journal_records_unchanged")
        database.execute(
            "UPDATE journal_records SET body = CAST(replace(body, '\"ck.', '\"xy.') AS BLOB) "
            "WHERE type = 'ruling'"
        )

    assert main(["replay", str(path)]) == 1
    assert "as before, but steps, clauses not the same" in capsys.readouterr().out


def test_another_house_may_rule_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = record(tmp_path / "table.journal")

    assert main(["replay", str(path), "--rulebook", "fr2", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["rulebook"] == "fr2"


@pytest.mark.parametrize("content", [None, "no journal at all"])
def test_what_is_no_journal_is_one_line(
    content: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.journal"
    if content is not None:
        path.write_text(content)

    assert main(["replay", str(path)]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "table.journal" in err
