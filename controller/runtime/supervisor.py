"""One table at work: facts in, journal first, then the engine, then effects.

Everything that happens enters one queue and is handled in turn: the observer
turns it into events, each event is written to the journal and only then shown
to the engine; page, gate and shuffle are reconciled from the state that comes
out. A failure that nobody foresaw stops the table with the shoe held.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Generic, TypeVar

import msgspec

from controller.events import (
    CardsGathered,
    ClockTicked,
    DeckPrepared,
    DeviceReported,
    Event,
    HandStarted,
    TableEvent,
    Witness,
)
from controller.observer import (
    Input,
    MachineShuffled,
    Memory,
    TableCleared,
    TimePassed,
    counted,
    observe,
)
from controller.runtime.camera import Feed, Listener
from controller.runtime.config import TableConfig
from controller.runtime.decks import TwoDecks
from controller.runtime.devices import (
    FactReader,
    Health,
    Machine,
    camera_report,
    from_sighting,
    shuffler_report,
)
from controller.runtime.effects import Effects
from controller.runtime.engine import Engine
from controller.runtime.errors import RuntimeFault, TableStoppedError, TapRefusedError
from controller.runtime.evidence_protocol import Evidence
from controller.runtime.journal import Journal
from controller.runtime.past import Past
from controller.view import Surroundings, TableView
from firmware_bridge import LinkError, ShuffleFinished
from vision import Frame, Sighting, VisionError, Zones

_LOGGER = logging.getLogger(__name__)

_TOLD: Final = (RuntimeFault, LinkError, VisionError)
"""Causes that say themselves what is wrong; any other is a fault of the program, and logged."""

TICK_S: Final = 0.25
"""How often loose ends are looked at: well below the observer's shortest patience."""


@dataclass(frozen=True, slots=True)
class _Tap:
    """Something a person reported, and where to say whether it was taken."""

    event: TableEvent
    taken: asyncio.Future[None]


_Told = _Tap | Input | DeviceReported | DeckPrepared | ClockTicked
"""What the queue holds."""


def monotonic_ms() -> int:
    """The computer's steady clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


def local_date() -> str:
    """The day it is where the table stands, such as ``2026-03-01``."""
    return datetime.now(tz=UTC).astimezone().date().isoformat()


def _two_decks(config: TableConfig) -> TwoDecks | None:
    """The decks of a machine that has two in use."""
    second = config.shuffler.second_deck
    return TwoDecks(config.table.deck_back, second) if second else None


StateT = TypeVar("StateT")


class Supervisor(Generic[StateT]):
    """A running table.

    Args:
        config: The table file.
        engine: Says what events mean.
        journal: Open for writing; what it holds already is taken up again, so
            that the same hand stands with the same open steps.
        shuffler: A connected machine, none for a table without one.
        camera: A camera and what watches it, none for a table without one.
        clock: Milliseconds of any steady clock.

    Raises:
        JournalError: The journal cannot be read.
    """

    def __init__(
        self,
        config: TableConfig,
        engine: Engine[StateT],
        journal: Journal,
        *,
        shuffler: Machine | None = None,
        camera: Feed | None = None,
        clock: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._config, self._engine, self._journal = config, engine, journal
        self._machine, self._camera, self._clock = shuffler, camera, clock
        self._evidence: Evidence[StateT] | None = None
        self._decks = _two_decks(config)
        self._effects = (
            Effects(shuffler, self._report_machine, self._decks, self._deck_was_ready)
            if shuffler
            else None
        )
        self._queue: asyncio.Queue[_Told] = asyncio.Queue()
        self._wake, self._stopping = asyncio.Event(), asyncio.Event()
        self._settled = asyncio.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._untaken: set[asyncio.Future[None]] = set()
        self._cause: BaseException | None = None
        self._health: dict[str, DeviceReported] = {}
        self._past: Past[StateT] = Past()
        self._state, self._last_ms = self._recover()
        self._zero_ms = self._last_ms - clock()
        self._memory = Memory(
            shoe=shuffler is not None,
            camera=camera is not None or config.has_camera,
            zones=engine.lying(self._state),
        )

    # --- front door -----------------------------------------------------------------------

    @property
    def state(self) -> StateT:
        """The table as the engine knows it now."""
        return self._state

    @property
    def past(self) -> Past[StateT]:
        """The hands that were played."""
        return self._past

    def keep_evidence(self, evidence: Evidence[StateT]) -> None:
        """Have pictures kept of what is decided; to be called before ``run``."""
        evidence.resume(self._state)
        self._evidence = evidence

    async def run(self) -> None:
        """Run until ``stop`` is called.

        Raises:
            TableStoppedError: Something unforeseen happened; the shoe is held.
        """
        workers = [asyncio.create_task(self._work()), asyncio.create_task(self._tick())]
        if self._machine is not None:
            workers.append(asyncio.create_task(self._listen(self._machine)))
            workers.append(asyncio.create_task(self._drive()))
        if self._evidence is not None:
            workers.append(asyncio.create_task(self._evidence.run(self._call_back)))
        stop = asyncio.create_task(self._stopping.wait())
        if self._camera is not None:
            self._start_camera(self._camera)
        self._wake.set()
        try:
            done, _ = await asyncio.wait((*workers, stop), return_when=asyncio.FIRST_COMPLETED)
            failed = next((t.exception() for t in done if t is not stop and t.exception()), None)
            if failed is not None:
                self._fail(failed)
        finally:
            await self._end((*workers, stop))
        if self._cause is not None:
            raise TableStoppedError(self._cause) from self._cause

    async def stop(self) -> None:
        """Let ``run`` return after what was sent so far has been handled."""
        if self._cause is None:
            await self.idle()
        self._stopping.set()

    async def tap(self, event: TableEvent) -> None:
        """Take what a person reports; returns when it is on disk and acted upon.

        Raises:
            TapRefusedError: It does not fit what the table waits for.
            TableStoppedError: The table has stopped.
            JournalError: It could not be written down.
        """
        if self._cause is not None:
            raise TableStoppedError(self._cause)
        taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._untaken.add(taken)
        self._put(_Tap(event, taken))
        try:
            await taken
        finally:
            self._untaken.discard(taken)

    async def observe(self, told: Input | DeviceReported) -> None:
        """Take what a device says, as the table's own devices do."""
        self._put(told)

    async def idle(self) -> None:
        """Wait until everything sent so far has been handled and its commands were answered."""
        while self._cause is None:
            await self._queue.join()
            if self._machine is None or self._settled.is_set():
                break
            await self._settled.wait()

    def now_ms(self) -> int:
        """The table's own clock; it goes on where the journal ends and never goes back."""
        self._last_ms = max(self._last_ms, self._clock() + self._zero_ms)
        return self._last_ms

    def view(self, lang: str) -> TableView:
        """What the dealer's page shows, in ``en`` or ``fr``."""
        return self._engine.view(self._state, lang, self.around())

    def around(self) -> Surroundings:
        """What a page shows that is not in the state of the hand."""
        return Surroundings(
            name=self._config.table.name,
            seats=self._config.table.seats,
            devices=self._devices(),
            deck_back=self._config.table.deck_back,
            stopped="" if self._cause is None else str(TableStoppedError(self._cause)),
        )

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` after each change; the function returned ends that."""
        self._callbacks.append(callback)

        def leave() -> None:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

        return leave

    # --- inside ---------------------------------------------------------------------------

    def _recover(self) -> tuple[StateT, int]:
        """Take up the hand where the journal ends; rulings not stored yet are stored."""
        state, last_ms = self._engine.fresh(), 0
        for entry in tuple(self._journal.read()):
            outcome = self._engine.advance(state, entry.event)
            self._journal.record(entry.seq, outcome.rulings)
            self._past.note(state, entry.event, outcome.rulings)
            state, last_ms = outcome.state, max(last_ms, entry.event.at_ms)
        return state, last_ms

    def _devices(self) -> dict[str, str]:
        """Health by device; ``absent`` for one that the table does not have."""
        present = {"shuffler": self._machine is not None, "camera": self._memory.camera}
        return {
            name: (self._health[name].health if name in self._health else "ready")
            if there
            else "absent"
            for name, there in present.items()
        }

    def _put(self, item: _Told) -> None:
        self._queue.put_nowait(item)

    async def _work(self) -> None:
        while True:
            item = await self._queue.get()
            try:
                await self._take(item)
            finally:
                self._queue.task_done()

    async def _take(self, item: _Told) -> None:
        if isinstance(item, _Tap):
            await self._take_tap(item)
        elif isinstance(item, ClockTicked):
            await self._happen(item)
        elif isinstance(item, Event):
            if isinstance(item, DeviceReported):
                self._health[item.device] = item
            await self._happen(item)
        else:
            situation = self._engine.situation(self._state)
            self._memory, events = observe(self._memory, situation, item)
            for event in events:
                await self._happen(event)

    async def _take_tap(self, tap: _Tap) -> None:
        try:
            self._engine.verify(self._state, tap.event)
        except TapRefusedError as refusal:
            tap.taken.set_exception(refusal)
            return
        event = msgspec.structs.replace(tap.event, at_ms=self.now_ms())
        if isinstance(event, HandStarted) and not event.date:
            event = msgspec.structs.replace(event, date=local_date())
        if isinstance(event, CardsGathered) and (ledger := counted(self._memory, event.at_ms)):
            await self._happen(ledger)
        await self._happen(event)
        if not tap.taken.done():
            tap.taken.set_result(None)

    async def _happen(self, event: TableEvent) -> None:
        """Disk first, then the engine, then whoever watches."""
        if event.at_ms < self._last_ms:
            event = msgspec.structs.replace(event, at_ms=self._last_ms)
        self._last_ms = event.at_ms
        hand = event.hand if isinstance(event, HandStarted) else self._engine.hand(self._state)
        seq = await asyncio.to_thread(self._journal.append, event, hand=hand)
        outcome = self._engine.advance(self._state, event)
        if outcome.rulings:
            await asyncio.to_thread(self._journal.record, seq, outcome.rulings)
        self._past.note(self._state, event, outcome.rulings)
        self._state = outcome.state
        if self._evidence is not None:
            self._evidence.follow(seq, event.at_ms, outcome.state, outcome.rulings)
        if isinstance(event, CardsGathered):
            self._memory, _ = observe(
                self._memory, self._engine.situation(self._state), TableCleared(event.at_ms)
            )
        self._changed()

    def _changed(self) -> None:
        self._settled.clear()
        self._wake.set()
        self._call_back()

    def _call_back(self) -> None:
        for callback in tuple(self._callbacks):
            callback()

    async def _listen(self, machine: Machine) -> None:
        reader = FactReader(self._decks)
        async for fact in machine.facts():
            if self._effects is not None:
                self._effects.note(fact)
                self._settled.clear()
                self._wake.set()
            in_play = self._engine.situation(self._state).deck_back if self._decks else ""
            told = reader.read(fact, self.now_ms(), in_play)
            if told is not None:
                self._put(told)
        await self._stopping.wait()

    async def _drive(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._effects is not None:
                is_done = await self._effects.reconcile(self._engine.wish(self._state))
                if not is_done:
                    self._wake.set()
            if not self._wake.is_set():
                self._settled.set()

    async def _tick(self) -> None:
        """Let the observer see time pass while something is loose, and the engine when it asks."""
        while True:
            await asyncio.sleep(TICK_S)
            memory = self._memory
            if memory.come or memory.outs or memory.unread:
                self._put(TimePassed(self.now_ms()))
            if 0 <= self._engine.wakes_at_ms(self._state) <= self.now_ms():
                self._put(ClockTicked(at_ms=self.now_ms(), by=Witness.CLOCK))

    def _report_machine(self, health: Health, detail: str, *, code: str = "") -> None:
        self._put(shuffler_report(health, detail, self.now_ms(), code=code))

    def _deck_was_ready(self, finished: ShuffleFinished) -> None:
        self._put(MachineShuffled(finished.count, self.now_ms(), finished.boxed))

    def _start_camera(self, camera: Feed) -> None:
        listener = Listener(self._camera_saw, self._camera_is, self._camera_failed)
        told = listener.on(asyncio.get_running_loop())
        camera.start(replace(told, filmed=self._filmed))

    def _filmed(self, frame: Frame, zones: Zones | None, seen: tuple[Sighting, ...]) -> None:
        """Called in the camera's thread."""
        if self._evidence is not None:
            at_ms = self._clock() + self._zero_ms
            self._evidence.film(frame, zones, at_ms, seen)

    def _camera_saw(self, sighting: Sighting) -> None:
        self._put(from_sighting(sighting, self.now_ms()))

    def _camera_is(self, health: Health, words: str) -> None:
        self._put(camera_report(health, words, self.now_ms()))

    def _camera_failed(self, cause: BaseException) -> None:
        self._fail(cause)
        self._stopping.set()

    def _fail(self, cause: BaseException) -> None:
        """Keep the first cause and let nobody wait for an answer that will not come."""
        if self._cause is not None:
            return
        self._cause = cause
        if not isinstance(
            cause, RuntimeFault | LinkError | VisionError
        ):  # those are told, not logged
            _LOGGER.error("a fault of the program stopped the table", exc_info=cause)
        for taken in tuple(self._untaken):
            if not taken.done():
                taken.set_exception(TableStoppedError(cause))
        while not self._queue.empty():
            self._queue.get_nowait()
            self._queue.task_done()
        self._changed()
        self._settled.set()

    async def _end(self, tasks: tuple[asyncio.Task[object], ...]) -> None:
        if self._cause is not None and self._effects is not None:
            await self._effects.hold()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._camera is not None:
            await asyncio.to_thread(self._camera.stop)
        if self._evidence is not None:
            await self._evidence.finish()
