"""One table of records in a hash chain, signed heads, checkpoints; what was written moves there.

The time at which old records were written was never noted: it is 0. There is no way
back: a program that knows no chain could not write a record that fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
import sqlalchemy as sa
from alembic import op

from controller.runtime.journal import guards
from controller.runtime.journal.chain import chained
from controller.runtime.journal.values import EVENT, OPENED, RULING, START, Opening, Place, Record

revision: Final = "0002"
down_revision: Final = "0001"

_OLD: Final = ("rulings", "events", "table_info")
_PROGRAM: Final = "0.1"
"""The only version that wrote files of schema 1."""


def upgrade() -> None:
    """Make the tables, move the records, put the guards in."""
    records = _create()
    previous = START
    for seq, old in enumerate(_old_records(op.get_bind()), start=1):
        record = chained(previous, msgspec.structs.replace(old, seq=seq))
        previous = record.hash
        op.get_bind().execute(sa.insert(records), msgspec.structs.asdict(record))
    for name in _OLD:
        op.drop_table(name)
    guards.install(op.get_bind())


def _create() -> sa.Table:
    records = op.create_table(
        "journal_records",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("type", sa.Text, nullable=False),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("event", "hand", "at_ms", "written_ms")
        ),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
    )
    op.create_index("journal_records_by_event", "journal_records", ["table_id", "event"])
    op.create_table(
        "journal_heads",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("signature", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "journal_checkpoints",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("first_seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("previous", sa.LargeBinary, nullable=False),
        sa.Column("rulebook", sa.Text, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("key_id", sa.Text, nullable=False),
        sa.Column("signature", sa.LargeBinary, nullable=False),
    )
    return records


def _old_records(connection: sa.Connection) -> Iterator[Record]:
    """An opening, then each event with the rulings that followed from it."""
    info = connection.execute(sa.text("SELECT table_id, rulebook FROM table_info")).first()
    if info is None:
        return
    table_id, rulebook = info
    opening = Opening(rulebook=rulebook, program=_PROGRAM, key_id="")
    yield Record.draft(table_id, OPENED, OPENED, msgspec.json.encode(opening), Place())
    rulings: dict[int, list[tuple[str, bytes]]] = {}
    ordered = sa.text("SELECT event_seq, id, json FROM rulings ORDER BY event_seq, id")
    for event, ruling, body in connection.execute(ordered):
        rulings.setdefault(event, []).append((ruling, body))
    events = sa.text("SELECT seq, hand, at_ms, kind, json FROM events ORDER BY seq")
    for event, hand, at_ms, kind, body in connection.execute(events).all():
        place = Place(event, hand, at_ms)
        yield Record.draft(table_id, EVENT, kind, _octets(body), place)
        for ruling, decision in rulings.get(event, ()):
            yield Record.draft(table_id, RULING, ruling, _octets(decision), place)


def _octets(body: bytes | str) -> bytes:
    """SQLite lets a text stand where bytes were declared."""
    return body.encode() if isinstance(body, str) else body
