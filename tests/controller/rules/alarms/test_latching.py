"""An alarm blocks the next deal until a named person answers for it with a reason."""

from __future__ import annotations

import msgspec
import pytest

from controller.alarms import AlarmCause
from controller.cards import Card
from controller.events import (
    AlarmAcknowledged,
    BackSeen,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsGathered,
    CardsMoved,
    ClockTicked,
    CutCardChecked,
    DeckChanged,
    DeviceReported,
    MachineCounted,
    PotPushed,
    StubCounted,
    StubReshuffled,
    TableEvent,
)
from controller.rules import Gate, escalates_at_ms, gate, legal_taps
from controller.rulings import Doer, StepKind
from tests.controller.rules.prompted import house
from tests.controller.watched import Room, mixed_deck

JAM = DeviceReported(device="shuffler", health="fault", detail="jam", code="jam")


def between_hands(book: str = "ck") -> Room:
    """Three hands were played with the red deck, whose count has not been proved since."""
    room = Room(book)
    for hand in (1, 2, 3):
        room.start(hand)
        room.shuffle(count=-1)
        room.deal()
        room.show_board(mixed_deck(hand))
        room.finish()
    return room


def test_a_fault_of_the_machine_blocks_the_next_deal_and_the_dealer_answers_for_it() -> None:
    room = between_hands()
    room.tell(JAM)
    room.start(4)

    assert room.causes == [AlarmCause.MACHINE_FAULT]
    assert room.is_blocked
    assert room.step.doer is Doer.DEALER

    room.acknowledge("Ada", "card taken out of the rollers")

    assert room.causes == []
    assert room.step.kind is StepKind.SHUFFLE


def test_a_hand_in_play_is_not_stopped_by_it() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.tell(CardDealt(seat=1), JAM)

    assert room.step.kind is StepKind.DEAL_TO_SEAT
    assert gate(room.state, room.book) is Gate.OPEN


@pytest.mark.parametrize(
    "cause",
    [
        AlarmCause.STRANGER,
        AlarmCause.WRONG_MODE,
    ],
)
def test_a_stranger_and_a_wrong_mode_stop_the_hand_in_play_too(cause: AlarmCause) -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    fault = DeviceReported(device="shuffler", health="fault", code=cause.value)
    room.tell(CardDealt(seat=1), fault)

    assert room.causes == [cause]
    assert room.is_blocked
    assert room.step.doer is Doer.FLOOR


def test_no_word_of_anybody_lets_a_machine_in_the_wrong_mode_deal() -> None:
    room = between_hands()
    room.tell(DeviceReported(device="shuffler", health="fault", code="wrong_mode"))
    room.start(4)
    room.acknowledge()
    still = room.is_blocked

    room.tell(DeviceReported(device="shuffler", health="ready"))
    room.acknowledge()

    assert still
    assert not room.is_blocked


def test_another_alarm_s_acknowledgement_changes_nothing() -> None:
    room = between_hands()
    room.tell(JAM, AlarmAcknowledged(alarm="alarm/7", by_whom="Ada", reason="none"))

    assert room.causes == [AlarmCause.MACHINE_FAULT]


@pytest.mark.parametrize("words", [{"by_whom": ""}, {"reason": "  "}])
def test_an_acknowledgement_without_a_name_or_a_reason_is_no_event(words: dict[str, str]) -> None:
    line = {"event": "alarm_acknowledged", "alarm": "alarm/1", "by_whom": "Ada", "reason": "seen"}

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(line | words, AlarmAcknowledged)


def test_the_page_offers_the_acknowledgement_and_leaves_name_and_reason_to_the_person() -> None:
    room = between_hands()
    room.tell(JAM)

    first = legal_taps(room.state, room.book)[0]

    assert first == AlarmAcknowledged(alarm="alarm/1", by_whom="", reason="")


def test_the_same_cause_is_latched_once_and_gets_a_new_number_afterwards() -> None:
    room = between_hands()
    room.tell(JAM, JAM)
    room.acknowledge()
    room.tell(JAM)

    assert [alarm.id for alarm in room.raised] == ["alarm/1", "alarm/2"]


def test_nobody_answers_and_the_clock_hands_it_to_the_floor() -> None:
    room = Room(house("ck", alarm__escalate_s=30))
    room.tell(ClockTicked(at_ms=1000), msgspec.structs.replace(JAM, at_ms=1000))
    due_ms = escalates_at_ms(room.state, room.book)
    room.tell(ClockTicked(at_ms=30_999))
    early = room.alarm.who
    room.tell(ClockTicked(at_ms=31_000))

    assert due_ms == 31_000
    assert early is Doer.DEALER
    assert room.alarm.is_escalated
    assert room.alarm.who is Doer.FLOOR
    assert escalates_at_ms(room.state, room.book) == -1


def test_a_house_that_says_zero_never_hands_it_on() -> None:
    room = Room(house("ck", alarm__escalate_s=0))
    room.tell(JAM, ClockTicked(at_ms=10_000_000))

    assert not room.alarm.is_escalated
    assert escalates_at_ms(room.state, room.book) == -1


@pytest.mark.parametrize(
    ("event", "cause"),
    [
        (StubCounted(count=38), AlarmCause.COUNT_SHORT),
        (StubCounted(count=41), AlarmCause.COUNT_LONG),
        (BackSeen(zone="seat:2", back="blue"), AlarmCause.WRONG_BACK),
        (MachineCounted(given=13), AlarmCause.COUNTS_DIFFER),
        (MachineCounted(given=12, inside=39), AlarmCause.COUNTS_DIFFER),
    ],
)
def test_what_is_wrong_with_the_deck_is_an_alarm_for_the_floor(
    event: TableEvent, cause: AlarmCause
) -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    room.tell(event)

    assert room.causes == [cause]
    assert room.alarm.who is Doer.FLOOR
    assert room.alarm.deck == "red"


@pytest.mark.parametrize(
    "event", [StubCounted(count=40), MachineCounted(given=12), MachineCounted(given=12, inside=40)]
)
def test_counts_that_agree_raise_nothing(event: TableEvent) -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    room.tell(event)

    assert room.raised == []


def test_a_double_is_an_alarm_that_outlives_the_ruling_and_blocks_the_new_deal() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    nine = (Card.D9, Card.D9, Card.C2)
    room.tell(BettingClosed(), CardBurned(), BoardShown(cards=nine))
    while room.step.kind not in (StepKind.GATHER_ALL, StepKind.REDEAL, StepKind.ACKNOWLEDGE):
        room.tell(legal_taps(room.state, room.book)[0])
    room.tell(CardsGathered())
    while room.state.open and not room.is_blocked:
        room.tell(legal_taps(room.state, room.book)[0])

    assert room.causes == [AlarmCause.DUPLICATE_CARD]
    assert room.alarm.cards == (Card.D9,)
    assert room.is_blocked, "the remedy is done but for the new deal"


def test_a_short_count_lists_the_hands_since_the_last_complete_one() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle(count=52)
    room.deal()
    room.finish()
    for hand in (5, 6):
        room.start(hand)
        room.shuffle(count=-1)
        room.deal()
        room.finish()
    room.start(7)
    room.shuffle(count=51)

    assert (room.alarm.cause, room.alarm.expected, room.alarm.counted) == (
        AlarmCause.COUNT_SHORT,
        52,
        51,
    )
    assert room.alarm.hands == (4, 5, 6)


def test_a_wrong_back_lists_the_hands_since_the_deck_was_brought() -> None:
    room = between_hands()
    room.tell(DeckChanged(back="red", is_new=True))
    room.start(4)
    room.shuffle()
    room.deal()
    room.tell(BackSeen(zone="seat:2", back="blue"))

    assert room.alarm.hands == (4,), "a count of 52 would not have shown it in hands 1 to 3"


def test_a_hand_dealt_in_spite_of_it_is_one_more_that_it_touches() -> None:
    room = between_hands()
    room.tell(JAM)
    room.start(4)
    room.shuffle()
    room.deal()

    assert room.alarm.hands == (4,)


def test_no_cut_card_is_said_before_the_first_pitch() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.tell(CutCardChecked(is_there=False))

    assert room.causes == [AlarmCause.NO_CUT_CARD]
    assert room.is_blocked


def test_a_house_without_a_cut_card_misses_none() -> None:
    room = Room("fr2")
    room.start(1)
    room.shuffle()
    room.tell(CutCardChecked(is_there=False))

    assert room.causes == []


def test_a_boxed_card_felt_in_the_shuffle_is_said_before_the_first_pitch() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle(boxed=1)

    assert room.causes == [AlarmCause.BOXED_DECK]
    assert room.is_blocked


def test_a_dead_card_pulled_back_onto_the_board_stops_the_hand() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    room.tell(
        CardsMoved(cards=(Card.HQ, Card.UNKNOWN), origin="seat:1", target="muck"),
        BettingClosed(),
        CardBurned(),
        CardsMoved(cards=(Card.HQ,), origin="muck", target="board:1"),
    )

    assert room.causes == [AlarmCause.CARD_CAME_BACK]
    assert room.is_blocked


def test_an_exposed_card_that_went_away_cannot_come_from_the_deck() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    room.tell(
        CardExposed(seat=1, card=Card.HQ),
        CardsMoved(cards=(Card.HQ,), origin="seat:1", target="pot"),
    )
    before = room.causes
    room.tell(BettingClosed(), CardBurned(), BoardShown(cards=(Card.HQ, Card.C2, Card.D7)))

    assert before == []
    assert AlarmCause.CARD_CAME_BACK in room.causes or AlarmCause.DUPLICATE_CARD in room.causes


def test_a_card_that_a_ruling_shuffles_back_may_come_again() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    flop = (Card.HQ, Card.C2, Card.D7)
    room.tell(BoardShown(cards=flop))  # before the betting is over: it goes back (ck.early.flop)
    room.tell(
        BettingClosed(),
        CardsMoved(cards=flop, origin="board", target="stub"),
        StubReshuffled(),
        BoardShown(cards=(Card.HQ, Card.S3, Card.S9)),
    )

    assert AlarmCause.CARD_CAME_BACK not in room.causes


def test_gathering_after_the_hand_moves_dead_cards_without_alarm() -> None:
    room = between_hands()
    room.start(4)
    room.shuffle()
    room.deal()
    room.show_board(mixed_deck(4))
    room.tell(BettingClosed(), PotPushed(seats=(1,)))
    room.tell(CardsMoved(cards=(Card.UNKNOWN,), origin="muck", target="stub"))

    assert room.raised == []
