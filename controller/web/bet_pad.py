"""Where a bet is entered: chips are touched or a number is typed, then the action.

What stands in the field is the whole bet in front of the player, as a dealer counts it.
Chips add up in the browser itself, so that fast fingers wait for no network.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from html import escape

import msgspec
from nicegui import events, ui

from controller.events import BlindPosted, PlayerActed, StubCounted, TableEvent
from controller.view import Button, text
from controller.web.following import VALUE_JS

Send = Callable[[TableEvent], Awaitable[None]]


class BetPad:
    """One field, its chips, and the taps that take the amount in it.

    Args:
        taps: Those that ask for an amount; the first is sent by Enter in the field.
        lang: ``en`` or ``fr``.
        send: Called with the event and its amount.
    """

    def __init__(self, taps: Iterable[Button], lang: str, send: Send) -> None:
        self._taps, self._lang, self._send = tuple(taps), lang, send
        self._value = 0
        with ui.element("div").classes("pad").props(f'role=group aria-label="{self._name}"'):
            self._field = ui.element("input").classes("amount")
            self._field.props(f'type="number" min="1" inputmode="numeric" {self._told}')
            self._field.on("input", self._take, args=["target.value"], js_handler=VALUE_JS)
            self._field.on("keydown.enter", self._send_first)
            for chip in self._taps[0].chips:
                self._show(f"+{chip}", "chip", self._sum(f"(parseInt(field.value) || 0) + {chip}"))
            if self._taps[0].chips:
                self._show(text("pad.clear", lang), "chip", self._sum('""'))
        with ui.element("div").classes("row"):
            for tap in self._taps:
                self._show_tap(tap)

    @property
    def _name(self) -> str:
        return escape(f"{self._taps[0].label}: {text('amount', self._lang)}")

    @property
    def _told(self) -> str:
        return f'aria-label="{self._name}" placeholder="{escape(text("amount", self._lang))}"'

    def _sum(self, value: str) -> str:
        """What a chip does in the browser."""
        return (
            f'() => {{ const field = document.getElementById("{self._field.html_id}"); '
            f'field.value = {value}; field.dispatchEvent(new Event("input")); }}'
        )

    def _show(self, label: str, kind: str, script: str) -> None:
        button = ui.element("button").classes(f"tap {kind}").props('type="button"')
        with button:
            ui.html(escape(label), sanitize=False, tag="span")
        button.on("click", js_handler=script)

    def _show_tap(self, tap: Button) -> None:
        button = ui.element("button").classes(f"tap {tap.group}").props('type="button"')
        with button:
            ui.html(escape(tap.label), sanitize=False, tag="span")
        button.on("click", lambda: self._send(self._put_in(tap.event)))

    async def _send_first(self) -> None:
        await self._send(self._put_in(self._taps[0].event))

    def _take(self, change: events.GenericEventArguments) -> None:
        """Keep the number; anything else is nothing."""
        self._value = int(change.args) if str(change.args).isdigit() else 0

    def _put_in(self, event: TableEvent) -> TableEvent:
        """The player's action or blind with this amount, the count of the stub."""
        if isinstance(event, PlayerActed | BlindPosted):
            return msgspec.structs.replace(event, amount=self._value)
        if isinstance(event, StubCounted):
            return msgspec.structs.replace(event, count=self._value)
        return event
