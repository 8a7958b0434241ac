"""One table's records, heads and checkpoints as they stand in the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, RowMapping, Select, Table, select

from controller.runtime.errors import JournalDamagedError, JournalError
from controller.runtime.journal.decoding import rulebook_of
from controller.runtime.journal.location import Location
from controller.runtime.journal.problems import said
from controller.runtime.journal.tables import CHECKPOINTS, HEADS, RECORDS
from controller.runtime.journal.values import EVENT, OPENED, RULING, START, Checkpoint, Head, Record

BATCH: Final = 1000
"""Records fetched at a time: memory stays flat however long the journal is."""

ValueT = TypeVar("ValueT", Record, Head, Checkpoint)


def table_ids(engine: Engine, location: Location) -> tuple[str, ...]:
    """The tables whose records the database holds.

    Raises:
        JournalError: The database cannot be read.
    """
    with said(location.shown), engine.connect() as connection:
        found = connection.scalars(select(RECORDS.c.table_id).distinct())
        return tuple(sorted(str(name) for name in found))


def chosen_table(location: Location, held: tuple[str, ...], wanted: str) -> str:
    """The table that is meant: the only one, or the one named.

    Raises:
        JournalError: None is there, several are and none was named, or it is not there.
    """
    if wanted in held:
        return wanted
    if not held:
        raise JournalError(location.shown, "there is no journal in it yet; start the table first")
    if wanted:
        raise JournalError(location.shown, f"no table {wanted!r} in it, only {', '.join(held)}")
    if len(held) > 1:
        raise JournalError(
            location.shown, f"it holds several tables ({', '.join(held)}); name one with --table"
        )
    return held[0]


class Ledger:
    """Reads one table; nothing here writes.

    Args:
        engine: The database.
        location: For messages.
        table_id: The table.
    """

    def __init__(self, engine: Engine, location: Location, table_id: str) -> None:
        self.engine, self.location, self.table_id = engine, location, table_id
        self._snapshot: Connection | None = None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read as everything stands now, whatever is written meanwhile.

        Raises:
            JournalError: The database cannot be read.
        """
        level = {} if self.location.is_file else {"isolation_level": "REPEATABLE READ"}
        with said(self.location.shown), self.engine.connect() as connection:
            self._snapshot = connection.execution_options(**level)
            try:
                yield
            finally:
                self._snapshot = None

    def records(self, first: int = 0, *, of_type: str = "") -> Iterator[Record]:
        """Records in order, from number ``first`` on, all or those of one type.

        Raises:
            JournalDamagedError: A row is not what a record looks like.
            JournalError: The database cannot be read.
        """
        for row in self.rows(first, of_type=of_type):
            yield self._value(row, Record)

    def rows(self, first: int = 0, *, of_type: str = "") -> Iterator[RowMapping]:
        """The same as they lie in the database, for a reader that trusts nothing.

        Raises:
            JournalError: The database cannot be read.
        """
        query = self._of(RECORDS).order_by(RECORDS.c.seq).limit(BATCH)
        if of_type:
            query = query.where(RECORDS.c.type == of_type)
        batch = self._all(query.where(RECORDS.c.seq >= first))
        while batch:
            yield from batch
            if len(batch) < BATCH:
                return
            batch = self._all(query.where(RECORDS.c.seq > batch[-1]["seq"]))

    def heads(self) -> tuple[Head, ...]:
        """The signed heads in order.

        Raises:
            JournalError: As for ``records``.
        """
        rows = self._all(self._of(HEADS).order_by(HEADS.c.seq))
        return tuple(self._value(row, Head) for row in rows)

    def last_head(self) -> Head | None:
        """The newest signed head; None before the first.

        Raises:
            JournalError: As for ``records``.
        """
        rows = self._all(self._of(HEADS).order_by(HEADS.c.seq.desc()).limit(1))
        return self._value(rows[0], Head) if rows else None

    def checkpoint(self) -> Checkpoint:
        """Where the journal begins: the newest checkpoint, or the very beginning.

        Raises:
            JournalError: As for ``records``.
        """
        newest = self._of(CHECKPOINTS).order_by(CHECKPOINTS.c.first_seq.desc()).limit(1)
        for row in self._all(newest):
            return self._value(row, Checkpoint)
        return Checkpoint(
            table_id=self.table_id, first_seq=1, previous=START, rulebook="", made_ms=0, key_id=""
        )

    def last(self, *, of_type: str = "") -> Record | None:
        """The newest record, of all or of one type; None where there is none.

        Raises:
            JournalError: As for ``records``.
        """
        query = self._of(RECORDS).order_by(RECORDS.c.seq.desc()).limit(1)
        if of_type:
            query = query.where(RECORDS.c.type == of_type)
        rows = self._all(query)
        return self._value(rows[0], Record) if rows else None

    def numbered(self, seq: int) -> Record | None:
        """The record of that number; None where there is none.

        Raises:
            JournalError: As for ``records``.
        """
        rows = self._all(self._of(RECORDS).where(RECORDS.c.seq == seq))
        return self._value(rows[0], Record) if rows else None

    def of_event(self, event: int) -> tuple[Record, tuple[Record, ...]]:
        """An event's record and those of the rulings that followed from it.

        Raises:
            JournalError: There is no such event, or as for ``records``.
        """
        query = self._of(RECORDS).where(RECORDS.c.event == event).order_by(RECORDS.c.seq)
        found = [self._value(row, Record) for row in self._all(query)]
        for record in found:
            if record.type == EVENT:
                return record, tuple(other for other in found if other.type == RULING)
        raise JournalError(self.location.shown, f"there is no event {event} in it")

    def rulebook(self) -> str:
        """The rulebook that the newest opening names, or that a retention carried over."""
        opened = self.last(of_type=OPENED)
        if opened is None:
            return self.checkpoint().rulebook
        return rulebook_of(opened, self.location.shown)

    def start_of_last_hand(self) -> int:
        """The number of the first event of the newest hand; 1 where there is no hand."""
        last = self.last(of_type=EVENT)
        if last is None:
            return 1
        other = self._of(RECORDS).where(RECORDS.c.type == EVENT, RECORDS.c.hand != last.hand)
        before = self._all(other.order_by(RECORDS.c.seq.desc()).limit(1))
        return int(before[0]["seq"]) + 1 if before else 1

    def _of(self, table: Table) -> Select[*tuple[object, ...]]:
        return select(table).where(table.c.table_id == self.table_id)

    def _all(self, query: Select[*tuple[object, ...]]) -> list[RowMapping]:
        with said(self.location.shown), self._connection() as connection:
            return list(connection.execute(query).mappings())

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        if self._snapshot is not None:
            yield self._snapshot
        else:
            with self.engine.connect() as connection:
                yield connection

    def _value(self, row: RowMapping, of_type: type[ValueT]) -> ValueT:
        try:
            return as_value(row, of_type)
        except msgspec.ValidationError as error:
            seq = row["seq"] if isinstance(row["seq"], int) else 0
            raise JournalDamagedError(
                self.location.shown, f"record {seq} cannot be read ({error})", seq
            ) from error


def as_value(row: RowMapping, of_type: type[ValueT]) -> ValueT:
    """A row as the value it holds.

    Raises:
        msgspec.ValidationError: A column holds something else than it should.
    """
    # bytes are named as a type of the database's own, or text would be taken for base64.
    return msgspec.convert({str(k): v for k, v in row.items()}, of_type, builtin_types=(bytes,))
