"""The audit: a good machine is accused no oftener than it says, a bad one is found."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.shuffle import UNIFORM, Audit, audit, parse_model, simulate
from controller.shuffle.audit import _spread_test, closest_model


def audited(source: str, decks: int, *, seed: int = 1, cards: int = 52, model: str = "") -> Audit:
    orders = simulate(source, decks, cards, seed)
    return audit(orders, parse_model(model) if model else UNIFORM)


def failed(result: Audit) -> set[str]:
    return {test.name for test in result.failed}


# --- a good one is not accused ----------------------------------------------------------------


@pytest.mark.parametrize(("decks", "runs"), [(1, 400), (4, 300), (25, 200)])
def test_uniform_orders_are_accused_no_oftener_than_stated(decks: int, runs: int) -> None:
    """At the level 5 %: at most 5 % of runs, and three deviations of chance."""
    orders = simulate("uniform", decks * runs, 52, seed=11)
    accused = sum(
        not audit(orders[first : first + decks], alpha=0.05).is_passed
        for first in range(0, decks * runs, decks)
    )

    assert accused <= 0.05 * runs + 3 * math.sqrt(0.05 * 0.95 * runs)


def test_every_test_has_valid_p_values() -> None:
    """Of 300 recordings of 10 uniform decks each test may have 5 % below 0.05, and chance."""
    orders = simulate("uniform", 3000, 52, seed=12)
    results = [audit(orders[first : first + 10]) for first in range(0, 3000, 10)]

    for tests in zip(*(result.tests for result in results), strict=True):
        below = sum(test.p_value < 0.05 for test in tests)
        assert below <= 15 + 3 * math.sqrt(14.25), tests[0].name


def test_a_long_recording_of_a_good_machine_passes() -> None:
    assert audited("uniform", 3000, seed=13).is_passed


@pytest.mark.parametrize("cards", [10, 32, 36, 54, 104, 416])
def test_other_decks_pass_too(cards: int) -> None:
    assert audited("uniform", 12, seed=14, cards=cards).is_passed


@settings(max_examples=15, deadline=None)
@given(
    decks=st.integers(1, 8),
    cards=st.integers(10, 60),
    seed=st.integers(0, 2**31),
    data=st.data(),
)
def test_relabelling_the_places_changes_no_verdict_on_places(
    decks: int, cards: int, seed: int, data: st.DataObject
) -> None:
    """Which place is called the first does not matter to the tests that only compare decks."""
    orders = simulate("uniform", decks, cards, seed)
    turned = orders[:, data.draw(st.permutations(range(cards)))]
    names = ("places", "one card in one place", "repeated orders")

    one, other = (
        {test.name: test.p_value for test in audit(o).tests if test.name in names}
        for o in (orders, turned)
    )
    assert one == pytest.approx(other)


# --- a bad one is found -----------------------------------------------------------------------

DEFECTS = [
    ("none", 1, "rising sequences"),
    ("cut", 1, "followers"),
    ("riffle:1", 1, "rising sequences"),
    ("riffle:3", 1, "rising sequences"),
    ("riffle:5", 4, "rising sequences"),
    ("riffle:7", 60, "rising sequences"),
    ("shelf:1", 1, "guesses along"),
    ("shelf:10", 1, "valleys"),
    ("shelf:20", 10, "valleys"),
    ("shelf:35", 200, "valleys"),
    ("overhand:5", 1, "neighbours"),
    ("top-stays:100", 4, "top card stays"),
    ("top-stays:15", 100, "top card stays"),
    ("unmixed:2", 1, "drift"),
    ("repeats:50", 100, "repeated orders"),
    ("missed:5", 100, "neighbours"),
]


@pytest.mark.parametrize(("source", "decks", "by"), DEFECTS)
def test_a_machine_that_shuffles_badly_is_found(source: str, decks: int, by: str) -> None:
    found = [by in failed(audited(source, decks, seed=seed)) for seed in range(8)]

    assert found.count(True) >= 7


def test_one_pass_of_ten_shelves_is_found_in_a_single_deck() -> None:
    """Never more than nine valleys, which a uniform deck has in 7 of 10 million."""
    result = audited("shelf:10", 1)
    valleys = next(test for test in result.tests if test.name == "valleys")

    assert valleys.seen <= 9
    assert valleys.p_value <= 2 * 7.25e-7


def test_a_shoe_whose_packs_were_never_mixed_is_found_in_one_shoe() -> None:
    result = audited("unmixed:8", 1, cards=416)

    assert "drift" in failed(result)


def test_an_order_that_comes_too_evenly_is_found_too() -> None:
    """Every card once in every place in 52 decks: no chance does that."""
    evenly = (np.arange(52)[:, None] * 1 + np.arange(52) * 5) % 52

    assert not audit(evenly).is_passed
    places = next(test for test in audit(evenly).tests if test.name == "places")
    assert places.seen == 0.0
    assert places.adjusted < 1e-6


# --- other models -----------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["riffle:2", "riffle:7", "riffle:12", "shelf:10", "shelf:100"])
def test_orders_of_a_model_pass_as_it(model: str) -> None:
    passed = [audited(model, 40, seed=seed, model=model).is_passed for seed in range(20)]

    assert passed.count(True) >= 18


@pytest.mark.parametrize(
    ("source", "model"),
    [
        ("riffle:6", "riffle:7"),
        ("riffle:8", "riffle:7"),
        ("uniform", "riffle:7"),
        ("shelf:10", "shelf:15"),
        ("uniform", "shelf:10"),
        ("riffle:3", "riffle:2"),
    ],
)
def test_orders_of_another_model_do_not(source: str, model: str) -> None:
    assert not audited(source, 60, model=model).is_passed


def test_the_spread_is_the_chi_square_of_cells_joined_by_hand() -> None:
    """20 decks expect 10, 6, 4: the last joins the one before. Seen 14, 1, 5: cells 14 and 6."""
    classes = np.repeat([0, 1, 2], [14, 1, 5])
    chances = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))

    spread = _spread_test("spread", classes, chances)

    assert spread is not None
    assert spread.seen == pytest.approx((14 - 10) ** 2 / 10 + (6 - 10) ** 2 / 10)
    assert spread.expected == 1
    assert spread.p_value == pytest.approx(0.0736, abs=1e-4)  # chi-square 3.2, one freedom


def test_too_few_decks_for_two_cells_have_no_spread() -> None:
    assert _spread_test("spread", np.array([0, 1]), (Fraction(1, 2), Fraction(1, 2))) is None


def test_an_order_that_the_model_cannot_make_is_said() -> None:
    result = audited("uniform", 3, model="riffle:2")

    assert "impossible rising sequences" in failed(result)


@pytest.mark.parametrize(
    ("source", "decks", "closest"),
    [
        ("uniform", 200, "uniform"),
        ("uniform", 1, "uniform"),
        ("riffle:3", 20, "riffle:3"),
        ("riffle:7", 200, "riffle:7"),
        ("shelf:10", 50, "shelf:10"),
        ("shelf:4", 10, "shelf:4"),
    ],
)
def test_the_likeliest_model_is_named(source: str, decks: int, closest: str) -> None:
    assert str(closest_model(simulate(source, decks, 52, 3)).model) == closest
