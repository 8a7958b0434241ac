"""Journals of older versions go on, and both ways to a new one lead to the same schema."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from controller.events import CardDealt, HandStarted
from controller.runtime.errors import JournalError
from controller.runtime.journal import Journal, canonical, guards, schema
from controller.runtime.journal.keys import PublicKeys, load_public_keys
from controller.runtime.journal.tables import META
from controller.runtime.journal.verifying import verify
from tests.controller.runtime.journal.places import EVENTS, Place, ruling

VERSION_0_1 = """
CREATE TABLE events (seq INTEGER NOT NULL PRIMARY KEY, table_id VARCHAR NOT NULL,
  hand INTEGER NOT NULL, at_ms INTEGER NOT NULL, kind VARCHAR NOT NULL, json BLOB NOT NULL);
CREATE TABLE rulings (event_seq INTEGER NOT NULL, id VARCHAR NOT NULL, json BLOB NOT NULL,
  PRIMARY KEY (event_seq, id));
CREATE TABLE table_info (table_id VARCHAR NOT NULL PRIMARY KEY, rulebook VARCHAR NOT NULL);
PRAGMA user_version=1;
PRAGMA application_id=1129661268;
INSERT INTO table_info VALUES ('Old', 'fr2');
INSERT INTO events VALUES
  (1, 'Old', 1, 0, 'hand_started', '{"event":"hand_started","hand":1,"seats":[1,2],"button":2}'),
  (2, 'Old', 1, 700, 'card_dealt', '{"event":"card_dealt","at_ms":700,"seat":1}'),
  (3, 'Old', 1, 900, 'card_dealt', '{"event":"card_dealt","at_ms":900,"seat":2}');
"""
"""The file as version 0.1 of the program made it."""


@pytest.fixture
def old(file_place: Place) -> Place:
    """A journal of version 0.1: three events, two rulings on the second."""
    with closing(sqlite3.connect(file_place.where)) as database:
        database.executescript(VERSION_0_1)
        for n in (1, 2):
            stored = (2, f"1/{n}", canonical(ruling(n)))
            database.execute("INSERT INTO rulings VALUES (?, ?, ?)", stored)
        database.commit()
    return file_place


def test_an_old_journal_goes_on_with_everything_that_was_in_it(old: Place) -> None:
    with closing(old.open(rulebook="")) as journal:
        assert journal.append(EVENTS[0], hand=1) == 4
        entries = tuple(journal.read())
        rulings = journal.rulings()

    assert [entry.event for entry in entries] == [
        HandStarted(hand=1, seats=(1, 2), button=2),
        CardDealt(at_ms=700, seat=1),
        CardDealt(at_ms=900, seat=2),
        EVENTS[0],
    ]
    assert [(r.event_seq, r.json) for r in rulings] == [
        (2, canonical(ruling(1))),
        (2, canonical(ruling(2))),
    ]
    assert (journal.table_id, journal.rulebook) == ("Old", "fr2")


def test_from_then_on_it_is_protected(old: Place) -> None:
    old.open().close()
    keys = load_public_keys([old.public])
    assert verify(old.where, keys).is_whole

    old.tamper("UPDATE journal_records SET at_ms = 701 WHERE event = 2 AND type = 'event'")

    assert [found.first for found in verify(old.where, keys).findings] == [3]


def test_to_read_an_old_journal_it_is_not_touched(old: Place) -> None:
    before = Path(old.where).read_bytes()

    with closing(old.read()) as journal:
        assert len(tuple(journal.read())) == 3
        assert len(journal.rulings()) == 2
        assert journal.rulebook == "fr2"

    assert Path(old.where).read_bytes() == before
    assert sorted(p.name for p in Path(old.where).parent.iterdir()) == ["t.journal"]


def test_an_old_journal_is_not_called_whole(old: Place) -> None:
    with pytest.raises(JournalError, match=r"before journals had a chain.*journal migrate"):
        verify(old.where, PublicKeys())


def test_a_migration_that_fails_leaves_the_old_journal_as_it_was(
    old: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a power cut in its midst would: it is one transaction."""

    class PowerCutError(Exception):
        pass

    def cut(_connection: object) -> None:
        raise PowerCutError

    monkeypatch.setattr(guards, "install", cut)
    with pytest.raises(PowerCutError):
        old.open()
    monkeypatch.undo()

    with closing(sqlite3.connect(old.where)) as database:
        assert database.execute("SELECT count(*) FROM events").fetchone() == (3,)
    with closing(old.open()) as journal:
        assert len(tuple(journal.read())) == 3


@pytest.mark.parametrize(
    "sql",
    ["UPDATE journal_schema SET version_num = '0009'", "PRAGMA user_version=9"],
)
def test_a_newer_schema_is_refused(file_place: Place, sql: str) -> None:
    file_place.open().close()
    with closing(sqlite3.connect(file_place.where)) as database, database:
        database.execute(sql)

    with pytest.raises(JournalError, match=r"written with schema 0*9, this program knows"):
        file_place.open()


def test_the_migrations_lead_to_the_tables_that_the_program_makes(place: Place) -> None:
    engine = place.engine()
    with engine.begin() as connection:
        schema.upgrade(connection)
        context = MigrationContext.configure(
            connection, opts={"version_table": schema.VERSION_TABLE}
        )

        assert compare_metadata(context, META) == []
        assert guards.missing(connection) == frozenset()
        assert schema.VERSION_TABLE in inspect(connection).get_table_names()
    engine.dispose()


def test_a_journal_that_the_migrations_made_is_used_like_any_other(place: Place) -> None:
    engine = place.engine()
    with engine.begin() as connection:
        schema.upgrade(connection)
    engine.dispose()

    with closing(place.open()) as journal:
        assert journal.append(EVENTS[0]) == 1


def test_the_newest_migration_is_the_schema_of_the_program() -> None:
    config = Config()
    folder = Path(schema.__file__).parent / "migrations"
    config.set_main_option("script_location", str(folder))

    assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION


def test_old_records_have_no_time(old: Place) -> None:
    with closing(Journal.open(old.where, key=old.key)) as journal:
        written = [record.written_ms for record in journal.records()]
        opening = json.loads(next(journal.records()).body)

    assert written[:-1] == [0] * 6
    assert written[-1] > 0
    assert opening == {"rulebook": "fr2", "program": "0.1", "key_id": ""}
