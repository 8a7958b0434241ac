"""Riffles and shelves in theory: the published tables, and the formulas against all orders."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import factorial

import pytest

from controller.shuffle.errors import ModelError
from controller.shuffle.models import (
    UNIFORM,
    Kind,
    Model,
    chances,
    class_chances,
    greatest_excess,
    mean_class,
    parse_model,
    separation,
    total_variation,
)


def riffles(amount: int) -> Model:
    return Model(Kind.RIFFLE, amount)


def shelves(amount: int) -> Model:
    return Model(Kind.SHELF, amount)


# --- published --------------------------------------------------------------------------------

BAYER_DIACONIS = {1: 1.000, 2: 1.000, 3: 1.000, 4: 1.000, 5: 0.924, 6: 0.614, 7: 0.334}
BAYER_DIACONIS |= {8: 0.167, 9: 0.085, 10: 0.043}
"""Bayer and Diaconis 1992, table 1: total variation of 52 cards after so many riffles."""


@pytest.mark.parametrize(("amount", "distance"), BAYER_DIACONIS.items())
def test_total_variation_of_riffles_is_the_published_one(amount: int, distance: float) -> None:
    assert round(total_variation(riffles(amount), 52), 3) == distance


@pytest.mark.parametrize(
    ("cards", "first", "row"),
    [
        (25, 3, (0.999, 0.775, 0.437, 0.231, 0.114, 0.056)),
        (32, 4, (0.929, 0.597, 0.322, 0.164, 0.084)),
        (104, 6, (0.988, 0.772, 0.454, 0.237, 0.119)),
        (208, 8, (0.914, 0.603, 0.329)),
        (416, 9, (0.984, 0.771, 0.450, 0.235)),
    ],
)
def test_total_variation_of_other_decks(cards: int, first: int, row: tuple[float, ...]) -> None:
    found = (total_variation(riffles(k), cards) for k in range(first, first + len(row)))

    assert tuple(round(distance, 3) for distance in found) == pytest.approx(row, abs=0.0011)


@pytest.mark.parametrize(
    ("amount", "distance"),
    [(7, 1.0), (8, 0.9962), (9, 0.9315), (10, 0.7321), (11, 0.4795), (12, 0.2775), (14, 0.0778)],
)
def test_separation_of_riffles(amount: int, distance: float) -> None:
    assert round(separation(riffles(amount), 52), 4) == distance


@pytest.mark.parametrize(
    ("amount", "mean"), [(1, 2), (2, 4), (3, 7.9489), (5, 19.6053), (7, 24.7104), (10, 26.2757)]
)
def test_mean_rising_sequences_of_riffles(amount: int, mean: float) -> None:
    assert round(mean_class(riffles(amount), 52), 4) == mean


SHELF_TABLE = [
    (10, 1.000, 1.000, None),
    (15, 0.943, 1.000, None),
    (20, 0.720, 1.000, None),
    (25, 0.544, 1.000, 45118),
    (30, 0.391, 1.000, 3961),
    (35, 0.299, 0.996, 716),
    (50, 0.159, 0.910, 38.9),
    (100, 0.041, 0.431, 1.9),
    (150, 0.018, 0.219, 0.615),
    (200, 0.010, 0.130, 0.313),
    (250, 0.007, 0.085, 0.192),
    (300, 0.005, 0.060, 0.130),
]
"""Diaconis, Fulman and Holmes 2013, table 1: total variation, separation, sup norm of
52 cards after one pass of a machine with so many shelves; none where it prints infinity."""


@pytest.mark.parametrize(("amount", "variation", "apart", "excess"), SHELF_TABLE)
def test_distances_of_shelves_are_the_published_ones(
    amount: int, variation: float, apart: float, excess: float | None
) -> None:
    model = shelves(amount)

    assert round(total_variation(model, 52), 3) == variation
    assert round(separation(model, 52), 3) == apart
    if excess is not None:
        assert greatest_excess(model, 52) == pytest.approx(excess, rel=0.03, abs=0.0006)


@pytest.mark.parametrize(("amount", "mean", "most"), [(10, 8.631, 9), (20, 13.479, 19)])
def test_valleys_of_a_shelf_machine(amount: int, mean: float, most: int) -> None:
    possible = [
        number for number, chance in enumerate(class_chances(shelves(amount), 52)) if chance
    ]

    assert round(mean_class(shelves(amount), 52), 3) == mean
    assert max(possible) == most


# --- against all orders of a small deck -------------------------------------------------------


def shelf_orders(cards: int, amount: int) -> Counter[tuple[int, ...]]:
    """Every way to put the cards, bottom card first, on or under the piles of the shelves."""
    made: Counter[tuple[int, ...]] = Counter()
    for drawn in itertools.product(range(2 * amount), repeat=cards):
        piles: list[list[int]] = [[] for _ in range(amount)]
        for card, number in zip(reversed(range(cards)), drawn, strict=True):
            pile = piles[number // 2]
            pile.insert(len(pile) if number % 2 else 0, card)
        made[tuple(card for pile in piles for card in pile)] += 1
    return made


def riffle_orders(cards: int, packets: int) -> Counter[tuple[int, ...]]:
    """Every way to cut into packets and to drop them together, all alike (Gilbert, Shannon)."""
    made: Counter[tuple[int, ...]] = Counter()
    for drawn in itertools.product(range(packets), repeat=cards):
        starts = [sum(d < packet for d in drawn) for packet in range(packets)]
        order = []
        for packet in drawn:
            order.append(starts[packet])
            starts[packet] += 1
        made[tuple(order)] += 1
    return made


def count_valleys(order: tuple[int, ...]) -> int:
    return sum(a > b < c for a, b, c in zip(order, order[1:], order[2:], strict=False))


def count_rising(order: tuple[int, ...]) -> int:
    places = [order.index(card) for card in range(len(order))]
    return 1 + sum(b < a for a, b in itertools.pairwise(places))


@pytest.mark.parametrize(("cards", "amount"), [(3, 1), (4, 2), (5, 2), (5, 3), (6, 2)])
def test_the_shelf_formula_gives_the_chance_of_every_order(cards: int, amount: int) -> None:
    made = shelf_orders(cards, amount)
    formula = chances(shelves(amount), cards)

    for order in itertools.permutations(range(cards)):
        assert Fraction(made[order], (2 * amount) ** cards) == formula[count_valleys(order)]


@pytest.mark.parametrize(("cards", "amount"), [(3, 1), (4, 1), (5, 2), (6, 1)])
def test_the_riffle_formula_gives_the_chance_of_every_order(cards: int, amount: int) -> None:
    made = riffle_orders(cards, 2**amount)
    formula = chances(riffles(amount), cards)

    for order in itertools.permutations(range(cards)):
        assert Fraction(made[order], 2 ** (amount * cards)) == formula[count_rising(order)]


@pytest.mark.parametrize("model", [UNIFORM, riffles(1), riffles(9), shelves(3), shelves(200)])
@pytest.mark.parametrize("cards", [10, 52, 78])
def test_chances_sum_to_one(model: Model, cards: int) -> None:
    assert sum(class_chances(model, cards)) == 1


def test_uniform_is_no_distance_from_itself() -> None:
    assert total_variation(UNIFORM, 52) == separation(UNIFORM, 52) == 0.0
    assert chances(UNIFORM, 52) == (Fraction(1, factorial(52)),)


@pytest.mark.parametrize("cards", [20, 52])
def test_more_shuffling_is_never_worse(cards: int) -> None:
    for make in (riffles, shelves):
        distances = [total_variation(make(amount), cards) for amount in range(1, 16)]
        assert distances == sorted(distances, reverse=True)


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["uniform", "riffle:1", "riffle:40", "shelf:10", "shelf:1000"])
def test_a_model_is_written_as_it_is_read(text: str) -> None:
    assert str(parse_model(text)) == text


@pytest.mark.parametrize(
    "text", ["", "riffle", "riffle:", "riffle:0", "riffle:41", "shelf:1001", "shelf:-1", "wash:3"]
)
def test_an_unknown_model_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(ModelError, match="uniform, riffle:N"):
        parse_model(text)
