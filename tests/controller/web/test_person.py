"""A person who has signed in reports what the role may, under the person's own name."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec.structs import replace

from controller.events import AlarmAcknowledged, FloorDecided, StepConfirmed, TableEvent
from controller.runtime.access import Role
from controller.runtime.access_sessions import SHIFT_S, Sessions
from controller.runtime.errors import TapRefusedError
from controller.view import AlarmView, TableView
from controller.web.person import SignedIn

from .shown import ShownTableFake

OVERRULED = FloorDecided(ruling="1/1", decision="overruled", reason="x", who="somebody else")
ANSWER = AlarmAcknowledged(alarm="alarm/1", by_whom="somebody else", reason="x")


class AlarmedTable(ShownTableFake):
    """A table with one latched alarm."""

    for_floor = False

    def view(self, lang: str) -> TableView:
        alarm = AlarmView(
            id="alarm/1", cause="", text="", who="", hands="", for_floor=self.for_floor
        )
        return replace(super().view(lang), alarms=(alarm,))


class Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def signed_in(role: Role, clock: Clock) -> SignedIn:
    sessions = Sessions(clock)
    session = sessions.find(sessions.begin("ana", role))
    assert session is not None
    return SignedIn(session, sessions)


@pytest.mark.parametrize(
    ("role", "event"),
    [
        (Role.DEALER, OVERRULED),
        (Role.TECHNICIAN, StepConfirmed(step="1/1.1")),
        (Role.TECHNICIAN, ANSWER),
    ],
)
async def test_what_is_not_for_the_role_never_reaches_the_table(
    role: Role, event: TableEvent
) -> None:
    table = AlarmedTable()

    with pytest.raises(TapRefusedError, match="for the floor to decide"):
        await signed_in(role, Clock()).tap(table, event)

    assert table.tapped == []


async def test_a_decision_is_recorded_under_the_name_that_signed_in() -> None:
    table = AlarmedTable()
    floor = signed_in(Role.FLOOR, Clock())

    await floor.tap(table, OVERRULED)
    await floor.tap(table, ANSWER)

    assert table.tapped == [replace(OVERRULED, who="ana"), replace(ANSWER, by_whom="ana")]


@pytest.mark.parametrize("for_floor", [False, True])
async def test_a_dealer_answers_for_the_dealers_alarms_only(for_floor: bool) -> None:
    table = AlarmedTable()
    table.for_floor = for_floor
    with suppress(TapRefusedError):
        await signed_in(Role.DEALER, Clock()).tap(table, ANSWER)

    assert table.tapped == ([] if for_floor else [replace(ANSWER, by_whom="ana")])


async def test_when_the_session_has_ended_nothing_can_be_reported() -> None:
    clock, table = Clock(), AlarmedTable()
    dealer = signed_in(Role.DEALER, clock)
    await dealer.tap(table, StepConfirmed(step="1/1.1"))

    clock.now_s += SHIFT_S + 1

    with pytest.raises(TapRefusedError, match="session has ended"):
        await dealer.tap(table, StepConfirmed(step="1/1.2"))
    assert not dealer.is_in
    assert len(table.tapped) == 1
