"""A table under the real rules: hands played by taps and by devices, killed and taken up again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from controller.cards import Card
from controller.events import (
    BettingClosed,
    HandStarted,
    JokerReported,
    StepConfirmed,
    Street,
)
from controller.observer import LyingCard, MachineShuffled, ZoneContent
from controller.rulebook import load_rulebook
from controller.runtime import Journal, Table, TableConfig, TapRefusedError, replay
from controller.runtime.config import CameraSection, TableSection
from controller.view import TableView

CK = load_rulebook("ck")
START = HandStarted(hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2, deck_back="red")
DOWN = LyingCard(Card.UNKNOWN, up=False, back="red")


@asynccontextmanager
async def running(folder: Path, *, camera: bool = False) -> AsyncIterator[Table]:
    source = "rendered" if camera else "none"
    config = TableConfig(table=TableSection(name="T", seats=3), camera=CameraSection(source=source))
    with closing(Journal.open(folder / "t.journal", rulebook="ck")) as journal:
        table = Table(config, CK, journal, clock=lambda: 0)
        task = asyncio.create_task(table.run())
        try:
            yield table
        finally:
            await table.stop()
            await task


async def press_until(table: Table, street: Street, limit: int = 60) -> list[TableView]:
    """Press the first button of the page until the street is reached; returns the pages seen."""
    pages = []
    for _ in range(limit):
        page = table.view("en")
        pages.append(page)
        if table.state.street is street:
            return pages
        await table.tap(page.buttons[0].event)
    raise AssertionError(f"{street} was not reached: {table.state}")


async def test_with_no_device_the_buttons_alone_carry_a_hand_to_its_end(tmp_path: Path) -> None:
    async with running(tmp_path) as table:
        await table.tap(START)
        pages = await press_until(table, Street.SHOWDOWN)
        pages += await press_until(table, Street.BETWEEN)

    assert all(page.steps == () and not page.alarm for page in pages)
    assert [len(page.board) for page in pages if page.board][-1] == 5


async def test_the_camera_alone_deals_a_hand(tmp_path: Path) -> None:
    async with running(tmp_path, camera=True) as table:
        await table.tap(START)
        await table.tap(table.view("en").buttons[0].event)
        await table.tap(table.view("en").buttons[0].event)
        for round_no in (1, 2):
            for seat in (1, 2, 3):
                await table.observe(ZoneContent(f"seat:{seat}", (DOWN,) * round_no, 0))
        await table.idle()

        assert table.state.street is Street.PREFLOP
        assert table.view("en").seats[0].down == 2


async def exposed_in_the_deal(table: Table) -> None:
    await table.tap(START)
    await table.observe(MachineShuffled(52, 0))
    await table.idle()
    await table.tap(table.view("en").buttons[0].event)
    for seat in (1, 2):
        await table.observe(ZoneContent(f"seat:{seat}", (DOWN,), 0))
    await table.observe(ZoneContent("seat:3", (LyingCard(Card.SA, up=True),), 0))
    await table.idle()


async def test_an_exposed_card_is_ruled_on_and_shown(tmp_path: Path) -> None:
    async with running(tmp_path, camera=True) as table:
        await exposed_in_the_deal(table)
        page = table.view("en")

    assert len(table.state.open) == 1
    assert page.seats[2].cards == ("As",)
    assert page.instruction.why
    assert page.instruction.clauses[0].startswith("ck.")
    assert page.steps


async def test_a_kill_leaves_the_same_hand_and_the_same_open_steps(tmp_path: Path) -> None:
    async with running(tmp_path, camera=True) as table:
        await exposed_in_the_deal(table)
        state, page = table.state, table.view("fr")

    async with running(tmp_path, camera=True) as again:
        assert again.state == state
        assert again.view("fr") == page


async def test_replaying_the_journal_gives_the_same_rulings_byte_for_byte(tmp_path: Path) -> None:
    async with running(tmp_path, camera=True) as table:
        await exposed_in_the_deal(table)

    with closing(Journal.open(tmp_path / "t.journal", read_only=True)) as journal:
        played = replay(journal, CK)
        under_another = replay(journal, load_rulebook("fr2"))

    assert played.is_same
    assert len(played.rulings) == 1
    assert len(under_another.differences) == 1


async def test_taps_that_do_not_fit_are_refused_in_words(tmp_path: Path) -> None:
    async with running(tmp_path) as table:
        for tap, words in (
            (StepConfirmed(step="1/9.9"), "step is not open"),
            (BettingClosed(), "No betting round is open"),
            (JokerReported(seat=9), "Seat 9 is not in this hand"),
        ):
            with pytest.raises(TapRefusedError, match=words):
                await table.tap(tap)
        await table.tap(START)
        with pytest.raises(TapRefusedError, match="gather the cards first"):
            await table.tap(START)

        assert table.state.hand == 1
