"""Live play entered by a dealer in a real browser: bets by chips, by number, and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from controller.events import (
    Action,
    BlindPosted,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PlayerActed,
    TableEvent,
    TapUndone,
    Witness,
)
from controller.web.page import SAME_FINGER_S

from .browsing import (
    NEEDS_CHROMIUM,
    PHONE,
    TABLET,
    browser,
    free_port,
    recorded,
    running,
    violations,
    written,
)

pytestmark = NEEDS_CHROMIUM

DEAF_MS = 1000 * SAME_FINGER_S + 50

DEALT: tuple[TableEvent, ...] = (
    HandStarted(hand=1, seats=(1, 2, 3, 4), button=4, small_blind=1, big_blind=2, must_post=True),
    DeckShuffled(count=52, by=Witness.MACHINE),
    DeckCut(),
    BlindPosted(seat=1, amount=5, kind="small"),
    BlindPosted(seat=2, amount=10, kind="big"),
    DealCompleted(),
)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ("Call", "Raise", "All-in", "Undo", "Clear", "Enter the whole bet")),
        ("fr", ("Suit", "Relance", "Tapis", "Annuler", "Effacer", "Entrez toute la mise")),
    ],
)
async def test_a_round_of_betting_is_entered_as_it_is_played(
    tmp_path: Path, lang: str, words: tuple[str, ...]
) -> None:
    call, raise_, all_in, undo, clear, refused = words
    port = free_port()
    async with browser() as chromium, running(written(tmp_path, DEALT, port)):
        size = TABLET if lang == "en" else PHONE
        page = await chromium.new_page(viewport={"width": size[0], "height": size[1]})
        await page.goto(f"http://127.0.0.1:{port}/?lang={lang}")
        await turn(page, 3)
        assert await violations(page) == []

        await tap(page, raise_)
        await expect(page.get_by_role("status")).to_contain_text(refused)

        await touch(page, "+25", "+5", "+5")
        await expect(page.locator("input.amount").first).to_have_value("35")
        await touch(page, clear, "+25", "+5")
        await tap(page, raise_)
        await turn(page, 4)

        await tap(page, f"{call} 30")
        await turn(page, 1)
        await tap(page, f"{undo}")
        await turn(page, 4)

        await page.locator("input.amount").first.fill("100")
        await page.wait_for_timeout(DEAF_MS)
        await page.locator("input.amount").first.press("Enter")
        await turn(page, 1)
        await touch(page, "+25", "+25")
        await tap(page, all_in)
        await turn(page, 2)

    seat = {event.seat: event for event in recorded(tmp_path, PlayerActed)}
    assert [seat[n].amount for n in (3, 4, 1)] == [30, 100, 50]
    assert [seat[n].action for n in (3, 4, 1)] == [Action.RAISE, Action.RAISE, Action.ALL_IN]
    assert len(recorded(tmp_path, TapUndone)) == 1


async def turn(page: Page, seat: int) -> None:
    await expect(page.locator("h1.instruction")).to_contain_text(str(seat))


async def touch(page: Page, *chips: str) -> None:
    for chip in chips:
        await page.get_by_role("button", name=chip, exact=True).click()


async def tap(page: Page, name: str) -> None:
    """As people do: not within the moment in which the page takes a second touch for the first."""
    await page.wait_for_timeout(DEAF_MS)
    await page.locator("button.tap", has_text=name).first.click()
