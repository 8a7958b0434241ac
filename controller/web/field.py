"""A line to write in, with its label."""

from __future__ import annotations

from html import escape
from typing import Final

from nicegui import events, ui

from controller.web.following import VALUE_JS

LONGEST: Final = 300
"""Characters: a sentence or two for the record."""


class Field:
    """A labelled line; ``value`` is what stands in it, without spaces around."""

    def __init__(self, label: str) -> None:
        self.value = ""
        with ui.element("label").classes("reason"):
            ui.html(escape(label), sanitize=False, tag="span")
            field = ui.element("input").props(f'type="text" maxlength="{LONGEST}"')
        field.on("input", self._take, args=["target.value"], js_handler=VALUE_JS)

    def _take(self, change: events.GenericEventArguments) -> None:
        self.value = str(change.args).strip()[:LONGEST]
