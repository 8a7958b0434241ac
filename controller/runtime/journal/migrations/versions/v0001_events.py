"""Events and rulings in tables of their own, without a chain: version 0.1."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "events",
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("json", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "rulings",
        sa.Column("event_seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("json", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "table_info",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("rulebook", sa.String, nullable=False),
    )
