"""Alarms at a running table: the machine is held, a restart forgets nothing, the clock presses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.alarms import AlarmCause
from controller.events import (
    AlarmAcknowledged,
    CardsGathered,
    ClockTicked,
    HandStarted,
    MachineCounted,
    PotPushed,
    TableEvent,
)
from controller.observer import CardLeftShoe, MachineShuffled
from controller.rulebook import load_rulebook
from controller.runtime import Journal, Table, TableConfig, TapRefusedError, supervisor
from controller.runtime.config import TableSection
from firmware_bridge import DeviceFact, FaultCleared, FaultCode, FaultRaised, ShuffleFinished

CK = load_rulebook("ck")
START = HandStarted(hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2, deck_back="red")
ANSWER = AlarmAcknowledged(alarm="alarm/1", by_whom="Ada", reason="rollers cleaned")


@dataclass
class FakeMachine:
    """A shuffler that keeps its orders."""

    orders: list[str] = field(default_factory=list)
    told: asyncio.Queue[DeviceFact] = field(default_factory=asyncio.Queue)

    async def facts(self) -> AsyncIterator[DeviceFact]:
        while True:
            yield await self.told.get()

    async def shuffle(self) -> ShuffleFinished:
        self.orders.append("shuffle")
        return ShuffleFinished(52, 0)

    async def hold(self) -> None:
        self.orders.append("hold")

    async def resume(self) -> None:
        self.orders.append("resume")


@dataclass
class Room:
    """A running table, its machine and its clock."""

    table: Table
    machine: FakeMachine
    journal: Journal
    clock_ms: list[int]

    async def until(self, *, alarms: int) -> None:
        """Wait for so many latched alarms."""
        changed = asyncio.Event()
        leave = self.table.subscribe(changed.set)
        async with asyncio.timeout(20):
            while len(self.table.state.watch.alarms) != alarms:
                await changed.wait()
                changed.clear()
        leave()
        await self.table.idle()

    def kept(self) -> list[TableEvent]:
        """The events in the journal."""
        return [entry.event for entry in self.journal.read()]


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[Room]:
    config = TableConfig(table=TableSection(name="T", seats=3))
    clock_ms = [0]
    machine = FakeMachine()
    with closing(Journal.open(folder / "t.journal", rulebook="ck")) as journal:
        table = Table(config, CK, journal, shuffler=machine, clock=lambda: clock_ms[0])
        task = asyncio.create_task(table.run())
        try:
            yield Room(table, machine, journal, clock_ms)
        finally:
            await table.stop()
            await task


async def jammed(room: Room) -> None:
    """The machine jams before the hand and is cleared: it would deal again."""
    await room.machine.told.put(FaultRaised(FaultCode.JAM))
    await room.until(alarms=1)
    await room.machine.told.put(FaultCleared(FaultCode.JAM))
    await room.table.tap(START)
    await room.table.idle()


async def test_a_cleared_fault_still_keeps_the_machine_from_dealing(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        await jammed(room)
        before = list(room.machine.orders)
        await room.table.tap(ANSWER)
        await room.table.idle()
        after = room.machine.orders

    assert set(before) <= {"hold"}
    assert after[-1] == "shuffle"


async def test_the_alarm_and_its_acknowledgement_outlive_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        await jammed(room)
    async with running(tmp_path) as again:
        latched = [alarm.cause for alarm in again.table.state.watch.alarms]
        await again.table.tap(ANSWER)
    async with running(tmp_path) as third:
        left = third.table.state.watch.alarms

    assert latched == [AlarmCause.MACHINE_FAULT]
    assert left == ()


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (AlarmAcknowledged(alarm="alarm/9", by_whom="Ada", reason="seen"), "refused.alarm"),
        (AlarmAcknowledged(alarm="alarm/1", by_whom=" ", reason="seen"), "refused.alarm_name"),
        (AlarmAcknowledged(alarm="alarm/1", by_whom="Ada", reason=""), "refused.alarm_name"),
    ],
)
async def test_an_answer_without_alarm_name_or_reason_is_refused(
    tmp_path: Path, answer: AlarmAcknowledged, key: str
) -> None:
    async with running(tmp_path) as room:
        await jammed(room)
        with pytest.raises(TapRefusedError) as refused:
            await room.table.tap(answer)

        assert refused.value.key == key
        assert answer not in room.kept()


async def test_nobody_answers_and_the_clock_calls_the_floor(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch.object(supervisor, "TICK_S", 0.001)
    async with running(tmp_path) as room:
        await jammed(room)
        changed = asyncio.Event()
        room.table.subscribe(changed.set)
        room.clock_ms[0] += CK["alarm.escalate_s"].number * 1000
        async with asyncio.timeout(20):
            while not room.table.state.watch.alarms[0].is_escalated:
                await changed.wait()
                changed.clear()
        ticks = [event for event in room.kept() if isinstance(event, ClockTicked)]

    assert ticks, "it is in the journal, so that a replay gives the same"


async def test_at_the_end_of_the_hand_the_machine_s_count_is_held_against_the_table(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as room:
        await room.table.tap(START)
        await room.table.observe(MachineShuffled(52, 0))
        await room.table.idle()
        await room.table.tap(room.table.view("en").buttons[0].event)  # the cut
        for number in (1, 2, 4):  # the fact of the third card was lost
            await room.table.observe(CardLeftShoe(number, boxed=False, at_ms=0))
        await room.table.idle()
        await room.table.tap(PotPushed(seats=(1,)))
        await room.table.tap(CardsGathered())
        ledger = [event for event in room.kept() if isinstance(event, MachineCounted)]

        assert [event.given for event in ledger] == [4, 4], "at the gap, and at the end"
        assert [a.cause for a in room.table.state.watch.alarms] == [AlarmCause.COUNTS_DIFFER]


async def test_a_hand_is_kept_with_its_day(tmp_path: Path) -> None:
    async with running(tmp_path) as room:
        await room.table.tap(START)
        (started,) = (event for event in room.kept() if isinstance(event, HandStarted))

    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", started.date)
