"""Counts of orders: against every order of small decks, and what is known of large ones."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import factorial

import pytest

from controller.shuffle.counting import (
    Counts,
    fixed_places,
    followers,
    neighbours,
    right_guesses,
    rising_sequences,
    valleys,
)

Order = tuple[int, ...]


def count_rising(order: Order) -> int:
    """One pass over the deck takes the cards 0, 1, 2, ... that it meets in turn."""
    wanted, passes = 0, 0
    while wanted < len(order):
        passes += 1
        for card in order:
            wanted += card == wanted
    return passes


def count_valleys(order: Order) -> int:
    return sum(a > b < c for a, b, c in zip(order, order[1:], order[2:], strict=False))


def count_followers(order: Order) -> int:
    return sum(b == a + 1 for a, b in itertools.pairwise(order))


def count_neighbours(order: Order) -> int:
    return sum(abs(b - a) == 1 for a, b in itertools.pairwise(order))


def count_fixed(order: Order) -> int:
    return sum(place == card for place, card in enumerate(order))


def count_guesses(order: Order) -> int:
    """Always the lowest card not yet seen."""
    return sum(card == min(order[place:]) for place, card in enumerate(order))


CASES = [
    (rising_sequences, count_rising),
    (valleys, count_valleys),
    (followers, count_followers),
    (neighbours, count_neighbours),
    (fixed_places, count_fixed),
    (right_guesses, count_guesses),
]


@pytest.mark.parametrize("cards", range(2, 8))
@pytest.mark.parametrize(("counts", "count"), CASES, ids=lambda case: case.__name__)
def test_counts_are_those_of_all_orders(
    counts: Callable[[int], Counts], count: Callable[[Order], int], cards: int
) -> None:
    by_hand = Counter(count(order) for order in itertools.permutations(range(cards)))

    assert {number: n for number, n in enumerate(counts(cards)) if n} == dict(by_hand)


@pytest.mark.parametrize("cards", [20, 52, 104])
@pytest.mark.parametrize("counts", [case[0] for case in CASES], ids=lambda case: case.__name__)
def test_every_order_is_counted_once(counts: Callable[[int], Counts], cards: int) -> None:
    assert sum(counts(cards)) == factorial(cards)
    assert min(counts(cards)) >= 0


def moments(counts: Counts) -> tuple[Fraction, Fraction]:
    total = sum(counts)
    mean = Fraction(sum(n * c for n, c in enumerate(counts)), total)
    square = Fraction(sum(n * n * c for n, c in enumerate(counts)), total)
    return mean, square - mean**2


def harmonic(cards: int, power: int = 1) -> Fraction:
    return sum((Fraction(1, k**power) for k in range(1, cards + 1)), Fraction(0))


@pytest.mark.parametrize(
    ("counts", "mean", "variance"),
    [
        (rising_sequences, Fraction(53, 2), Fraction(53, 12)),  # (n+1)/2, (n+1)/12
        (valleys, Fraction(50, 3), Fraction(2 * 53, 45)),  # (n-2)/3, 2(n+1)/45
        (followers, Fraction(51, 52), None),  # (n-1)/n
        (neighbours, Fraction(102, 52), None),  # 2(n-1)/n
        (fixed_places, Fraction(1), Fraction(1)),
        (right_guesses, harmonic(52), harmonic(52) - harmonic(52, 2)),
    ],
    ids=lambda case: getattr(case, "__name__", ""),
)
def test_moments_of_52_cards_are_the_known_ones(
    counts: Callable[[int], Counts], mean: Fraction, variance: Fraction | None
) -> None:
    found = moments(counts(52))

    assert found[0] == mean
    assert variance is None or found[1] == variance


def test_at_most_nine_valleys_are_seven_in_ten_million() -> None:
    """What one pass of ten shelves never exceeds, a uniform deck hardly ever falls to."""
    few = Fraction(sum(valleys(52)[:10]), factorial(52))

    assert float(few) == pytest.approx(7.25e-7, rel=1e-3)
