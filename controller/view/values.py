"""What the dealer's page shows: words and public cards only.

A ``TableView`` leaves the computer for every screen that may look at the
table, so it is built from what everybody at the table can see. A card that
lies face down is counted, never named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from controller.events import TableEvent


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """A tap that fits now: its label, and the event that it sends.

    ``group`` says where it belongs: ``step`` (confirms the present step),
    ``action`` (the player who is to act), ``report`` (something no sensor sees).
    ``asks_amount`` marks a tap whose event needs a number from the person, and
    ``chips`` are what it is made up of; ``asks_name`` marks one that needs the
    person's name and reason.
    ``topic`` is the heading under which a report is folded away.
    """

    label: str
    event: TableEvent
    group: str = "report"
    topic: str = ""
    asks_amount: bool = False
    chips: tuple[int, ...] = ()
    asks_name: bool = False


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list of steps; ``doer`` is said in words, empty for the dealer."""

    id: str
    text: str
    done: bool = False
    present: bool = False
    doer: str = ""


class Instruction(msgspec.Struct, frozen=True, kw_only=True):
    """The one thing to do now, why, and where; ``zones`` are lit on the drawn table."""

    text: str
    why: str = ""
    verdict: str = ""
    clauses: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    waits_for: str = ""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as drawn: ``cards`` are public faces in PHH notation, ``down`` counts the rest."""

    seat: int
    dealt_in: bool = False
    folded: bool = False
    to_act: bool = False
    button: bool = False
    blind: str = ""
    bet: int = 0
    cards: tuple[str, ...] = ()
    down: int = 0


class PileView(msgspec.Struct, frozen=True, kw_only=True):
    """A pile: how many cards, and the faces of those that lie face up."""

    name: str
    count: int = 0
    cards: tuple[str, ...] = ()
    zone: str = ""


class DeviceView(msgspec.Struct, frozen=True, kw_only=True):
    """A device's health: ``sign`` is one of ``ok``, ``warning``, ``failure``, ``absent``."""

    name: str
    sign: str
    text: str


class AlarmView(msgspec.Struct, frozen=True, kw_only=True):
    """A latched alarm in words; ``who`` must acknowledge it, by name and with a reason."""

    id: str
    cause: str
    text: str
    who: str
    hands: str
    deck: str = ""
    raised_ms: int = 0
    is_escalated: bool = False
    is_blocking: bool = False
    for_floor: bool = False


class TableView(msgspec.Struct, frozen=True, kw_only=True):
    """The whole page in one language; ``prompts`` are what to say or mind besides.

    ``pot`` is all that was bet; ``pots`` are the main pot and the side pots where the
    bets of a round that is over have parted them.
    """

    lang: str
    name: str
    hand: int = 0
    street: str = ""
    instruction: Instruction
    prompts: tuple[str, ...] = ()
    steps: tuple[StepView, ...] = ()
    seats: tuple[SeatView, ...] = ()
    board: tuple[str, ...] = ()
    piles: tuple[PileView, ...] = ()
    pot: int = 0
    pots: tuple[int, ...] = ()
    buttons: tuple[Button, ...] = ()
    alarm: str = ""
    alarms: tuple[AlarmView, ...] = ()
    devices: tuple[DeviceView, ...] = ()
    gate: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the page shows that is not in the state of the hand.

    ``devices`` maps ``shuffler`` and ``camera`` to a health or ``absent``;
    ``stopped`` says why the table has stopped, empty while it runs; ``asked`` is
    what the floor wants looked at again.
    """

    name: str
    seats: int
    devices: Mapping[str, str]
    deck_back: str = ""
    stopped: str = ""
    asked: tuple[str, ...] = ()
