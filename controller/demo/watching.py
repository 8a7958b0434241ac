"""The demo with a real picture in place of the rendered one: a camera or a video file.

There is no simulated dealer and no shoe then: what lies on the felt is what
the camera sees. With the page open a person taps what no camera sees; without
it the shuffle and the cut are taken as done, and the betting of a round as
complete when the burn is seen, since a picture does not show it.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from controller.demo.options import BACK, DemoOptions
from controller.demo.page import DemoPage
from controller.demo.report import HandReport, lines_of
from controller.events import BettingClosed, DeckCut, DeckShuffled, HandStarted, Street, TableEvent
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import next_steps
from controller.rulings import StepKind
from controller.runtime import Journal, Table, TableConfig
from controller.runtime.config import CameraSection, TableSection
from controller.runtime.opening import open_camera
from vision import CardReader, Frame, FrameSource, ReadingSource, open_source

LOOK_S: Final = 0.05
"""How often the table is asked whether a hand has ended."""


class EndingSource(ReadingSource):
    """A source that remembers that it has come to its end."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self.is_over = False

    def read(self) -> Frame | None:
        """The next picture; None at the end."""
        try:
            frame = self._source.read()
        except BaseException:
            self.is_over = True
            raise
        self.is_over = frame is None
        return frame

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()


async def watch(options: DemoOptions, served: Callable[[str], None]) -> AsyncIterator[HandReport]:
    """Follow hands on a real picture until it ends or as many hands as asked for were seen.

    Args:
        options: ``source`` names the camera or video.
        served: Called with the page's address once it can be opened.

    Yields:
        A report for each hand, the last one when the picture ends.

    Raises:
        VisionError: No picture, or the markers of the table are not in it.
        RuntimeFault: The page cannot be served, or the table stopped.
    """
    book = load_rulebook(options.rulebook)
    sources: list[EndingSource] = []

    def opened(spec: str) -> FrameSource:
        sources.append(EndingSource(open_source(spec)))
        return sources[-1]

    config = TableConfig(
        table=TableSection(
            name="demo", seats=options.seats, rulebook=options.rulebook, deck_back=BACK
        ),
        camera=CameraSection(source=options.source),
    )
    async with AsyncExitStack() as stack:
        camera = await asyncio.to_thread(open_camera, config, CardReader.load, opened)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-"))
        path = options.journal or Path(folder) / "demo.journal"
        journal = Journal.open(path, table_id="demo", rulebook=book.name)
        stack.callback(journal.close)
        table = Table(config, book, journal, camera=camera)
        table.keep_pictures()
        running = asyncio.create_task(table.run())
        stack.push_async_callback(_end, table, running)
        if options.port:
            await stack.enter_async_context(DemoPage(table, options, served))
        number = 1
        while not options.hands or number <= options.hands:
            await table.tap(_first_event(number, options))
            over = await _follow(table, book, sources[-1], attended=bool(options.port))
            yield HandReport(
                hand=number,
                injected=(),
                rulings=lines_of(journal, number),
                missed=(),
                false=(),
                consistent=not table.state.open,
                problems=tuple(f"open: {o.ruling.id}" for o in table.state.open),
            )
            if over:
                return
            number += 1


def _first_event(number: int, options: DemoOptions) -> TableEvent:
    seats = tuple(range(1, options.seats + 1))
    button = seats[(number - 1) % len(seats)]
    return HandStarted(hand=number, seats=seats, button=button, deck_back=BACK)


async def _follow(table: Table, book: Rulebook, source: EndingSource, *, attended: bool) -> bool:
    """Until the hand or the picture is over; True when it was the picture."""
    while True:
        await table.idle()
        if table.state.street is Street.BETWEEN:
            return False
        tap = None if attended else _unseen(table, book)
        if tap is not None:
            await table.tap(tap)
        elif source.is_over:
            await table.idle()
            return True
        else:
            await asyncio.sleep(LOOK_S)


def _unseen(table: Table, book: Rulebook) -> TableEvent | None:
    """What a person would tap now and no camera sees; None when nothing is due."""
    steps = next_steps(table.state, book)
    match steps[0].kind if steps else None:
        case StepKind.SHUFFLE:
            return DeckShuffled()
        case StepKind.CUT:
            return DeckCut()
        case StepKind.COMPLETE_BETTING if table.state.burn_taken and not table.state.open:
            return BettingClosed()
        case _:
            return None


async def _end(table: Table, running: asyncio.Task[None]) -> None:
    if not running.done():
        await table.stop()
    await asyncio.gather(running, return_exceptions=True)
