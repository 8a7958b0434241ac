"""Files of orders: what docs/shuffle.md lets people write, and what it says of mistakes."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.cards import FULL_DECK
from controller.shuffle import OrdersFileError, read_orders

NEW_DECK = [str(card) for card in FULL_DECK]
PLACES = " ".join(map(str, range(1, 53)))
SHORT = NEW_DECK[:10]


def written(path: Path, *lines: str) -> Path:
    file = path / "orders.txt"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_cards_are_placed_by_a_new_deck_where_nothing_is_said(tmp_path: Path) -> None:
    order = random.Random(1).sample(NEW_DECK, 52)

    recording = read_orders(written(tmp_path, " ".join(order)))

    assert [NEW_DECK[place] for place in recording.orders[0]] == order
    assert recording.reference == "a new deck, clubs to spades, two to ace"


def test_cards_are_placed_by_the_input_given(tmp_path: Path) -> None:
    before = list(reversed(SHORT))
    file = written(tmp_path, f"input: {' '.join(before)}", " ".join(before), " ".join(SHORT))

    recording = read_orders(file)

    assert recording.orders.tolist() == [list(range(10)), list(reversed(range(10)))]
    assert recording.reference == "the input given in the file"


def test_each_order_can_come_from_the_one_above(tmp_path: Path) -> None:
    first, second = SHORT, SHORT[5:] + SHORT[:5]
    file = written(tmp_path, "input: above", *(" ".join(o) for o in (first, second, second)))

    recording = read_orders(file)

    assert recording.orders.tolist() == [[5, 6, 7, 8, 9, 0, 1, 2, 3, 4], list(range(10))]
    assert recording.reference == "the order of the line above"


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(orders=st.lists(st.permutations(range(12)), min_size=1, max_size=5))
def test_old_places_are_read_as_written(tmp_path: Path, orders: list[list[int]]) -> None:
    file = written(tmp_path, *(" ".join(str(place + 1) for place in order) for order in orders))

    assert np.array_equal(read_orders(file).orders, np.array(orders))


def test_comments_empty_lines_and_commas_are_allowed(tmp_path: Path) -> None:
    file = written(tmp_path, "# a machine", "", ", ".join(SHORT) + "  # deck 1", "   ")

    assert read_orders(file).orders.tolist() == [list(range(10))]


def test_a_deck_may_have_one_joker(tmp_path: Path) -> None:
    recording = read_orders(written(tmp_path, " ".join(["Jk", *NEW_DECK])))

    assert recording.orders[0].tolist() == [52, *range(52)]


MISTAKES = [
    (["As Kx " + " ".join(NEW_DECK[:8])], "1: 'Kx' is no card"),
    (["As As " + " ".join(NEW_DECK[:8])], "1: As lies in the deck twice"),
    (["1 2 3"], "10 to 416 cards, this has 3"),
    (["As Kd"], "10 to 416 cards, this has 2"),
    ([PLACES, "1 2 3"], "2: write each number from 1 to 52 once"),
    ([" ".join(map(str, range(52)))], "1: write each number from 1 to 52 once"),
    (
        [PLACES, " ".join(NEW_DECK)],
        "2: numbers and cards cannot be mixed",
    ),
    ([" ".join(NEW_DECK), PLACES], "2: '1' is no card"),
    ([" ".join(SHORT), " ".join(NEW_DECK[:11])], "2: it is another deck than before"),
    ([" ".join(SHORT), " ".join(NEW_DECK[1:11])], "2: it is another deck than before"),
    (["input:"], "1: write input: and cards"),
    ([f"input: {' '.join(SHORT)}"], "it holds no shuffled order"),
    (["input: above", " ".join(SHORT)], "it holds no shuffled order"),
    (
        [" ".join(SHORT), f"input: {' '.join(NEW_DECK[:11])}", " ".join(NEW_DECK[:11])],
        "3: it has 11 cards, the orders above have 10",
    ),
    ([], "it holds no order"),
    (["# nothing"], "it holds no order"),
]


@pytest.mark.parametrize(("lines", "problem"), MISTAKES, ids=[m[1] for m in MISTAKES])
def test_a_mistake_is_said_with_its_line(tmp_path: Path, lines: list[str], problem: str) -> None:
    with pytest.raises(OrdersFileError) as caught:
        read_orders(written(tmp_path, *lines))

    assert problem in str(caught.value)


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\xff\xfe\xff")

    with pytest.raises(OrdersFileError, match="no such file"):
        read_orders(tmp_path / "nothing")
    with pytest.raises(OrdersFileError, match="cannot be read"):
        read_orders(tmp_path / "picture")
    with pytest.raises(OrdersFileError, match="cannot be read"):
        read_orders(tmp_path)
