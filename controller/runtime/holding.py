"""One running table to a journal: a second one is refused before it writes anything."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.runtime.errors import JournalError


@contextmanager
def held(journal: str) -> Iterator[None]:
    """Hold a journal's file for this process; the system lets go of it however that ends.

    The lock is on a file of its own beside the journal, ``x.journal.lock``: closing
    the database's own file would drop the locks that SQLite holds on it. A journal
    in a database server is held by nobody.

    Raises:
        JournalError: Another process holds it, or its folder cannot be written.
    """
    path = Path(f"{journal}.lock")
    if "://" in journal or not path.parent.is_dir():  # Journal.open says what is wrong
        yield
        return
    try:
        lock = path.open("ab")
    except OSError as error:
        raise JournalError(journal, f"{error.strerror}; make its folder writable") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(
                journal, "another cutcard runs this table; stop that one first"
            ) from error
        yield
