"""Hands, shuffles, days and jams of each deck, counted from hand to hand."""

from __future__ import annotations

from typing import Any

import pytest

from controller.alarms import AlarmCause, DeckLife
from controller.events import DeckChanged, DeckPrepared, DeviceReported, PotPushed
from controller.rulings import PromptKind
from tests.controller.rules.prompted import house
from tests.controller.watched import Room, mixed_deck

JAM = DeviceReported(device="shuffler", health="fault", code="jam")


def life(room: Room, back: str = "red") -> DeckLife:
    return room.state.watch.decks[back]


def test_two_decks_that_take_turns_have_lives_of_their_own() -> None:
    room = Room()
    for hand in range(1, 6):
        room.play(hand, mixed_deck(hand), back="red" if hand % 2 else "blue")

    assert (life(room, "red").hands, life(room, "red").shuffles) == (3, 3)
    assert (life(room, "blue").hands, life(room, "blue").shuffles) == (2, 2)


def test_days_are_counted_by_their_dates() -> None:
    room = Room()
    for hand, date in enumerate(("2026-03-01", "2026-03-01", "2026-03-02", "2026-03-05"), start=1):
        room.start(hand, date=date)
        room.shuffle()
        room.deal()
        room.finish()

    assert life(room).days == 3


def test_a_hand_dealt_anew_is_one_hand_and_two_shuffles() -> None:
    room = Room()
    room.start(1)
    for _ in range(2):
        room.shuffle()
        room.deal()

    assert (life(room).hands, life(room).shuffles) == (1, 2)


def test_a_new_deck_begins_its_life() -> None:
    room = Room()
    room.play(1, mixed_deck(1))
    room.tell(DeckChanged(back="red", is_new=True))

    assert life(room) == DeckLife()


def test_a_deck_that_comes_back_takes_its_life_up_again() -> None:
    room = Room()
    room.play(1, mixed_deck(1))
    room.tell(DeckChanged(back="blue"), DeckChanged(back="red"))

    assert life(room).hands == 1


@pytest.mark.parametrize(
    ("limit", "detail", "count"),
    [
        ({"deck__most_hands": 2}, "hands", 2),
        ({"deck__most_shuffles": 2}, "shuffles", 2),
        ({"deck__most_days": 2}, "days", 2),
    ],
)
def test_the_change_is_proposed_at_the_limit_of_the_house_and_not_before(
    limit: dict[str, Any], detail: str, count: int
) -> None:
    room = Room(house("ck", **limit))
    told = []
    for hand in (1, 2):
        room.start(hand, date=f"2026-03-0{hand}")
        room.shuffle()
        room.deal()
        room.show_board(mixed_deck(hand))
        room.finish()
        told.append([p for p in room.outcome.prompts if p.kind is PromptKind.DECK_WORN])

    assert told[0] == []
    assert [(p.detail, p.count) for p in told[1]] == [(detail, count)]


def test_a_house_that_says_zero_keeps_its_decks() -> None:
    book = house(
        "ck",
        deck__most_hands=0,
        deck__most_shuffles=0,
        deck__most_days=0,
        deck__most_jams=0,
    )
    room = Room(book)
    for hand in range(1, 12):
        room.tell(JAM)
        room.play(hand, mixed_deck(hand))

        assert PromptKind.DECK_WORN not in {p.kind for p in room.outcome.prompts}


def test_the_second_deck_lies_ready_while_the_first_is_in_play() -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    room.deal()
    told = room.tell(DeckPrepared(back="blue", count=52)).prompts
    ready = room.state.watch.ready
    room.tell(PotPushed(seats=(1,)))
    room.finish()
    room.start(2, back="blue")

    assert [p.kind for p in told] == [PromptKind.DECK_READY]
    assert ready == ("blue",)
    assert room.state.watch.ready == ()
    assert life(room, "blue").shuffles == 1


def test_a_second_deck_that_is_short_is_not_ready_but_an_alarm_that_names_it() -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    room.deal()
    room.tell(DeckPrepared(back="blue", count=51))

    assert room.state.watch.ready == ()
    assert room.causes == [AlarmCause.COUNT_SHORT]
    assert room.alarm.deck == "blue"
    assert room.state.deck_back == "red"
