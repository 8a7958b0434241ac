"""Orders made on purpose follow their models, and defects are what they are called."""

from __future__ import annotations

import math

import numpy as np
import pytest

from controller.shuffle import ModelError, parse_model, simulate, statistics
from controller.shuffle.models import Kind, class_chances
from controller.shuffle.simulation import SOURCES

EVERY = [f"{name}:{min(most, 7)}" if most else name for name, (_, most) in SOURCES.items()]


@pytest.mark.parametrize("source", EVERY)
@pytest.mark.parametrize("cards", [10, 52, 104])
def test_every_order_holds_every_card(source: str, cards: int) -> None:
    orders = simulate(source, 20, cards, seed=3)

    assert orders.shape == (20, cards)
    assert (np.sort(orders, axis=1) == np.arange(cards)).all()


@pytest.mark.parametrize("source", EVERY)
def test_the_same_seed_makes_the_same_orders(source: str) -> None:
    assert (simulate(source, 9, 52, seed=4) == simulate(source, 9, 52, seed=4)).all()


@pytest.mark.parametrize("source", ["riffle:1", "riffle:5", "riffle:8", "shelf:4", "shelf:20"])
def test_classes_have_the_chances_of_the_formula(source: str) -> None:
    decks, model = 6000, parse_model(source)
    is_riffle = model.kind is Kind.RIFFLE
    count = statistics.rising_sequences if is_riffle else statistics.valleys
    seen = np.bincount(count(simulate(source, decks, 52, seed=5)), minlength=53)

    for number, fraction in enumerate(class_chances(model, 52)):
        expected = decks * float(fraction)
        assert abs(seen[number] - expected) <= 5 * math.sqrt(expected) + 3 * (expected > 0)


def test_two_passes_of_ten_shelves_are_one_of_two_hundred() -> None:
    """Diaconis, Fulman and Holmes: passes of m and k shelves are one of 2 m k."""
    decks = 6000
    first, second = simulate("shelf:10", decks, 52, 1), simulate("shelf:10", decks, 52, 2)
    both = np.take_along_axis(first, second, axis=1)
    seen = statistics.valleys(both)
    chances = np.array([float(c) for c in class_chances(parse_model("shelf:200"), 52)])
    mean = float((np.arange(len(chances)) * chances).sum())

    assert abs(seen.mean() - mean) < 5 * math.sqrt(2.4 / decks)
    assert seen.max() > 9


def test_defects_are_what_they_are_called() -> None:
    assert (simulate("none", 3, 52, 1) == np.arange(52)).all()
    assert (statistics.followers(simulate("cut", 30, 52, 1)) >= 50).all()
    assert (simulate("top-stays:100", 30, 52, 1)[:, 0] == 0).all()
    assert (simulate("unmixed:2", 30, 104, 1)[:, :52] < 52).all()
    repeated = simulate("repeats:10", 30, 52, 1)
    assert (repeated[:10] == repeated[10:20]).all()
    missed = (simulate("missed:20", 2000, 52, 1) == np.arange(52)).all(axis=1).sum()
    assert 300 < missed < 500


@pytest.mark.parametrize(
    "source",
    ["", "riffle", "riffle:0", "riffle:99", "uniform:3", "top-stays:101", "magic", "none:1"],
)
def test_an_unknown_source_is_refused_with_those_there_are(source: str) -> None:
    with pytest.raises(ModelError, match="overhand:N"):
        simulate(source, 3, 52, 1)
