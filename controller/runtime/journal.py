"""The journal: every event of a table, on disk before anything acts on it.

SQLite in write-ahead mode with full synchronisation: when ``append`` returns,
the event survives a power cut. Rows are only ever added. The rulings that
followed from an event are stored beside it as evidence; they can be computed
again from the events (``controller.runtime.replay``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import (
    Column,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    create_engine,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from controller.events import TableEvent
from controller.rulings import Ruling
from controller.runtime.errors import JournalError

SCHEMA_VERSION: Final = 1
"""Stored in the file (``user_version``); a file with another number is not touched."""

APPLICATION_ID: Final = 0x43554354
"""``CUCT``: marks an SQLite file as a journal of this program."""

_META: Final = MetaData()
_EVENTS: Final = Table(
    "events",
    _META,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String, nullable=False),
    Column("hand", Integer, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("kind", String, nullable=False),
    Column("json", LargeBinary, nullable=False),
)
_RULINGS: Final = Table(
    "rulings",
    _META,
    Column("event_seq", Integer, primary_key=True, autoincrement=False),
    Column("id", String, primary_key=True),
    Column("json", LargeBinary, nullable=False),
)
_TABLE: Final = Table(
    "table_info",
    _META,
    Column("table_id", String, primary_key=True),
    Column("rulebook", String, nullable=False),
)

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(TableEvent)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: the ``seq``-th event of the journal (from 1) and the hand it belongs to."""

    seq: int
    hand: int
    event: TableEvent


@dataclass(frozen=True, slots=True)
class RecordedRuling:
    """A ruling as it was stored: canonical JSON, and the event it followed from."""

    event_seq: int
    json: bytes


class Journal:
    """The journal of one table; open it with ``Journal.open``."""

    def __init__(self, engine: Engine, path: str, table_id: str, rulebook: str, last: int) -> None:
        self._engine, self.path = engine, path
        self.table_id, self.rulebook, self.last_seq = table_id, rulebook, last

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        table_id: str = "table",
        rulebook: str = "",
        read_only: bool = False,
    ) -> Journal:
        """Open the journal at ``path``, creating it when there is none.

        Args:
            path: The file; its folder must exist.
            table_id: Name of the table, written into a new journal.
            rulebook: Name of the rulebook in force, written into a new journal.
            read_only: Refuse to create or write.

        Raises:
            JournalError: No such folder, no permission, not a journal, another
                schema version, or a damaged file.
        """
        where = str(path)
        if read_only and not Path(path).is_file():
            raise JournalError(where, "there is no such file; give the path of a journal")
        if not Path(path).parent.is_dir():
            raise JournalError(where, f"make the folder {Path(path).parent} first")
        engine = _engine(Path(path), read_only=read_only)
        with _said(where):
            _prepare(engine, where, read_only=read_only)
            name, book = _identity(engine, table_id, rulebook, read_only=read_only)
            with engine.connect() as connection:
                last = connection.scalar(select(func.max(_EVENTS.c.seq))) or 0
        return cls(engine, where, name, book, last)

    def append(self, happened: TableEvent, *, hand: int = 0) -> int:
        """Write one event; returns its number once it is safe on disk.

        Raises:
            JournalError: The disk is full, the file cannot be written or is damaged.
        """
        seq = self.last_seq + 1
        row = {
            "seq": seq,
            "table_id": self.table_id,
            "hand": hand,
            "at_ms": happened.at_ms,
            "kind": str(type(happened).__struct_config__.tag),
            "json": _ENCODER.encode(happened),
        }
        with _said(self.path), self._engine.begin() as connection:
            connection.execute(insert(_EVENTS), row)
        self.last_seq = seq
        return seq

    def record(self, event_seq: int, rulings: tuple[Ruling, ...]) -> None:
        """Store the rulings that followed from an event; those stored before are kept.

        Raises:
            JournalError: As for ``append``.
        """
        if not rulings:
            return
        with _said(self.path), self._engine.begin() as connection:
            stored = connection.scalar(
                select(func.count()).where(_RULINGS.c.event_seq == event_seq)
            )
            if stored:
                return
            rows = [{"event_seq": event_seq, "id": r.id, "json": canonical(r)} for r in rulings]
            connection.execute(insert(_RULINGS), rows)

    def read(self) -> Iterator[Entry]:
        """All events in order.

        Raises:
            JournalError: The file is damaged, or a row is no event of this version.
        """
        with _said(self.path), self._engine.connect() as connection:
            rows = connection.execute(
                select(_EVENTS.c.seq, _EVENTS.c.hand, _EVENTS.c.json).order_by(_EVENTS.c.seq)
            )
            for seq, hand, line in rows:
                yield Entry(seq, hand, self._decode(seq, line))

    def rulings(self) -> tuple[RecordedRuling, ...]:
        """The stored rulings in the order they were made.

        Raises:
            JournalError: The file is damaged.
        """
        with _said(self.path), self._engine.connect() as connection:
            rows = connection.execute(
                select(_RULINGS.c.event_seq, _RULINGS.c.json).order_by(
                    _RULINGS.c.event_seq, _RULINGS.c.id
                )
            )
            return tuple(RecordedRuling(seq, line) for seq, line in rows)

    def close(self) -> None:
        """Let go of the file."""
        self._engine.dispose()

    def _decode(self, seq: int, line: bytes) -> TableEvent:
        try:
            return _DECODER.decode(line)
        except msgspec.DecodeError as error:
            raise JournalError(
                self.path, f"event {seq} cannot be read ({error}); restore the file from a copy"
            ) from error


def canonical(ruling: Ruling) -> bytes:
    """A ruling as the bytes that are stored and compared."""
    return _ENCODER.encode(ruling)


def _engine(path: Path, *, read_only: bool) -> Engine:
    mode = "ro" if read_only else "rwc"

    def connect() -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, timeout=5.0, check_same_thread=False)

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool if read_only else None)

    def settle(connection: sqlite3.Connection, _record: object) -> None:
        if not read_only:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")

    event.listen(engine, "connect", settle)
    return engine


def _prepare(engine: Engine, path: str, *, read_only: bool) -> None:
    with engine.begin() as connection:
        version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        mark = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one()
        if tables == 0 and version == 0 and not read_only:
            _META.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
            connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")
            return
    if mark != APPLICATION_ID:
        raise JournalError(path, "this is a database of something else; choose another path")
    if version != SCHEMA_VERSION:
        raise JournalError(
            path,
            f"written with schema {version}, this program reads schema {SCHEMA_VERSION}; "
            "use the version of the program that wrote it",
        )


def _identity(engine: Engine, table_id: str, rulebook: str, *, read_only: bool) -> tuple[str, str]:
    with engine.begin() as connection:
        known = connection.execute(select(_TABLE.c.table_id, _TABLE.c.rulebook)).first()
        if known is None and not read_only:
            connection.execute(insert(_TABLE), {"table_id": table_id, "rulebook": rulebook})
    return (table_id, rulebook) if known is None else (known[0], known[1])


_PROBLEMS: Final[tuple[tuple[str, str], ...]] = (
    ("readonly", "it is read-only; make the file and its folder writable"),
    ("unable to open", "it cannot be opened; check the permissions of the file and its folder"),
    ("full", "the disk is full; free some space, everything recorded so far is kept"),
    ("locked", "another program is writing to it; stop the other table first"),
    ("not a database", "it is not a journal; choose another path"),
    ("malformed", "it is damaged; restore it from a copy"),
    ("UNIQUE", "another program wrote to it at the same time; stop the other table first"),
)
"""What SQLite says, and what that means for the person at the table."""


@contextmanager
def _said(path: str) -> Iterator[None]:
    """Turn what the database says into one clear line."""
    try:
        yield
    except SQLAlchemyError as error:
        words = str(error.orig) if isinstance(error, DatabaseError) else str(error)
        told = next((line for word, line in _PROBLEMS if word in words), f"{words}; restore it")
        raise JournalError(path, told) from error
