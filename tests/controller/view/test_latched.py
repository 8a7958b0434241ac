"""A latched alarm on the dealer's page, in both languages."""

from __future__ import annotations

import pytest

from controller.alarms import Alarm, AlarmCause
from controller.cards import Card
from controller.events import AlarmAcknowledged, DeviceReported
from controller.view import Surroundings, TableView, table_view
from controller.wording import alarm_words, hands_touched, who_answers
from tests.controller.watched import Room

AROUND = Surroundings(name="T", seats=6, devices={"shuffler": "ready", "camera": "ready"})
JAM = DeviceReported(device="shuffler", health="fault", detail="jam", code="jam")


def page(room: Room, lang: str = "en") -> TableView:
    return table_view(room.state, room.book, lang, AROUND)


def short_deck() -> Room:
    room = Room()
    room.tell(JAM)
    room.start(1)
    room.shuffle(count=51)
    return room


def test_the_red_band_says_what_and_who_and_passes_with_the_acknowledgement() -> None:
    room = Room()
    room.tell(JAM)
    before = page(room)
    room.acknowledge()

    assert before.alarm == "Fault of the machine: jam. The dealer acknowledges."
    assert before.instruction.text == "Fault of the machine: jam."
    assert before.instruction.waits_for
    assert page(room).alarm == ""
    assert page(room).alarms == ()


def test_of_several_alarms_the_band_shows_one_for_the_floor_and_the_list_shows_all() -> None:
    shown = page(short_deck())

    assert shown.alarm.startswith("Cards are missing (red deck): 51 counted, 52 expected.")
    assert [alarm.cause for alarm in shown.alarms] == ["machine_fault", "count_short"]
    assert [alarm.for_floor for alarm in shown.alarms] == [False, True]


def test_the_button_asks_for_a_name_and_a_reason() -> None:
    room = Room()
    room.tell(JAM)

    (button,) = (b for b in page(room).buttons if isinstance(b.event, AlarmAcknowledged))

    assert button.asks_name
    assert button.group == "action"


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("cause", AlarmCause)
def test_every_cause_has_its_words(cause: AlarmCause, lang: str) -> None:
    alarm = Alarm(
        id="alarm/1", cause=cause, hand=3, raised_ms=0, deck="red", cards=(Card.HQ,), detail="jam"
    )

    words = alarm_words(alarm, lang)

    assert words.endswith(".")
    assert "{" not in words
    assert who_answers(alarm, lang)


@pytest.mark.parametrize(
    ("hands", "words"),
    [((), "no hand"), ((4,), "hands 4"), ((1, 2, 3, 7, 9, 8), "hands 1-3, 7-9")],
)
def test_hands_in_a_row_are_drawn_together(hands: tuple[int, ...], words: str) -> None:
    alarm = Alarm(id="alarm/1", cause=AlarmCause.COUNT_SHORT, hand=9, raised_ms=0, hands=hands)

    assert hands_touched(alarm, "en") == words
