"""The schema of a journal and how an older one is brought up to it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, inspect

from controller.runtime.errors import JournalError
from controller.runtime.journal import guards
from controller.runtime.journal.database import WRITES, copy_in_memory
from controller.runtime.journal.location import Location
from controller.runtime.journal.problems import said
from controller.runtime.journal.tables import META

REVISION: Final = "0002"
"""The newest schema: the last migration in ``migrations/versions``."""

FIRST_REVISION: Final = "0001"
"""The schema that files had before they noted their revision."""

VERSION_TABLE: Final = "journal_schema"
"""Alembic's table of the revision; named so that a database can hold other things too."""

APPLICATION_ID: Final = 0x43554354
"""``CUCT``: marks an SQLite file as a journal of this program."""

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_EMPTY: Final = ""


def prepare(engine: Engine, location: Location, *, read_only: bool) -> Engine:
    """Create what is missing and bring an older schema up to date, in one transaction.

    Returns:
        The engine to read from: for a file of an older schema that may only be read,
        one over a copy in memory that has been brought up to date.

    Raises:
        JournalError: Not a journal, a newer schema, or nothing there to read.
    """
    with said(location.shown), engine.connect() as connection:
        revision = _revision(connection, location)
    if revision == REVISION:
        return engine
    if revision == _EMPTY and read_only:
        raise JournalError(location.shown, "there is no journal in it yet; start the table first")
    if read_only:
        engine = _readable_copy(location, revision)
    with (
        said(location.shown),
        engine.execution_options(**{WRITES: True}).begin() as connection,
    ):
        if (found := _revision(connection, location)) == _EMPTY:
            create(connection)
        elif found != REVISION:
            upgrade(connection, found)
    return engine


def create(connection: Connection) -> None:
    """Make the newest schema in an empty database; the migrations lead to the same."""
    META.create_all(connection)
    guards.install(connection)
    connection.exec_driver_sql(
        f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, "
        f"CONSTRAINT {VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
    )
    connection.exec_driver_sql(f"INSERT INTO {VERSION_TABLE} VALUES ('{REVISION}')")
    mark(connection)


def upgrade(connection: Connection, found: str = _EMPTY) -> None:
    """Run the migrations from a revision on, an empty database's being empty."""
    # Alembic takes a second to load, and is needed once in a journal's life.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if found and VERSION_TABLE not in inspect(connection).get_table_names():
        command.stamp(config, found)
    command.upgrade(config, "head")
    mark(connection)


def mark(connection: Connection) -> None:
    """Note in an SQLite file whose it is and its schema, where older programs look."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version={int(REVISION)}")


def stored_revision(engine: Engine, location: Location) -> str:
    """The revision that is in the database now; empty for none.

    Raises:
        JournalError: Not a journal, or a newer schema.
    """
    with said(location.shown), engine.connect() as connection:
        return _revision(connection, location)


def _revision(connection: Connection, location: Location) -> str:
    tables = frozenset(inspect(connection).get_table_names())
    if location.is_file:
        _check_file(connection, location, tables)
    if VERSION_TABLE in tables:
        found = str(connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar())
    else:
        found = FIRST_REVISION if location.is_file and tables else _EMPTY
    if found not in (_EMPTY, FIRST_REVISION, REVISION):
        raise JournalError(
            location.shown,
            f"written with schema {found}, this program knows {REVISION}; "
            "use the version of the program that wrote it",
        )
    return found


def _check_file(connection: Connection, location: Location, tables: frozenset[str]) -> None:
    mark = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    if tables and mark != APPLICATION_ID:
        raise JournalError(
            location.shown, "this is a database of something else; choose another path"
        )
    if version > int(REVISION):
        raise JournalError(
            location.shown,
            f"written with schema {version}, this program knows {int(REVISION)}; "
            "use the version of the program that wrote it",
        )


def _readable_copy(location: Location, revision: str) -> Engine:
    if not location.is_file:
        raise JournalError(
            location.shown,
            f"it has schema {revision}; bring it up to date with cutcard journal migrate",
        )
    with said(location.shown):
        return copy_in_memory(location.path)
