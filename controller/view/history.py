"""A hand as it went: every event in words, and the table drawn after each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from controller.cards import Card
from controller.events import (
    AlarmAcknowledged,
    BoardShown,
    CardDealt,
    CardExposed,
    FloorDecided,
    HandShown,
    HandStarted,
    PlayerActed,
    Shown,
    StepConfirmed,
    TableEvent,
    TapUndone,
    Witness,
)
from controller.irregularities import Kind
from controller.rulebook import Rulebook
from controller.rules import advance, tap_to_undo
from controller.rulings import Ruling, Verdict
from controller.table import OpenRuling, TableState
from controller.view.building import table_view
from controller.view.floor import RulingView, ruling_view
from controller.view.kinds import kind_name
from controller.view.labels import label
from controller.view.texts import text
from controller.view.values import Surroundings, TableView
from controller.wording import say

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class LineView(msgspec.Struct, frozen=True, kw_only=True):
    """One event: ``kinds`` are the irregularities found on it, ``by`` who reported it."""

    number: int
    at: str
    text: str
    by: str = ""
    kinds: tuple[str, ...] = ()


class HandLine(msgspec.Struct, frozen=True):
    """A hand in the list: its number, the irregularities found in it, and the verdicts."""

    number: int
    kinds: tuple[Kind, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


class HandView(msgspec.Struct, frozen=True, kw_only=True):
    """A hand at one of its events: the lines of all, the table and the rulings after that one.

    ``alarms`` are the ids of the alarms that the event brought.
    """

    hand: int
    number: int
    lines: tuple[LineView, ...]
    table: TableView
    rulings: tuple[RulingView, ...] = ()
    alarms: tuple[str, ...] = ()


def hand_view(
    start: TableState,
    events: tuple[TableEvent, ...],
    number: int,
    book: Rulebook,
    around: tuple[str, Surroundings],
) -> HandView:
    """Play a hand again and look at it after one event.

    Args:
        start: The table before the hand.
        events: Those of the hand, its start first.
        number: The event to look at, from 1; one that is not there is the last.
        book: The rulebook in force.
        around: The language, ``en`` or ``fr``, and what is not in the state.
    """
    lang, surroundings = around
    number = number if 1 <= number <= len(events) else len(events)
    lines: list[LineView] = []
    state = shown = start
    made: tuple[Ruling, ...] = ()
    raised: tuple[str, ...] = ()
    for n, event in enumerate(events, start=1):
        outcome = advance(state, event, book)
        lines.append(_line(n, event, events[0].at_ms, state, outcome.rulings, lang))
        known = {alarm.id for alarm in state.watch.alarms}
        state = outcome.state
        if n == number:
            shown, made = state, outcome.rulings
            raised = tuple(a.id for a in state.watch.alarms if a.id not in known)
    table = table_view(shown, book, lang, surroundings)
    return HandView(
        hand=shown.hand,
        number=number,
        lines=tuple(lines),
        table=msgspec.structs.replace(table, buttons=(), devices=(), gate=""),
        rulings=tuple(ruling_view(OpenRuling(ruling), lang) for ruling in made),
        alarms=raised,
    )


def _line(
    number: int,
    event: TableEvent,
    began_ms: int,
    before: TableState,
    rulings: Iterable[Ruling],
    lang: str,
) -> LineView:
    seconds = (event.at_ms - began_ms) / 1000
    return LineView(
        number=number,
        at=f"{seconds // 60:.0f}:{seconds % 60:04.1f}",
        text=event_words(event, lang, before),
        by=text(f"by.{event.by.value}", lang) if event.by is not Witness.TAP else "",
        kinds=tuple(kind_name(ruling.irregularity.kind, lang) for ruling in rulings),
    )


def event_words(event: TableEvent, lang: str, before: TableState) -> str:
    """What happened, in words; a card is named only when the event shows it to everybody."""
    match event:
        case HandStarted():
            return text("told.hand_started", lang, n=event.hand, seats=len(event.seats))
        case StepConfirmed():
            steps = {s.id: s for o in before.open for s in o.ruling.steps}
            step = steps.get(event.step)
            return text("told.step", lang, step=say(step, lang) if step else event.step)
        case FloorDecided():
            return _decided(event, lang)
        case AlarmAcknowledged():
            return text("told.alarm", lang, who=event.by_whom, reason=event.reason)
        case TapUndone():
            newest = tap_to_undo(before)
            undone = event_words(newest, lang, before) if newest else ""
            return text("told.undone" if newest else "told.undone_none", lang, tap=undone)
        case PlayerActed():
            return f"{text('seat', lang, seat=event.seat)}: {label(event, lang)}"
    words = _plain(event, lang)
    cards = _public(event)
    return f"{words}: {' '.join(map(_sign, cards))}" if cards else words


def _decided(event: FloorDecided, lang: str) -> str:
    words = label(event, lang)
    who = f" ({event.who})" if event.who else ""
    return f"{words}{who}: {event.reason}" if event.reason else f"{words}{who}"


def _plain(event: TableEvent, lang: str) -> str:
    """The words of the tap that reports the same, or of what only devices report."""
    tag = str(type(event).__struct_config__.tag)
    if (told := _TOLD.get(tag)) is None:
        return label(event, lang)
    values = {name: _word(name, getattr(event, name), lang) for name in event.__struct_fields__}
    return text(told, lang, **values)


def _word(name: str, value: object, lang: str) -> object:
    """A place, a device or a health in words; anything else as it is."""
    if name in ("zone", "origin", "target"):
        place, _, which = str(value).partition(":")
        if place == "seat":
            return text("seat", lang, seat=which)
        return text(f"place.{place}", lang)
    if name in ("device", "health"):
        return text(f"{name}.{value}", lang)
    return value


_TOLD: Final = {
    "card_exposed": "tap.exposed",
    "hand_shown": "tap.shown",
    "cards_moved": "tap.moved",
    "back_seen": "tap.back",
    "device_reported": "tap.device",
    "clock_ticked": "told.clock",
    "doubt_reported": "tap.doubt",
    "first_dealer_drawn": "told.first_dealer",
}
"""Events whose words are not those of a button, and their key."""


def _public(event: TableEvent) -> tuple[Card, ...]:
    """The cards that the event itself turned face up for everybody."""
    match event:
        case BoardShown() | HandShown():
            cards = event.cards
        case CardExposed():
            cards = (event.card,)
        case CardDealt() if event.shown is Shown.UP or event.boxed:
            cards = (event.card,)
        case _:
            cards = ()
    return tuple(card for card in cards if card.is_known)


def _sign(card: Card) -> str:
    return "Joker" if card is Card.JOKER else card.rank.replace("T", "10") + _SUITS[card.suit]
