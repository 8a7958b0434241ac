"""A table that runs on a real machine over its port, and a dealer who does what the page asks.

There is no camera: every card of the hand is known from the machine's own events, so that a
lost or doubled one shows in the table's ledger.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from controller.alarms import AlarmCause
from controller.events import (
    AlarmAcknowledged,
    BettingClosed,
    CardsGathered,
    DeckCut,
    DeviceReported,
    FloorDecided,
    HandStarted,
    PotPushed,
    StepConfirmed,
    Street,
    TableEvent,
)
from controller.rulebook import load_rulebook
from controller.rules import next_steps
from controller.rulings import Step, StepKind
from controller.runtime import Journal, Table, TableConfig
from controller.runtime.config import ShufflerSection, TableSection
from firmware_bridge import Gate, Settings, Shuffler
from tests.firmware.hearing import back_on
from tests.firmware.machines import Machine

SEATS = (1, 2, 3)
HAND_CARDS = 14
"""Two for each of three players, three burns, five on the board."""
PATIENCE_S = 40.0
"""A shuffle in the emulator takes seconds, on a busy computer many."""

DRAWS = frozenset({StepKind.DEAL_TO_SEAT, StepKind.BURN, StepKind.DEAL_BOARD})


@dataclass
class Room:
    """A running table, its machine and what was written down."""

    table: Table
    machine: Machine
    shuffler: Shuffler
    journal: Journal

    @property
    def step(self) -> StepKind | None:
        """What the table waits for."""
        steps = next_steps(self.table.state, self.table.book)
        return steps[0].kind if steps else None

    @property
    def causes(self) -> list[AlarmCause]:
        """The alarms that are latched."""
        return [alarm.cause for alarm in self.table.state.watch.alarms]

    def kept(self, kind: type[TableEvent] | None = None) -> list[TableEvent]:
        """The events in the journal."""
        events = [entry.event for entry in self.journal.read()]
        return [e for e in events if kind is None or isinstance(e, kind)]

    @property
    def health(self) -> str:
        """How the page says the machine is."""
        return self.table.around().devices["shuffler"]

    def told(self) -> list[tuple[str, str]]:
        """Health and fault of each report about the machine."""
        reports = [e for e in self.kept() if isinstance(e, DeviceReported)]
        return [(report.health, report.code) for report in reports]

    def details(self) -> list[str]:
        """What each report about the machine says."""
        return [e.detail for e in self.kept() if isinstance(e, DeviceReported)]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until the table is so."""
        changed = asyncio.Event()
        leave = self.table.subscribe(changed.set)
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await changed.wait()
                changed.clear()
        leave()

    async def until_told(self, reports: int) -> None:
        """Wait for so many reports about the machine."""
        await self.until(lambda: len(self.told()) >= reports)

    async def until_open(self) -> None:
        """Wait until the gate is open, and the machine has just heard of us."""
        async with asyncio.timeout(PATIENCE_S):
            gate = Gate.HELD
            while gate is not Gate.OPEN:
                await self.table.idle()
                gate = (await self.shuffler.status()).gate

    async def start(self, hand: int, cards: int) -> None:
        """A hand begins; its deck is in the machine."""
        await self.table.tap(
            HandStarted(
                hand=hand,
                seats=SEATS,
                button=3,
                small_blind=1,
                big_blind=2,
                deck_back=self.table.around().deck_back,
                deck_count=cards,
            )
        )

    async def draw(self) -> None:
        """The dealer takes a card as soon as the gate gives one; the table has counted it then."""
        before = self.table.state.cards_out
        async with asyncio.timeout(PATIENCE_S):
            while not self.machine.draw():
                await asyncio.sleep(0)
                await self.table.idle()
        await self.until(lambda: self.table.state.cards_out > before)

    async def acknowledge(self) -> None:
        """A named person answers for every alarm."""
        for alarm in self.table.state.watch.alarms:
            answer = AlarmAcknowledged(alarm=alarm.id, by_whom="Ada", reason="seen to")
            await self.table.tap(answer)

    async def obey(self) -> None:
        """Do what the table waits for now."""
        step = next_steps(self.table.state, self.table.book)[0]
        if step.kind in DRAWS:
            await self.draw()
        elif step.kind is StepKind.SHUFFLE:
            await self.until(lambda: self.step is not StepKind.SHUFFLE)
        else:
            await self.table.tap(_tap_for(step))

    async def play_until(self, holds: Callable[[], bool]) -> None:
        """Obey until the table is so."""
        for _ in range(80):
            if holds():
                return
            await self.obey()
        raise AssertionError(f"it waits for {self.step} for ever: {self.table.state}")

    async def play(self, hand: int, cards: int) -> None:
        """A whole hand, all its cards put back into the machine."""
        await self.start(hand, cards)
        await self.play_until(lambda: self.step is StepKind.GATHER_ALL)
        self.verify(cards)
        await self.gather()

    def verify(self, cards: int) -> None:
        """Every card is where the table says, and none is missing or there twice."""
        state = self.table.state
        assert self.machine.count() == state.stub
        assert state.stub + state.cards_out == cards

    async def gather(self) -> None:
        """All cards that are out go back into the machine."""
        self.machine.insert(self.table.state.cards_out)
        await self.table.tap(CardsGathered())


def _tap_for(step: Step) -> TableEvent:
    match step.kind:
        case StepKind.CUT:
            return DeckCut()
        case StepKind.COMPLETE_BETTING:
            return BettingClosed()
        case StepKind.AWARD_POT:
            return PotPushed(seats=(1,))
        case StepKind.ACKNOWLEDGE:
            return AlarmAcknowledged(alarm=step.origin, by_whom="Ada", reason="seen to")
        case StepKind.CALL_FLOOR:
            return FloorDecided(ruling=step.id.rsplit(".", 1)[0])
        case _:
            return StepConfirmed(step=step.id)


@asynccontextmanager
async def at_table(
    folder: Path,
    machine: Machine,
    settings: Settings | None = None,
    *,
    serial_number: str = "",
    book: str = "ck",
    second_deck: Literal["blue", ""] = "",
) -> AsyncIterator[Room]:
    """A table that runs on the machine."""
    config = TableConfig(
        table=TableSection(name="T", seats=3, deck_back="red"),
        shuffler=ShufflerSection(second_deck=second_deck),
    )
    settings = settings or back_on(machine)
    with closing(Journal.open(folder / "t.journal", rulebook=book)) as journal:
        async with await Shuffler.connect(
            machine.url, serial_number=serial_number, settings=settings
        ) as shuffler:
            table = Table(config, load_rulebook(book), journal, shuffler=shuffler, clock=_still)
            task = asyncio.create_task(table.run())
            try:
                yield Room(table, machine, shuffler, journal)
            finally:
                await table.stop()
                await task


def _still() -> int:
    """Times do not matter here: nothing at this table waits for the clock."""
    return 0


def is_between(room: Room) -> bool:
    """The hand is over."""
    return room.table.state.street is Street.BETWEEN
