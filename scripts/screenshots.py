"""Takes the pictures of the pages that the documents show, from the running demo.

Usage: python scripts/screenshots.py [FOLDER]; needs Chromium at /usr/bin/chromium.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path
from typing import Final

from playwright.async_api import Page, async_playwright

from controller.demo import DemoOptions, play

PICTURES: Final = {
    "dealer": ("", (1280, 800)),
    "dealer-phone": ("", (390, 844)),
    "floor": ("floor", (390, 844)),
    "floor-desk": ("floor", (1920, 1080)),
    "house": ("house", (1280, 800)),
}
"""Name of each picture, the page, and the size of the screen."""

CHROMIUM: Final = "/usr/bin/chromium"
SEED: Final = 4
RULING_S: Final = 240.0
"""How long to wait for the first ruling: a few hands at the pace below."""


async def main(folder: Path) -> None:
    """Play until the page shows a ruling, then take every picture."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    served = asyncio.Event()
    options = DemoOptions(seed=SEED, pace_s=0.6, port=port)
    playing = asyncio.create_task(_play(options, served))
    await asyncio.wait_for(served.wait(), 60)
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        pages = {}
        for name, (path, (width, height)) in PICTURES.items():
            page = await chromium.new_page(viewport={"width": width, "height": height})
            await page.goto(f"http://127.0.0.1:{port}/{path}")
            pages[name] = page
        await pages["dealer"].wait_for_selector("ol.steps li", timeout=RULING_S * 1000)
        await pages["house"].locator("select").select_option("fr3")
        await pages["house"].wait_for_selector("ul.differing li")
        await pages["floor-desk"].wait_for_selector("article.ruling ol.steps li")
        await asyncio.gather(*(_shoot(page, folder / f"{n}.png") for n, page in pages.items()))
        await chromium.close()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


async def _play(options: DemoOptions, served: asyncio.Event) -> None:
    async for _report in play(options, lambda _address: served.set()):
        pass


async def _shoot(page: Page, path: Path) -> None:
    await page.screenshot(path=path)
    print(path)


if __name__ == "__main__":
    pictures = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    pictures.mkdir(parents=True, exist_ok=True)
    asyncio.run(main(pictures))
