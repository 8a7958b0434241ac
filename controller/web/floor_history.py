"""The history on the floor's page: a hand, and the table drawn after each of its events."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Final

from nicegui import events, ui

from controller.irregularities import Kind
from controller.rulings import Verdict
from controller.view import HandLine, kind_name, text
from controller.web.choice import Choice
from controller.web.floor_album import EvidencePart
from controller.web.floor_evidence import bundle_html
from controller.web.floor_parts import lines_html, moment_html
from controller.web.following import Person, ShownTable
from controller.wording import judge_words

_EVENT_JS: Final = (
    "(e) => { const b = e.target.closest('[data-event]'); if (b) emit(b.dataset.event); }"
)


class HistoryPanel:
    """Steps through a hand; it follows the present hand until somebody steps back."""

    def __init__(self, table: ShownTable, lang: str, person: Person) -> None:
        self._table, self._lang, self._person = table, lang, person
        self._hand, self._event, self._kind, self._verdict = 0, 0, "", ""
        self._shown: tuple[int, int] = (0, 0)
        self._sent: dict[str, str] = {}
        self._listed: tuple[tuple[str, str], ...] = ()
        with ui.element("section").classes("history"):
            ui.html(escape(text("floor.history", lang)), sanitize=False, tag="h2")
            with ui.element("div").classes("row choose"):
                self._kinds = Choice(text("floor.kind", lang), self._choose_kind)
                self._verdicts = Choice(text("floor.verdict", lang), self._choose_verdict)
                self._hands = Choice(text("floor.hand", lang), self._choose_hand)
            self._moment = ui.html("", sanitize=False).classes("moment")
            self._evidence = EvidencePart(table, lang)
            self._bundle = ui.html("", sanitize=False).classes("row")
            with ui.element("div").classes("row stepper"):
                self._button("floor.earlier", lambda: self._step(-1))
                self._position = ui.label("").props("role=status").classes("position")
                self._button("floor.later", lambda: self._step(+1))
                self._button("floor.now", self._follow)
            self._lines = ui.html("", sanitize=False, tag="ol").classes("lines")
            self._lines.on("click", self._choose_event, js_handler=_EVENT_JS)

    def _button(self, key: str, press: Callable[[], None]) -> None:
        button = ui.element("button").props('type="button"').classes("tap")
        with button:
            ui.html(escape(text(key, self._lang)), sanitize=False, tag="span")
        button.on("click", press)

    def refresh(self) -> None:
        """Show the chosen hand at the chosen event, or the newest of both."""
        hands = self._matching()
        self._list_hands(hands)
        numbers = [hand.number for hand in hands]
        number = self._hand if self._hand in numbers else (numbers or [0])[-1]
        view = self._table.hand(number, self._event, self._lang) if number else None
        if view is None:
            self._put(
                "moment", self._moment, f"<p>{escape(text('floor.no_hands', self._lang))}</p>"
            )
            self._put("lines", self._lines, "")
            self._put("bundle", self._bundle, "")
            self._evidence.show()
            self._position.set_text("")
            return
        self._shown = (view.hand, view.number)
        self._put("moment", self._moment, moment_html(view, self._lang))
        self._evidence.show(*(ruling.id for ruling in view.rulings), *view.alarms)
        if self._table.album is not None:
            self._put("bundle", self._bundle, bundle_html(view.hand, self._lang))
        self._put("lines", self._lines, lines_html(view.lines, view.number))
        place = text("floor.position", self._lang, n=view.number, of=len(view.lines))
        self._position.set_text(f"{text('hand', self._lang, n=number)} · {place}")

    def _look(self) -> None:
        """Show what the person asked for, if he still may."""
        if self._person.acts():
            self.refresh()

    def _put(self, part: str, element: ui.html, content: str) -> None:
        if self._sent.get(part) != content:
            self._sent[part] = content
            element.set_content(content)

    def _matching(self) -> tuple[HandLine, ...]:
        """The hands with the chosen irregularity and verdict; all when none is chosen."""
        return tuple(
            hand
            for hand in self._table.hands()
            if not self._kind or Kind(self._kind) in hand.kinds
            if not self._verdict or Verdict(self._verdict) in hand.verdicts
        )

    def _list_hands(self, hands: tuple[HandLine, ...]) -> None:
        found = {kind for hand in self._table.hands() for kind in hand.kinds}
        kinds = [(kind.value, kind_name(kind, self._lang)) for kind in Kind if kind in found]
        self._kinds.offer((("", text("floor.all", self._lang)), *kinds), self._kind)
        ruled = {verdict for hand in self._table.hands() for verdict in hand.verdicts}
        verdicts = [(v.value, judge_words(v, self._lang)) for v in Verdict if v in ruled]
        self._verdicts.offer((("", text("floor.all", self._lang)), *verdicts), self._verdict)
        listed = tuple((str(hand.number), self._name(hand)) for hand in reversed(hands))
        self._hands.offer((("", text("floor.now", self._lang)), *listed), str(self._hand or ""))

    def _name(self, hand: HandLine) -> str:
        kinds = ", ".join(kind_name(kind, self._lang) for kind in dict.fromkeys(hand.kinds))
        number = text("hand", self._lang, n=hand.number)
        return f"{number}: {kinds}" if kinds else number

    def _choose_kind(self, value: str) -> None:
        known = {kind.value for kind in Kind}
        self._kind, self._hand, self._event = value if value in known else "", 0, 0
        self._look()

    def _choose_verdict(self, value: str) -> None:
        known = {verdict.value for verdict in Verdict}
        self._verdict, self._hand, self._event = value if value in known else "", 0, 0
        self._look()

    def _choose_hand(self, value: str) -> None:
        self._hand, self._event = int(value) if value.isdigit() else 0, 0
        self._look()

    def _choose_event(self, chosen: events.GenericEventArguments) -> None:
        word = str(chosen.args)
        if word.isdigit():
            self._hand, self._event = self._shown[0], int(word)
            self._look()

    def _step(self, by: int) -> None:
        hand, event = self._shown
        self._hand, self._event = hand, max(1, event + by)
        self._look()

    def _follow(self) -> None:
        self._hand = self._event = 0
        self._look()
