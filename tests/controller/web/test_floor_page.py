"""The floor's page in a real browser, on a table that ``cutcard run`` serves."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from controller.events import FloorDecided

from .browsing import (
    DESK,
    EXPOSED_HAND,
    JAM_AND_CLEARED,
    NEEDS_CHROMIUM,
    PHONE,
    QUIET_HAND,
    browser,
    free_port,
    recorded,
    running,
    violations,
    written,
)

pytestmark = NEEDS_CHROMIUM


async def opened(chromium: Browser, url: str, size: tuple[int, int]) -> Page:
    page = await chromium.new_page(viewport={"width": size[0], "height": size[1]})
    await page.goto(url)
    await expect(page.locator("article.ruling")).to_have_count(1)
    return page


async def test_the_floor_page_as_a_supervisor_uses_it(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/floor"
    file = written(tmp_path, (*JAM_AND_CLEARED, *QUIET_HAND, *EXPOSED_HAND), port)
    async with running(file), browser() as chromium:
        phone = await opened(chromium, url, PHONE)
        desk = await opened(chromium, f"{url}?lang=fr", DESK)
        await fits(phone, PHONE)
        await fits(desk, DESK)
        await answers_for_the_alarm(phone)
        await shows_the_ruling(phone)
        await speaks_french(desk)
        assert await violations(phone) == []
        await says_what_others_say(phone)
        await steps_through_the_hand(phone)
        await finds_hands_by_kind(desk)
        await finds_hands_by_verdict(desk)
        await desk.get_by_role("link", name="Jour").click()
        await expect(desk.locator(".cutcard.day article.ruling")).to_have_count(1)
        assert await violations(desk) == []
        await shows_the_house(phone)
        await phone.go_back()
        await sends_back_and_overrules(phone)
        await expect(desk.locator("article.ruling")).to_have_count(0)

    assert [(d.decision, d.reason) for d in recorded(tmp_path, FloorDecided)] == [
        ("sent_back", "Who saw it?"),
        ("overruled", "Only the dealer saw the card"),
    ]
    assert {d.ruling for d in recorded(tmp_path, FloorDecided)} == {"2/1"}


async def fits(page: Page, size: tuple[int, int]) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for name in ("button.tap", "select", "summary", "ol.lines button"):
        for box in [await each.bounding_box() for each in await page.locator(name).all()]:
            assert box is not None
            assert box["height"] >= 44, name  # WCAG 2.5.5: targets of 44 pixels


async def shows_the_ruling(page: Page) -> None:
    """ck.exposed.6, and where the article says it."""
    card = page.locator("article.ruling")
    await expect(card.locator("h2")).to_have_text("Exposed card")
    await expect(card.locator(".observed")).to_contain_text("A♠")
    await expect(card.locator("p.verdict")).to_have_text("Correct it and go on")
    await expect(card.locator("li.present[data-step='2/1.1']")).to_contain_text("Finish the deal")
    clause = card.locator("[data-clause='ck.exposed.6']")
    await expect(clause.locator(".place")).to_have_text(re.compile(r", line \d"))
    await expect(clause.locator(".says")).to_contain_text("exposed card becomes the burn")


async def answers_for_the_alarm(page: Page) -> None:
    """Nobody has signed in here, so that the name is asked for."""
    alarm = page.locator("article.alarm-card")
    await expect(alarm.locator("h2")).to_have_text("Fault of the machine: jam.")
    await alarm.get_by_role("button", name="Acknowledge").click()
    await expect(page.locator(".refused")).to_contain_text("Say who")
    await alarm.get_by_label("Your name").fill("Ana")
    await alarm.get_by_label("What was done about it").fill("Took out the card")
    await alarm.get_by_role("button", name="Acknowledge").click()

    await expect(alarm).to_have_count(0)
    await expect(page.locator("ol.lines li").last).to_contain_text(
        "Alarm answered for by Ana: Took out the card"
    )


async def speaks_french(page: Page) -> None:
    card = page.locator("article.ruling")
    await expect(card.locator("h2")).to_have_text("Carte exposée")
    await expect(card.locator("p.verdict")).to_have_text("Corrigez et continuez")
    await expect(page.get_by_role("button", name="Confirmer")).to_be_visible()
    await expect(page.locator("ol.lines li").nth(5)).to_contain_text("siège 4")


async def says_what_others_say(page: Page) -> None:
    """fr3.exposed.3 puts the exposed card back on top of the deck; fr1.exposed.1 does as ck."""
    await page.get_by_text("What other rulebooks say").click()
    others = page.locator("ul.others > li")
    await expect(others).to_have_count(6, timeout=60_000)
    differing = page.locator("ul.others > li.differs")
    await expect(differing).to_have_count(1)
    await expect(differing).to_contain_text("fr3.exposed.3")


async def steps_through_the_hand(page: Page) -> None:
    drawn = page.locator(".moment")
    await expect(page.locator(".position")).to_have_text("Hand 2 · Event 7 of 7")
    await page.get_by_role("button", name="Earlier").click()
    await expect(page.locator(".position")).to_have_text("Hand 2 · Event 6 of 7")
    await expect(drawn.locator("[data-seat='4'] [data-card='As']")).to_be_visible()
    await page.get_by_role("button", name="Earlier").click()

    await expect(page.locator(".position")).to_have_text("Hand 2 · Event 5 of 7")
    await expect(drawn.locator("[data-card]")).to_have_count(0)
    await expect(drawn.locator("[data-seat='3'] .card.back")).to_have_count(1)

    await page.get_by_role("combobox", name="Hand", exact=True).select_option("1")
    await page.locator("ol.lines button", has_text="7♣ 9♦ K♠").click()
    await expect(page.locator(".position")).to_have_text("Hand 1 · Event 7 of 16")
    await expect(drawn.locator("[data-card]")).to_have_count(3)
    await page.get_by_role("button", name="Now", exact=True).click()
    await expect(page.locator(".position")).to_have_text("Hand 2 · Event 7 of 7")


async def finds_hands_by_kind(page: Page) -> None:
    hands = page.get_by_role("combobox", name="Main", exact=True).locator("option")
    await expect(hands).to_have_count(3)
    await page.get_by_role("combobox", name="Mains avec").select_option("exposed_card")

    await expect(hands).to_have_count(2)
    await expect(hands.last).to_have_text("Main 2: Carte exposée")


async def finds_hands_by_verdict(page: Page) -> None:
    """Hand 2 alone was ruled on: its exposed card is put right and the hand goes on."""
    await page.get_by_role("combobox", name="Mains avec").select_option("")
    hands = page.get_by_role("combobox", name="Main", exact=True).locator("option")
    await expect(hands).to_have_count(3)
    verdicts = page.get_by_role("combobox", name="Avec la décision")
    await expect(verdicts.locator("option")).to_have_text(["tout", "Corrigez et continuez"])
    await verdicts.select_option("continue")

    await expect(hands).to_have_count(2)
    await expect(hands.last).to_have_text("Main 2: Carte exposée")


async def shows_the_house(page: Page) -> None:
    """One ruling in two hands; ck and fr3 differ on where the exposed card goes."""
    await page.get_by_role("link", name="House").click()
    await expect(page.locator(".counts h2")).to_have_text("Rulings: 1, hands: 2")
    await expect(page.locator("ul.bars li")).to_have_text(["Exposed card1"])
    await page.get_by_role("combobox", name="Compare with").select_option("fr3")
    await expect(page.locator("ul.differing li").first).to_be_visible(timeout=60_000)

    assert await violations(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


async def sends_back_and_overrules(page: Page) -> None:
    await page.get_by_role("button", name="Overrule").click()
    await expect(page.locator(".refused")).to_contain_text("Write the reason first")
    await page.get_by_label("Reason, for the record").fill("Who saw it?")
    await page.get_by_role("button", name="Send back").click()
    await expect(page.locator(".asked")).to_have_text("Sent back: Who saw it?")
    await expect(page.locator(".refused")).to_have_text("")

    await page.get_by_label("Reason, for the record").fill("Only the dealer saw the card")
    await page.get_by_role("button", name="Overrule").click()
    await expect(page.locator("article.ruling")).to_have_count(0)
    await expect(page.get_by_text("No ruling is open")).to_be_visible()
