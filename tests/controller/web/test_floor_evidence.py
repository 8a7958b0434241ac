"""Pictures on the floor's page in a real browser, on a table that ``cutcard run`` serves."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from playwright.async_api import Browser, Page, expect

from controller.events import DeviceReported, HandStarted, Witness
from controller.runtime.evidence_check import check_bundle
from controller.runtime.journal.keys import load_public_keys
from tests.controller.runtime.filmed import END, EXPOSED, exposed_card, filmed

from .browsing import DESK, NEEDS_CHROMIUM, PHONE, browser, free_port, running, violations

pytestmark = NEEDS_CHROMIUM

JAM = DeviceReported(device="shuffler", health="fault", code="jam", by=Witness.MACHINE)
CLEARED = DeviceReported(device="shuffler", health="ready", by=Witness.MACHINE)
SEALED, BEST_OF_HAND_1 = "00000016-04", "00000006-04"


async def played(folder: Path, port: int) -> Path:
    """Hand 1 is over, and hand 2 in play, each with an exposed card; the machine had jammed."""
    start = EXPOSED[0]
    assert isinstance(start, HandStarted)
    with filmed(folder) as table:
        await exposed_card(table)
        table.happen(*END, JAM, CLEARED)
        await table.keeper.finish()
        table.happen(msgspec.structs.replace(start, hand=2), *EXPOSED[1:-1])
        for _ in range(3):
            table.film()
        table.film(is_change=True)
        table.happen(EXPOSED[-1])
        await table.keeper.finish()
    file = folder / "table.toml"
    file.write_text(
        f'[table]\nname = "T"\nseats = 4\n[journal]\npath = "t.journal"\n[page]\nport = {port}\n'
    )
    return file


async def opened(chromium: Browser, url: str, size: tuple[int, int]) -> Page:
    context = await chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, accept_downloads=True
    )
    page = await context.new_page()
    await page.goto(url)
    await expect(page.locator("article.ruling")).to_have_count(1)
    return page


async def test_the_floor_sees_what_it_may_see(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/floor"
    async with running(await played(tmp_path, port)), browser() as chromium:
        phone = await opened(chromium, url, PHONE)
        desk = await opened(chromium, f"{url}?lang=fr", DESK)
        await shows_the_covered_picture_alone(phone)
        await shows_the_alarm(phone)
        await gives_no_sealed_picture_away(phone)
        await says_so_in_french(desk)
        await shows_the_pictures_of_a_hand_that_is_over(desk)
        for page, size in ((phone, PHONE), (desk, DESK)):
            assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]
            assert await violations(page) == []
        await phone.get_by_role("link", name="Day").click()
        await expect(phone.locator(".cutcard.day article.ruling")).to_have_count(1)
        assert await violations(phone) == []
        await opens_one_large(desk)
        await downloads_the_bundle(desk, tmp_path)


async def shows_the_covered_picture_alone(page: Page) -> None:
    """docs/evidence.md: in a hand every picture is sealed, but the covered one."""
    card = page.locator("article.ruling")
    image = card.locator("img")
    await expect(image).to_have_count(1)
    await expect(image).to_have_attribute(
        "alt", "What the whole table has seen; the rest is covered until the hand is over"
    )
    assert await image.evaluate("i => i.decode().then(() => i.naturalWidth)") == 64
    await expect(card.locator(".sealed")).to_contain_text("pictures are sealed until the hand is")


async def shows_the_alarm(page: Page) -> None:
    """It was raised between the hands, when there was nothing to hide."""
    card = page.locator("article.alarm-card")
    best = card.locator("figure.best img")
    await expect(best).to_have_attribute("alt", "The table when it was seen")
    assert await best.evaluate("i => i.decode().then(() => i.naturalWidth)") == 64
    await expect(card.locator(".sealed")).to_have_count(0)


async def gives_no_sealed_picture_away(page: Page) -> None:
    fetched = "n => fetch(`/evidence/${n}`).then(r => [r.status, r.headers.get('cache-control')])"

    assert await page.evaluate(fetched, f"{SEALED}.jpg") == [423, "no-store"]
    assert await page.evaluate(fetched, f"{BEST_OF_HAND_1}.jpg") == [200, "no-store"]
    for name in ("00000001-01.jpg", "%2e%2e%2ft.journal.jpg", "..%2f..%2ft.journal", "hand-99.zip"):
        status, stored = await page.evaluate(fetched, name)
        assert status in (403, 404), name
        assert stored == "no-store"


async def says_so_in_french(page: Page) -> None:
    card = page.locator("article.ruling")
    await expect(card.locator("img")).to_have_attribute(
        "alt", "Ce que toute la table a vu ; le reste est couvert jusqu’à la fin de la main"
    )
    await expect(card.locator(".sealed")).to_contain_text("scellées jusqu’à la fin de la main")
    await expect(page.locator("article.alarm-card figure.best img")).to_have_attribute(
        "alt", "La table au moment du constat"
    )


async def shows_the_pictures_of_a_hand_that_is_over(page: Page) -> None:
    history = page.locator(".history")
    await page.get_by_role("combobox", name="Main", exact=True).select_option("1")
    await expect(history.locator(".evidence img")).to_have_count(0)
    await page.locator("ol.lines button", has_text="Carte exposée").click()

    await expect(history.locator(".evidence img")).to_have_count(5)
    best = history.locator("figure.best img")
    assert await best.evaluate("i => i.decode().then(() => i.naturalWidth)") == 64
    await expect(history.locator("figure.beside img").first).to_have_attribute(
        "alt", re.compile(r"La table \d,0 s avant")
    )
    await expect(history.locator(".sealed")).to_have_count(0)


async def opens_one_large(page: Page) -> None:
    """By keyboard, in a tab of its own, so that it can be made larger with the fingers."""
    link = page.locator(".history figure.best a")
    await link.focus()
    async with page.expect_popup() as opened_tab:
        await page.keyboard.press("Enter")
    tab = await opened_tab.value

    assert tab.url.endswith(f"/evidence/{BEST_OF_HAND_1}.jpg")
    await tab.close()


async def downloads_the_bundle(page: Page, folder: Path) -> None:
    link = page.get_by_role("link", name="Télécharger les preuves de la main 1")
    box = await link.bounding_box()
    assert box is not None
    assert box["height"] >= 44  # WCAG 2.5.5: targets of 44 pixels
    async with page.expect_download() as download:
        await link.click()
    bundle = folder / "fetched.zip"
    await (await download.value).save_as(bundle)

    found = check_bundle(bundle, load_public_keys([folder / "t.journal.pub"]))
    assert found.findings == ()
    assert f"pictures/{BEST_OF_HAND_1}.jpg" in found.manifest.files
    assert found.manifest.left_out == ()
