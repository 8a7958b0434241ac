"""The manager's page: the rulebook in force, where others differ, and counts as plots."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from nicegui import ui

from controller.view import CountView, DifferenceView, HouseView, text
from controller.web.choice import Choice
from controller.web.following import Person, ShownTable
from controller.web.parts import switches_html


class HousePage:
    """The page as one browser shows it.

    Args:
        table: The running table.
        lang: ``en`` or ``fr``.
        theme: ``night`` or ``day``.
        person: Who has signed in.
    """

    def __init__(self, table: ShownTable, lang: str, theme: str, person: Person) -> None:
        self._table, self._lang, self._theme, self._person = table, lang, theme, person
        self._sent: dict[str, str] = {}
        with ui.element("div").classes(f"cutcard floor house {theme}"):
            self._head = ui.html("", sanitize=False).classes("head")
            ui.html(escape(text("page./house", lang)), sanitize=False, tag="h1").classes("unseen")
            with ui.element("section").classes("rulings"):
                self._book = ui.html("", sanitize=False).classes("book")
                self._counts = ui.html("", sanitize=False).classes("counts")
            with ui.element("section").classes("history"):
                ui.html(escape(text("house.differences", lang)), sanitize=False, tag="h2")
                self._others = Choice(text("house.other", lang), self._compare)
                self._found = ui.html("", sanitize=False).classes("found")
            ui.html(escape(text("offline", lang)), sanitize=False).classes("offline")
        names = [name for name in table.rulebooks() if name != table.house(lang).rulebook]
        self._others.offer((("", "–"), *((name, name) for name in names)), "")

    def refresh(self) -> None:
        """Show the counts as they are now; parts that did not change are not sent."""
        view = self._table.house(self._lang)
        switches = switches_html("/house", self._lang, self._theme, self._person)
        self._put(
            "head",
            self._head,
            f'<div class="who"><b>{escape(view.name)}</b></div>'
            f'<nav class="switches">{switches}</nav>',
        )
        self._put("book", self._book, book_html(view))
        self._put("counts", self._counts, counts_html(view))

    def _put(self, part: str, element: ui.html, content: str) -> None:
        if self._sent.get(part) != content:
            self._sent[part] = content
            element.set_content(content)

    async def _compare(self, other: str) -> None:
        if not self._person.acts():
            return
        if other not in self._table.rulebooks():
            self._found.set_content("")
            return
        found = await self._table.differing(other, self._lang)
        self._found.set_content(differences_html(found, other, self._lang))


def book_html(view: HouseView) -> str:
    """Name, edition and source of the rulebook, and how much it leaves to the floor."""
    silent = text("house.silent", view.lang, n=view.left_to_floor, of=view.questions)
    return (
        f"<h2>{escape(text('house.rulebook', view.lang))}: {escape(view.rulebook)}</h2>"
        f'<p class="observed">{escape(view.title)}</p>'
        f'<p class="place">{escape(view.edition)} · {escape(view.source)}</p>'
        f"<p>{escape(silent)}</p>"
    )


def counts_html(view: HouseView) -> str:
    """A bar for each irregularity; its number stands beside it, so that nothing is only seen."""
    heading = text("house.counts", view.lang, rulings=view.rulings, hands=view.hands)
    bars = "".join(_bar(count) for count in view.counts)
    return f'<h2>{escape(heading)}</h2><ul class="bars">{bars}</ul>'


def _bar(count: CountView) -> str:
    return (
        f"<li><span>{escape(count.name)}</span><b>{count.count}</b>"
        f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * count.share:.1f}" height="8" rx="1"/></svg></li>'
    )


def differences_html(found: Iterable[DifferenceView], other: str, lang: str) -> str:
    """The questions answered differently, both answers side by side."""
    rows = "".join(
        f'<li data-key="{escape(each.key)}"><b lang="en">{escape(each.question)}</b>'
        f"<span>{escape(text('house.here', lang))}: {escape(each.here)}</span>"
        f"<span>{escape(other)}: {escape(each.there)} "
        f'<em class="place">{escape(", ".join(each.clauses))}</em></span></li>'
        for each in found
    )
    return f'<ul class="sources differing">{rows}</ul>'
