"""Where each card goes in a shelf or carousel machine, and which order comes of it.

Places are counted from 0 at the top of the deck. A machine takes its cards from
the bottom of the deck, one at a time, and gives its slots out in turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from firmware_bridge.errors import ProtocolError
from firmware_bridge.shuffle.entropy import Stream


class Design(Enum):
    """How the machine mixes."""

    SHELF = "shelf"
    """Each card goes to a random shelf, below or on top of what lies there; the shelves
    are put on one another in their order (Diaconis, Fulman and Holmes 2013)."""

    CAROUSEL = "carousel"
    """Each card goes on top of a random slot that is not full; the slots are emptied in
    a random order. With a slot for each card every order is equally likely."""


class DrawnBy(Enum):
    """Who drew the slots."""

    BOTH = "both"
    """The machine, from its own and the host's entropy: neither knows the order."""

    MACHINE = "machine"
    """The machine alone: a bad source inside is not helped by a good one outside."""

    HOST = "host"
    """The host alone: it could know every card's place."""

    @property
    def is_weaker(self) -> bool:
        """Whether one end alone controls the order; said wherever the shuffle is shown."""
        return self is not DrawnBy.BOTH


@dataclass(frozen=True, slots=True)
class Slot:
    """Where one card goes: the slot's number and whether it goes below what lies there."""

    number: int
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class SlotPlan:
    """A slot for each card, in the order in which the machine takes them (bottom card first).

    Attributes:
        slots: one for each card.
        emptying: the numbers of all slots in the order in which they are given out;
            the first lies on top of the deck.
        drawn_by: who drew.
    """

    slots: tuple[Slot, ...]
    emptying: tuple[int, ...]
    drawn_by: DrawnBy


def draw_slots(
    design: Design,
    slots: int,
    cards: int,
    stream: Stream,
    *,
    room: int = 0,
    drawn_by: DrawnBy = DrawnBy.BOTH,
) -> SlotPlan:
    """Draw a slot for every card.

    Args:
        design: how the machine mixes.
        slots: shelves, or slots of the carousel.
        cards: cards in the machine.
        stream: from the mixed seed, or from whoever draws.
        room: cards that one slot of a carousel holds; 0 is one card each where there
            are slots enough, else no limit.
        drawn_by: who drew.

    Raises:
        ProtocolError: no slots, no cards, or not room enough.
    """
    if slots < 1 or cards < 1:
        raise ProtocolError(f"{cards} cards cannot be drawn for {slots} slots")
    if design is Design.SHELF:
        drawn = (stream.below(2 * slots) for _ in range(cards))
        places = tuple(Slot(number // 2, is_below=number % 2 == 1) for number in drawn)
        return SlotPlan(places, tuple(range(slots)), drawn_by)
    room = room or (1 if slots >= cards else cards)
    if slots * room < cards:
        raise ProtocolError(f"{slots} slots of {room} do not hold {cards} cards")
    return SlotPlan(
        _carousel_slots(slots, room, cards, stream), _permutation(slots, stream), drawn_by
    )


def _carousel_slots(slots: int, room: int, cards: int, stream: Stream) -> tuple[Slot, ...]:
    free = list(range(slots))
    held = [0] * slots
    drawn = []
    for _ in range(cards):
        at = stream.below(len(free))
        number = free[at]
        drawn.append(Slot(number))
        held[number] += 1
        if held[number] == room:
            del free[at]
    return tuple(drawn)


def _permutation(count: int, stream: Stream) -> tuple[int, ...]:
    """Every order with the same probability (Fisher and Yates)."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        at = stream.below(last + 1)
        order[at], order[last] = order[last], order[at]
    return tuple(order)


def order_after(plan: SlotPlan) -> tuple[int, ...]:
    """The deck that a plan makes: at each place, from the top, the card's old place."""
    piles: dict[int, list[int]] = {number: [] for number in plan.emptying}
    for taken, slot in enumerate(plan.slots):
        card = len(plan.slots) - 1 - taken
        pile = piles[slot.number]
        pile.insert(len(pile) if slot.is_below else 0, card)
    return tuple(card for number in plan.emptying for card in piles[number])
