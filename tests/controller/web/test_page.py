"""The dealer's page in a real browser: what it shows, what it sends, how fast."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, Page, async_playwright, expect

from controller.events import StepConfirmed
from controller.web import Door, serve

from .browsing import violations
from .shown import ALARM, INSTRUCTION, ShownTableFake

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path("/usr/bin/chromium").exists(), reason="Chromium is not installed"),
]

DESK, PHONE = (1280, 800), (390, 844)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        try:
            yield chromium
        finally:
            await chromium.close()


@asynccontextmanager
async def served(table: ShownTableFake) -> AsyncIterator[str]:
    port, started = free_port(), asyncio.Event()
    page = asyncio.create_task(serve(table, Door(port=port), started=started))
    await asyncio.wait_for(started.wait(), 20)
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        page.cancel()
        await asyncio.gather(page, return_exceptions=True)


async def opened(chromium: Browser, url: str, size: tuple[int, int] = DESK) -> Page:
    page = await chromium.new_page(viewport={"width": size[0], "height": size[1]})
    await page.goto(url)
    await expect(page.locator("h1.instruction")).to_be_visible()
    return page


async def test_the_dealer_page_as_a_dealer_uses_it() -> None:
    table = ShownTableFake()
    async with browser() as chromium:
        async with served(table) as url:
            await fits(chromium, url, DESK)
            await fits(chromium, url, PHONE)
            page = await opened(chromium, url)
            await shows_the_instruction(page)
            await follows_the_table(page, table)
            await sends_taps(page, table)
            await answers_for_an_alarm(page, table)
            await says_a_refusal(page)
            await shows_the_truth_after_a_reload(page, table)
            assert await violations(page) == []
            await speaks_french(page)
            assert await violations(page) == []
            phone = await opened(chromium, url, PHONE)
            await expect(phone.locator(".offline")).to_be_hidden()
            tapped = tuple(table.tapped)
        await shows_only_that_it_is_cut_off(page, "plus à jour")
        await shows_only_that_it_is_cut_off(phone, "no longer current")

    assert tuple(table.tapped) == tapped


async def shows_only_that_it_is_cut_off(page: Page, words: str) -> None:
    """The last instruction is covered and nothing can be pressed: it may be another by now."""
    cover = page.locator(".offline")
    await expect(cover).to_be_visible(timeout=15_000)
    await expect(cover).to_contain_text(words)
    await expect(page.locator("#popup")).to_be_hidden()
    await page.locator("body").press("Enter")

    reached = await page.evaluate(
        """() => ["h1.instruction", "button.tap"].map((part) => {
             const box = document.querySelector(part).getBoundingClientRect();
             return document.elementFromPoint(box.x + 9, box.y + 9).closest(".offline") !== null;
           })"""
    )
    assert reached == [True, True]


async def shows_the_instruction(page: Page) -> None:
    await expect(page.locator("h1.instruction")).to_have_text(INSTRUCTION["en"])
    await expect(page.get_by_role("alert")).to_contain_text("FLOOR")
    await expect(page.locator("[data-seat='3'] [data-card='As']")).to_be_visible()
    await expect(page.locator("ul.prompts li")).to_have_text(
        ["Announce: 6 players (before the flop)."]
    )
    assert await page.locator("[data-card]").count() == 5


async def follows_the_table(page: Page, table: ShownTableFake) -> None:
    seen = page.locator("li.present[data-step='42/1.3']")
    await page.evaluate(
        """() => { window.seenAt = 0; new MutationObserver(() => {
             if (document.querySelector("li.present[data-step='42/1.3']") && !window.seenAt)
               window.seenAt = Date.now(); }).observe(document.body,
             {subtree: true, childList: true, attributes: true, characterData: true}); }"""
    )

    sent_ms = time.time() * 1000
    table.change(done=2)
    await expect(seen).to_be_visible()

    took_ms = await page.evaluate("window.seenAt") - sent_ms
    assert took_ms < 250
    await expect(page.locator("li.done")).to_have_count(2)


async def sends_taps(page: Page, table: ShownTableFake) -> None:
    await page.get_by_role("button", name="Done").dblclick()  # a nervous finger
    await expect(page.locator("li.done")).to_have_count(3)
    while len(table.tapped) < 2:  # the page is deaf for a moment after a tap
        await page.locator("body").press("1")
    await expect(page.locator("li.done")).to_have_count(4)

    assert table.tapped == [StepConfirmed(step="42/1.2"), StepConfirmed(step="looked")]


async def answers_for_an_alarm(page: Page, table: ShownTableFake) -> None:
    await page.get_by_label("Your name").fill("Dora")
    await page.get_by_label("What was done about it").fill("Took out the card")
    while len(table.tapped) < 3:  # deaf for a moment, as above
        await page.get_by_role("button", name="Acknowledge").click()

    assert table.tapped[2] == replace(ALARM, by_whom="Dora", reason="Took out the card")


async def says_a_refusal(page: Page) -> None:
    await page.locator("summary", has_text="Report").click()
    await page.locator("summary", has_text="Seat 5").click()
    while not await page.locator(".refused").text_content():  # deaf for a moment, as above
        await page.get_by_role("button", name="joker").click()

    await expect(page.get_by_role("status")).to_contain_text("no joker is in play")


async def shows_the_truth_after_a_reload(page: Page, table: ShownTableFake) -> None:
    table.change(done=0, floor=False)
    await page.reload()

    await expect(page.locator("li.present[data-step='42/1.1']")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)


async def speaks_french(page: Page) -> None:
    await page.get_by_role("link", name="FR").click()
    await expect(page.locator("h1.instruction")).to_have_text(INSTRUCTION["fr"])
    await page.get_by_role("link", name="Jour").click()

    await expect(page.locator(".cutcard.day h1.instruction")).to_have_text(INSTRUCTION["fr"])


async def fits(chromium: Browser, url: str, size: tuple[int, int]) -> None:
    """Nothing runs off the screen, the big button is on it, no other host is asked."""
    asked: list[str] = []
    page = await chromium.new_page(viewport={"width": size[0], "height": size[1]})
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(url)
    await expect(page.locator("h1.instruction")).to_be_visible()

    wide = await page.evaluate("document.documentElement.scrollWidth")
    box = await page.get_by_role("button", name="Done").bounding_box()

    assert wide <= size[0]
    assert box is not None
    assert box["y"] + box["height"] <= size[1]
    assert asked
    assert [u for u in asked if not u.startswith((url, "data:"))] == []
