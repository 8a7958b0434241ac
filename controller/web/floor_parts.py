"""The parts of the floor's page as HTML; every word is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from controller.view import (
    AlarmView,
    ClauseView,
    FloorView,
    HandView,
    LineView,
    OtherView,
    RulingView,
    StepView,
    text,
)
from controller.web.drawing import draw_table
from controller.web.following import Person
from controller.web.parts import switches_html


def floor_head_html(view: FloorView, theme: str, person: Person) -> str:
    """Table, hand, street and the switches; a table that has stopped says so here."""
    hand = text("hand", view.lang, n=view.hand) if view.hand else text("no_hand", view.lang)
    stopped = (
        f'<p class="stopped" role="alert"><b>!</b> {escape(view.stopped)}</p>'
        if view.stopped
        else ""
    )
    return (
        f'<div class="who"><b>{escape(view.name)}</b><span>{escape(hand)}</span>'
        f'<span class="street">{escape(view.street)}</span></div>'
        f'<nav class="switches">{switches_html("/floor", view.lang, theme, person)}</nav>{stopped}'
    )


def alarm_html(alarm: AlarmView, lang: str) -> str:
    """What the alarm says, who must answer for it, and which hands it touches."""
    key = "alarm.blocks" if alarm.is_blocking else "alarm.latched"
    return (
        f'<p class="state awaits"><b aria-hidden="true">!</b> {escape(text(key, lang))}</p>'
        f"<h2>{escape(alarm.text)}</h2>"
        f'<p class="observed">{escape(alarm.who)} '
        f'<span class="street">{escape(alarm.hands)}</span></p>'
    )


def ruling_html(ruling: RulingView, lang: str) -> str:
    """What was observed, the verdict, the steps with what is done, and the clauses."""
    state = "floor.awaits" if ruling.awaits_floor else "floor.running"
    sign = "!" if ruling.awaits_floor else "▶"
    kind = "awaits" if ruling.awaits_floor else "running"
    asked = (
        f'<p class="asked">{escape(text("floor.sent_back", lang, reason=ruling.sent_back))}</p>'
        if ruling.sent_back
        else ""
    )
    return (
        f'<p class="state {kind}"><b aria-hidden="true">{sign}</b> {escape(text(state, lang))}</p>'
        f"<h2>{escape(ruling.kind)}</h2>"
        f'<p class="observed">{escape(ruling.observed)} '
        f'<span class="street">{escape(ruling.street)}</span></p>'
        f'<p class="verdict">{escape(ruling.verdict)}</p>{asked}'
        f'<ol class="steps">{"".join(_step(s, n, lang) for n, s in _numbered(ruling.steps))}</ol>'
        f"<h3>{escape(text('floor.sources', lang))} ({escape(ruling.rulebook)})</h3>"
        f'<ul class="sources">{"".join(map(_clause, ruling.clauses))}</ul>'
    )


def _numbered(steps: Iterable[StepView]) -> Iterable[tuple[int, StepView]]:
    return enumerate(steps, start=1)


def _step(step: StepView, n: int, lang: str) -> str:
    kind = "done" if step.done else "present" if step.present else "ahead"
    sign = "✓" if step.done else str(n)
    note = text("done", lang) if step.done else text("now", lang) if step.present else ""
    doer = f' <span class="doer">{escape(step.doer)}</span>' if step.doer else ""
    return (
        f'<li class="{kind}" data-step="{escape(step.id)}"><span class="tick">{sign}</span>'
        f'<span class="words">{escape(step.text)}{doer}</span>'
        f'<span class="state">{escape(note)}</span></li>'
    )


def _clause(clause: ClauseView) -> str:
    place = f'<span class="place">{escape(clause.place)}</span>' if clause.place else ""
    says = f'<span class="says" lang="en">{escape(clause.says)}</span>' if clause.says else ""
    return f'<li data-clause="{escape(clause.id)}"><b>{escape(clause.id)}</b> {place}{says}</li>'


def others_html(others: Iterable[OtherView], lang: str) -> str:
    """What each other rulebook says; whether it differs is said in words."""
    return f'<ul class="others">{"".join(_other(other, lang) for other in others)}</ul>'


def _other(other: OtherView, lang: str) -> str:
    kind, word = ("same", "floor.same") if other.is_same else ("differs", "floor.differs")
    steps = "".join(f"<li>{escape(step)}</li>" for step in other.steps)
    listed = f"<ol>{steps}</ol>" if steps and not other.is_same else ""
    clauses = ", ".join(other.clauses)
    return (
        f'<li class="{kind}"><b>{escape(other.rulebook)}</b>: {escape(other.verdict)} '
        f'<em>({escape(text(word, lang))})</em>{listed}<span class="place">{escape(clauses)}</span>'
        "</li>"
    )


def moment_html(view: HandView, lang: str) -> str:
    """The drawn table after one event, and the rulings that the event brought."""
    rulings = "".join(
        f'<p class="found"><b>{escape(r.kind)}</b> {escape(r.observed)} '
        f"<em>{escape(r.verdict)}</em></p>"
        for r in view.rulings
    )
    return f"{draw_table(view.table)}{rulings}"


def lines_html(lines: Iterable[LineView], chosen: int) -> str:
    """The events of a hand as buttons, the chosen one marked."""
    return "".join(_line(line, is_chosen=line.number == chosen) for line in lines)


def _line(line: LineView, *, is_chosen: bool) -> str:
    current = ' aria-current="true"' if is_chosen else ""
    by = f' <em class="by">{escape(line.by)}</em>' if line.by else ""
    found = "".join(f' <strong class="kind">! {escape(kind)}</strong>' for kind in line.kinds)
    return (
        f'<li><button type="button" data-event="{line.number}"{current}>'
        f'<span class="at">{escape(line.at)}</span> <span>{escape(line.text)}{by}{found}</span>'
        "</button></li>"
    )
