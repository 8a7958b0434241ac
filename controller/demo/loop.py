"""The closed loop: shuffler bytes and camera frames in, rulings out, steps seen done."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, Self

from controller.cards import FULL_DECK, Card
from controller.demo.camera import PacedCamera, set_out
from controller.demo.comparing import differences
from controller.demo.dealer import Shoe
from controller.demo.deck import DeckRandom
from controller.demo.hand import Hand, StuckError
from controller.demo.options import BACK, DemoOptions
from controller.demo.page import DemoPage
from controller.demo.report import HandReport, lines_of
from controller.demo.watching import watch
from controller.demo.world import World
from controller.rulebook import Rulebook, load_rulebook
from controller.rulings import StepKind
from controller.runtime import CameraFeed, Journal, Table, TableConfig
from controller.runtime.camera import Feed
from controller.runtime.config import TableSection
from controller.runtime.devices import Machine
from controller.runtime.supervisor import monotonic_ms
from controller.simulate.mistakes import EXPECTED, HandPlan, Mistake, plan_hand
from firmware_bridge import Shuffler, SoftwareShuffler
from vision import CardReader, RenderedCamera, TableLayout, TableWatcher

PICTURES: Final = 11
"""Pictures after each act: three to decide, eight where cards have vanished."""

POLL_S: Final = 0.004


async def play(
    options: DemoOptions, served: Callable[[str], None] = lambda _: None
) -> AsyncIterator[HandReport]:
    """Play hands on a simulated table.

    Args:
        options: How.
        served: Called with the page's address once it can be opened.

    Yields:
        The report of each hand as it ends.

    Raises:
        RulebookError: There is no such rulebook.
        VisionError: The recogniser cannot be loaded.
        RuntimeFault: The page cannot be served, or the table stopped.
    """
    if options.source:
        async for report in watch(options, served):
            yield report
        return
    book = load_rulebook(options.rulebook)
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(SimulatedTable(options, book))
        if options.port:
            await stack.enter_async_context(DemoPage(table.table, options, served))
        number = 1
        while not options.hands or number <= options.hands:
            yield await table.play_hand(number)
            number += 1


class SimulatedTable:
    """World, machine, camera and runtime of one simulated table; an async context manager.

    A subclass may look at the felt in another way: ``_feed`` is its camera, ``_settle`` lets
    it see and waits, ``_machine_of`` stands between the table and its shuffler.

    Args:
        options: How it is played; a page is not served here.
        book: The rulebook in force.
    """

    def __init__(self, options: DemoOptions, book: Rulebook) -> None:
        self._options, self._book = options, book
        self._rng = random.Random(options.seed)
        self._shuffles = DeckRandom(options.seed + 1)
        self._world = World(BACK)
        self._layout = TableLayout.standard(options.seats)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Start machine, camera and table."""
        options, stack = self._options, self._stack
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-"))
        path = options.journal or Path(folder) / "demo.journal"
        self.journal = Journal.open(path, table_id="demo", rulebook=self._book.name)
        stack.callback(self.journal.close)
        self._machine = stack.enter_context(SoftwareShuffler(rng=self._shuffles))
        self._shoe = Shoe(self._world, self._machine)
        shuffler = await stack.enter_async_context(await Shuffler.connect(self._machine.url))
        config = TableConfig(
            table=TableSection(
                name="demo", seats=options.seats, rulebook=self._book.name, deck_back=BACK
            )
        )
        self.table = Table(
            config,
            self._book,
            self.journal,
            shuffler=self._machine_of(shuffler),
            camera=self._feed(),
            clock=self._clock,
        )
        self.table.keep_pictures()
        self._running = asyncio.create_task(self.table.run())
        self._shoe.insert(self._world.shoe)
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the table, then what it is made of."""
        self._look_away()
        if not self._running.done():
            await self.table.stop()
        await asyncio.gather(self._running, return_exceptions=True)
        await self._stack.aclose()

    def _clock(self) -> int:
        """Milliseconds of the table's clock."""
        return monotonic_ms()

    def _machine_of(self, shuffler: Shuffler) -> Machine:
        """What the table takes for its shuffler."""
        return shuffler

    def _feed(self) -> Feed:
        """A camera that films the felt, and the recogniser that looks at its pictures."""
        view = RenderedCamera(seed=self._options.seed)
        self._camera = PacedCamera(view)
        to_pixels = view.homography(self._layout.width_mm, self._layout.height_mm)
        zones = self._layout.zones.mapped(to_pixels)
        watcher = TableWatcher(CardReader.load(), zones)
        return CameraFeed(self._camera, watcher, eye=watcher)

    def _look_away(self) -> None:
        """No picture comes any more."""
        self._camera.close()

    async def play_hand(self, number: int) -> HandReport:
        """Play one hand to its end and say what came of it."""
        began_s = time.perf_counter()
        seats = tuple(range(1, self._options.seats + 1))
        plan = plan_hand(self._rng, len(seats))
        self._prepare_deck(plan, len(seats))
        hand = Hand(
            plan,
            self._world,
            self._shoe,
            self._book,
            self._rng,
            state=lambda: self.table.state,
            tap=self.table.tap,
            settle=self._settle,
        )
        await self._settle()
        await hand.start(number, seats, BACK)
        problems: tuple[str, ...] = ()
        try:
            await hand.play(StepKind.AWARD_POT)
            problems = differences(self._world, self.table.state)
            await hand.finish()
        except StuckError as error:
            problems = (str(error), *differences(self._world, self.table.state))
        ms = round((time.perf_counter() - began_s) * 1000)
        return self._report(number, plan, problems, ms)

    def _prepare_deck(self, plan: HandPlan, players: int) -> None:
        """A good deck in the machine, then the fault of the plan in it."""
        whole = sorted(str(c.face) for c in self._world.shoe) == sorted(map(str, FULL_DECK))
        if not whole or any(c.back != BACK for c in self._world.shoe):
            self._shoe.empty()
            self._shoe.insert(self._world.new_deck())
        match plan.mistake:
            case Mistake.DECK_SHORT:
                cards = self._shoe.take_out()
                self._world.discard(cards[0])
                self._shoe.insert(cards[1:])
            case Mistake.DECK_LONG:
                self._shoe.insert((self._world.make(self._rng.choice(FULL_DECK)),))
            case Mistake.BOXED_IN_DEAL | Mistake.JOKER_BOXED | Mistake.BOXED_ON_BOARD:
                first_of_flop = 2 * players + 1
                index = plan.deal_indices[0] - 1 if plan.deal_indices else first_of_flop
                self._turn_over(index, joker=plan.mistake is Mistake.JOKER_BOXED)
            case _:
                pass

    def _turn_over(self, index: int, *, joker: bool) -> None:
        """One card lies face up in the deck, and the shuffle leaves it at this index."""
        cards = self._shoe.take_out()
        first = cards[0] if not joker else self._world.make(Card.JOKER)
        if joker:
            self._world.discard(cards[0])
        self._shoe.insert((first, *cards[1:]), boxed=frozenset({first.uid}))
        self._shuffles.boxed_at = index

    async def _settle(self) -> None:
        """Let the camera see the table as it is, and everything be worked through."""
        await asyncio.sleep(self._options.pace_s)
        self._camera.expose(set_out(self._world, self._layout), PICTURES)
        while not self._camera.is_waiting and not self._running.done():  # noqa: ASYNC110 - a thread
            await asyncio.sleep(POLL_S)
        await asyncio.sleep(0)
        await self.table.idle()
        if self._running.done():
            self._running.result()

    def _report(
        self, number: int, plan: HandPlan, problems: tuple[str, ...], ms: int
    ) -> HandReport:
        rulings = lines_of(self.journal, number)
        found = {r.irregularity for r in rulings}
        wanted = {EXPECTED[plan.mistake].value} if plan.mistake in EXPECTED else set()
        return HandReport(
            hand=number,
            injected=() if plan.mistake is Mistake.NONE else (plan.mistake.value,),
            rulings=rulings,
            missed=tuple(sorted(wanted - found)),
            false=tuple(sorted(found - wanted)),
            consistent=not problems,
            problems=problems,
            ms=ms,
        )
