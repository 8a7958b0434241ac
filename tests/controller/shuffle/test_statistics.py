"""What is counted in orders: by hand, by definition, and against published simulations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.shuffle import simulate, statistics
from controller.shuffle.statistics import Orders, PerDeck

Order = list[int]
ORDERS = st.integers(2, 30).flatmap(lambda n: st.permutations(range(n)))


def deck(*order: int) -> Orders:
    return np.array([order])


BY_HAND = [
    (statistics.rising_sequences, (0, 1, 2, 3, 4, 5), 1),
    (statistics.rising_sequences, (5, 4, 3, 2, 1, 0), 6),
    (statistics.rising_sequences, (0, 3, 1, 4, 2, 5), 2),  # one perfect riffle
    (statistics.valleys, (2, 0, 1, 3, 5, 4), 1),
    (statistics.peaks, (2, 0, 1, 3, 5, 4), 1),
    (statistics.valleys, (3, 1, 4, 0, 5, 2), 2),
    (statistics.followers, (0, 1, 5, 4, 2, 3), 2),
    (statistics.neighbours, (0, 1, 5, 4, 2, 3), 3),
]


@pytest.mark.parametrize(("count", "order", "expected"), BY_HAND)
def test_a_deck_counted_by_hand(
    count: Callable[[Orders], PerDeck], order: tuple[int, ...], expected: int
) -> None:
    assert count(deck(*order)).tolist() == [expected]


@settings(deadline=None)
@given(order=ORDERS)
def test_rising_sequences_are_the_passes_that_take_the_cards_in_turn(order: Order) -> None:
    wanted, passes = 0, 0
    while wanted < len(order):
        passes += 1
        for card in order:
            wanted += card == wanted

    assert statistics.rising_sequences(deck(*order)).tolist() == [passes]


def guess_above(seen: Order, unseen: set[int]) -> int:
    above = [card for card in unseen if seen and card > seen[-1]]
    return min(above) if above else min(unseen)


def guess_along(seen: Order, unseen: set[int]) -> int:
    if not seen:
        return min(unseen)
    is_up = len(seen) < 2 or seen[-1] > seen[-2]
    above = [card for card in unseen if card > seen[-1]]
    below = [card for card in unseen if card < seen[-1]]
    if (is_up and above) or not below:
        return min(above)
    return max(below)


@pytest.mark.parametrize(
    ("count", "guess"),
    [
        (statistics.right_guesses_above, guess_above),
        (statistics.right_guesses_along, guess_along),
    ],
)
@settings(deadline=None)
@given(order=ORDERS)
def test_guesses_are_those_of_somebody_who_sees_each_card(
    count: Callable[[Orders], PerDeck], guess: Callable[[Order, set[int]], int], order: Order
) -> None:
    right = sum(
        guess(order[:place], set(order[place:])) == card for place, card in enumerate(order)
    )

    assert count(deck(*order)).tolist() == [right]


@settings(deadline=None)
@given(orders=st.lists(st.permutations(range(8)), min_size=2, max_size=9))
def test_coincidences_are_counted_over_all_pairs(orders: list[Order]) -> None:
    alike = [
        sum(a == b for a, b in zip(one, two, strict=True))
        for one, two in itertools.combinations(orders, 2)
    ]
    array = np.array(orders)

    assert statistics.coincidences(statistics.place_counts(array), len(orders)) == sum(alike)
    assert statistics.most_alike(array, window=100) == (max(alike), len(alike))


def test_only_the_decks_in_the_window_are_compared() -> None:
    orders = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]])

    assert statistics.most_alike(orders, window=2) == (0, 5)
    assert statistics.most_alike(orders, window=3) == (3, 6)


@settings(deadline=None)
@given(order=ORDERS)
def test_drift_is_the_rank_correlation_times_the_root_of_n_less_one(order: Order) -> None:
    n = len(order)
    squares = sum((place - card) ** 2 for place, card in enumerate(order))
    spearman = 1 - 6 * squares / (n * (n**2 - 1))

    assert statistics.drift(deck(*order)) == pytest.approx(spearman * math.sqrt(n - 1), abs=1e-9)


GUESSES = [
    ("shelf:1", 39.0, 3.2),
    ("shelf:2", 27.0, 5.6),
    ("shelf:4", 17.6, 6.0),
    ("shelf:10", 9.3, 4.7),
    ("shelf:20", 6.15, 3.8),
    ("shelf:64", 4.7, 3.1),
    ("uniform", 4.538, 2.912),
]
"""Diaconis, Fulman and Holmes 2013, table 4: mean and variance of right guesses, 52 cards."""


@pytest.mark.parametrize(("source", "mean", "variance"), GUESSES)
def test_the_guessing_score_of_shelf_machines_is_the_published_one(
    source: str, mean: float, variance: float
) -> None:
    guesses = statistics.right_guesses_along(simulate(source, 4000, 52, seed=7))

    assert abs(guesses.mean() - mean) < 0.05 + 4 * math.sqrt(variance / 4000)
    assert guesses.var() == pytest.approx(variance, rel=0.12)
