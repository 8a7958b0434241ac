"""What can be wrong with a rulebook.

* RulebookError: the file cannot be used; one sentence says where and what to write
"""

from __future__ import annotations


class RulebookError(Exception):
    """A rulebook file is wrong.

    Args:
        file: The file.
        problem: What is wrong and what to write instead, one sentence.
        key: The dotted key concerned, empty for the whole file.
        line: Line number from 1, 0 when none can be named.
    """

    def __init__(self, file: str, problem: str, *, key: str = "", line: int = 0) -> None:
        where = f"{file}:{line}" if line else file
        named = f" {key}:" if key else ""
        super().__init__(f"{where}:{named} {problem}")
        self.file, self.problem, self.key, self.line = file, problem, key, line
