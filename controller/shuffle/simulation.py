"""Orders made on purpose: shuffles of known models, and machines with known defects."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import numpy as np

from controller.shuffle.errors import ModelError
from controller.shuffle.models import MOST_RIFFLES, MOST_SHELVES
from controller.shuffle.statistics import Orders

Generator = np.random.Generator
_Make = Callable[[int, int, int, Generator], Orders]


def simulate(source: str, decks: int, cards: int, seed: int) -> Orders:
    """Orders of a source such as ``uniform``, ``riffle:3`` or ``top-stays``.

    Args:
        source: one of ``SOURCES``, with its number where it has one.
        decks: how many orders.
        cards: cards of a deck.
        seed: the same seed makes the same orders.

    Raises:
        ModelError: there is no such source, or its number is out of range.
    """
    found = re.fullmatch(r"([a-z-]+)(?::(\d{1,4}))?", source)
    if found is None or found[1] not in SOURCES:
        raise ModelError(source, ", ".join(ALLOWED))
    make, most = SOURCES[found[1]]
    amount = int(found[2] or 0)
    if not (1 <= amount <= most or (most == 0 and found[2] is None)):
        raise ModelError(source, ", ".join(ALLOWED))
    return make(decks, cards, amount, np.random.default_rng(seed))


def _uniform(decks: int, cards: int, _: int, rng: Generator) -> Orders:
    return rng.permuted(np.tile(np.arange(cards), (decks, 1)), axis=1)


def _riffle(decks: int, cards: int, riffles: int, rng: Generator) -> Orders:
    """A riffle backwards sorts the cards by a random bit each; N riffles by N bits."""
    packets = rng.integers(0, 1 << riffles, size=(decks, cards))
    backwards = np.argsort(packets, axis=1, kind="stable")
    return np.argsort(backwards, axis=1)


def _shelf(decks: int, cards: int, shelves: int, rng: Generator) -> Orders:
    """Cards from the bottom, each on top of a random shelf's pile or below it."""
    drawn = rng.integers(0, 2 * shelves, size=(decks, cards))
    card = np.arange(cards)
    depth = np.where(drawn % 2 == 1, 2 * cards - 1 - card, card)
    return np.argsort(drawn // 2 * (2 * cards) + depth, axis=1)


def _none(decks: int, cards: int, _: int, rng: Generator) -> Orders:
    return np.tile(np.arange(cards), (decks, 1))


def _cut(decks: int, cards: int, _: int, rng: Generator) -> Orders:
    """Nothing but a cut at a random place."""
    return (np.arange(cards) + rng.integers(0, cards, size=(decks, 1))) % cards


def _overhand(decks: int, cards: int, times: int, rng: Generator) -> Orders:
    """Packets from the top are thrown on one another, each of about five cards."""
    orders = _none(decks, cards, 0, rng)
    for _ in range(times):
        is_cut = rng.random((decks, cards - 1)) < 0.2
        packet = np.concatenate([np.zeros((decks, 1), int), np.cumsum(is_cut, axis=1)], axis=1)
        turned = np.argsort(-packet, axis=1, kind="stable")
        orders = np.take_along_axis(orders, turned, axis=1)
    return orders


def _top_stays(decks: int, cards: int, percent: int, rng: Generator) -> Orders:
    """In so many of a hundred shuffles the top card is not moved; all else is uniform."""
    orders = _uniform(decks, cards, 0, rng)
    stays = np.flatnonzero(rng.random(decks) < percent / 100)
    at = np.argmin(orders[stays], axis=1)  # where card 0 lies
    orders[stays, at] = orders[stays, 0]
    orders[stays, 0] = 0
    return orders


def _unmixed(decks: int, cards: int, packs: int, rng: Generator) -> Orders:
    """A shoe of some packs, each well shuffled, one put on the other."""
    edges = np.linspace(0, cards, packs + 1).astype(int)
    pieces = [
        first + _uniform(decks, last - first, 0, rng) for first, last in pairwise(edges.tolist())
    ]
    return np.concatenate(pieces, axis=1)


def _repeats(decks: int, cards: int, period: int, rng: Generator) -> Orders:
    """A generator that comes round: after so many decks the same orders again."""
    return np.resize(_uniform(period, cards, 0, rng), (decks, cards))


def _missed(decks: int, cards: int, percent: int, rng: Generator) -> Orders:
    """So many of a hundred shuffles do nothing; the others are uniform."""
    orders = _uniform(decks, cards, 0, rng)
    orders[rng.random(decks) < percent / 100] = np.arange(cards)
    return orders


SOURCES: Final[dict[str, tuple[_Make, int]]] = {
    "uniform": (_uniform, 0),
    "riffle": (_riffle, MOST_RIFFLES),
    "shelf": (_shelf, MOST_SHELVES),
    "none": (_none, 0),
    "cut": (_cut, 0),
    "overhand": (_overhand, 1000),
    "top-stays": (_top_stays, 100),
    "unmixed": (_unmixed, 10),
    "repeats": (_repeats, 9999),
    "missed": (_missed, 100),
}
"""How each source makes its orders, and the largest number it takes; 0 for none."""

ALLOWED: Final = tuple(f"{name}:N" if most else name for name, (_, most) in SOURCES.items())
