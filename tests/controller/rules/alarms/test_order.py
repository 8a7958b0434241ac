"""Sorted decks are noticed from face-up cards; sound decks hardly ever."""

from __future__ import annotations

from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.alarms import AlarmCause, Packet
from controller.cards import FULL_DECK, Card
from controller.events import CardDealt, Shown, StubReshuffled
from controller.rules.alarms import order
from tests.controller.watched import Room, mixed_deck, sorted_deck

BOARD = (14, 15, 16, 18, 20)
"""Places of flop, turn and river with six players: twelve cards and a burn lie above."""


def board_of(deck: tuple[Card, ...], *, reverse: bool = False) -> tuple[Packet, ...]:
    flop = tuple(deck[place - 1] for place in BOARD[:3])
    later = (Packet((place,), (deck[place - 1],), is_board=True) for place in BOARD[3:])
    return (Packet(BOARD[:3], flop[::-1] if reverse else flop, is_board=True), *later)


@given(st.sampled_from(order.orders()), st.integers(0, 51), st.booleans())
def test_a_deck_in_any_known_order_fits_wherever_it_was_cut(
    deck: tuple[Card, ...], cut: int, reverse: bool
) -> None:
    assert order.is_in_order(board_of(deck[cut:] + deck[:cut], reverse=reverse))


def test_a_new_deck_of_two_suits_up_and_two_down_is_among_the_orders() -> None:
    up, down = "A23456789TJQK", "KQJT98765432A"
    new = [Card(r + s) for s, ranks in zip("shdc"[:2], (up, up), strict=True) for r in ranks]
    new += [Card(r + s) for s in "dc" for r in down]

    assert tuple(new) in order.orders()


def test_every_order_is_a_whole_deck() -> None:
    assert {frozenset(deck) for deck in order.orders()} == {frozenset(FULL_DECK)}
    assert len(order.orders()) == 240


def test_two_neighbours_exchanged_do_not_fit() -> None:
    deck = list(sorted_deck())
    deck[BOARD[3] - 1], deck[BOARD[3]] = deck[BOARD[3]], deck[BOARD[3] - 1]

    assert not order.is_in_order(board_of(tuple(deck)))


def test_the_rate_of_false_alarms_is_the_stated_one() -> None:
    boards = order.fitting_ways((1, 2, 3, 5, 7), (3, 1, 1))
    flops = order.fitting_ways((1, 2, 3), (3,))

    assert (boards, perm(52, 5)) == (4928, 311_875_200)
    assert (flops, perm(52, 3)) == (1848, 132_600)


def test_six_cards_with_hands_among_them_fit_by_chance_less_often_than_a_board() -> None:
    # one hand of two, a flop and the turn, as far apart as they lie with six players
    ways = order.fitting_ways((1, 7, 14, 15, 16, 18), (2, 3, 1))

    assert ways / perm(52, 6) < 4928 / perm(52, 5)


def test_sound_flops_fit_as_often_as_counted() -> None:
    fits = 0
    for seed in range(1000):
        deck = mixed_deck(seed)
        flops = (deck[n : n + 3] for n in range(0, 48, 3))
        fits += sum(order.is_in_order((Packet((1, 2, 3), flop),)) for flop in flops)

    expected = 16_000 * 1848 / 132_600
    assert abs(fits - expected) < 5 * expected**0.5, "five standard deviations of a rare event"


@pytest.mark.parametrize("cut", [0, 7, 13, 40])
def test_a_sorted_deck_is_told_by_the_river_and_stops_the_hand(cut: int) -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    room.deal()
    room.show_board(sorted_deck(cut), 4)
    silent = room.causes
    room.show_board(sorted_deck(cut))

    assert silent == []
    assert room.causes == [AlarmCause.SORTED_ORDER]
    assert room.is_blocked, "no further card of this deck, also in the hand in play"
    assert len(room.alarm.cards) == 5


def test_hands_that_end_on_the_flop_are_told_at_the_third_in_a_row() -> None:
    room = Room()
    for hand in (1, 2):
        room.play(hand, sorted_deck(5 * hand), 3)
    before = room.causes
    room.play(3, sorted_deck(11), 3)

    assert before == []
    assert room.causes == [AlarmCause.SORTED_ORDER]
    assert room.alarm.hands == (1, 2, 3)


def test_a_sound_hand_between_breaks_the_row() -> None:
    room = Room()
    for hand in (1, 2, 4):
        room.play(hand, sorted_deck(5 * hand), 3)
        room.play(hand, mixed_deck(hand), 3)

    assert room.causes == []


def test_a_hundred_sound_hands_raise_nothing() -> None:
    room = Room()
    for hand in range(1, 101):
        room.play(hand, mixed_deck(hand))

    assert room.raised == []


def test_after_a_reshuffle_of_the_stub_the_places_tell_nothing() -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    room.deal()
    room.show_board(sorted_deck(), 3)
    room.tell(StubReshuffled())
    room.show_board(sorted_deck())

    assert room.causes == []


def test_cards_dealt_face_down_are_never_looked_at() -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    for card in sorted_deck()[:11]:  # the engine would be told faces by a careless reporter
        room.tell(CardDealt(seat=room.state.seat_due, card=card, shown=Shown.DOWN))

    assert room.state.watch.seen == ()


def test_cards_dealt_face_up_count() -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    deck = sorted_deck()
    for card in deck[:6]:
        room.tell(CardDealt(seat=room.state.seat_due, card=card, shown=Shown.UP))

    assert AlarmCause.SORTED_ORDER in room.causes
