"""Which page stands at which address, and what each is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import Request
from nicegui import ui

from controller.view import LANGUAGES
from controller.web.door import Access
from controller.web.floor import FloorPage
from controller.web.following import Anybody, Person, ShownTable, follow
from controller.web.gate import SESSION
from controller.web.house import HousePage
from controller.web.page import DealerPage
from controller.web.person import SignedIn

THEMES: Final = ("night", "day")

_STYLES: Final = "".join(
    (Path(__file__).parent / name).read_text(encoding="utf-8")
    for name in ("style.css", "floor.css")
)

_DEAF_WHILE_OFFLINE: Final = """
for (const press of ["keydown", "keyup"])
  window.addEventListener(press, (event) => {
    if (document.querySelector('#popup[aria-hidden="false"]')) event.stopImmediatePropagation();
  }, true);
"""
"""A key pressed without a connection would be sent when it is back, to another instruction."""

SECONDS_TO_ANSWER: Final = 10
"""How long a page may take to be built on a busy computer."""


def register_pages(table: ShownTable, language: str, access: Access | None) -> None:
    """Put each page at its address.

    Args:
        table: The running table.
        language: Of a browser that does not ask for one.
        access: Knows who is signed in; None where nobody has to.
    """

    def dealer(request: Request, lang: str = language, theme: str = THEMES[0]) -> None:
        lang, theme = _prepared(lang, theme)
        person = _person(request, access)
        follow(table, DealerPage(table, lang, theme, person), person)

    def floor(request: Request, lang: str = language, theme: str = THEMES[0]) -> None:
        lang, theme = _prepared(lang, theme)
        person = _person(request, access)
        follow(table, FloorPage(table, lang, theme, person), person)

    def house(request: Request, lang: str = language, theme: str = THEMES[0]) -> None:
        lang, theme = _prepared(lang, theme)
        person = _person(request, access)
        follow(table, HousePage(table, lang, theme, person), person)

    ui.page("/house", title="cutcard: house", response_timeout=SECONDS_TO_ANSWER)(house)
    ui.page("/", title="cutcard", response_timeout=SECONDS_TO_ANSWER)(dealer)
    ui.page("/floor", title="cutcard: floor", response_timeout=SECONDS_TO_ANSWER)(floor)


def _person(request: Request, access: Access | None) -> Person:
    """Who asks; the gate has let nobody through who is not signed in."""
    if access is None:
        return Anybody()
    return SignedIn(request.scope[SESSION], access.sessions)


def _prepared(lang: str, theme: str) -> tuple[str, str]:
    """Load what every page needs; a language or theme that is none is the first."""
    lang = lang if lang in LANGUAGES else LANGUAGES[0]
    ui.add_css(_STYLES)
    named = f'document.documentElement.lang = "{lang}";'  # screen readers speak by it
    ui.add_head_html(f"<script>{_DEAF_WHILE_OFFLINE}{named}</script>")
    return lang, theme if theme in THEMES else THEMES[0]
