"""A real browser, and a real table served by ``cutcard run`` in a process of its own."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from playwright.async_api import Browser, Page, async_playwright

from controller.cards import Card
from controller.events import (
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardsGathered,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    DeviceReported,
    Event,
    HandStarted,
    PotPushed,
    Shown,
    TableEvent,
    Witness,
)
from controller.runtime import Journal

EventT = TypeVar("EventT", bound=Event)

ROOT = Path(__file__).resolve().parents[3]
CHROMIUM = Path("/usr/bin/chromium")
PHONE, TABLET, DESK = (390, 844), (1280, 800), (1920, 1080)
NEEDS_CHROMIUM = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed"),
]

QUIET_HAND: tuple[TableEvent, ...] = (
    HandStarted(hand=1, seats=(1, 2, 3, 4), button=4, small_blind=1, big_blind=2),
    DeckShuffled(count=52, by=Witness.MACHINE),
    DeckCut(),
    DealCompleted(),
    BettingClosed(),
    CardBurned(),
    BoardShown(cards=(Card.C7, Card.D9, Card.SK)),
    BettingClosed(),
    CardBurned(),
    BoardShown(cards=(Card.H2,)),
    BettingClosed(),
    CardBurned(),
    BoardShown(cards=(Card.HA,)),
    BettingClosed(),
    PotPushed(),
    CardsGathered(count=52),
)
EXPOSED_HAND: tuple[TableEvent, ...] = (
    HandStarted(hand=2, seats=(1, 2, 3, 4), button=1, small_blind=2, big_blind=3),
    DeckShuffled(count=52, by=Witness.MACHINE),
    DeckCut(),
    CardDealt(seat=2),
    CardDealt(seat=3),
    CardDealt(seat=4, card=Card.SA, shown=Shown.UP, by=Witness.CAMERA),
)
"""Its third card is exposed: by ck.exposed.6 the deal goes on and the card becomes the burn."""

JAM_AND_CLEARED: tuple[TableEvent, ...] = (
    DeviceReported(device="shuffler", health="fault", code="jam", by=Witness.MACHINE),
    DeviceReported(device="shuffler", health="ready", by=Witness.MACHINE),
)
"""Leaves an alarm that a person must answer for."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        try:
            yield chromium
        finally:
            await chromium.close()


def timed(events: Sequence[TableEvent]) -> list[TableEvent]:
    """The same, a tenth of a second apart: too soon for an alarm to be passed on."""
    return [msgspec.structs.replace(event, at_ms=100 * n) for n, event in enumerate(events)]


def written(folder: Path, events: Sequence[TableEvent], port: int, page: str = "") -> Path:
    """A table file, and a journal in which these events have happened."""
    hand = 0
    with closing(Journal.open(folder / "t.journal", table_id="Table 5", rulebook="ck")) as journal:
        for event in timed(events):
            hand = event.hand if isinstance(event, HandStarted) else hand
            journal.append(event, hand=hand)
    file = folder / "table.toml"
    file.write_text(
        f'[table]\nname = "Table 5"\nseats = 4\n'
        f'[journal]\npath = "t.journal"\n[page]\nport = {port}\n{page}'
    )
    return file


@asynccontextmanager
async def running(file: Path) -> AsyncIterator[str]:
    """``cutcard run`` until the block ends; gives what it said when the page could be opened."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller.cli", "run", str(file)),
        stderr=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stderr is not None
    try:
        said = await asyncio.wait_for(process.stderr.readline(), 60)
        assert process.returncode is None, said.decode()
        yield said.decode()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


def recorded(folder: Path, kind: type[EventT]) -> list[EventT]:
    """What the journal holds of one kind of event."""
    with closing(Journal.open(folder / "t.journal", read_only=True)) as journal:
        return [entry.event for entry in journal.read() if isinstance(entry.event, kind)]


AXE = "axe.run(document, {resultTypes: ['violations']})"


async def violations(page: Page) -> list[str]:
    """What axe-core finds that keeps somebody from using the page, rule and place."""
    await page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    found = await page.evaluate(AXE)
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
