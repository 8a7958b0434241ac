"""Copies a journal with its chain and its signatures: a backup, evidence, a move to a server.

The copy verifies with the same public key as the original. The table may play
meanwhile: what it adds after the copy was begun may be missing.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec
from sqlalchemy import Connection, insert

from controller.runtime.errors import JournalError
from controller.runtime.journal.database import WRITES, connect
from controller.runtime.journal.journal import open_ledger
from controller.runtime.journal.ledger import BATCH, Ledger, table_ids
from controller.runtime.journal.location import Location
from controller.runtime.journal.problems import said
from controller.runtime.journal.schema import prepare
from controller.runtime.journal.tables import CHECKPOINTS, HEADS, RECORDS


def copy(place: Path | str, target: Path | str, *, table_id: str = "") -> int:
    """Copy one table's journal to a new file, or into a PostgreSQL database.

    Args:
        place: A file or the URL of a PostgreSQL database.
        target: Where to; the table must not be there yet.
        table_id: The table, where a database holds several.

    Returns:
        How many records were copied.

    Raises:
        JournalError: The one cannot be read, or the other not be written or not empty.
    """
    ledger = open_ledger(place, table_id)
    try:
        with ledger.snapshot():
            return _copy(ledger, Location.of(target))
    finally:
        ledger.engine.dispose()


def _copy(ledger: Ledger, target: Location) -> int:
    if target.is_file and not target.path.parent.is_dir():
        raise JournalError(target.shown, f"make the folder {target.path.parent} first")
    engine = connect(target, read_only=False)
    try:
        engine = prepare(engine, target, read_only=False)
        held = table_ids(engine, target)
        if held and (target.is_file or ledger.table_id in held):
            raise JournalError(target.shown, "there is a journal in it already; name a new one")
        with (
            said(target.shown),
            engine.execution_options(**{WRITES: True}).begin() as connection,
        ):
            return _fill(ledger, connection)
    finally:
        engine.dispose()


def _fill(ledger: Ledger, connection: Connection) -> int:
    checkpoint = ledger.checkpoint()
    if checkpoint.made_ms:
        connection.execute(insert(CHECKPOINTS), msgspec.structs.asdict(checkpoint))
    count, records = 0, ledger.records(checkpoint.first_seq)
    while batch := [msgspec.structs.asdict(record) for record in islice(records, BATCH)]:
        connection.execute(insert(RECORDS), batch)
        count += len(batch)
    rows = [msgspec.structs.asdict(h) for h in ledger.heads() if h.seq >= checkpoint.first_seq]
    if rows:
        connection.execute(insert(HEADS), rows)
    return count
