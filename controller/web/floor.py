"""The floor's page in one browser: the open rulings, and the hands to look at again."""

from __future__ import annotations

from html import escape

from nicegui import ui

from controller.events import AlarmAcknowledged, FloorDecided
from controller.runtime.errors import RuntimeFault
from controller.view import AlarmView, FloorView, RulingView, text
from controller.web.answering import AnswerForm
from controller.web.field import Field
from controller.web.floor_album import EvidencePart
from controller.web.floor_history import HistoryPanel
from controller.web.floor_parts import alarm_html, floor_head_html, others_html, ruling_html
from controller.web.following import Person, ShownTable

_DECISIONS = (
    ("confirmed", "floor.confirm", "primary"),
    ("overruled", "floor.overrule", ""),
    ("sent_back", "floor.send_back", ""),
)
"""What the floor can decide: the word of the event, its text, and its look."""


class FloorPage:
    """The page as one browser shows it.

    Args:
        table: The running table.
        lang: ``en`` or ``fr``.
        theme: ``night`` or ``day``.
        person: Who has signed in.
    """

    def __init__(self, table: ShownTable, lang: str, theme: str, person: Person) -> None:
        self.table, self._lang, self._theme, self.person = table, lang, theme, person
        self._cards: dict[str, _RulingCard] = {}
        self._alarms: dict[str, _AlarmCard] = {}
        self._head_sent = ""
        with ui.element("div").classes(f"cutcard floor {theme}"):
            self._head = ui.html("", sanitize=False).classes("head")
            ui.html(escape(text("floor.title", lang)), sanitize=False, tag="h1").classes("unseen")
            with ui.element("section").classes("rulings"):
                self._none = ui.html(escape(text("floor.none", lang)), sanitize=False, tag="p")
                self._none.classes("none")
                self._alarm_list = ui.element("div").classes("ruling-list alarm-list")
                self._list = ui.element("div").classes("ruling-list")
                self._said = ui.label("").classes("refused").props("role=status")
            self._history = HistoryPanel(table, lang, person)
            ui.html(escape(text("offline", lang)), sanitize=False).classes("offline")

    def refresh(self) -> None:
        """Show the table as it is now; parts that did not change are not sent."""
        view = self.table.floor(self._lang)
        if (head := floor_head_html(view, self._theme, self.person)) != self._head_sent:
            self._head_sent = head
            self._head.set_content(head)
        self._show_alarms(view)
        self._show_rulings(view)
        self._none.set_visibility(not view.rulings)
        self._history.refresh()

    def _show_alarms(self, view: FloorView) -> None:
        latched = {alarm.id for alarm in view.alarms}
        for gone in [name for name in self._alarms if name not in latched]:
            self._alarms.pop(gone).delete()
        for alarm in view.alarms:
            if alarm.id not in self._alarms:
                with self._alarm_list:
                    self._alarms[alarm.id] = _AlarmCard(alarm.id, self._lang, self)
            self._alarms[alarm.id].show(alarm)

    def _show_rulings(self, view: FloorView) -> None:
        in_force = {ruling.id for ruling in view.rulings}
        for gone in [name for name in self._cards if name not in in_force]:
            self._cards.pop(gone).delete()
        for ruling in view.rulings:
            if ruling.id not in self._cards:
                with self._list:
                    self._cards[ruling.id] = _RulingCard(self.table, ruling.id, self._lang, self)
            self._cards[ruling.id].show(ruling)

    async def decide(self, decision: FloorDecided) -> None:
        """Send what the floor decided; an objection without a reason is asked for one."""
        if decision.decision != "confirmed" and not decision.reason:
            self._said.set_text(text("floor.reason_missing", self._lang))
            return
        await self.send(decision)

    async def send(self, event: FloorDecided | AlarmAcknowledged) -> None:
        """Send what a person says; a refusal is said on the page."""
        try:
            await self.person.tap(self.table, event)
        except RuntimeFault as refusal:
            key = getattr(refusal, "key", "")
            self._said.set_text(text(key, self._lang, seat=0) if key else str(refusal))
        else:
            self._said.set_text("")


class _AlarmCard:
    """One latched alarm, and the form in which somebody answers for it."""

    def __init__(self, alarm: str, lang: str, page: FloorPage) -> None:
        self._lang = lang
        with ui.element("article").classes("alarm-card") as self._root:
            self._told = ui.html("", sanitize=False).classes("told").props("aria-live=assertive")
            self._evidence = EvidencePart(page.table, lang)
            AnswerForm(alarm, lang, page.person, page.send)

    def show(self, alarm: AlarmView) -> None:
        """Show the alarm as it stands now."""
        self._told.set_content(alarm_html(alarm, self._lang))
        self._evidence.show(alarm.id)

    def delete(self) -> None:
        """Take the card away."""
        self._root.delete()


class _RulingCard:
    """One open ruling; a reason half written stays while the steps move on."""

    def __init__(self, table: ShownTable, ruling: str, lang: str, page: FloorPage) -> None:
        self._table, self._ruling, self._lang, self._page = table, ruling, lang, page
        self._sent = ""
        with ui.element("article").classes("ruling") as self._root:
            self._told = ui.html("", sanitize=False).classes("told").props("aria-live=polite")
            self._evidence = EvidencePart(table, lang)
            with ui.element("details").classes("elsewhere") as others:
                ui.html(escape(text("floor.others", lang)), sanitize=False, tag="summary")
                self._others = ui.html("", sanitize=False)
            others.on("toggle", self._load_others)
            self._ask()

    def _ask(self) -> None:
        with ui.element("div").classes("decide"):
            self._reason = Field(text("floor.reason", self._lang))
            with ui.element("div").classes("row"):
                for word, key, look in _DECISIONS:
                    button = ui.element("button").props('type="button"').classes(f"tap {look}")
                    with button:
                        words = escape(text(key, self._lang))
                        ui.html(words, sanitize=False, tag="span")
                    button.on("click", lambda word=word: self._decide(word))

    def show(self, ruling: RulingView) -> None:
        """Show the ruling as it stands now."""
        html = ruling_html(ruling, self._lang)
        if html != self._sent:
            self._sent = html
            self._told.set_content(html)
        self._evidence.show(ruling.id)

    def delete(self) -> None:
        """Take the card away."""
        self._root.delete()

    async def _decide(self, word: str) -> None:
        decision = FloorDecided(ruling=self._ruling, decision=word, reason=self._reason.value)  # type: ignore[arg-type]
        await self._page.decide(decision)

    async def _load_others(self) -> None:
        """Once, when they are asked for: reading every rulebook takes its time."""
        if self._page.person.acts() and not self._others.content:
            others = await self._table.others(self._ruling, self._lang)
            self._others.set_content(others_html(others, self._lang))
