"""What the engine decides: a ruling, made of atomic steps that can be seen done."""

from __future__ import annotations

from enum import Enum

import msgspec

from controller.cards import Card
from controller.irregularities import Irregularity


class Verdict(Enum):
    """How the hand stands after the irregularity."""

    CONTINUE = "continue"
    MISDEAL = "misdeal"
    FOULED_DECK = "fouled_deck"
    HAND_DEAD = "hand_dead"
    PLAY_ON = "play_on"
    FLOOR_DECIDES = "floor_decides"


class StepKind(Enum):
    """What a step asks for: one physical act, or one thing said."""

    CALL_FLOOR = "call_floor"
    ANNOUNCE = "announce"
    FINISH_DEAL = "finish_deal"
    COMPLETE_BETTING = "complete_betting"
    DEAL_TO_SEAT = "deal_to_seat"
    MOVE_TO_BURN = "move_to_burn"
    MOVE_TO_BOARD = "move_to_board"
    SET_ASIDE = "set_aside"
    REMOVE_CARD = "remove_card"
    RETURN_TO_STUB = "return_to_stub"
    RESHUFFLE_STUB = "reshuffle_stub"
    BURN = "burn"
    DEAL_BOARD = "deal_board"
    KILL_HAND = "kill_hand"
    RETURN_MONEY = "return_money"
    WASH = "wash"
    GATHER_ALL = "gather_all"
    CHECK_DECK = "check_deck"
    CHANGE_DECK = "change_deck"
    SHUFFLE = "shuffle"
    CUT = "cut"
    REDEAL = "redeal"
    AWARD_POT = "award_pot"


class Doer(Enum):
    """Who carries a step out."""

    DEALER = "dealer"
    MACHINE = "machine"
    FLOOR = "floor"


class Money(msgspec.Struct, frozen=True):
    """Chips that go to a seat."""

    seat: int
    amount: int


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do, with what would show it done.

    ``id`` is ``<ruling id>.<n>`` for the step of a ruling, ``next`` for the next
    move of the ordinary procedure. ``cards`` are those concerned and publicly
    known; ``count`` is how many cards when that is what matters (cards of a
    street, cards that must be in the reshuffled stub). ``seen_by`` says who can
    show it done: ``camera``, ``machine`` or ``tap``.
    """

    id: str
    kind: StepKind
    doer: Doer = Doer.DEALER
    seat: int = 0
    cards: tuple[Card, ...] = ()
    origin: str = ""
    target: str = ""
    count: int = 0
    street: str = ""
    money: tuple[Money, ...] = ()
    clauses: tuple[str, ...] = ()
    seen_by: tuple[str, ...] = ("tap",)


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of one rulebook on one irregularity.

    ``id`` is ``<hand>/<n>``, n counting the rulings of that hand from 1.
    ``replaces`` names an earlier ruling that this one puts out of force.
    """

    id: str
    rulebook: str
    verdict: Verdict
    irregularity: Irregularity
    steps: tuple[Step, ...]
    clauses: tuple[str, ...]
    call_floor: bool = False
    replaces: str = ""
