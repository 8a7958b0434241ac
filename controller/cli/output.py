r"""What the program prints reaches whoever reads it, whatever the terminal can show.

A terminal without UTF-8 shows ``\u2660`` where it has no spade, which is also
what JSON writes; a reader that has gone or a full disk ends the output quietly.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Final

_ESCAPE: Final = "cutcard.escape"
"""Name under which Python keeps the error handler."""


def escape(error: UnicodeError) -> tuple[str, int]:
    """Write a character that cannot be encoded as JSON would, in UTF-16 units."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[n : n + 2].hex() for n in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.end


def prepare_output() -> None:
    """Let no character end the program because the terminal does not have it."""
    codecs.register_error(_ESCAPE, escape)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ESCAPE)


def let_go_of_output() -> None:
    """Write out what is buffered, or drop it where nobody takes it any more.

    Left in the buffer it would be tried again at the end of the process, which complains.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # the shell closed it: >&-
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
