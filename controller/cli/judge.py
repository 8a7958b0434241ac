"""``cutcard judge``: the rules engine alone, on an event file."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer

from controller.cli.failures import CommandError, ExitCode
from controller.cli.rulings import explained, print_explanation, print_ruling
from controller.rulebook import Rulebook, list_rulebooks, load_rulebook
from controller.rules import EventFileError, judge_beside_others

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
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Add each clause with its place, the words in both languages (--json), "
            "and what the other rulebooks would rule.",
        ),
    ] = False,
) -> int:
    """Rule on what happened in an event file: one JSON object per line (docs/events.md).

    Rulings are printed as they fall. A malformed line ends the command with exit code 2; the
    rulings of the lines before it have been printed.

    Example: `cutcard judge docs/examples/exposed.jsonl --rulebook ck`
    """
    book = load_rulebook(rulebook)
    lines, rulings = _Lines(events), 0
    try:
        for compared in judge_beside_others(lines, book, _others(book) if explain else ()):
            rulings += 1
            told = explained(compared) if explain else compared.ruling
            if as_json:
                print(msgspec.json.encode(told).decode(), flush=True)
                continue
            print_ruling(compared.ruling, language)
            if explain:
                print_explanation(compared, language)
    except EventFileError as error:
        raise CommandError(f"{events}: {error}") from error
    if not rulings and not as_json:
        print(f"{events}: {lines.number} lines, nothing to rule on")
    return ExitCode.DONE


def _others(book: Rulebook) -> tuple[Rulebook, ...]:
    return tuple(load_rulebook(name) for name in list_rulebooks() if name != book.name)


class _Lines:
    """The lines of an event file with their numbers.

    Attributes:
        number: Of the line read last, from 1; 0 before the first.
    """

    def __init__(self, events: str) -> None:
        self._events = events
        self.number = 0

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Each number and line; an editor's mark at the beginning is passed over."""
        for line in self._read():
            self.number += 1
            yield self.number, line.removeprefix(codecs.BOM_UTF8) if self.number == 1 else line

    def _read(self) -> Iterator[bytes]:
        if self._events == STANDARD_INPUT:
            if sys.stdin is None:  # the shell closed it: <&-
                raise CommandError("standard input is closed; give an event file")
            yield from sys.stdin.buffer
            return
        try:
            with Path(self._events).open("rb") as lines:
                yield from lines
        except OSError as error:
            where = self._events or "an empty name"
            raise CommandError(
                f"{where}: {error.strerror}; give an event file (docs/events.md)"
            ) from error
