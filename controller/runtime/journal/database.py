"""Connections to a journal's database, set up so that what is committed is on disk."""

from __future__ import annotations

import logging
import os
import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, StaticPool, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.pool import NullPool, QueuePool

from controller.runtime.journal.location import Location, tls_options
from controller.runtime.journal.problems import sqlstate

WRITES: Final = "journal_writes"
"""Execution option of a connection that will write: it takes the file's write lock at once."""

BUSY_S: Final = 5.0
"""Patience with another program that writes to the file: a retention takes it in short turns."""

ANSWER_S: Final = 10.0
"""Patience with a database server; after that the line counts as lost."""

_LOST: Final = ("57P", "08")
"""SQLSTATE classes that mean that the connection is gone (PostgreSQL manual, appendix A)."""

_POSTGRES_SETTINGS: Final = "SET synchronous_commit = on"
"""A commit returns when it is on disk, whatever the server's default says."""

_READ_ONLY: Final = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"


def connect(location: Location, *, read_only: bool) -> Engine:
    """An engine for the place; nothing is opened before the first use.

    Raises:
        JournalError: The URL asks for something unknown.
    """
    if location.url is None:
        return _file_engine(location.path, read_only=read_only)
    return _server_engine(location.url, read_only=read_only)


def copy_in_memory(path: Path) -> Engine:
    """An engine over a copy of the file, for what may not be written to."""
    memory = sqlite3.connect(
        ":memory:", check_same_thread=False, isolation_level=None, cached_statements=0
    )
    source = _open_file(path, read_only=True)
    try:
        source.backup(memory)
    finally:
        source.close()
    engine = create_engine("sqlite://", creator=lambda: memory, poolclass=StaticPool)
    event.listen(engine, "begin", _begin)
    return engine


def _file_engine(path: Path, *, read_only: bool) -> Engine:
    def creator() -> sqlite3.Connection:
        connection = _open_file(path, read_only=read_only)
        if not read_only:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
        return connection

    # Not SQLAlchemy's choice for "sqlite://", which lends a connection twice within a thread
    # and closes those of other threads when there are more than five.
    pool = NullPool if read_only else QueuePool
    engine = create_engine("sqlite://", creator=creator, poolclass=pool)
    event.listen(engine, "begin", _begin)
    return engine


def _open_file(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    if read_only and _is_at_rest(path):
        mode = "ro&immutable=1"
    # isolation_level None: transactions begin where _begin says, DDL included.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_S,
        check_same_thread=False,
        isolation_level=None,
    )


def _is_at_rest(path: Path) -> bool:
    """Whether nobody writes to the file, nor can: on a medium or in a folder that is read-only.

    SQLite then need not make its lock file beside it, which it could not.
    """
    effective = os.access in os.supports_effective_ids
    is_fixed = not os.access(path.absolute().parent, os.W_OK, effective_ids=effective)
    return is_fixed and not path.with_name(f"{path.name}-wal").exists()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _server_engine(url: URL, *, read_only: bool) -> Engine:
    # A line that broke is reported by whoever was using it; the pool need not log it as well.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    bare, context = tls_options(url)
    options = {"timeout": ANSWER_S, "application_name": "cutcard"}
    engine = create_engine(bare, connect_args={**options, "ssl_context": context}, pool_size=1)

    @event.listens_for(engine, "connect")
    def _settle(connection: sqlite3.Connection, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(_POSTGRES_SETTINGS)
        if read_only:
            cursor.execute(_READ_ONLY)
        connection.commit()
        cursor.close()

    @event.listens_for(engine, "handle_error")
    def _notice_loss(context: ExceptionContext) -> None:
        if sqlstate(context.original_exception).startswith(_LOST):
            context.is_disconnect = True

    return engine
