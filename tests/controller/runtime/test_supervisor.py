"""The supervisor: disk first, effects from the state, safe when something breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.cards import Card
from controller.events import (
    BoardShown,
    CardDealt,
    DeviceReported,
    HandStarted,
    Shown,
    StepConfirmed,
    Street,
    TableEvent,
)
from controller.irregularities import Irregularity, Kind
from controller.observer import CardLeftShoe, LyingCard, Situation, ZoneContent
from controller.rulings import Ruling, Verdict
from controller.runtime.config import CameraSection, TableConfig, TableSection
from controller.runtime.effects import Wish
from controller.runtime.engine import Advanced
from controller.runtime.errors import JournalError, TableStoppedError, TapRefusedError
from controller.runtime.journal import Journal
from controller.runtime.supervisor import Supervisor
from controller.view import Instruction, Surroundings, TableView
from firmware_bridge import (
    CardOut,
    DeviceFact,
    FaultCleared,
    FaultCode,
    FaultRaised,
    Gate,
    GateChanged,
    LinkChanged,
    LinkLostError,
    LinkState,
    ShuffleFinished,
)

CONFIG = TableConfig(table=TableSection(name="T"), camera=CameraSection(source="rendered"))


@dataclass(frozen=True, slots=True)
class Seen:
    """All that this engine remembers."""

    events: tuple[TableEvent, ...] = ()
    is_open: bool = True
    shuffle_for: str = ""


class TinyRules:
    """One rule: a card dealt face up holds the shoe until a tap confirms that it is put right."""

    def fresh(self) -> Seen:
        return Seen()

    def advance(self, state: Seen, event: TableEvent) -> Advanced[Seen]:
        events = (*state.events, event)
        match event:
            case CardDealt(shown=Shown.UP):
                return Advanced(Seen(events, is_open=False), (ruling(len(events)),))
            case StepConfirmed(step="shuffle"):
                return Advanced(Seen(events, is_open=False, shuffle_for="1/1.1"))
            case BoardShown():
                raise ZeroDivisionError("a fault of the program")
            case StepConfirmed():
                return Advanced(Seen(events))
            case _:
                return Advanced(Seen(events, state.is_open, state.shuffle_for))

    def hand(self, state: Seen) -> int:
        return sum(isinstance(event, HandStarted) for event in state.events)

    def situation(self, state: Seen) -> Situation:
        return Situation(street=Street.DEAL, due="seat:1", cards_out=True)

    def wish(self, state: Seen) -> Wish:
        return Wish(is_open=state.is_open, shuffle_for=state.shuffle_for)

    def wakes_at_ms(self, state: Seen) -> int:
        return -1

    def verify(self, state: Seen, tap: TableEvent) -> None:
        if tap == StepConfirmed(step="nonsense"):
            raise TapRefusedError("no such step is open")

    def lying(self, state: Seen) -> dict[str, tuple[LyingCard, ...]]:
        return {
            f"seat:{event.seat}": (LyingCard(event.card, up=event.shown is Shown.UP),)
            for event in state.events
            if isinstance(event, CardDealt)
        }

    def view(self, state: Seen, lang: str, around: Surroundings) -> TableView:
        words = around.stopped or f"{len(state.events)} events"
        return TableView(lang=lang, name=around.name, instruction=Instruction(text=words))


def ruling(n: int) -> Ruling:
    found = Irregularity(kind=Kind.EXPOSED_CARD, street=Street.DEAL)
    return Ruling(
        id=f"1/{n}",
        rulebook="ck",
        verdict=Verdict.CONTINUE,
        irregularity=found,
        steps=(),
        clauses=(),
    )


@dataclass
class FakeMachine:
    """A shuffler that does as it is told and keeps the orders."""

    orders: list[str] = field(default_factory=list)
    told: asyncio.Queue[DeviceFact] = field(default_factory=asyncio.Queue)
    is_lost: bool = False

    async def facts(self) -> AsyncIterator[DeviceFact]:
        while True:
            yield await self.told.get()

    async def shuffle(self) -> ShuffleFinished:
        self._order("shuffle")
        return ShuffleFinished(52, 0)

    async def hold(self) -> None:
        self._order("hold")

    async def resume(self) -> None:
        self._order("resume")

    def _order(self, name: str) -> None:
        self.orders.append(name)
        if self.is_lost:
            raise LinkLostError("pty", "it was unplugged")


class Running:
    """A supervisor that runs while a test looks at it."""

    def __init__(self, folder: Path, machine: FakeMachine | None = None) -> None:
        self.journal = Journal.open(folder / "t.journal")
        self.machine = machine
        self.now_ms = 1000
        self.table = Supervisor(
            CONFIG, TinyRules(), self.journal, shuffler=machine, clock=lambda: self.now_ms
        )

    async def __aenter__(self) -> Running:
        self.task = asyncio.create_task(self.table.run())
        await self.table.idle()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.table.stop()
        with suppress(TableStoppedError):
            await self.task
        self.journal.close()

    def kept(self) -> list[TableEvent]:
        return [entry.event for entry in self.journal.read()]


def on_table(zone: str, *cards: LyingCard) -> ZoneContent:
    return ZoneContent(zone, cards, 0)


EXPOSED = on_table("seat:1", LyingCard(Card.SA, up=True))


async def test_shoe_and_camera_together_make_an_event_in_the_journal(tmp_path: Path) -> None:
    async with Running(tmp_path, FakeMachine()) as running:
        await running.table.observe(CardLeftShoe(1, boxed=False, at_ms=0))
        await running.table.observe(EXPOSED)
        await running.table.idle()

        kept = running.kept()

    assert [type(event) for event in kept] == [CardDealt]
    assert len(running.table.state.events) == 1


async def test_an_event_is_on_disk_before_the_engine_sees_it(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    on_disk: list[int] = []
    real = TinyRules.advance

    async with Running(tmp_path) as running:

        def look(self: TinyRules, state: Seen, event: TableEvent) -> Advanced[Seen]:
            on_disk.append(len(running.kept()))
            return real(self, state, event)

        mocker.patch.object(TinyRules, "advance", look)
        await running.table.tap(StepConfirmed(step="a"))
        await running.table.tap(StepConfirmed(step="b"))

    assert on_disk == [1, 2]


async def test_a_ruling_holds_the_shoe_once_and_its_end_opens_it(tmp_path: Path) -> None:
    machine = FakeMachine()
    async with Running(tmp_path, machine) as running:
        await running.table.observe(CardLeftShoe(1, boxed=False, at_ms=0))
        await running.table.observe(EXPOSED)
        await running.table.idle()
        await running.table.tap(StepConfirmed(step="x"))
        await running.table.tap(StepConfirmed(step="y"))
        await running.table.idle()

        assert len(running.journal.rulings()) == 1

    assert machine.orders == ["resume", "hold", "resume"]


async def test_a_shuffle_is_ordered_once_however_often_the_state_is_looked_at(
    tmp_path: Path,
) -> None:
    machine = FakeMachine()
    async with Running(tmp_path, machine) as running:
        await running.table.tap(StepConfirmed(step="shuffle"))
        await running.table.idle()
        await running.table.tap(HandStarted(hand=1, seats=(1, 2), button=1))
        await running.table.idle()

    assert machine.orders.count("shuffle") == 1


async def test_a_lost_machine_is_reported_and_set_right_when_it_returns(tmp_path: Path) -> None:
    machine = FakeMachine(is_lost=True)
    async with Running(tmp_path, machine) as running:
        await machine.told.put(LinkChanged(LinkState.READY, LinkState.LOST, "unplugged"))
        machine.is_lost = False
        await machine.told.put(LinkChanged(LinkState.LOST, LinkState.READY, ""))
        await settled(running, 2)
        health = [e.health for e in running.kept() if isinstance(e, DeviceReported)]

    assert health == ["lost", "ready"]
    assert machine.orders == ["resume", "resume"]


async def settled(running: Running, events: int) -> None:
    """Wait until so many events have come and everything about them is done."""
    changed = asyncio.Event()
    leave = running.table.subscribe(changed.set)
    while len(running.table.state.events) < events:
        await changed.wait()
        changed.clear()
    leave()
    await running.table.idle()


async def test_a_gate_that_moves_by_itself_is_put_back(tmp_path: Path) -> None:
    machine = FakeMachine()
    async with Running(tmp_path, machine) as running:
        await machine.told.put(GateChanged(Gate.HELD, 0))
        await machine.told.put(FaultRaised(FaultCode(1)))
        await machine.told.put(FaultCleared(FaultCode(1)))
        await settled(running, 2)

    assert machine.orders[0] == "resume"
    assert machine.orders[-1] == "resume"
    assert len(machine.orders) > 1


async def test_a_card_of_the_machine_reaches_the_observer(tmp_path: Path) -> None:
    machine = FakeMachine()
    async with Running(tmp_path, machine) as running:
        await running.table.observe(EXPOSED)
        await machine.told.put(CardOut(1, boxed=True))
        await settled(running, 1)
        dealt = running.kept()[0]

    assert isinstance(dealt, CardDealt)
    assert dealt.boxed


async def test_a_tap_that_does_not_fit_is_refused_and_not_recorded(tmp_path: Path) -> None:
    async with Running(tmp_path) as running:
        with pytest.raises(TapRefusedError, match="no such step is open"):
            await running.table.tap(StepConfirmed(step="nonsense"))

        assert running.kept() == []


async def test_after_a_restart_the_same_hand_stands_and_lying_cards_are_no_news(
    tmp_path: Path,
) -> None:
    async with Running(tmp_path, FakeMachine()) as running:
        await running.table.tap(HandStarted(hand=7, seats=(1, 2), button=1))
        await running.table.observe(CardLeftShoe(1, boxed=False, at_ms=0))
        await running.table.observe(EXPOSED)
        await running.table.idle()
        before = running.table.state

    async with Running(tmp_path, FakeMachine()) as again:
        assert again.table.state == before
        await again.table.observe(EXPOSED)
        await again.table.idle()

        assert again.table.state == before
        assert again.machine is not None
        assert again.machine.orders == ["hold"]


async def test_the_clock_of_the_table_never_goes_back(tmp_path: Path) -> None:
    async with Running(tmp_path) as running:
        running.now_ms = 9000
        await running.table.tap(StepConfirmed(step="a"))
        running.now_ms = 4000
        await running.table.tap(StepConfirmed(step="b"))
    async with Running(tmp_path) as again:
        await again.table.tap(StepConfirmed(step="c"))
        times = [event.at_ms for event in again.kept()]

    assert times == [8000, 8000, 8000]


async def test_a_fault_of_the_program_stops_the_table_with_the_shoe_held(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    machine = FakeMachine()
    async with Running(tmp_path, machine) as running:
        with pytest.raises(TableStoppedError, match="a fault of the program"):
            await running.table.tap(BoardShown(cards=(Card.SA,)))
        with pytest.raises(TableStoppedError) as stopped:
            await running.task
        with pytest.raises(TableStoppedError):
            await running.table.tap(StepConfirmed(step="later"))

        assert "a fault of the program" in running.table.view("en").instruction.text

    assert isinstance(stopped.value.cause, ZeroDivisionError)
    assert [r.exc_info is not None for r in caplog.records if r.levelname == "ERROR"] == [True]
    assert machine.orders[-1] == "hold"


async def test_a_journal_that_cannot_be_written_stops_the_table(
    tmp_path: Path, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    async with Running(tmp_path) as running:
        full = JournalError("t.journal", "the disk is full; free some space")
        mocker.patch.object(running.journal, "append", side_effect=full)

        with pytest.raises(TableStoppedError, match="the disk is full"):
            await running.table.tap(StepConfirmed(step="a"))

        assert running.table.state == Seen()
    assert caplog.records == []  # it is told, and no traceback helps with a full disk


async def test_those_who_follow_are_called_after_each_change(tmp_path: Path) -> None:
    shown: list[str] = []
    async with Running(tmp_path) as running:
        leave = running.table.subscribe(
            lambda: shown.append(running.table.view("en").instruction.text)
        )
        await running.table.tap(StepConfirmed(step="a"))
        leave()
        await running.table.tap(StepConfirmed(step="b"))

    assert shown == ["1 events"]
