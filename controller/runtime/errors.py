"""Everything that can go wrong while a table runs.

* RuntimeFault: catch this to handle any of them
  * ConfigError: the table file is wrong
  * JournalError: the journal cannot be opened, read or written
    * JournalDamagedError: its newest records are not those that were written
    * JournalKeyError: the key that signs it cannot be used
  * BundleError: a bundle of evidence cannot be read
  * AccessError: the file of those who may sign in cannot be used
  * TapRefusedError: a tap on the page does not fit what the table waits for
  * TableStoppedError: the table has stopped; carries the first cause
"""

from __future__ import annotations

from pathlib import Path


class RuntimeFault(Exception):  # noqa: N818 - the base is a family, not one error
    """Base class: catch this to handle any failure of a running table."""


class ConfigError(RuntimeFault):
    """A table file is wrong.

    Args:
        path: The file.
        problem: What is wrong and what to write instead, one sentence.
        key: The dotted key, empty when the whole file is meant.
        line: Line number from 1, 0 when no line can be named.
    """

    def __init__(self, path: Path, problem: str, *, key: str = "", line: int = 0) -> None:
        where = f"{path}:{line}" if line else str(path)
        named = f" {key}:" if key else ""
        super().__init__(f"{where}:{named} {problem}")
        self.path, self.problem, self.key, self.line = path, problem, key, line


class JournalError(RuntimeFault):
    """The journal cannot be opened, read or written; what it recorded so far stays.

    Args:
        path: The journal file.
        problem: What is wrong and what to do, one sentence.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"journal {path}: {problem}")
        self.path, self.problem = path, problem


class JournalDamagedError(JournalError):
    """The newest records are not those that were written, so no hand can be taken up from them.

    Args:
        path: The journal.
        problem: What is wrong, one sentence.
        seq: The number of the record at which it shows.
    """

    def __init__(self, path: str, problem: str, seq: int) -> None:
        super().__init__(
            path,
            f"{problem}; look with cutcard journal verify, then restore it from a copy "
            "or name a new file",
        )
        self.seq = seq


class JournalKeyError(JournalError):
    """A key file of a journal cannot be used.

    Args:
        path: The key file.
        problem: What is wrong and what to do, one sentence.
    """

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"key {path}", problem)


class BundleError(RuntimeFault):
    """A bundle of evidence cannot be read, or is none.

    Args:
        path: The file.
        problem: What is wrong and what to do, one sentence.
    """

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"bundle {path}: {problem}")
        self.path, self.problem = path, problem


class AccessError(RuntimeFault):
    """The file of those who may sign in cannot be used, or not changed so.

    Args:
        path: The file.
        problem: What is wrong and what to do, one sentence.
    """

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"users {path}: {problem}")
        self.path, self.problem = path, problem


class TapRefusedError(RuntimeFault):
    """A tap does not fit what the table waits for; nothing was recorded.

    Args:
        message: One sentence for the person who tapped.
        key: Its key among the page's texts, for other languages; empty when it has none.
        seat: The seat it speaks of, 0 for none.
    """

    def __init__(self, message: str, *, key: str = "", seat: int = 0) -> None:
        super().__init__(message)
        self.key, self.seat = key, seat


class TableStoppedError(RuntimeFault):
    """The table stopped itself; ``cause`` is the first thing that went wrong."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(
            f"the table stopped and holds the shoe: {cause}; "
            "put it right and start the table again, the hand is kept"
        )
        self.cause = cause
