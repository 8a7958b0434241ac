"""The journal keeps what it took, and says clearly when it cannot."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from pg8000 import InterfaceError  # type: ignore[import-untyped]  # it ships no types
from pg8000.legacy import Connection  # type: ignore[import-untyped]  # it ships no types
from sqlalchemy.exc import DBAPIError

from controller.events import CardDealt, HandStarted
from controller.runtime.errors import JournalDamagedError, JournalError
from controller.runtime.journal import Journal, canonical
from tests.controller.runtime.journal.places import (
    EVENTS,
    NOON_MS,
    Clock,
    Place,
    play_hands,
    ruling,
)
from tests.postgres import Server


def test_events_come_back_as_they_were_written(place: Place) -> None:
    with closing(place.open()) as journal:
        for event in EVENTS:
            journal.append(event, hand=1)

    with closing(place.read()) as again:
        entries = tuple(again.read())

    assert tuple(entry.event for entry in entries) == EVENTS
    assert [(entry.seq, entry.hand) for entry in entries] == [(1, 1), (2, 1), (3, 1)]
    assert again.table_id == "T1"


def test_events_are_numbered_on_after_reopening(place: Place) -> None:
    with closing(place.open()) as journal:
        journal.append(EVENTS[0])

    with closing(place.open()) as again:
        assert again.append(EVENTS[1]) == 2


def test_rulings_are_kept_beside_their_event_once(place: Place) -> None:
    with closing(place.open()) as journal:
        seq = journal.append(EVENTS[1], hand=1)
        journal.record(seq, (ruling(1), ruling(2)))
        journal.record(seq, (ruling(1), ruling(2)))
        stored = journal.rulings()

    assert [r.json for r in stored] == [canonical(ruling(1)), canonical(ruling(2))]
    assert [r.event_seq for r in stored] == [seq, seq]


def test_a_ruling_on_an_event_that_is_not_there_is_refused(place: Place) -> None:
    with closing(place.open()) as journal, pytest.raises(JournalError, match="no event 7 in it"):
        journal.record(7, (ruling(1),))


def test_the_rulebook_is_that_of_the_last_opening(place: Place) -> None:
    place.open(rulebook="ck").close()
    place.open(rulebook="fr2").close()
    place.open(rulebook="").close()

    with closing(place.read()) as journal:
        assert journal.rulebook == "fr2"


def test_many_more_records_than_are_fetched_at_once_come_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.runtime.journal.ledger.BATCH", 7)
    with closing(place.open()) as journal:
        play_hands(journal, 5)

        assert [entry.seq for entry in journal.read()] == list(range(1, 31))


def test_reading_only_refuses_to_write(place: Place) -> None:
    with closing(place.open()) as journal:
        journal.append(EVENTS[0])

    with closing(place.read()) as reading:
        with pytest.raises(JournalError, match="it is read-only"):
            reading.append(EVENTS[1])
        with pytest.raises(JournalError, match="it is read-only"):
            reading.record(1, (ruling(1),))


def test_where_nothing_was_written_there_is_nothing_to_read(place: Place) -> None:
    with pytest.raises(JournalError, match=r"no such file|no journal in it yet"):
        place.read()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE journal_records SET body = body",
        "DELETE FROM journal_records WHERE seq = 2",
        "INSERT INTO journal_records SELECT table_id, 20, type, event, hand, at_ms, written_ms,"
        " kind, body, hash FROM journal_records WHERE seq = 2",
        "UPDATE journal_heads SET reason = 'closed'",
        "DELETE FROM journal_heads",
    ],
)
def test_the_database_refuses_to_change_what_is_written(place: Place, sql: str) -> None:
    with closing(place.open()) as journal:
        play_hands(journal, 1)

    with pytest.raises(DBAPIError, match="the journal is append-only"):
        place.execute(sql)


def test_two_programs_cannot_write_over_each_other(place: Place) -> None:
    with closing(place.open()) as first, closing(place.open()) as second:
        second.append(EVENTS[0])

        with pytest.raises(JournalError, match="another program wrote to it at the same time"):
            first.append(EVENTS[1])


def test_a_clock_set_back_is_said_once_and_changes_nothing_in_the_order(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    with caplog.at_level(logging.WARNING), closing(place.open(clock)) as journal:
        journal.append(EVENTS[0])
        clock.now_ms = NOON_MS - 3_600_000
        journal.append(EVENTS[1])
        journal.append(EVENTS[2])
        written = [record.written_ms for record in journal.records()]

    assert written == [NOON_MS, NOON_MS, NOON_MS - 3_600_000, NOON_MS - 3_600_000]
    assert [r.getMessage() for r in caplog.records] == [
        "the computer's clock was set back by 3600.0 s after record 2; "
        "the order of the records is not touched"
    ]


def test_an_event_of_an_unknown_kind_is_named(place: Place) -> None:
    with closing(place.open()) as journal:
        journal.append(EVENTS[0])
        journal.append(EVENTS[1])
    place.tamper(
        "UPDATE journal_records SET body = :body WHERE event = 2", body=b'{"event": "tea"}'
    )

    with (
        closing(place.read()) as journal,
        pytest.raises(JournalError, match="event 2 cannot be read"),
    ):
        tuple(journal.read())


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE journal_records SET at_ms = 0 WHERE seq = 11", "record 11 is not the one"),
        ("DELETE FROM journal_records WHERE seq = 11", "record 11 is not the one"),
        ("DELETE FROM journal_records WHERE seq >= 12", "records 12 to 15 are missing at the end"),
        ("DELETE FROM journal_records", "records 1 to 15 are missing at the end"),
        ("UPDATE journal_heads SET hash = signature WHERE seq = 15", "signature at record 15"),
        ("UPDATE journal_heads SET signature = hash WHERE seq = 15", "signature at record 15"),
    ],
)
def test_no_hand_is_taken_up_from_records_that_were_changed(
    place: Place, sql: str, words: str
) -> None:
    with closing(place.open()) as journal:
        play_hands(journal, 2)
    place.tamper(sql)

    with pytest.raises(JournalDamagedError, match=f"{words}.*cutcard journal verify"):
        place.open()


def test_damage_in_an_earlier_hand_does_not_stop_the_table(place: Place) -> None:
    with closing(place.open()) as journal:
        play_hands(journal, 2)
    place.tamper("UPDATE journal_records SET at_ms = 0 WHERE seq = 3")

    with closing(place.open()) as journal:
        assert journal.append(EVENTS[0], hand=2) == 13


def test_what_was_not_signed_yet_is_signed_on_closing(place: Place) -> None:
    journal = place.open()
    journal.append(EVENTS[0])
    before = journal.head()
    journal.close()

    with closing(place.read()) as again:
        after = again.head()

    assert before is not None
    assert (before.seq, before.reason) == (1, "opened")
    assert after is not None
    assert (after.seq, after.reason) == (2, "closed")


# --- files --------------------------------------------------------------------------------


def test_the_file_is_in_write_ahead_mode_and_names_its_schema(file_place: Place) -> None:
    file_place.open().close()

    with closing(sqlite3.connect(file_place.where)) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("PRAGMA user_version").fetchone() == (2,)


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


def test_what_was_acknowledged_survives_a_kill(file_place: Place) -> None:
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, file_place.where],
        capture_output=True,
        text=True,
        check=False,
    )

    with closing(Journal.open(file_place.where)) as journal:
        kept = [entry.event.at_ms for entry in journal.read()]
    assert kept == [int(line) for line in killed.stdout.split()]
    assert len(kept) == 57


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


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"make the folder .*nowhere first"):
        Journal.open(tmp_path / "nowhere" / "t.journal")


def test_reading_only_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no such file"):
        Journal.open(tmp_path / "t.journal", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_file_keeps_the_name_of_its_table(file_place: Place) -> None:
    file_place.open().close()

    with closing(Journal.open(file_place.where, table_id="T2")) as journal:
        assert journal.table_id == "T1"


def test_a_second_table_smuggled_into_a_file_is_not_taken_up(file_place: Place) -> None:
    file_place.open().close()
    file_place.execute(
        "INSERT INTO journal_records SELECT 'A', 1, type, event, hand, at_ms, written_ms, kind,"
        " body, hash FROM journal_records"
    )

    with pytest.raises(JournalError, match=r"several tables \(A, T1\)"):
        file_place.open()


# --- PostgreSQL ---------------------------------------------------------------------------


@pytest.fixture
def database(postgres: Server, tmp_path: Path) -> Place:
    """An empty database."""
    return Place(postgres.database(), tmp_path / "t.key")


def test_a_database_holds_many_tables_each_with_a_chain_of_its_own(database: Place) -> None:
    for name, hands in (("T1", 1), ("T2", 2)):
        with closing(Journal.open(database.where, table_id=name, key=database.key)) as journal:
            play_hands(journal, hands)

    with closing(Journal.open(database.where, table_id="T2", read_only=True)) as second:
        assert len(tuple(second.read())) == 12
    with pytest.raises(JournalError, match=r"several tables \(T1, T2\); name one with --table"):
        database.read()
    with pytest.raises(JournalError, match="no table 'T3' in it, only T1, T2"):
        Journal.open(database.where, table_id="T3", read_only=True)


def test_without_a_name_the_only_table_of_a_database_goes_on(database: Place) -> None:
    with closing(database.open()) as journal:
        journal.append(EVENTS[0])

    with closing(Journal.open(database.where, key=database.key)) as again:
        assert (again.table_id, again.append(EVENTS[1])) == ("T1", 2)


def test_a_restart_of_the_server_loses_and_doubles_nothing(
    database: Place, postgres: Server
) -> None:
    with closing(database.open()) as journal:
        journal.append(EVENTS[0])
        postgres.stop()
        postgres.start()
        journal.append(EVENTS[1])

        assert [entry.event for entry in journal.read()] == [EVENTS[0], EVENTS[1]]


def test_a_server_that_is_away_is_one_clear_line_and_the_table_goes_on_later(
    database: Place, postgres: Server
) -> None:
    with closing(database.open()) as journal:
        postgres.stop()
        try:
            with pytest.raises(JournalError, match="the database cannot be reached; start it"):
                journal.append(EVENTS[0])
        finally:
            postgres.start()
        journal.append(EVENTS[1])

        assert [entry.event for entry in journal.read()] == [EVENTS[1]]


@pytest.mark.parametrize("loss", [InterfaceError("network error"), TimeoutError("timed out")])
def test_a_commit_whose_answer_was_lost_is_not_written_twice(
    database: Place, monkeypatch: pytest.MonkeyPatch, loss: Exception
) -> None:
    """The line breaks after the server has committed and before it could say so."""
    with closing(database.open()) as journal:
        broken = lose_the_next_answer(monkeypatch, loss)
        assert journal.append(EVENTS[0]) == 1
        assert len(broken) == 1
        assert journal.append(EVENTS[1]) == 2

        assert [entry.event for entry in journal.read()] == [EVENTS[0], EVENTS[1]]


def lose_the_next_answer(monkeypatch: pytest.MonkeyPatch, loss: Exception) -> list[Connection]:
    """Break the line after the next commit; returns the connections on which it happened."""
    broken: list[Connection] = []
    commit = Connection.commit

    def commits_and_breaks(connection: Connection) -> None:
        commit(connection)
        monkeypatch.undo()
        broken.append(connection)
        connection.close()
        raise loss

    monkeypatch.setattr(Connection, "commit", commits_and_breaks)
    return broken


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://nobody@127.0.0.1:{port}/postgres", "user or password is refused"),
        ("postgresql://postgres@127.0.0.1:{port}/nowhere", "there is no such database"),
        ("postgresql://postgres:secret@127.0.0.1:1/postgres", "cannot be reached"),
        ("postgresql://postgres@127.0.0.1", "give a file, or postgresql://user@host/database"),
        ("mysql://root:secret@127.0.0.1/x", "give a file, or postgresql://user@host/database"),
        ("postgresql://u@127.0.0.1/x?sslmode=maybe", "write disable, require or verify-full"),
    ],
)
def test_a_url_that_cannot_be_used_is_one_line_without_its_password(
    url: str, words: str, postgres: Server
) -> None:
    with pytest.raises(JournalError, match=words) as caught:
        Journal.open(url.format(port=postgres.port))

    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_card_dealt_to_a_hand_begins_no_new_block_but_a_new_hand_does(place: Place) -> None:
    with closing(place.open()) as journal:
        journal.append(HandStarted(hand=1, seats=(1, 2), button=1), hand=1)
        journal.append(CardDealt(seat=1), hand=1)
        journal.append(HandStarted(hand=2, seats=(1, 2), button=1), hand=2)
        head = journal.head()

    assert head is not None
    assert (head.seq, head.reason) == (4, "hand")
