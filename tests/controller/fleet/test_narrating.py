"""What is told of a journal: everything that anybody at the table can see, and no card besides."""

from __future__ import annotations

import msgspec
import pytest

from controller.alarms import Alarm, AlarmCause
from controller.cards import FULL_DECK, Card
from controller.events import (
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardMarred,
    CardsMoved,
    DeviceReported,
    HandShown,
    HandStarted,
    Shown,
    Street,
    TableEvent,
)
from controller.fleet.messages import RecordMessage, encoded
from controller.fleet.narrating import Narrator, masked, opened_by
from controller.irregularities import Irregularity, Kind
from controller.rulings import Ruling, Step, StepKind, Verdict
from controller.runtime.journal import Record
from tests.controller.fleet.house import CK, HAND, SimulatedTable

START = HandStarted(hand=1, seats=(1, 2, 3, 4), button=4, small_blind=1, big_blind=2)
HIDDEN = Card.SA
"""A card that a sensor names although nobody at the table can see it."""


def record(seq: int, body: TableEvent | Ruling) -> Record:
    kind = body.id if isinstance(body, Ruling) else str(type(body).__struct_config__.tag)
    return Record(
        table_id="T",
        seq=seq,
        type="ruling" if isinstance(body, Ruling) else "event",
        event=seq,
        hand=1,
        at_ms=0,
        written_ms=0,
        kind=kind,
        body=msgspec.json.encode(body),
        hash=bytes([seq]) * 32,
    )


def told(*bodies: TableEvent | Ruling) -> list[RecordMessage]:
    narrator, previous, messages = Narrator("t", CK), bytes(32), []
    for seq, body in enumerate((START, *bodies), start=1):
        one = record(seq, body)
        messages.append(narrator.tell(one, previous, is_first=seq == 1))
        previous = one.hash
    return messages


@pytest.mark.parametrize(
    "event",
    [
        CardDealt(seat=1, card=HIDDEN),
        CardDealt(seat=1, card=HIDDEN, shown=Shown.SUSPECTED),
        CardMarred(card=HIDDEN),
        CardsMoved(cards=(HIDDEN,), origin="seat:1", target="muck"),
    ],
)
def test_a_card_that_nobody_may_know_is_in_no_message(event: TableEvent) -> None:
    assert HIDDEN.value.encode() not in encoded(told(event)[-1])


@pytest.mark.parametrize(
    "event",
    [
        CardDealt(seat=1, card=HIDDEN, shown=Shown.UP),
        CardDealt(seat=1, card=HIDDEN, boxed=True),
        CardExposed(seat=1, card=HIDDEN),
        CardBurned(card=HIDDEN),
        BoardShown(cards=(HIDDEN, Card.C2, Card.C3)),
        HandShown(seat=1, cards=(HIDDEN, Card.C2)),
    ],
)
def test_a_card_that_lies_open_is_told(event: TableEvent) -> None:
    assert opened_by(event)[0] is HIDDEN
    assert b'"As"' in encoded(told(event)[-1])


def test_a_card_told_in_one_hand_is_hidden_again_in_the_next() -> None:
    again = msgspec.structs.replace(START, hand=2)
    messages = told(CardExposed(seat=1, card=HIDDEN), again, CardDealt(seat=1, card=HIDDEN))

    assert b'"As"' not in encoded(messages[-1])


def test_a_ruling_names_only_open_cards() -> None:
    ruling = Ruling(
        id="1/1",
        rulebook="ck",
        verdict=Verdict.CONTINUE,
        irregularity=Irregularity(
            kind=Kind.EXPOSED_CARD, street=Street.DEAL, cards=(HIDDEN, Card.HK)
        ),
        steps=(Step(id="1/1.1", kind=StepKind.SET_ASIDE, cards=(HIDDEN,)),),
        clauses=(),
    )
    message = told(CardExposed(seat=1, card=Card.HK), ruling)[-1]

    assert b'"Kh"' in encoded(message)
    assert b"As" not in encoded(message)
    assert b"??" in encoded(message)


def test_masking_keeps_everything_but_cards() -> None:
    alarm = Alarm(
        id="1", cause=AlarmCause.DUPLICATE_CARD, hand=3, raised_ms=5, cards=(Card.C2, HIDDEN)
    )
    seen = masked(alarm, frozenset({Card.C2}))

    assert seen.cards == (Card.C2, Card.UNKNOWN)
    assert msgspec.structs.replace(seen, cards=alarm.cards) == alarm
    assert masked(alarm, frozenset(FULL_DECK)) == alarm


def test_messages_hang_together_by_their_hashes(table: SimulatedTable) -> None:
    table.happen(*HAND)
    narrator, previous, before = Narrator("t1", CK), bytes(32), ""

    for number, one in enumerate(table.journal.records(), start=1):
        message = narrator.tell(one, previous, is_first=number == 1)
        assert (message.seq, message.id) == (number, one.hash.hex())
        assert message.previous == (before or "0" * 64)
        previous, before = one.hash, message.id


def test_an_alarm_is_told_with_the_event_that_raised_it() -> None:
    jam = DeviceReported(device="shuffler", health="fault", detail="jam", code="jam")
    _, message = told(jam)

    assert [(c.change, c.alarm.cause) for c in message.alarms] == [
        ("raised", AlarmCause.MACHINE_FAULT)
    ]
