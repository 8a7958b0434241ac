"""Which tap can be taken back, from the list of events alone."""

from __future__ import annotations

from controller.cards import Card
from controller.events import (
    Action,
    BoardShown,
    CardBurned,
    ClockTicked,
    FloorDecided,
    HandStarted,
    PlayerActed,
    TableEvent,
    TapUndone,
    Witness,
)
from controller.undoing import KEPT, remaining, undoable, undone

START = HandStarted(hand=1, seats=(1, 2, 3), button=3)
CALL = PlayerActed(seat=1, action=Action.CALL, amount=10, at_ms=100)
FOLD = PlayerActed(seat=2, action=Action.FOLD, at_ms=200)
SEEN = CardBurned(by=Witness.CAMERA, at_ms=300)
UNDO = TapUndone(at_ms=400)


def test_the_newest_tap_is_meant_whatever_was_seen_since() -> None:
    assert undoable((CALL, FOLD, SEEN)) == 1


def test_what_a_sensor_saw_cannot_be_taken_back() -> None:
    assert undoable((SEEN,)) == -1


def test_a_tap_long_ago_stays() -> None:
    clock = ClockTicked(by=Witness.CLOCK)

    assert undoable((CALL, *[clock] * (KEPT - 1))) == 0
    assert undoable((CALL, *[clock] * KEPT)) == -1


def test_an_undo_that_names_another_tap_than_the_newest_fits_none() -> None:
    assert undone((CALL, FOLD), TapUndone(what="player_acted", said_at_ms=200)) == 1
    assert undone((CALL, FOLD), TapUndone(what="player_acted", said_at_ms=100)) == -1
    assert undone((CALL, FOLD), TapUndone(what="betting_closed", said_at_ms=200)) == -1


def test_what_remains_is_the_hand_without_tap_and_undo() -> None:
    assert remaining((START, CALL, FOLD, SEEN, UNDO)) == (START, CALL, SEEN)


def test_two_undos_take_two_taps_back() -> None:
    assert remaining((START, CALL, FOLD, SEEN, UNDO, UNDO)) == (START, SEEN)


def test_nothing_before_a_decision_of_the_floor_is_taken_back() -> None:
    told: tuple[TableEvent, ...] = (START, CALL, FloorDecided(ruling="1/1"), UNDO)

    assert remaining(told) == told[:-1]


def test_a_tap_after_the_start_of_the_hand_is_not_mixed_up_with_one_before() -> None:
    board = BoardShown(cards=(Card.UNKNOWN,), by=Witness.CAMERA)

    assert remaining((FOLD, START, board, UNDO)) == (FOLD, START, board)
