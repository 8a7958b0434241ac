"""What a database says when something is wrong, and what that means at the table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from controller.runtime.errors import JournalError

REFUSED: Final = "cutcard: the journal is append-only"
"""What the guards in the database say; see ``controller.runtime.journal.guards``."""

_OTHER_WRITER: Final = "another program wrote to it at the same time; stop the other table first"
_FULL: Final = "the disk is full; free some space, everything recorded so far is kept"

_SQLITE: Final[tuple[tuple[str, str], ...]] = (
    ("append-only", _OTHER_WRITER),
    ("readonly", "it is read-only; make the file and its folder writable"),
    ("unable to open", "it cannot be opened; check the permissions of the file and its folder"),
    ("full", _FULL),
    ("I/O error", "the disk refused to write or read; free some space and check the disk"),
    ("locked", "another program is writing to it; stop the other table first"),
    ("not a database", "it is not a journal; choose another path"),
    ("malformed", "it is damaged; restore it from a copy"),
    ("UNIQUE", _OTHER_WRITER),
)
"""Words of SQLite's messages (https://sqlite.org/rescode.html) and a sentence for a person."""

_POSTGRES: Final[tuple[tuple[str, str], ...]] = (
    ("53100", _FULL),
    ("25006", "it is read-only; write to the primary server, or with the right to write"),
    ("28", "user or password is refused; correct the URL"),
    ("3D000", "there is no such database; create it first (createdb)"),
    ("42501", "this user may not do that; grant it the rights on the database"),
    ("23505", _OTHER_WRITER),
    ("P0001", _OTHER_WRITER),
    ("57P", "the database is shutting down; the table goes on when it is back and started again"),
    ("XX", "the database reports damage; restore it from a copy"),
)
"""Beginnings of SQLSTATE codes (PostgreSQL manual, appendix A) and a sentence for a person."""

UNREACHABLE: Final = "the database cannot be reached; start it, or correct the address"


def sqlstate(error: BaseException | None) -> str:
    """The five characters with which PostgreSQL names an error; empty where there are none."""
    told = error.args[0] if error is not None and error.args else None
    return str(told.get("C", "")) if isinstance(told, dict) else ""


@contextmanager
def said(shown: str) -> Iterator[None]:
    """Turn what the database says into one clear line.

    Raises:
        JournalError: The database reported something.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise JournalError(shown, sentence(error)) from error


def sentence(error: BaseException) -> str:
    """What is wrong and what to do."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    words = str(cause)
    code = sqlstate(cause)
    if code:
        table, key = _POSTGRES, code
    else:
        table, key = _SQLITE, words
    for mark, told in table:
        if key.startswith(mark) if code else mark in key:
            return told
    is_line_lost = type(cause).__name__ == "InterfaceError" and not isinstance(cause, sqlite3.Error)
    return UNREACHABLE if is_line_lost else f"{words}; restore it from a copy"
