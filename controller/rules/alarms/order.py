"""A deck in sorted or new-deck order, told from the cards that everybody may see.

Only cards that lie face up count: board, exposed and shown ones. Each has a place in
the deck, since every card that leaves the stub is counted. The deck is found ordered
when all of them fit one known order, wherever it was cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import permutations, product
from typing import Final

from controller.alarms import Packet
from controller.cards import FULL_DECK, Card

BOARD_CARDS: Final = 5
"""Cards that must fit when all are of the board: one sound board in 63,287 does."""

ALL_CARDS: Final = 6
"""Cards that must fit when hands are among them: their places leave more ways to fit."""

HAND_CARDS: Final = 3
"""Cards that make a hand one of several in a row whose cards fit: a flop."""

HANDS_IN_A_ROW: Final = 3
"""Such hands in a row: fewer are no evidence, one sound flop in 72 fits."""

_RANKS: Final = "A23456789TJQK"
_SUITS: Final = "cdhs"
_RUNS: Final = (
    (1, 1, 1, 1),
    (-1, -1, -1, -1),
    (1, 1, -1, -1),  # a new deck: two suits from the ace up, two from the king down
    (-1, -1, 1, 1),
)


@cache
def orders() -> tuple[tuple[Card, ...], ...]:
    """Every order that a sorted or a new deck may have: suit after suit, or rank after rank."""
    found: dict[tuple[Card, ...], None] = {}
    for suits in permutations(_SUITS):
        for ranks in (_RANKS, _RANKS[1:] + _RANKS[0]):
            for runs in _RUNS:
                pairs = zip(suits, runs, strict=True)
                found[tuple(Card(r + s) for s, run in pairs for r in ranks[::run])] = None
        for ranks in (_RANKS, _RANKS[::-1]):
            found[tuple(Card(r + s) for r in ranks for s in suits)] = None
    return tuple(found)


@cache
def _place_tables() -> tuple[dict[Card, int], ...]:
    return tuple({card: n for n, card in enumerate(order)} for order in orders())


@lru_cache(maxsize=64)  # one entry for each way in which the first cards can lie
def _runs_at(offsets: tuple[int, ...]) -> frozenset[tuple[Card, ...]]:
    """Cards that lie so far from the first in one of the orders: a quick look for the flop."""
    size = len(FULL_DECK)
    return frozenset(
        tuple(order[(n + offset) % size] for offset in offsets)
        for order in orders()
        for n in range(size)
    )


def is_in_order(packets: Sequence[Packet]) -> bool:
    """Whether all cards seen fit one of the orders, each packet read from either end."""
    readings = [_readings(packet) for packet in packets]
    if not readings or not any(_may_fit(reading) for reading in readings[0]):
        return False
    return any(
        _fits([pair for packet in reading for pair in packet]) for reading in product(*readings)
    )


def _readings(packet: Packet) -> tuple[tuple[tuple[int, Card], ...], ...]:
    forward = tuple(zip(packet.places, packet.cards, strict=True))
    if len(packet.cards) == 1:
        return (forward,)
    return (forward, tuple(zip(packet.places, reversed(packet.cards), strict=True)))


def _may_fit(reading: tuple[tuple[int, Card], ...]) -> bool:
    """Whether the first cards fit any order."""
    first = reading[0][0]
    offsets = tuple(place - first for place, _ in reading)
    return tuple(card for _, card in reading) in _runs_at(offsets)


def _fits(seen: Sequence[tuple[int, Card]]) -> bool:
    """Whether one order holds all cards at the distances at which they lay."""
    return any(_lies_so(seen, table) for table in _place_tables())


def _lies_so(seen: Sequence[tuple[int, Card]], table: dict[Card, int]) -> bool:
    place, card = seen[0]
    cut = table[card] - place
    return all((table[c] - p - cut) % len(table) == 0 for p, c in seen[1:])


def is_enough(packets: Sequence[Packet]) -> bool:
    """Whether so many cards are seen that they cannot well fit by chance."""
    seen = sum(len(packet.cards) for packet in packets)
    return seen >= (BOARD_CARDS if all(p.is_board for p in packets) else ALL_CARDS)


def fitting_ways(places: tuple[int, ...], packets: tuple[int, ...]) -> int:
    """In how many ways cards at these places can fit, for the rate of false alarms.

    Args:
        places: The places in the deck, packet after packet.
        packets: How many cards each packet has.

    Returns:
        The number of sequences of cards that are found ordered, out of all
        ``n * (n - 1) * ...`` sequences of so many cards of a deck.
    """
    size = len(FULL_DECK)
    lying = (
        tuple(order[(cut + place) % size] for place in places)
        for order in orders()
        for cut in range(size)
    )
    return len({read for cards in lying for read in _either_way(cards, packets)})


def _either_way(cards: tuple[Card, ...], packets: tuple[int, ...]) -> Iterator[tuple[Card, ...]]:
    """The sequence as it is read when each packet may lie the other way round."""
    parts, start = [], 0
    for length in packets:
        part = cards[start : start + length]
        parts.append((part, part[::-1]) if length > 1 else (part,))
        start += length
    for chosen in product(*parts):
        yield tuple(card for part in chosen for card in part)
