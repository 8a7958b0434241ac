"""Who opens the betting by the cards that lie face up (WSOP live-action rule 215)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.cards import Card
from controller.events import Street
from controller.table import Held, TableState
from controller.table.upcards import opener


def showing(**hands: str) -> TableState:
    """Seats with these cards face up, each over two that lie face down; button on seat 9."""
    held = {
        int(seat.removeprefix("seat")): (
            Held(Card.SA),
            Held(Card.HA),
            *(Held(Card(word), is_up=True) for word in faces.split()),
        )
        for seat, faces in hands.items()
    }
    seats = tuple(sorted(held))
    return TableState(game="stud", seats=seats, live=seats, hands=held, button=9)


@pytest.mark.parametrize(
    ("shown", "seat"),
    [
        ({"seat1": "9c", "seat2": "3s", "seat3": "Ad"}, 2),
        ({"seat1": "3d", "seat2": "3c", "seat3": "3s"}, 2),
    ],
)
def test_the_lowest_card_by_rank_and_suit_brings_it_in(shown: dict[str, str], seat: int) -> None:
    assert opener(showing(**shown), Street.THIRD) == seat


@pytest.mark.parametrize(
    ("shown", "seat"),
    [
        ({"seat1": "9c Kd", "seat2": "As 2h", "seat3": "Qd Jh"}, 2),
        ({"seat1": "9c 9d", "seat2": "As Kh", "seat3": "Qd Jh"}, 1),
        ({"seat1": "9c 9d 2h", "seat2": "9s 9h Ac"}, 2),
        ({"seat1": "2c 2d 2h", "seat2": "As Ah Kc"}, 1),
        ({"seat1": "2c 2d 3h 3s", "seat2": "As Ah Kc Qc"}, 2),
        ({"seat1": "2c 3c 4c 5c", "seat2": "As Kh Qc Jd"}, 2),
    ],
)
def test_on_later_streets_the_high_hand_opens(shown: dict[str, str], seat: int) -> None:
    assert opener(showing(**shown), Street.FOURTH) == seat


def test_of_equal_hands_the_one_that_received_cards_first_opens() -> None:
    assert opener(showing(seat2="Ah Kd", seat5="As Kc"), Street.FOURTH) == 2


def test_with_a_card_that_nobody_read_nobody_is_named() -> None:
    assert opener(showing(seat1="9c ??", seat2="As 2h"), Street.FOURTH) == 0


def test_a_folded_hand_opens_nothing() -> None:
    state = replace(showing(seat1="9c", seat2="3s", seat3="Ad"), live=(1, 3))

    assert opener(state, Street.THIRD) == 1
