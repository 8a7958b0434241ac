"""From a card that lies face up in the picture to the card on the dealer's page.

A rendered camera films at 30 pictures a second, in real time, through the real recogniser; a
real browser says when the card is drawn. The same with ten pages open. The browser takes its
share of the same processor, which a tablet at the table would not.

Usage: python scripts/measure_live.py [HANDS]; needs Chromium at /usr/bin/chromium.
"""

from __future__ import annotations

import asyncio
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from playwright.async_api import Browser, Page, async_playwright

from controller.events import (
    BettingClosed,
    CardBurned,
    CardsGathered,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PotPushed,
)
from controller.rulebook import load_rulebook
from controller.runtime import CameraFeed, Journal, Table, TableConfig
from controller.runtime.config import TableSection
from controller.web import Door, serve
from vision import (
    CardReader,
    Face,
    Frame,
    PlacedCard,
    ReadingSource,
    RenderedCamera,
    Scene,
    TableLayout,
    TableWatcher,
    render,
)

CHROMIUM: Final = "/usr/bin/chromium"
FRAME_S: Final = 1 / 30
SEATS: Final = 9
LAYOUT: Final = TableLayout.standard(SEATS)
CAMERA: Final = RenderedCamera(width_px=1920, height_px=1080)
STREETS: Final = (3, 4, 5)
BOARD: Final = ("7c", "Td", "Kh", "2s", "9h")
PATIENCE_MS: Final = 20_000
NOISES: Final = 6
"""Pictures of each scene, with noise of their own, shown in turn."""

OTHERS: Final = ("", "floor", "house", "", "floor", "", "house", "floor", "")
"""The nine pages opened beside the dealer's."""

_OBSERVE: Final = """
(card) => { window.drawnMs = 0; new MutationObserver((_, observer) => {
  if (document.querySelector(`[data-card='${card}']`)) {
    window.drawnMs = Date.now(); observer.disconnect(); } }).observe(document.body,
  {subtree: true, childList: true, attributes: true, characterData: true}); }
"""

Pictures = tuple[NDArray[np.uint8], ...]


class LiveCamera(ReadingSource):
    """A camera that films at its rate whatever happens; late readers miss pictures."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures, self._number = pictures, -1
        self._began_s = time.perf_counter()
        self._turn = threading.Lock()
        self._ended = False
        self.shown_ms = 0.0

    def show(self, pictures: Pictures) -> None:
        """Film another scene from the next picture on, and note when that one comes."""
        with self._turn:
            self._pictures, self.shown_ms = pictures, 0.0

    def read(self) -> Frame | None:
        """The next picture, when it is due."""
        if self._ended:
            return None
        passed = (time.perf_counter() - self._began_s) / FRAME_S
        self._number = max(self._number + 1, int(passed))
        time.sleep(max(0.0, (self._number - passed) * FRAME_S))
        with self._turn:
            self.shown_ms = self.shown_ms or 1000 * time.time()
            image = self._pictures[self._number % NOISES]
        return Frame(image, self._number * FRAME_S, self._number)

    def close(self) -> None:
        """Give no more pictures."""
        self._ended = True


def filmed(board: tuple[str, ...]) -> Pictures:
    """The table with this board; hands are held up and out of sight."""
    spots = [LAYOUT.places(f"board:{number}", 1)[0] for number in range(1, len(board) + 1)]
    cards = (PlacedCard(c, Face.UP, x, y) for c, (x, y) in zip(board, spots, strict=True))
    scene = Scene(tuple(cards), width_mm=LAYOUT.width_mm, height_mm=LAYOUT.height_mm)
    return tuple(render(scene, CAMERA, number) for number in range(NOISES))


@asynccontextmanager
async def served(camera: LiveCamera) -> AsyncIterator[tuple[Table, str]]:
    """A table with this camera, and the address of its pages."""
    to_pixels = CAMERA.homography(LAYOUT.width_mm, LAYOUT.height_mm)
    watcher = TableWatcher(CardReader.load(), LAYOUT.zones.mapped(to_pixels))
    config = TableConfig(table=TableSection(name="live", seats=SEATS, rulebook="ck"))
    folder = tempfile.TemporaryDirectory()
    journal = Journal.open(Path(folder.name) / "t.journal", table_id="live", rulebook="ck")
    table = Table(config, load_rulebook("ck"), journal, camera=CameraFeed(camera, watcher))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    started = asyncio.Event()
    tasks = [
        asyncio.create_task(table.run()),
        asyncio.create_task(serve(table, Door(port=port), started=started)),
    ]
    await started.wait()
    try:
        yield table, f"http://127.0.0.1:{port}/"
    finally:
        camera.close()
        await table.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        journal.close()
        folder.cleanup()


async def hand(
    table: Table, camera: LiveCamera, page: Page, number: int, films: dict[int, Pictures]
) -> list[float]:
    """Play a hand; milliseconds from picture to page for each street."""
    start = HandStarted(hand=number, seats=tuple(range(1, SEATS + 1)), button=1)
    for tap in (start, DeckShuffled(), DeckCut(), DealCompleted()):
        await table.tap(tap)
    took = []
    for size in STREETS:
        await table.tap(BettingClosed())
        await table.tap(CardBurned())
        await page.evaluate(_OBSERVE, BOARD[size - 1])
        camera.show(films[size])
        await page.wait_for_function("window.drawnMs > 0", timeout=PATIENCE_MS)
        took.append(await page.evaluate("window.drawnMs") - camera.shown_ms)
    await table.tap(BettingClosed())
    await table.tap(PotPushed())
    camera.show(films[0])
    await asyncio.sleep(1)
    await table.tap(CardsGathered())
    return took


async def measure(
    chromium: Browser, hands: int, others: tuple[str, ...], films: dict[int, Pictures]
) -> None:
    """Print how long it takes with so many pages open."""
    camera = LiveCamera(films[0])
    async with served(camera) as (table, address):
        page = await chromium.new_page(viewport={"width": 1280, "height": 800})
        await page.goto(address)
        for path in others:
            await (await chromium.new_page()).goto(address + path)
        took: list[float] = []
        for number in range(1, hands + 1):
            took += await hand(table, camera, page, number, films)
    took.sort()
    name = f"live.pages_{1 + len(others)}"
    print(f"{name}_p50 {statistics.median(took):.0f} ms")
    print(f"{name}_p95 {took[int(0.95 * (len(took) - 1))]:.0f} ms")
    print(f"{name}_most {took[-1]:.0f} ms", flush=True)


async def main(hands: int) -> None:
    """Measure with one page and with ten."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        films = {size: filmed(BOARD[:size]) for size in (0, *STREETS)}
        for others in ((), OTHERS):
            await measure(chromium, hands, others, films)
        await chromium.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10))
