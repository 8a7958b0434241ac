"""Run by Alembic: the migrations on the connection that the program has open."""

from __future__ import annotations

from alembic import context

from controller.runtime.journal.schema import VERSION_TABLE
from controller.runtime.journal.tables import META

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=META,
    version_table=VERSION_TABLE,
    # The caller's transaction: after a power cut either all of it happened or nothing.
    transactional_ddl=False,
)
context.run_migrations()
