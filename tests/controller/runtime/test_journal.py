"""The journal keeps what it took, and says clearly when it cannot."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.cards import Card
from controller.events import BoardShown, CardDealt, DeckShuffled, Street, TableEvent
from controller.irregularities import Irregularity, Kind
from controller.rulings import Ruling, Verdict
from controller.runtime.errors import JournalError
from controller.runtime.journal import Journal, canonical

EVENTS: tuple[TableEvent, ...] = (
    DeckShuffled(at_ms=5, count=52),
    CardDealt(at_ms=9, seat=3),
    BoardShown(at_ms=12, cards=(Card.SA, Card.DT, Card.C9)),
)


def ruling(n: int) -> Ruling:
    found = Irregularity(kind=Kind.BOXED_CARD, street=Street.DEAL)
    return Ruling(
        id=f"1/{n}",
        rulebook="ck",
        verdict=Verdict.CONTINUE,
        irregularity=found,
        steps=(),
        clauses=("ck.boxed.1",),
    )


def test_events_come_back_as_they_were_written(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "t.journal", table_id="T1")) as journal:
        for event in EVENTS:
            journal.append(event, hand=1)

    with closing(Journal.open(tmp_path / "t.journal")) as again:
        entries = tuple(again.read())

    assert tuple(entry.event for entry in entries) == EVENTS
    assert [entry.seq for entry in entries] == [1, 2, 3]
    assert again.table_id == "T1"


def test_numbers_go_on_after_reopening(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "t.journal")) as journal:
        journal.append(EVENTS[0])

    with closing(Journal.open(tmp_path / "t.journal")) as again:
        assert again.append(EVENTS[1]) == 2


def test_rulings_are_kept_beside_their_event_once(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "t.journal")) as journal:
        seq = journal.append(EVENTS[1])
        journal.record(seq, (ruling(1), ruling(2)))
        journal.record(seq, (ruling(1), ruling(2)))

        assert [r.json for r in journal.rulings()] == [canonical(ruling(1)), canonical(ruling(2))]


def test_the_file_is_in_write_ahead_mode_and_names_its_schema(tmp_path: Path) -> None:
    with closing(Journal.open(tmp_path / "t.journal")):
        pass

    with closing(sqlite3.connect(tmp_path / "t.journal")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("PRAGMA user_version").fetchone() == (1,)


KILLED = """
import os, sys
from pathlib import Path
from controller.events import CardDealt
from controller.runtime.journal import Journal
journal = Journal.open(Path(sys.argv[1]))
for n in range(1, 200):
    journal.append(CardDealt(at_ms=n, seat=1))
    print(n, flush=True)
    if n == 57:
        os.kill(os.getpid(), 9)
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"

    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(path)], capture_output=True, text=True, check=False
    )

    with closing(Journal.open(path)) as journal:
        kept = [entry.event.at_ms for entry in journal.read()]
    assert kept == [int(line) for line in killed.stdout.split()]
    assert len(kept) == 57


def test_a_full_disk_is_one_clear_line_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with closing(Journal.open(path)) as journal:
        journal.append(EVENTS[0])
        limit_pages(journal)

        with pytest.raises(JournalError, match=r"t\.journal: the disk is full; free some space"):
            append_many(journal)

    with closing(Journal.open(path)) as again:
        kept = tuple(again.read())
    assert kept[0].event == EVENTS[0]
    assert len(kept) == journal.last_seq


def append_many(journal: Journal) -> None:
    for n in range(10_000):
        journal.append(BoardShown(at_ms=n, cards=(Card.SA,) * 52))


def limit_pages(journal: Journal) -> None:
    """SQLite answers 'database or disk is full' above its page limit, as on a full disk."""
    with journal._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("x" * 5000)

    with pytest.raises(JournalError, match="it is not a journal; choose another path"):
        Journal.open(path)
    assert path.read_text() == "x" * 5000


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE a (b)")

    with pytest.raises(JournalError, match="a database of something else"):
        Journal.open(path)


def test_a_later_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with closing(Journal.open(path)):
        pass
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version=9")

    with pytest.raises(JournalError, match="written with schema 9"):
        Journal.open(path)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"make the folder .*nowhere first"):
        Journal.open(tmp_path / "nowhere" / "t.journal")


def test_reading_only_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        Journal.open(tmp_path / "t.journal", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_reading_only_refuses_to_write(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with closing(Journal.open(path)) as journal:
        journal.append(EVENTS[0])

    with closing(Journal.open(path, read_only=True)) as reading:
        assert [entry.event for entry in reading.read()] == [EVENTS[0]]
        with pytest.raises(JournalError, match="it is read-only"):
            reading.append(EVENTS[1])


def test_a_damaged_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.journal"
    with closing(Journal.open(path)) as journal:
        journal.append(EVENTS[0])
        journal.append(EVENTS[1])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute('UPDATE events SET json = \'{"event":"tea"}\' WHERE seq = 2')

    with (
        closing(Journal.open(path)) as journal,
        pytest.raises(JournalError, match="event 2 cannot be read"),
    ):
        tuple(journal.read())
