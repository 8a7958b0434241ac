"""Keeps what the tables tell: each record once, and how each table stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    MetaData,
    Table,
    Text,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError

from controller.fleet.errors import PitDatabaseError
from controller.fleet.messages import RecordMessage, StateMessage, StatusMessage
from controller.fleet.receiving import Arrival, Tip, arrival, is_behind, lost_between
from controller.runtime.errors import JournalError
from controller.runtime.journal.database import WRITES, connect
from controller.runtime.journal.location import Location
from controller.runtime.journal.problems import said

META: Final = MetaData()

RECORDS: Final = Table(
    "pit_records",
    META,
    Column("table_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("type", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("event", BigInteger, nullable=False),
    Column("hand", BigInteger, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("written_ms", BigInteger, nullable=False),
    Column("received_ms", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("alarms", Text, nullable=False),
    Index("pit_records_in_order", "table_id", "seq"),
)

TABLES: Final = Table(
    "pit_tables",
    META,
    Column("table_id", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("tip", Text, nullable=False),
    Column("lost", BigInteger, nullable=False),
    Column("is_online", Boolean, nullable=False),
    Column("heard_ms", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
)

Message = RecordMessage | StateMessage | StatusMessage


class TableLine(msgspec.Struct, frozen=True, kw_only=True):
    """What the pit knows of one table.

    ``records`` are those held, ``lost`` those that the table removed before they came,
    ``heard_ms`` is when it last said something (Unix time), ``state`` how it stood then.
    """

    table: str
    is_online: bool
    heard_ms: int
    records: int
    lost: int
    state: StateMessage | None = None


@dataclass
class Taken:
    """What became of a batch of messages.

    Attributes:
        stored: Records that were new.
        doubles: Records that were held already.
        gaps: Tables that must send again, and the newest record held of each.
        advanced: Tables of which records were new.
    """

    stored: int = 0
    doubles: int = 0
    gaps: dict[str, Tip] = field(default_factory=dict)
    advanced: set[str] = field(default_factory=set)


class PitStore:
    """The pit's database; open it with ``PitStore.open``.

    Args:
        location: Where it is.
        clock: The computer's clock, Unix time in milliseconds.
    """

    def __init__(self, location: Location, clock: Callable[[], int]) -> None:
        self._location, self._clock = location, clock
        self._engine = connect(location, read_only=False)
        self._writing = self._engine.execution_options(**{WRITES: True})

    @classmethod
    def open(
        cls, place: Path | str, clock: Callable[[], int], *, must_exist: bool = False
    ) -> PitStore:
        """Open a database, making its tables where they are missing.

        Args:
            place: A file, whose folder must exist, or the URL of a PostgreSQL database.
            clock: The computer's clock, Unix time in milliseconds.
            must_exist: Whether a file that is not there is refused rather than made.

        Raises:
            PitDatabaseError: It cannot be opened or written.
        """
        try:
            location = Location.of(place)
            if must_exist and location.is_file and not location.path.is_file():
                raise PitDatabaseError(
                    location.shown, "there is no such file; cutcard pit listen makes it"
                )
            store = cls(location, clock)
        except JournalError as error:
            raise PitDatabaseError(error.path, error.problem) from error
        with store._transaction() as connection:
            META.create_all(connection)
        return store

    @property
    def shown(self) -> str:
        """Where it is, as it may be printed."""
        return self._location.shown

    def take(self, messages: Sequence[Message]) -> Taken:
        """Store a batch in one transaction; when this returns it is on disk.

        Raises:
            PitDatabaseError: Nothing of the batch was stored.
        """
        try:
            return self._take(messages)
        except PitDatabaseError as error:
            cause = error.__cause__.__cause__ if error.__cause__ else None
            if not (isinstance(cause, DBAPIError) and cause.connection_invalidated):
                raise
            # The server was restarted; what it had committed all the same is a double now.
            self._engine.dispose()
            return self._take(messages)

    def tables(self) -> tuple[TableLine, ...]:
        """What is known of every table, by name.

        Raises:
            PitDatabaseError: The database cannot be read.
        """
        counts = select(RECORDS.c.table_id, func.count()).group_by(RECORDS.c.table_id)
        with self.reading() as connection:
            held = {str(table): int(count) for table, count in connection.execute(counts)}
            rows = connection.execute(select(TABLES).order_by(TABLES.c.table_id)).mappings().all()
        return tuple(
            TableLine(
                table=row["table_id"],
                is_online=bool(row["is_online"]),
                heard_ms=row["heard_ms"],
                records=held.get(row["table_id"], 0),
                lost=row["lost"],
                state=_state(row["state"]),
            )
            for row in rows
        )

    def lags_ms(self) -> tuple[int, ...]:
        """How long each record took from the table's disk to here, shortest first.

        Raises:
            PitDatabaseError: The database cannot be read.
        """
        lag = RECORDS.c.received_ms - RECORDS.c.written_ms
        with self.reading() as connection:
            return tuple(int(ms) for ms in connection.scalars(select(lag).order_by(lag)))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for questions of one's own.

        Raises:
            PitDatabaseError: The database cannot be read.
        """
        with self._said(), self._engine.connect() as connection:
            yield connection

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def _take(self, messages: Sequence[Message]) -> Taken:
        taken = Taken()
        with self._transaction() as connection:
            batch = _Batch(connection, self._clock(), taken)
            for message in messages:
                batch.add(message)
            batch.write()
        return taken

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._said(), self._writing.begin() as connection:
            yield connection

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            with said(self.shown):
                yield
        except JournalError as error:
            raise PitDatabaseError(error.path, error.problem) from error


def _state(text: str) -> StateMessage | None:
    return msgspec.json.decode(text, type=StateMessage) if text else None


@dataclass
class _Row:
    """A table's row while a batch is taken in."""

    tip: Tip = field(default_factory=Tip)
    lost: int = 0
    is_online: bool = False
    state: str = ""


class _Batch:
    """Messages on their way into the database: one insertion and a row a table."""

    def __init__(self, connection: Connection, now_ms: int, taken: Taken) -> None:
        self._connection, self._now_ms, self._taken = connection, now_ms, taken
        self._rows: dict[str, _Row] = {}
        self._known: set[str] = set()
        self._new: dict[tuple[str, str], dict[str, object]] = {}

    def add(self, message: Message) -> None:
        row = self._row(message.table)
        if isinstance(message, RecordMessage):
            self._add_record(row, message)
        elif isinstance(message, StateMessage):
            row.state = msgspec.json.encode(message).decode()
            if is_behind(row.tip, message, lambda id_: self._is_held(message.table, id_)):
                self._taken.gaps[message.table] = row.tip
        else:
            row.is_online = message.is_online

    def write(self) -> None:
        if self._new:
            self._connection.execute(insert(RECORDS), list(self._new.values()))
        for table, row in self._rows.items():
            values = {
                "seq": row.tip.seq,
                "tip": row.tip.id,
                "lost": row.lost,
                "is_online": row.is_online,
                "heard_ms": self._now_ms,
                "state": row.state,
            }
            if table in self._known:
                where = update(TABLES).where(TABLES.c.table_id == table)
                self._connection.execute(where.values(values))
            else:
                self._connection.execute(insert(TABLES).values(table_id=table, **values))

    def _add_record(self, row: _Row, message: RecordMessage) -> None:
        match arrival(row.tip, message, lambda id_: self._is_held(message.table, id_)):
            case Arrival.NEXT:
                row.lost += lost_between(row.tip, message)
                row.tip = Tip(message.seq, message.id)
                self._new[message.table, message.id] = self._values(message)
                self._taken.stored += 1
                self._taken.advanced.add(message.table)
                self._taken.gaps.pop(message.table, None)
            case Arrival.DOUBLE:
                self._taken.doubles += 1
            case Arrival.BEHIND_A_GAP:
                self._taken.gaps[message.table] = row.tip

    def _row(self, table: str) -> _Row:
        if table not in self._rows:
            found = self._connection.execute(select(TABLES).where(TABLES.c.table_id == table))
            self._rows[table] = _Row()
            for row in found.mappings():
                self._known.add(table)
                tip = Tip(row["seq"], row["tip"])
                self._rows[table] = _Row(tip, row["lost"], bool(row["is_online"]), row["state"])
        return self._rows[table]

    def _is_held(self, table: str, id_: str) -> bool:
        query = select(RECORDS.c.seq).where(RECORDS.c.table_id == table, RECORDS.c.id == id_)
        return (table, id_) in self._new or self._connection.scalar(query) is not None

    def _values(self, message: RecordMessage) -> dict[str, object]:
        return {
            "table_id": message.table,
            "id": message.id,
            "seq": message.seq,
            "type": message.type,
            "kind": message.kind,
            "event": message.event,
            "hand": message.hand,
            "at_ms": message.at_ms,
            "written_ms": message.written_ms,
            "received_ms": self._now_ms,
            "body": bytes(message.body).decode(),
            "alarms": msgspec.json.encode(message.alarms).decode(),
        }
