"""The tables of a journal, the same in SQLite and PostgreSQL."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, LargeBinary, MetaData, Table, Text

META: Final = MetaData()

RECORDS: Final = Table(
    "journal_records",
    META,
    Column("table_id", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("type", Text, nullable=False),
    Column("event", BigInteger, nullable=False),
    Column("hand", BigInteger, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("written_ms", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Index("journal_records_by_event", "table_id", "event"),
)

HEADS: Final = Table(
    "journal_heads",
    META,
    Column("table_id", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("signature", LargeBinary, nullable=False),
)

CHECKPOINTS: Final = Table(
    "journal_checkpoints",
    META,
    Column("table_id", Text, primary_key=True),
    Column("first_seq", BigInteger, primary_key=True, autoincrement=False),
    Column("previous", LargeBinary, nullable=False),
    Column("rulebook", Text, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("key_id", Text, nullable=False),
    Column("signature", LargeBinary, nullable=False),
)
