"""A receiver holds each record once and in order, whatever the way does to the messages."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.fleet.messages import RecordMessage, StateMessage
from controller.fleet.receiving import (
    ASK_AGAIN_S,
    Arrival,
    Requests,
    Tip,
    arrival,
    is_behind,
    lost_between,
)


def digest(journal: int, seq: int) -> str:
    return f"{journal:032x}{seq:032x}"


def message(seq: int, journal: int = 1, first: int = 1) -> RecordMessage:
    return RecordMessage(
        table="t",
        seq=seq,
        id=digest(journal, seq),
        previous=digest(journal, seq - 1),
        is_first=seq == first,
        type="event",
        kind="betting_closed",
        event=seq,
        hand=1,
        at_ms=0,
        written_ms=0,
        body=msgspec.Raw(b"{}"),
    )


class Held:
    """A receiver of one table."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.tip = Tip()

    def get(self, one: RecordMessage) -> Arrival:
        came = arrival(self.tip, one, self.ids.__contains__)
        if came is Arrival.NEXT:
            self.ids.append(one.id)
            self.tip = Tip(one.seq, one.id)
        return came


@given(st.lists(st.integers(1, 12), max_size=80))
def test_whatever_comes_in_whatever_order_what_is_held_has_no_hole(numbers: list[int]) -> None:
    held = Held()
    for seq in numbers:
        held.get(message(seq))

    assert held.ids == [digest(1, seq) for seq in range(1, len(held.ids) + 1)]


@given(st.lists(st.integers(1, 12), max_size=40))
def test_sending_again_from_the_tip_fills_it_up(numbers: list[int]) -> None:
    held = Held()
    for seq in numbers:
        held.get(message(seq))
    for seq in range(held.tip.seq + 1, 13):
        assert held.get(message(seq)) is Arrival.NEXT

    assert len(held.ids) == 12


def test_a_table_that_begins_a_new_journal_is_followed_into_it() -> None:
    held = Held()
    came = [held.get(message(seq)) for seq in (1, 2)]
    came += [held.get(message(seq, journal=2)) for seq in (1, 2)]

    assert came == [Arrival.NEXT] * 4


def test_a_table_that_went_back_to_a_copy_of_its_journal_is_followed() -> None:
    held = Held()
    for seq in (1, 2, 3, 4):
        held.get(message(seq))
    other = msgspec.structs.replace(message(3), id=digest(2, 3))

    assert held.get(other) is Arrival.NEXT
    assert held.tip == Tip(3, digest(2, 3))


def test_records_removed_from_a_journal_before_they_came_are_counted_as_lost() -> None:
    begins = message(9, first=9)

    assert lost_between(Tip(4, digest(1, 4)), begins) == 4
    assert lost_between(Tip(), begins) == 0
    assert lost_between(Tip(4, digest(1, 4)), message(1, journal=2)) == 0


@pytest.mark.parametrize(("seq", "behind"), [(0, False), (3, False), (4, False), (5, True)])
def test_a_state_tells_whether_something_is_missing(seq: int, behind: bool) -> None:
    held = [digest(1, n) for n in range(1, 5)]
    state = StateMessage(
        table="t",
        name="T",
        rulebook="ck",
        seq=seq,
        id=digest(1, seq) if seq else "",
        hand=0,
        street="between",
    )

    assert is_behind(Tip(4, digest(1, 4)), state, held.__contains__) is behind


def test_a_table_is_asked_once_and_in_vain_for_everything() -> None:
    now_s = 0.0
    requests = Requests(lambda: now_s)
    tip = Tip(7, digest(1, 7))
    asked = [requests.wanted("t", tip), requests.wanted("t", tip)]
    now_s = ASK_AGAIN_S
    asked.append(requests.wanted("t", tip))
    asked.append(requests.wanted("t", Tip(8, digest(1, 8))))

    assert asked == [8, 0, 1, 9]


def test_after_a_lost_line_is_asked_anew() -> None:
    requests = Requests(lambda: 0.0)
    requests.wanted("t", Tip())
    requests.forget()

    assert requests.wanted("t", Tip()) == 1
