"""Files that a command writes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from controller.cli.failures import CommandError


def write_whole(pieces: Iterable[str], output: Path | None) -> None:
    """Write to a file, or to standard output where none is named.

    A file appears under its name only when it is complete.

    Raises:
        CommandError: The file cannot be written.
    """
    if output is None:
        sys.stdout.writelines(pieces)
        return
    draft = output.with_name(f"{output.name}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(pieces)
        draft.replace(output)
    except OSError as error:
        raise CommandError(f"{output}: {error.strerror}; name another file") from error
    finally:
        draft.unlink(missing_ok=True)
