"""How a command ends: exit codes, and one clear line for what went wrong."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import IntEnum
from typing import Final

LONGEST_LINE: Final = 1000
"""Characters of a complaint: a file may hold a word of a hundred megabytes."""


class ExitCode(IntEnum):
    """What the shell is told."""

    DONE = 0
    FOUND_FAILURE = 1
    """The command ran and found something wrong: a difference, a bad file among good ones."""
    BAD_INPUT = 2
    """Wrong usage, or an input or device that cannot be used."""
    HUNG_UP = 129
    """Its terminal was closed: 128 and the signal's number, as shells count it."""
    INTERRUPTED = 130
    """Stopped by Ctrl-C."""
    READER_GONE = 141
    """Whoever read the output has left, as ``head`` does; that is nobody's failure."""
    TERMINATED = 143
    """Asked to end by ``kill`` or the service manager, and ended in order."""


class CommandError(Exception):
    """A command cannot go on; the message says what, where and what to do."""

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def complain(sentence: object) -> None:
    """Say one line on standard error, without what would confuse a terminal."""
    words = " ".join(str(sentence).split())
    if len(words) > LONGEST_LINE:
        words = f"{words[: LONGEST_LINE // 2]} ... {words[-LONGEST_LINE // 2 :]}"
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in words)
    with suppress(OSError):  # where nobody can be told, the exit code still tells
        print(f"cutcard: {line}", file=sys.stderr)
