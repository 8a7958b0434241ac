"""What holds of alarms whatever happens at the table."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.events import AlarmAcknowledged, HandStarted, TableEvent
from controller.rules import Gate, advance, gate, new_table
from controller.rulings import StepKind
from tests.controller.rules.any_events import ANY_EVENT
from tests.controller.watched import Room

EVENTS = st.lists(ANY_EVENT.filter(lambda e: not isinstance(e, HandStarted)), max_size=25)


@settings(max_examples=150, deadline=None)
@given(EVENTS)
def test_an_alarm_goes_only_by_its_acknowledgement_and_holds_the_gate_before_a_deal(
    events: list[TableEvent],
) -> None:
    room = Room()
    room.start(1)
    for event in events:
        before = {alarm.id for alarm in room.state.watch.alarms}
        room.tell(event)
        after = {alarm.id for alarm in room.state.watch.alarms}

        gone = before - after
        assert gone <= ({event.alarm} if isinstance(event, AlarmAcknowledged) else set())
        if after and not room.state.cards_out:
            assert gate(room.state, room.book) is Gate.HELD or room.state.open
        if any(alarm.stops_at_once for alarm in room.state.watch.alarms):
            assert room.step.kind is StepKind.ACKNOWLEDGE
            assert gate(room.state, room.book) is Gate.HELD


@settings(max_examples=60, deadline=None)
@given(EVENTS)
def test_the_same_events_raise_the_same_alarms(events: list[TableEvent]) -> None:
    room = Room()
    state = new_table(room.book)
    room.tell(*events)
    for event in events:
        state = advance(state, event, room.book).state

    assert state.watch == room.state.watch
