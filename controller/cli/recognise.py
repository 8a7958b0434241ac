"""``cutcard recognise``: the cards in images, folders of images and videos."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from controller.cli.failures import ExitCode, complain
from controller.cli.pictures import named_files, pictures
from vision import CardReader, Face, SeenCard, VisionError


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one picture; ``ms`` is the recogniser's own time."""

    image: str
    cards: tuple[SeenCard, ...]
    ms: float

    def as_json(self) -> str:
        """One line: ``{"image", "cards": [{"card", "confidence", "quad"}], "ms"}``."""
        cards = [
            {
                "card": seen.card,
                "confidence": round(seen.confidence, 4),
                "quad": [[round(x, 1), round(y, 1)] for x, y in seen.quad],
            }
            for seen in self.cards
        ]
        return json.dumps({"image": self.image, "cards": cards, "ms": round(self.ms, 2)})


def recognise(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Images, folders of images, videos.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line per image.")] = False,
    every_s: Annotated[
        float, typer.Option("--every", min=0.0, help="Seconds of a video between two pictures.")
    ] = 1.0,
) -> int:
    """Read the cards in images, folders of images and videos.

    A file that cannot be read gets one line on standard error, the others are still read, and the
    exit code is 1; it is 2 when none could be read.

    Example: `cutcard recognise table.jpg photos/ hand.mp4 --json`
    """
    reader = CardReader.load()
    name = Column("image", overflow="fold")
    table = Table(name, "face up", "face down", "ms", box=None, pad_edge=False)
    read = failed = 0
    try:
        for source in _each_source(files):
            try:
                for reading in _read(reader, source, every_s):
                    read += 1
                    if as_json:
                        print(reading.as_json(), flush=True)
                    else:
                        _add_row(table, reading)
            except VisionError as error:
                complain(error)
                failed += 1
    finally:  # what was read before Ctrl-C is shown too
        if table.row_count:
            Console().print(table)
    if failed:
        return ExitCode.FOUND_FAILURE if read else ExitCode.BAD_INPUT
    return ExitCode.DONE


def _each_source(files: list[str]) -> Iterator[str]:
    """The files themselves and those in folders; a folder without any is left to its reader."""
    for spec in files:
        yield from named_files(spec) or (spec,)


def _read(reader: CardReader, source: str, every_s: float) -> Iterator[Reading]:
    for picture in pictures(source, every_s):
        begun_s = time.perf_counter()
        try:
            cards = reader.read(picture.frame.image)
        except VisionError as error:
            raise VisionError(f"{picture.name}: {error}") from error
        yield Reading(picture.name, cards, (time.perf_counter() - begun_s) * 1000)


def _add_row(table: Table, reading: Reading) -> None:
    up = [c for c in reading.cards if c.face is Face.UP]
    words = " ".join(f"{c.card} {c.confidence:.0%}" for c in up)
    down = sum(c.face is Face.DOWN for c in reading.cards)
    table.add_row(Text(reading.image), words or "-", str(down), f"{reading.ms:.0f}")
