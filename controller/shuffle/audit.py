"""The audit: are recorded orders what a model says, and if not, what gives them away?

Every test asks one question, has a valid p-value under the model, and is two-sided
where both sides are defects. The p-values are adjusted for their number (Holm), so
that a sound machine is accused with at most the chance ``alpha``, whatever the tests
have in common. A machine that passes has not been found out; it is not proved good.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np

from controller.shuffle import counting, statistics
from controller.shuffle.models import (
    UNIFORM,
    Kind,
    Model,
    chances,
    class_chances,
)
from controller.shuffle.statistics import Orders, PerDeck
from controller.shuffle.tails import (
    SMALLEST,
    Distribution,
    binomial_at_least,
    chi_square_at_least,
    holm,
    normal_two_sided,
    skewed_two_sided,
)

REPEAT_WINDOW: Final = 1000
"""Each deck is compared with so many after it for the same order: a second or two."""

LEAST_EXPECTED: Final = 5.0
"""Cells of a chi-square test are joined until each expects so many (Cochran's rule)."""


@dataclass(frozen=True, slots=True)
class Test:
    """One question and its answer.

    Attributes:
        name: What was asked, such as ``rising sequences``.
        seen: The number counted in the orders.
        expected: The number that the model expects.
        p_value: The chance of something at least as far out under the model.
        adjusted: The same, adjusted for the number of tests.
    """

    __test__ = False  # no test case, whatever a test runner reads into the name

    name: str
    seen: float
    expected: float
    p_value: float
    adjusted: float = 1.0


@dataclass(frozen=True, slots=True)
class Closest:
    """The model under which the orders are likeliest, by ``bits`` in all more than under uniform.

    Uniform unless another is likelier by ``CLEAR_BITS``.
    """

    model: Model
    bits: float


@dataclass(frozen=True, slots=True)
class Audit:
    """What came out.

    Attributes:
        model: What the orders were held against.
        decks: Orders in the file.
        cards: Cards of a deck.
        alpha: The chance to accuse a sound machine.
        tests: Every test.
        closest: The likeliest of the known models.
    """

    model: Model
    decks: int
    cards: int
    alpha: float
    tests: tuple[Test, ...]
    closest: Closest

    @property
    def failed(self) -> tuple[Test, ...]:
        """The tests that speak against the model."""
        return tuple(test for test in self.tests if test.adjusted < self.alpha)

    @property
    def is_passed(self) -> bool:
        """Whether nothing speaks against the model."""
        return not self.failed


def audit(orders: Orders, model: Model = UNIFORM, alpha: float = 0.01) -> Audit:
    """Hold recorded orders against a model.

    Args:
        orders: one row a deck; at each place the old place of its card.
        model: what they should be.
        alpha: the chance to accuse orders that are so.
    """
    decks, cards = orders.shape
    found = tuple(_uniform_tests(orders) if model == UNIFORM else _class_tests(orders, model))
    adjusted = holm([test.p_value for test in found])
    tests = tuple(
        Test(test.name, test.seen, test.expected, test.p_value, p)
        for test, p in zip(found, adjusted, strict=True)
    )
    return Audit(model, decks, cards, alpha, tests, closest_model(orders))


# --- uniform orders ---------------------------------------------------------------------------


def _uniform_tests(orders: Orders) -> Iterator[Test]:
    cards = orders.shape[1]
    yield from _place_tests(orders)
    per_deck = {
        "followers": (statistics.followers, counting.followers),
        "neighbours": (statistics.neighbours, counting.neighbours),
        "rising sequences": (statistics.rising_sequences, counting.rising_sequences),
        "valleys": (statistics.valleys, counting.valleys),
        "peaks": (statistics.peaks, counting.valleys),
        "guesses above": (statistics.right_guesses_above, counting.right_guesses),
        "guesses along": (statistics.right_guesses_along, counting.right_guesses),
    }
    for name, (count, orders_with) in per_deck.items():
        yield _sum_test(name, count(orders), Distribution.of(orders_with(cards)))
    stays = Distribution.of((cards - 1, 1))
    yield _sum_test("top card stays", (orders[:, 0] == 0).astype(np.int64), stays)
    yield _sum_test("bottom card stays", (orders[:, -1] == cards - 1).astype(np.int64), stays)


def _sum_test(name: str, per_deck: PerDeck, one_deck: Distribution) -> Test:
    """The sum over all decks against its exact distribution; said as the mean of a deck."""
    decks, total = len(per_deck), int(per_deck.sum())
    p_value = one_deck.summed(decks).two_sided(total)
    return Test(name, total / decks, one_deck.mean, p_value)


def _place_tests(orders: Orders) -> Iterator[Test]:
    decks, cards = orders.shape
    drift = statistics.drift(orders)
    yield Test("drift", drift, 0.0, normal_two_sided(drift))
    if decks < 2:
        return
    counts = statistics.place_counts(orders)
    yield _places_test(counts, decks)
    most = int(counts.max())
    p_value = min(1.0, cards**2 * binomial_at_least(most, decks, 1 / cards))
    yield Test("one card in one place", most, decks / cards, p_value)
    alike, pairs = statistics.most_alike(orders, REPEAT_WINDOW)
    same = Distribution.of(counting.fixed_places(cards))
    yield Test("repeated orders", alike, 1.0, min(1.0, pairs * same.at_least(alike)))


def _places_test(counts: Orders, decks: int) -> Test:
    """Is every card in every place equally often?

    The chi-square of the table of cards by places, written as the number of
    coincidences between pairs of decks. For uniform orders its first three central
    moments are N, N and N + D(D-1)(D-2)/(n-1) with N = D(D-1)/2: pairs of decks are
    independent, and three decks meet through the character of the permutations.
    """
    cards = len(counts)
    pairs = decks * (decks - 1) / 2
    third = pairs + decks * (decks - 1) * (decks - 2) / (cards - 1)
    seen = statistics.coincidences(counts, decks)
    return Test("places", seen / pairs, 1.0, skewed_two_sided(seen, pairs, pairs, third))


# --- other models -----------------------------------------------------------------------------


def _classes(orders: Orders, kind: Kind) -> PerDeck:
    if kind is Kind.RIFFLE:
        return statistics.rising_sequences(orders)
    return statistics.valleys(orders)


_CLASS_NAMES: Final = {Kind.RIFFLE: "rising sequences", Kind.SHELF: "valleys"}


def _class_tests(orders: Orders, model: Model) -> Iterator[Test]:
    """All that such a model says of an order lies in one number: its mean, and its spread."""
    name = _CLASS_NAMES[model.kind]
    classes = _classes(orders, model.kind)
    fractions = class_chances(model, orders.shape[1])
    yield _sum_test(name, classes, Distribution.of(fractions))
    impossible = sum(int(n) for n in classes if not fractions[n])
    if impossible:
        yield Test(f"impossible {name}", impossible, 0.0, SMALLEST)
    spread = _spread_test(f"spread of {name}", classes, fractions)
    if spread is not None:
        yield spread


def _spread_test(name: str, classes: PerDeck, fractions: tuple[Fraction, ...]) -> Test | None:
    """Chi-square of the class counts; None where there are too few decks for two cells."""
    decks = len(classes)
    seen = np.bincount(classes, minlength=len(fractions))
    cells: list[tuple[float, float]] = []
    counted, expected = 0.0, 0.0
    for number, fraction in enumerate(fractions):
        counted, expected = counted + float(seen[number]), expected + decks * float(fraction)
        if expected >= LEAST_EXPECTED:
            cells.append((counted, expected))
            counted, expected = 0.0, 0.0
    if len(cells) < 2:
        return None
    cells[-1] = (cells[-1][0] + counted, cells[-1][1] + expected)
    statistic = sum((c - e) ** 2 / e for c, e in cells)
    freedom = len(cells) - 1
    return Test(name, statistic, freedom, chi_square_at_least(statistic, freedom))


CANDIDATES: Final = (
    UNIFORM,
    *(Model(Kind.RIFFLE, riffles) for riffles in range(1, 13)),
    *(Model(Kind.SHELF, shelves) for shelves in (*range(1, 41), 45, 50, 60, 80, 100, 150, 200)),
)
"""The models that recorded orders are compared with."""


CLEAR_BITS: Final = 16.0
"""Of uniform orders any candidate is likelier by so much in at most 60 * 2**-16, a
thousandth, of all recordings: a likelihood ratio has the mean 1 (Markov)."""


def closest_model(orders: Orders) -> Closest:
    """The candidate under which the orders are likeliest."""
    decks, cards = orders.shape
    even = -math.log2(math.factorial(cards))
    best = Closest(UNIFORM, CLEAR_BITS)
    counted = {kind: np.bincount(_classes(orders, kind)) for kind in (Kind.RIFFLE, Kind.SHELF)}
    for model in CANDIDATES[1:]:
        logs = _log_chances(model, cards)
        found = counted[model.kind]
        total = sum(n * logs[number] for number, n in enumerate(found.tolist()) if n)
        if total - decks * even > best.bits:
            best = Closest(model, total - decks * even)
    return best if best.model != UNIFORM else Closest(UNIFORM, 0.0)


@lru_cache
def _log_chances(model: Model, cards: int) -> tuple[float, ...]:
    return tuple(
        math.log2(c.numerator) - math.log2(c.denominator) if c else -math.inf
        for c in chances(model, cards)
    )
