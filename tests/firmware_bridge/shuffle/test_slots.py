"""Slots of shelf and carousel machines: nothing lost, nothing favoured, nothing promised."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from math import factorial, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.shuffle import Design, DrawnBy, Slot, SlotPlan, Stream, draw_slots, order_after


def seeded(seed: int) -> Stream:
    return Stream(hashlib.sha256(seed.to_bytes(8, "little")).digest())


@settings(deadline=None)
@given(
    design=st.sampled_from(Design),
    slots=st.integers(1, 60),
    cards=st.integers(1, 110),
    seed=st.integers(0, 2**32),
)
def test_every_card_comes_out_once(design: Design, slots: int, cards: int, seed: int) -> None:
    plan = draw_slots(design, slots, cards, seeded(seed))

    assert sorted(order_after(plan)) == list(range(cards))


@settings(deadline=None)
@given(slots=st.integers(1, 40), room=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_no_slot_holds_more_than_it_can(slots: int, room: int, seed: int) -> None:
    plan = draw_slots(Design.CAROUSEL, slots, slots * room, seeded(seed), room=room)

    assert set(Counter(slot.number for slot in plan.slots).values()) == {room}


def test_one_shelf_makes_one_hill() -> None:
    """Diaconis, Fulman and Holmes: from the bottom, below or on top: up, then down."""
    for seed in range(50):
        order = order_after(draw_slots(Design.SHELF, 1, 20, seeded(seed)))
        peak = order.index(max(order))

        assert list(order[: peak + 1]) == sorted(order[: peak + 1])
        assert list(order[peak:]) == sorted(order[peak:], reverse=True)


def test_a_plan_by_hand() -> None:
    """Five cards, bottom card (4) first: 4 to shelf 0, 3 on it, 2 to shelf 1, 1 below, 0 on top."""
    slots = (Slot(0), Slot(0), Slot(1), Slot(1, is_below=True), Slot(1))

    assert order_after(SlotPlan(slots, (0, 1), DrawnBy.BOTH)) == (3, 4, 0, 2, 1)
    assert order_after(SlotPlan(slots, (1, 0), DrawnBy.BOTH)) == (0, 2, 1, 3, 4)


def chi_square_is_sound(counts: Counter[tuple[int, ...]], cells: int, draws: int) -> bool:
    """Within five standard deviations of its mean (df), for many cells nearly normal."""
    expected = draws / cells
    statistic = sum((n - expected) ** 2 / expected for n in counts.values())
    statistic += (cells - len(counts)) * expected
    return abs(statistic - (cells - 1)) < 5 * sqrt(2 * (cells - 1))


@pytest.mark.parametrize("slots", [4, 5, 7])
def test_a_carousel_with_a_slot_for_each_card_makes_every_order_alike(slots: int) -> None:
    draws = 6000
    orders = Counter(
        order_after(draw_slots(Design.CAROUSEL, slots, 4, seeded(n))) for n in range(draws)
    )

    assert chi_square_is_sound(orders, factorial(4), draws)


def test_a_shelf_machine_makes_the_orders_of_its_formula() -> None:
    """All 4**3 drawings of 3 cards on 2 shelves, counted: the probabilities are exact."""
    drawn: Counter[tuple[int, ...]] = Counter()
    for numbers in itertools.product(range(4), repeat=3):
        slots = tuple(Slot(number // 2, is_below=number % 2 == 1) for number in numbers)
        drawn[order_after(SlotPlan(slots, (0, 1), DrawnBy.BOTH))] += 1

    made: Counter[tuple[int, ...]] = Counter(
        order_after(draw_slots(Design.SHELF, 2, 3, seeded(n))) for n in range(6400)
    )

    assert sum(drawn.values()) == 64
    for order in itertools.permutations(range(3)):
        expected = 100 * drawn[order]
        assert abs(made[order] - expected) < 5 * sqrt(expected + 1)


def test_a_seed_always_makes_the_same_plan() -> None:
    plans = {draw_slots(Design.CAROUSEL, 54, 52, seeded(9)) for _ in range(3)}

    assert len(plans) == 1
    assert plans != {draw_slots(Design.CAROUSEL, 54, 52, seeded(10))}


@pytest.mark.parametrize(
    ("slots", "cards", "room"), [(0, 52, 0), (10, 0, 0), (10, 52, 5), (-1, 52, 0)]
)
def test_a_machine_that_cannot_hold_the_cards_is_refused(slots: int, cards: int, room: int) -> None:
    with pytest.raises(ProtocolError, match="cards"):
        draw_slots(Design.CAROUSEL, slots, cards, seeded(1), room=room)


def test_slots_that_one_end_alone_drew_are_flagged() -> None:
    assert [by for by in DrawnBy if by.is_weaker] == [DrawnBy.MACHINE, DrawnBy.HOST]
    plan = draw_slots(Design.CAROUSEL, 54, 52, seeded(1), drawn_by=DrawnBy.HOST)
    assert plan.drawn_by.is_weaker
