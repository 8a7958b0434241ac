"""p-values: exact where they say so, valid where they approximate."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.shuffle.tails import (
    SMALLEST,
    Distribution,
    binomial_at_least,
    chi_square_at_least,
    holm,
    normal_two_sided,
    skewed_two_sided,
)

WEIGHTS = st.lists(st.integers(0, 9), min_size=1, max_size=5).filter(any)


@settings(deadline=None)
@given(weights=WEIGHTS, times=st.integers(1, 4))
def test_a_sum_has_the_chances_of_all_its_ways(weights: list[int], times: int) -> None:
    total = sum(weights) ** times
    ways: dict[int, int] = {}
    for numbers in itertools.product(range(len(weights)), repeat=times):
        weight = math.prod(weights[n] for n in numbers)
        ways[sum(numbers)] = ways.get(sum(numbers), 0) + weight
    summed = Distribution.of(weights).summed(times)

    for number in range(max(ways) + 2):
        at_most = Fraction(sum(w for n, w in ways.items() if n <= number), total)
        at_least = Fraction(sum(w for n, w in ways.items() if n >= number), total)
        assert summed.at_most(number) == pytest.approx(float(at_most), abs=1e-12)
        assert summed.at_least(number) == pytest.approx(float(at_least), abs=1e-12)


def test_a_tail_far_out_keeps_its_precision() -> None:
    """A hundred coins, all heads: 2**-100."""
    coins = Distribution.of((1, 1)).summed(100)

    assert coins.at_least(100) == pytest.approx(2.0**-100, rel=1e-9)
    assert coins.at_most(3) == pytest.approx(
        sum(math.comb(100, k) for k in range(4)) / 2**100, rel=1e-9
    )


def test_a_tail_below_the_least_is_said_as_the_least() -> None:
    coins = Distribution.of((1, 1)).summed(1000)

    assert coins.at_least(1000) == SMALLEST
    assert coins.at_least(1001) == SMALLEST
    assert coins.at_most(-1) == SMALLEST


@settings(deadline=None)
@given(weights=WEIGHTS, number=st.integers(-1, 6))
def test_both_tails_are_never_more_than_certain(weights: list[int], number: int) -> None:
    distribution = Distribution.of(weights)

    assert SMALLEST <= distribution.two_sided(number) <= 1.0


def test_a_p_value_is_valid() -> None:
    """The chance of a p-value of at most x is at most x, for every x that can occur."""
    distribution = Distribution.of((5, 40, 20, 20, 10, 4, 1))
    p_values = [distribution.two_sided(number) for number in range(7)]

    for level in p_values:
        chance = sum(
            float(c) for c, p in zip(distribution.chances, p_values, strict=True) if p <= level
        )
        assert chance <= level + 1e-12


@pytest.mark.parametrize(
    ("number", "trials", "chance"), [(0, 10, 0.3), (1, 10, 0.3), (7, 10, 0.3), (10, 10, 0.3)]
)
def test_the_binomial_tail_is_its_sum(number: int, trials: int, chance: float) -> None:
    tail = sum(
        math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k)
        for k in range(number, trials + 1)
    )

    assert binomial_at_least(number, trials, chance) == pytest.approx(tail)


def test_normal_and_chi_square_are_the_tables() -> None:
    """Table values: 1.96 and 2.576 deviations; chi-square 3.841 (1), 18.307 (10), 124.34 (100)."""
    assert normal_two_sided(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert normal_two_sided(-2.575829) == pytest.approx(0.01, abs=1e-6)
    for statistic, freedom in ((3.841459, 1), (18.307038, 10), (124.342113, 100)):
        assert chi_square_at_least(statistic, freedom) == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize(("mean", "over"), [(1.0, 3.0), (3.0, 2.0), (45.0, 1.25), (1770.0, 1.1)])
def test_the_skewed_tail_is_that_of_a_poisson_or_a_little_more(mean: float, over: float) -> None:
    """With the moments of a Poisson, whose tails are known; down to 1e-4."""
    logs = [k * math.log(mean) - mean - math.lgamma(k + 1) for k in range(int(mean) + 500)]
    chances = [math.exp(log) for log in logs]
    for number in range(len(chances)):
        exact = min(1.0, 2 * min(sum(chances[number:]), sum(chances[: number + 1])))
        if 1e-4 < exact < 0.2:
            found = skewed_two_sided(number, mean, mean, mean)
            assert 0.97 * exact < found < over * exact


def test_holm_is_the_worked_example() -> None:
    """p = .01, .04, .03, .005 of four tests: .03, .06, .06, .02 (Holm 1979, by hand)."""
    assert holm((0.01, 0.04, 0.03, 0.005)) == pytest.approx((0.03, 0.06, 0.06, 0.02))


@settings(deadline=None)
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=15))
def test_holm_keeps_the_order_and_never_helps(p_values: list[float]) -> None:
    adjusted = holm(p_values)

    assert all(
        p <= a <= min(1.0, p * len(p_values)) + 1e-15
        for p, a in zip(p_values, adjusted, strict=True)
    )
    ranked = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [adjusted[i] for i in ranked] == sorted(adjusted)
