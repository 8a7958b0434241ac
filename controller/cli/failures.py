"""How a command ends: exit codes, and one clear line for what went wrong."""

from __future__ import annotations

import sys
from enum import IntEnum


class ExitCode(IntEnum):
    """What the shell is told."""

    DONE = 0
    FOUND_FAILURE = 1
    """The command ran and found something wrong: a difference, a bad file among good ones."""
    BAD_INPUT = 2
    """Wrong usage, or an input or device that cannot be used."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C: 128 and the signal's number, as shells count it."""


class CommandError(Exception):
    """A command cannot go on; the message says what, where and what to do."""

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def complain(sentence: object) -> None:
    """Say one line on standard error."""
    line = " ".join(str(sentence).split())
    print(f"cutcard: {line}", file=sys.stderr)
