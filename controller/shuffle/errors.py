"""Everything that can go wrong when shuffles are audited.

* ShuffleError: catch this to handle any of them
  * ModelError: there is no such model of a shuffle
  * OrdersFileError: a file of recorded orders is wrong
"""

from __future__ import annotations

from pathlib import Path


class ShuffleError(Exception):
    """Base class: catch this to handle any failure of an audit."""


class ModelError(ShuffleError):
    """There is no such model; ``name`` is what was asked for."""

    def __init__(self, name: str, allowed: str) -> None:
        super().__init__(f"no model {name!r}: write one of {allowed}")
        self.name = name


class OrdersFileError(ShuffleError):
    """A file of recorded orders is wrong.

    Args:
        path: The file.
        problem: What is wrong and what to write instead, one sentence.
        line: Line number from 1, 0 when the whole file is meant.
    """

    def __init__(self, path: Path, problem: str, line: int = 0) -> None:
        where = f"{path}:{line}" if line else str(path)
        super().__init__(f"{where}: {problem}")
        self.path, self.problem, self.line = path, problem, line
