"""A plain selection with its label: the browser's own, for thumbs and screen readers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from inspect import isawaitable

from nicegui import events, ui

from controller.web.following import VALUE_JS

Option = tuple[str, str]


class Choice:
    """A label and what can be chosen.

    Args:
        label: What is chosen.
        chosen: Called with the value.
    """

    def __init__(self, label: str, chosen: Callable[[str], Awaitable[None] | None]) -> None:
        self._offered: tuple[tuple[Option, ...], str] = ((), "")
        self._chosen = chosen
        with ui.element("label").classes("choice"):
            ui.html(escape(label), sanitize=False, tag="span")
            self._select = ui.element("select")
        self._select.on("change", self._take, args=["target.value"], js_handler=VALUE_JS)

    def offer(self, options: tuple[Option, ...], value: str) -> None:
        """Offer values with their names, one of them chosen."""
        if self._offered == (options, value):
            return
        self._offered = (options, value)
        self._select.clear()
        with self._select:
            for word, name in options:
                option = ui.html(escape(name), sanitize=False, tag="option")
                option.props["value"] = word
                if word == value:
                    option.props["selected"] = True

    async def _take(self, change: events.GenericEventArguments) -> None:
        self._offered = (self._offered[0], str(change.args))
        answer = self._chosen(str(change.args))
        if isawaitable(answer):
            await answer
