"""``cutcard judge``: the rules engine alone, on an event file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from controller.cli.failures import CommandError, ExitCode
from controller.cli.rulings import print_ruling
from controller.rulebook import load_rulebook
from controller.rules import EventFileError
from controller.rules import judge as judge_lines

STANDARD_INPUT = "-"


def judge(
    events: Annotated[
        str, typer.Argument(metavar="EVENTS.jsonl", help="The event file; - reads standard input.")
    ],
    rulebook: Annotated[
        str, typer.Option("--rulebook", "-r", help="A name of `cutcard rulebook list`, or a file.")
    ] = "ck",
    language: Annotated[
        Literal["en", "fr"], typer.Option("--language", help="Language of the sentences.")
    ] = "en",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line per ruling.")
    ] = False,
) -> int:
    """Rule on what happened in an event file: one JSON object per line (docs/events.md).

    Rulings are printed as they fall. A malformed line ends the command with exit code 2; the
    rulings of the lines before it have been printed.

    Example: `cutcard judge docs/examples/exposed.jsonl --rulebook ck`
    """
    book = load_rulebook(rulebook)
    try:
        for ruling in judge_lines(_numbered(events), book):
            if as_json:
                print(msgspec.json.encode(ruling).decode(), flush=True)
            else:
                print_ruling(ruling, language)
    except EventFileError as error:
        raise CommandError(f"{events}: {error}") from error
    return ExitCode.DONE


def _numbered(events: str) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1."""
    if events == STANDARD_INPUT:
        yield from enumerate(sys.stdin.buffer, start=1)
        return
    try:
        with Path(events).open("rb") as lines:
            yield from enumerate(lines, start=1)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise CommandError(f"{events}: {reason}; give an event file (docs/events.md)") from error
