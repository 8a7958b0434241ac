"""The simulated table as matter: which card lies where, whichever way up.

This is the truth that the sensors look at. It knows nothing of rules and is
never shown to the engine: what the engine learns comes through the rendered
camera, the shuffler's bytes and taps. Every card is in exactly one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from controller.cards import FULL_DECK, Card

SHOE: Final = "shoe"
GONE: Final = "gone"
"""Cards taken out of play altogether: removed jokers, a changed deck."""


@dataclass(frozen=True, slots=True)
class PhysicalCard:
    """A piece of plastic: what is printed on both sides, and a number of its own."""

    uid: int
    face: Card
    back: str = "red"


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table and which way up it lies."""

    card: PhysicalCard
    up: bool


class WorldError(Exception):
    """The simulated dealer reached for a card that is not there: a fault of the simulation."""


class World:
    """All cards of one table, each in one zone.

    Args:
        back: Back colour of the deck in use.
    """

    def __init__(self, back: str = "red") -> None:
        self._back = back
        self._next_uid = 0
        self._zones: dict[str, list[Lying]] = {}
        self._shoe: dict[int, PhysicalCard] = {}
        self.new_deck()

    def new_deck(self) -> tuple[PhysicalCard, ...]:
        """Take every card away and put a fresh deck of 52 beside the shoe; returns it."""
        for zone in [z for z in self._zones if z != GONE]:
            for lying in self._zones.pop(zone):
                self._zones.setdefault(GONE, []).append(lying)
        for card in self._shoe.values():
            self._zones.setdefault(GONE, []).append(Lying(card, up=False))
        self._shoe = {}
        deck = tuple(self.make(face) for face in FULL_DECK)
        self._shoe = {card.uid: card for card in deck}
        return deck

    def make(self, face: Card, back: str = "") -> PhysicalCard:
        """Print a card; it lies nowhere yet."""
        self._next_uid += 1
        return PhysicalCard(self._next_uid, face, back or self._back)

    @property
    def shoe(self) -> tuple[PhysicalCard, ...]:
        """The cards in the machine, in no particular order."""
        return tuple(self._shoe.values())

    def leave_shoe(self, uid: int) -> PhysicalCard:
        """A card has come out of the gate into the dealer's hand."""
        try:
            return self._shoe.pop(uid)
        except KeyError:
            raise WorldError(f"card {uid} is not in the shoe") from None

    def enter_shoe(self, cards: Iterable[PhysicalCard]) -> None:
        """Cards go from the dealer's hand into the machine."""
        for card in cards:
            self._shoe[card.uid] = card

    def lay(self, card: PhysicalCard, zone: str, *, up: bool) -> None:
        """Put a card from the hand down in a zone, right of what lies there."""
        self._zones.setdefault(zone, []).append(Lying(card, up))

    def pick_up(self, zone: str, face: Card | None = None) -> PhysicalCard:
        """Take a card out of a zone: the one with this face, else the last laid.

        Raises:
            WorldError: No such card lies there.
        """
        pile = self._zones.get(zone, [])
        for index in reversed(range(len(pile))):
            if face is None or pile[index].card.face is face:
                return pile.pop(index).card
        raise WorldError(f"no {face or 'card'} in {zone}")

    def pick_up_all(self, zones: Sequence[str] = ()) -> tuple[PhysicalCard, ...]:
        """Take all cards out of these zones, or of every zone of the table."""
        names = zones or [z for z in self._zones if z != GONE]
        return tuple(lying.card for zone in names for lying in self._zones.pop(zone, []))

    def turn_up(self, zone: str) -> None:
        """Turn every card of a zone face up."""
        self._zones[zone] = [Lying(lying.card, up=True) for lying in self._zones.get(zone, [])]

    def zone(self, name: str) -> tuple[Lying, ...]:
        """What lies in a zone, left to right."""
        return tuple(self._zones.get(name, ()))

    def zones(self) -> dict[str, tuple[Lying, ...]]:
        """Every zone of the table that holds a card."""
        return {z: tuple(pile) for z, pile in self._zones.items() if pile and z != GONE}

    def on_table(self) -> int:
        """How many cards lie on the table, the shoe not counted."""
        return sum(len(pile) for pile in self.zones().values())

    def total(self) -> int:
        """Cards of the table, in the shoe or lying: constant but for deck faults."""
        return len(self._shoe) + self.on_table()

    def discard(self, card: PhysicalCard) -> None:
        """Take a card from the hand out of play."""
        self._zones.setdefault(GONE, []).append(Lying(card, up=False))
