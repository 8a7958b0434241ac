"""The dealer's page in one browser: parts that change are sent again, the rest stays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import nullcontext
from html import escape
from typing import Final

from nicegui import events, ui

from controller.events import AlarmAcknowledged, TableEvent
from controller.runtime.errors import RuntimeFault, TapRefusedError
from controller.view import Button, text
from controller.web.answering import AnswerForm
from controller.web.bet_pad import BetPad
from controller.web.drawing import draw_table
from controller.web.following import Person, ShownTable
from controller.web.parts import (
    alarm_html,
    head_html,
    instruction_html,
    prompts_html,
    steps_html,
)

_LOGGER = logging.getLogger(__name__)

SAME_FINGER_S: Final = 0.3
"""A double tap is one: the second would press the next step, which nobody has read yet. Chosen
longer than the two touches of a double tap lie apart and shorter than reading takes."""


class DealerPage:
    """The page as one browser shows it.

    Args:
        table: The running table.
        lang: ``en`` or ``fr``.
        theme: ``night`` or ``day``.
        person: Who looks at it.
    """

    def __init__(self, table: ShownTable, lang: str, theme: str, person: Person) -> None:
        self._table, self._lang, self._theme, self._person = table, lang, theme, person
        self._sent: dict[str, str] = {}
        self._taps: tuple[Button, ...] = ()
        self._keys: dict[str, Button] = {}
        self._busy, self._next_s = False, 0.0
        with ui.element("div").classes(f"cutcard {theme}") as self._root:
            self._head = ui.html("", sanitize=False).classes("head").mark("head")
            self._alarm = ui.html("", sanitize=False).classes("alarm-area")
            self._felt = ui.html("", sanitize=False).classes("table-area")
            with ui.element("section").classes("side"):
                live = "aria-live=assertive"
                self._told = ui.html("", sanitize=False).classes("told").props(live)
                self._prompts = ui.html("", sanitize=False).classes("prompts-area")
                self._steps = ui.html("", sanitize=False).classes("steps-area")
                # It scrolls when the list is long, which without a mouse takes the focus.
                self._steps.props(f'tabindex=0 role=group aria-label="{text("steps", lang)}"')
                self._row = ui.element("div").classes("taps")
                self._refused = ui.label("").classes("refused").props("role=status")
            ui.html(escape(text("offline", lang)), sanitize=False).classes("offline")
        ui.keyboard(on_key=self._on_enter, repeating=False)
        ui.keyboard(on_key=self._on_digit, repeating=False, ignore=["input", "select", "textarea"])

    def refresh(self) -> None:
        """Show the table as it is now; parts that did not change are not sent."""
        view = self._table.view(self._lang)
        self._put("head", self._head, head_html(view, self._theme, self._person))
        self._put("alarm", self._alarm, alarm_html(view))
        self._put("told", self._told, instruction_html(view))
        self._put("prompts", self._prompts, prompts_html(view))
        self._put("steps", self._steps, steps_html(view))
        self._put("felt", self._felt, draw_table(view))
        if view.buttons != self._taps or "taps" not in self._sent:
            self._sent["taps"] = "shown"
            self._taps = view.buttons
            self._show_taps()

    def _put(self, part: str, element: ui.html, content: str) -> None:
        if self._sent.get(part) != content:
            self._sent[part] = content
            element.set_content(content)

    def _show_taps(self) -> None:
        self._row.clear()
        digits = iter("123456789")
        self._keys = {}
        with self._row:
            for group in ("step", "action"):
                asked = [b for b in self._taps if b.group == group]
                if taps := [b for b in asked if not b.asks_amount]:
                    with ui.element("div").classes("row"):
                        for tap in taps:
                            self._show_tap(tap, self._key_of(tap, digits))
                if bets := [b for b in asked if b.asks_amount]:
                    BetPad(bets, self._lang, self._send)
            if reports := [b for b in self._taps if b.group == "report"]:
                self._show_reports(reports)

    def _show_reports(self, reports: list[Button]) -> None:
        """What seldom happens is folded away, so that the screen stays calm."""
        with ui.element("details").classes("reports"):
            with ui.element("summary"):
                ui.html(escape(text("report", self._lang)), sanitize=False, tag="span")
            for topic in dict.fromkeys(tap.topic for tap in reports):
                self._show_topic(topic, [tap for tap in reports if tap.topic == topic])

    def _show_topic(self, topic: str, reports: list[Button]) -> None:
        """The reports about one seat, the deck or the house, folded away under its name."""
        with ui.element("details").classes("topic") if topic else nullcontext():
            if topic:
                ui.html(escape(topic), sanitize=False, tag="summary")
            with ui.element("div").classes("row"):
                for tap in reports:
                    self._show_tap(tap, "")

    def _key_of(self, tap: Button, digits: Iterator[str]) -> str:
        """The digit that presses this button; none for the big one and where one must write."""
        if tap.asks_amount or tap.asks_name or tap == self._primary():
            return ""
        key = next(digits, "")
        self._keys[key] = tap
        return key

    def _show_tap(self, tap: Button, key: str) -> None:
        if isinstance(tap.event, AlarmAcknowledged):
            AnswerForm(tap.event.alarm, self._lang, self._person, self._send)
            return
        if tap.asks_amount:
            BetPad((tap,), self._lang, self._send)
            return
        primary = tap == self._primary()
        hint = "Enter" if primary else key
        kind = "primary" if primary else tap.group
        inner = f"{escape(tap.label)}{f'<kbd>{hint}</kbd>' if hint else ''}"
        button = ui.element("button").classes(f"tap {kind}").props('type="button"')
        with button:
            ui.html(inner, sanitize=False, tag="span")
        button.on("click", lambda tap=tap: self._send(tap.event))

    def _primary(self) -> Button | None:
        """The big button: the first that confirms the present step."""
        return next((b for b in self._taps if b.group == "step"), None)

    async def _send(self, event: TableEvent) -> None:
        """Send a tap; a refusal is said on the page, in the same place each time."""
        clock = asyncio.get_running_loop().time
        if self._busy or clock() < self._next_s:
            return
        self._busy = True
        try:
            await self._person.tap(self._table, event)
        except RuntimeFault as refusal:
            self._refused.set_text(self._words(refusal))
        else:
            self._refused.set_text("")
        finally:
            self._busy, self._next_s = False, clock() + SAME_FINGER_S

    def _words(self, refusal: RuntimeFault) -> str:
        if isinstance(refusal, TapRefusedError) and refusal.key:
            return text(refusal.key, self._lang, seat=refusal.seat)
        return str(refusal)

    async def _on_enter(self, key: events.KeyEventArguments) -> None:
        """Enter presses the big button; on a focused button the browser presses that one."""
        primary = self._primary()
        if key.action.keydown and key.key == "Enter" and primary is not None:
            await self._send(primary.event)

    async def _on_digit(self, key: events.KeyEventArguments) -> None:
        """A digit presses the small button that shows it."""
        if key.action.keydown and key.key.number is not None:
            tap = self._keys.get(str(key.key.number))
            if tap is not None:
                await self._send(tap.event)
