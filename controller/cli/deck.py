"""``cutcard deck``: is the deck what it should be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from controller.cli.failures import CommandError, ExitCode
from controller.cli.pictures import named_files
from vision import (
    BACK_COLOURS,
    IMAGE_SUFFIXES,
    CardReader,
    Deck,
    DeckReport,
    Frame,
    PassageCount,
    SpreadCount,
    marred,
    open_source,
)

deck = typer.Typer(name="deck", no_args_is_help=True, help="Check a deck of cards with the camera.")

SPREAD_FRAMES: Final = 12
"""Pictures of a camera taken of a spread: enough for a misreading to stand out."""

VIDEO_LOOKS: Final = 2
"""In how many pictures of a video or camera a card must be seen."""

Progress = Callable[[str], None]


@deck.command()
def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Photographs, folders or a video of the deck."),
    ] = None,
    camera: Annotated[
        int | None, typer.Option("--camera", min=0, help="Look through this camera instead.")
    ] = None,
    source: Annotated[
        str, typer.Option("--source", help="Look through this stream instead (rtsp://, http://).")
    ] = "",
    stream: Annotated[
        bool, typer.Option("--stream", help="Cards pass one by one, as inside a shuffler.")
    ] = False,
    idle_s: Annotated[
        float, typer.Option("--idle", min=0.5, help="--stream ends after so long without a card.")
    ] = 5.0,
    parts: Annotated[
        bool, typer.Option("--parts", help="Each photograph shows other cards of the deck.")
    ] = False,
    jokers: Annotated[int, typer.Option(min=0, max=8, help="Jokers that should be there.")] = 0,
    decks: Annotated[int, typer.Option(min=1, max=8, help="Decks of 52 in it.")] = 1,
    back: Annotated[
        str, typer.Option("--back", help="Colour of the deck's back: red, blue or other.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> int:
    """Count a deck: which cards are missing, double, boxed or of another deck.

    Lay the deck out face up, every index free, and photograph it; for foreign backs photograph it
    turned over as well. With --stream cards pass the camera one by one; their order is not kept.

    Example: `cutcard deck check faces.jpg backs.jpg --back blue`
    """
    if back and back not in BACK_COLOURS:
        raise CommandError(f"--back {back}: no such back; write red, blue or other")
    live = source or (f"camera:{camera}" if camera is not None else "")
    if bool(live) == bool(files):
        raise CommandError("name either photographs or a video, or --camera N; see --help")
    wanted, reader = Deck(jokers, decks), CardReader.load()
    say = _progress(quiet=as_json)
    if stream:
        found = _passing(reader, [live] if live else list(files or ()), wanted, idle_s, say)
    else:
        found = _spread(reader, _looks(files or [], live), wanted, parts, back, say)
    print(_json(found)) if as_json else _print(found, wanted)
    return ExitCode.DONE if found.is_complete else ExitCode.FOUND_FAILURE


def _looks(files: list[str], live: str) -> tuple[list[str], bool]:
    """What to look at, and whether it is the many pictures of a video or camera."""
    if live:
        return [live], True
    named = [file for spec in files for file in named_files(spec)]
    if not named:
        raise CommandError(f"{files[0]}: there is no image in this folder; name another")
    is_video = all(Path(f).exists() and Path(f).suffix.lower() not in IMAGE_SUFFIXES for f in named)
    return named, is_video


def _spread(
    reader: CardReader,
    looks: tuple[list[str], bool],
    wanted: Deck,
    parts: bool,
    back: str,
    say: Progress,
) -> DeckReport:
    names, is_moving = looks
    count = SpreadCount(wanted, parts=parts, looks=VIDEO_LOOKS if is_moving else 1, back=back)
    for name in names:
        for frame in _frames(name, SPREAD_FRAMES if is_moving and not Path(name).exists() else 0):
            cards = reader.read(frame.image)
            count.add(cards, marred(frame.image, cards))
            say(f"{count.report().counted} cards")
    return count.report()


def _frames(name: str, most: int) -> Iterator[Frame]:
    """The pictures of one source; of a camera so many, of a file all."""
    with open_source(name) as source:
        for taken, frame in enumerate(source, start=1):
            yield frame
            if taken == most:
                return


def _passing(
    reader: CardReader, names: list[str], wanted: Deck, idle_s: float, say: Progress
) -> DeckReport:
    """Count until the source ends, or until no card has come for a while."""
    count = PassageCount(wanted)
    for name in names:
        last_s = None
        for frame in _frames(name, 0):
            count.look(reader.read(frame.image))
            say(f"{count.passed} cards")
            if count.is_passing or last_s is None:
                last_s = frame.at_s
            if count.passed and frame.at_s - last_s >= idle_s:
                break
    return count.report()


def _progress(*, quiet: bool) -> Progress:
    """How many cards so far, on one line of standard error; never which."""
    console = Console(stderr=True)

    def say(words: str) -> None:
        console.print(words, end="\r")

    return (lambda _: None) if quiet or not console.is_terminal else say


def _json(found: DeckReport) -> str:
    return json.dumps(
        {
            "counted": found.counted,
            "missing": found.missing,
            "double": found.double,
            "unread": found.unread,
            "boxed": found.boxed,
            "backs": dict(found.backs),
            "foreign": found.foreign,
            "marred": found.marred,
            "complete": found.is_complete,
        }
    )


def _print(found: DeckReport, wanted: Deck) -> None:
    table = Table("deck", "found", box=None, pad_edge=False)
    table.add_row("cards", f"{found.counted} of {wanted.size}")
    table.add_row("missing", " ".join(found.missing) or "none")
    table.add_row("double", " ".join(found.double) or "none")
    for name, number in (("unread", found.unread), ("boxed", found.boxed)):
        table.add_row(name, str(number))
    if found.marred:
        table.add_row("look at", " ".join(found.marred))
    if found.backs:
        table.add_row("backs", ", ".join(f"{n} {colour}" for colour, n in found.backs.items()))
        table.add_row("foreign", str(found.foreign))
    table.add_row("complete", "yes" if found.is_complete else "no")
    Console().print(table)
