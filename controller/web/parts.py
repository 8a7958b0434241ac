"""The parts of the page around the drawn table, as HTML; every word is escaped."""

from __future__ import annotations

from html import escape
from typing import Final

from controller.view import LANGUAGES, StepView, TableView, text
from controller.web.following import Person

_SIGNS: Final = {"ok": "●", "warning": "▲", "failure": "✖", "absent": "○"}
"""A shape of its own for each health, so that colour is never the only sign."""

SHOWN_CLAUSES: Final = 4
"""More sources than this do not fit one glance; the ruling keeps them all."""


def instruction_html(view: TableView) -> str:
    """The instruction, large, with its reason and the clauses it rests on."""
    told = view.instruction
    parts = []
    if told.verdict:
        parts.append(f'<div class="verdict">{escape(told.verdict)}</div>')
    parts.append(f'<h1 class="instruction">{escape(told.text)}</h1>')
    if told.why:
        parts.append(f'<p class="why">{escape(told.why)}</p>')
    if told.clauses:
        listed = ", ".join(told.clauses[:SHOWN_CLAUSES])
        parts.append(f'<p class="clauses">{escape(text("rule", view.lang))} {escape(listed)}</p>')
    if told.waits_for:
        parts.append(f'<p class="waits">{escape(told.waits_for)}</p>')
    return "".join(parts)


def prompts_html(view: TableView) -> str:
    """What to say or mind besides, small and without colour: it passes by itself."""
    if not view.prompts:
        return ""
    items = "".join(f"<li>{escape(words)}</li>" for words in view.prompts)
    return f'<ul class="prompts">{items}</ul>'


def steps_html(view: TableView) -> str:
    """The list of steps of the open ruling, each with its state in sign and words."""
    if len(view.steps) < 2 and not any(step.done for step in view.steps):
        return ""
    items = "".join(_step_html(step, n, view.lang) for n, step in enumerate(view.steps, start=1))
    heading = escape(text("steps", view.lang))
    return f'<h2>{heading}</h2><ol class="steps">{items}</ol>'


def _step_html(step: StepView, n: int, lang: str) -> str:
    kind = "done" if step.done else "present" if step.present else "ahead"
    sign = "✓" if step.done else str(n)
    state = text("done", lang) if step.done else text("now", lang) if step.present else ""
    doer = f'<span class="doer">{escape(step.doer)}</span>' if step.doer else ""
    note = f'<span class="state">{escape(state)}</span>' if state else ""
    return (
        f'<li class="{kind}" data-step="{escape(step.id)}"><span class="tick">{sign}</span>'
        f'<span class="words">{escape(step.text)}{doer}</span>{note}</li>'
    )


def alarm_html(view: TableView) -> str:
    """The band across the page while the floor is needed; empty otherwise."""
    if not view.alarm:
        return ""
    return f'<div class="alarm" role="alert"><b>!</b> {escape(view.alarm)}</div>'


def head_html(view: TableView, theme: str, person: Person) -> str:
    """Table, hand, street, health of the devices, and the two switches."""
    hand = text("hand", view.lang, n=view.hand) if view.hand else text("no_hand", view.lang)
    street = f'<span class="street">{escape(view.street)}</span>' if view.street else ""
    devices = "".join(
        f'<span class="device {escape(d.sign)}"><i>{_SIGNS[d.sign]}</i>{escape(d.name)} '
        f"<em>{escape(d.text)}</em></span>"
        for d in view.devices
    )
    switches = switches_html("/", view.lang, theme, person)
    gate = f'<span class="gate">{escape(view.gate)}</span>' if view.gate else ""
    return (
        f'<div class="who"><b>{escape(view.name)}</b><span>{escape(hand)}</span>{street}</div>'
        f'<div class="devices">{devices}{gate}</div>'
        f'<nav class="switches">{switches}</nav>'
    )


def switches_html(path: str, lang: str, theme: str, person: Person) -> str:
    """Pages, language and theme as plain links: they work without scripts, a reload keeps them."""
    current = ' aria-current="true"'
    others = "".join(
        f'<a href="{other}?lang={lang}&amp;theme={theme}">{escape(text(f"page.{other}", lang))}</a>'
        for other in person.pages
        if other != path
    )
    tongues = "".join(
        f'<a href="{path}?lang={code}&amp;theme={theme}" lang="{code}"'
        f"{current if code == lang else ''}>{code.upper()}</a>"
        for code in LANGUAGES
    )
    other = "day" if theme == "night" else "night"
    label = escape(text(f"theme.{other}", lang))
    day = f'<a class="theme" href="{path}?lang={lang}&amp;theme={other}">{label}</a>'
    return f"{others}{tongues}{day}{_sign_out(person, lang)}"


def _sign_out(person: Person, lang: str) -> str:
    if not person.name:
        return ""
    words = escape(text("signin.out", lang))
    return (
        f'<form method="post" action="/signout"><span>{escape(person.name)}</span> '
        f"<button>{words}</button></form>"
    )
