"""What a database says when something is wrong, and what that means at the table."""

from __future__ import annotations

import sqlite3
import ssl
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
_UNKNOWN_SERVER: Final = (
    "the server cannot show who it is ({}); give its certificate with sslrootcert in the URL"
)
_NO_ENCRYPTION: Final = "the server offers no encrypted line; set it up there, or leave sslmode out"


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
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise JournalError(shown, sentence(error)) from error


def sentence(error: BaseException) -> str:
    """What is wrong and what to do."""
    cause = (error.orig if isinstance(error, DBAPIError) else error) or error
    words, code = str(cause), sqlstate(cause)
    for mark, told in _POSTGRES if code else _SQLITE:
        if code.startswith(mark) if code else mark in words:
            return told
    if isinstance(cause, ssl.SSLError):
        return _UNKNOWN_SERVER.format(cause.reason)
    if "refuses SSL" in words:
        return _NO_ENCRYPTION
    return UNREACHABLE if _is_line_lost(cause) else f"{words}; restore it from a copy"


def _is_line_lost(cause: BaseException) -> bool:
    if isinstance(cause, OSError):
        return True
    return type(cause).__name__ == "InterfaceError" and not isinstance(cause, sqlite3.Error)
