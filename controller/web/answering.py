"""Answering for an alarm: who, and why it is over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape

from nicegui import ui

from controller.events import AlarmAcknowledged
from controller.view import text
from controller.web.field import Field
from controller.web.following import Person

Answer = Callable[[AlarmAcknowledged], Awaitable[None]]


class AnswerForm:
    """Asks for name and reason; for the reason alone of a person who has signed in.

    Args:
        alarm: The id of the alarm.
        lang: ``en`` or ``fr``.
        person: Who looks at the page.
        answer: Called with the answer.
    """

    def __init__(self, alarm: str, lang: str, person: Person, answer: Answer) -> None:
        self._alarm, self._person, self._answer = alarm, person, answer
        with ui.element("div").classes("decide"):
            self._name = None if person.name else Field(text("alarm.name", lang))
            self._reason = Field(text("alarm.reason", lang))
            button = ui.element("button").props('type="button"').classes("tap")
            with button:
                words = escape(text("tap.acknowledge", lang))
                ui.html(words, sanitize=False, tag="span")
            button.on("click", self._send)

    async def _send(self) -> None:
        name = self._name.value if self._name else self._person.name
        told = AlarmAcknowledged(alarm=self._alarm, by_whom=name, reason=self._reason.value)
        await self._answer(told)
