"""Alarms: what blocks the next deal until a named person has answered for it.

An irregularity belongs to a hand and is ruled on by the rulebook. An alarm belongs to
the machine or to the deck: it outlives the hand, lists the hands that it may have
touched, and stays until somebody acknowledges it with a name and a reason.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

import msgspec

from controller.cards import Card
from controller.rulings import Doer


class AlarmCause(Enum):
    """The kinds of alarm, the same under every rulebook."""

    MACHINE_FAULT = "machine_fault"
    STRANGER = "stranger"
    WRONG_MODE = "wrong_mode"
    COUNT_SHORT = "count_short"
    COUNT_LONG = "count_long"
    COUNTS_DIFFER = "counts_differ"
    BOXED_DECK = "boxed_deck"
    WRONG_BACK = "wrong_back"
    DUPLICATE_CARD = "duplicate_card"
    CARD_CAME_BACK = "card_came_back"
    SORTED_ORDER = "sorted_order"
    NO_CUT_CARD = "no_cut_card"


DEALER_ANSWERS: Final = frozenset(
    {AlarmCause.MACHINE_FAULT, AlarmCause.BOXED_DECK, AlarmCause.NO_CUT_CARD}
)
"""Causes that the dealer can see to; every other one is the floor's from the start."""

OF_MACHINE: Final = frozenset(
    {
        AlarmCause.MACHINE_FAULT,
        AlarmCause.STRANGER,
        AlarmCause.WRONG_MODE,
        AlarmCause.COUNTS_DIFFER,
    }
)
"""Causes that lie in the machine or on its cable, not in the deck."""

STOPS_AT_ONCE: Final = frozenset(
    {
        AlarmCause.STRANGER,
        AlarmCause.WRONG_MODE,
        AlarmCause.SORTED_ORDER,
        AlarmCause.CARD_CAME_BACK,
    }
)
"""Causes that hold the hand in play too: with each further card the harm grows."""


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """One alarm that is latched.

    ``hand`` is the hand in which it was raised, ``hands`` are those that it may have
    touched, ``deck`` is the back of the deck concerned, empty when its back has no
    name. ``expected`` and ``counted`` are the two sides of a count that does not agree.
    """

    id: str
    cause: AlarmCause
    hand: int
    raised_ms: int
    hands: tuple[int, ...] = ()
    deck: str = ""
    cards: tuple[Card, ...] = ()
    expected: int = 0
    counted: int = 0
    detail: str = ""
    is_escalated: bool = False

    @property
    def who(self) -> Doer:
        """Who must acknowledge it."""
        mild = self.cause in DEALER_ANSWERS and not self.is_escalated
        return Doer.DEALER if mild else Doer.FLOOR

    @property
    def stops_at_once(self) -> bool:
        """Whether it holds the hand in play and not only the next deal."""
        return self.cause in STOPS_AT_ONCE


class DeckLife(msgspec.Struct, frozen=True, kw_only=True):
    """What one deck has been through since it was new.

    ``date`` is the last day on which it was dealt. ``since_count`` are the hands dealt
    since its cards were last counted complete, ``since_check`` those since it was last
    spread and checked, or brought.
    """

    hands: int = 0
    shuffles: int = 0
    days: int = 0
    jams: int = 0
    date: str = ""
    since_count: tuple[int, ...] = ()
    since_check: tuple[int, ...] = ()


class Packet(msgspec.Struct, frozen=True):
    """Cards that everybody may see, with their places in the deck, 1 its top after the cut.

    They came together, so that it is not known at which end of the packet its first card lies.
    """

    places: tuple[int, ...]
    cards: tuple[Card, ...]
    is_board: bool = False


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of machine and decks from hand to hand.

    ``decks`` are the lives of the decks by their backs, ``ready`` the backs of those
    that lie counted and shuffled while another one is in play. ``seen`` are the cards of this deal
    for the watch over their order, which ``is_reordered`` ends; ``ordered_hands`` the
    latest hands in a row whose cards fitted an order. ``shown`` are cards seen in this
    hand, which may not come out of the deck again. ``is_made_ready``: the deck of this hand
    lay ready, so that its shuffle is counted already.
    """

    alarms: tuple[Alarm, ...] = ()
    raised: int = 0
    decks: dict[str, DeckLife] = {}
    ready: tuple[str, ...] = ()
    seen: tuple[Packet, ...] = ()
    is_reordered: bool = False
    ordered_hands: tuple[int, ...] = ()
    shown: tuple[Card, ...] = ()
    is_wrong_mode: bool = False
    is_made_ready: bool = False


NOTHING_SEEN: Final = Watch()
"""The watch before the first event."""
