"""What is counted in recorded orders, over all decks at once.

Orders are an array with one row a deck: at each place from the top the old place
of the card there, both from 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Orders = NDArray[np.int64]
PerDeck = NDArray[np.int64]
"""One number for each deck."""


def places_of(orders: Orders) -> Orders:
    """Where each card lies now: the inverse of each order."""
    return np.argsort(orders, axis=1)


def rising_sequences(orders: Orders) -> PerDeck:
    """Runs of old neighbours that still lie in their order, with others between them."""
    steps = np.diff(places_of(orders), axis=1)
    counted: PerDeck = 1 + np.count_nonzero(steps < 0, axis=1)
    return counted


def valleys(orders: Orders) -> PerDeck:
    """Cards that come from a place above those of both their neighbours."""
    inner = orders[:, 1:-1]
    counted: PerDeck = np.count_nonzero((inner < orders[:, :-2]) & (inner < orders[:, 2:]), axis=1)
    return counted


def peaks(orders: Orders) -> PerDeck:
    """Cards that come from a place below those of both their neighbours."""
    return valleys(orders.shape[1] - 1 - orders)


def followers(orders: Orders) -> PerDeck:
    """Cards that follow their old upper neighbour at once."""
    counted: PerDeck = np.count_nonzero(np.diff(orders, axis=1) == 1, axis=1)
    return counted


def neighbours(orders: Orders) -> PerDeck:
    """Pairs of old neighbours that lie side by side, either way round."""
    counted: PerDeck = np.count_nonzero(np.abs(np.diff(orders, axis=1)) == 1, axis=1)
    return counted


def place_counts(orders: Orders) -> Orders:
    """How often each card (column) lay in each place (row)."""
    cards = orders.shape[1]
    flat = (np.arange(cards) * cards + orders).ravel()
    return np.bincount(flat, minlength=cards * cards).reshape(cards, cards)


def coincidences(counts: Orders, decks: int) -> int:
    """Over all pairs of decks, the cards that lie in the same place in both."""
    return int((counts**2).sum() - decks * len(counts)) // 2


def most_alike(orders: Orders, window: int) -> tuple[int, int]:
    """The most cards in the same place in two decks, and how many pairs were compared.

    Each deck is compared with the ``window`` decks after it.
    """
    small = orders.astype(np.uint16)
    most, pairs = 0, 0
    for lag in range(1, min(window, len(orders) - 1) + 1):
        alike = np.count_nonzero(small[lag:] == small[:-lag], axis=1)
        most, pairs = max(most, int(alike.max())), pairs + len(alike)
    return most, pairs


def drift(orders: Orders) -> float:
    """How many standard deviations the cards keep to (or turn from) their old places.

    The sum of old place times new place; its mean and variance for uniform orders are
    those of Spearman's rank correlation, 1/(n - 1) for one deck.
    """
    decks, cards = orders.shape
    centred = np.arange(cards) - (cards - 1) / 2
    total = float((centred * (orders - (cards - 1) / 2)).sum())
    one_deck = cards * (cards**2 - 1) / 12 / math.sqrt(cards - 1)
    return float(total / (one_deck * math.sqrt(decks)))


def right_guesses_above(orders: Orders) -> PerDeck:
    """Right guesses of one who always names the next unseen card after the last one.

    Strong against riffles, in which old neighbours stay in their order.
    """
    return _right_guesses(orders, turns=False)


def right_guesses_along(orders: Orders) -> PerDeck:
    """Right guesses of one who names the next unseen card in the direction of the last step.

    Strong against shelves, which make runs up and down.
    """
    return _right_guesses(orders, turns=True)


def _right_guesses(orders: Orders, *, turns: bool) -> PerDeck:
    decks, cards = orders.shape
    numbers, rows = np.arange(cards), np.arange(decks)
    unseen = np.ones((decks, cards), dtype=bool)
    right = np.zeros(decks, dtype=np.int64)
    last = np.full(decks, -1)
    is_up = np.ones(decks, dtype=bool)
    for place in range(cards):
        seen_to = last[:, None]
        above, below = unseen & (numbers > seen_to), unseen & (numbers < seen_to)
        goes_up = is_up & above.any(axis=1)
        if turns:
            goes_up |= ~below.any(axis=1)
            other = cards - 1 - below[:, ::-1].argmax(axis=1)
        else:
            other = unseen.argmax(axis=1)
        guess = np.where(goes_up, above.argmax(axis=1), other)
        card = orders[:, place]
        right += guess == card
        if turns and place:
            is_up = card > last
        unseen[rows, card] = False
        last = card
    return right
