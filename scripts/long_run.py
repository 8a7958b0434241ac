"""Play a day and more at one table without a pause, and see that nothing grows.

A whole table plays: the software shuffler's bytes over a pseudo-terminal, sightings of every
zone as the watcher gives them, the rules, a journal in SQLite, the pages followed by
browsers, numbers for Prometheus and messages to a real broker. The table's clock is moved
on by hand, so that a hand takes two minutes of it and much less of ours. Before that, a few
hands are played with rendered pictures through the recogniser.

At intervals it prints what the process holds. Past the warm-up, in which the hands that are
kept at hand (``controller.runtime.past.KEPT``) fill up, a line is fitted through memory, and
open descriptors, threads and tasks are compared.

Usage: python -m scripts.long_run [--hands 960] [--rendered 20] [--every 40] [--pages / /floor]
Every line is JSON, the last one the verdict; exit code 1 when something grows, a record was
not delivered, or a hand does not end. Hands that ended otherwise than the simulated matter are
counted and told on standard error (of a heap a camera sees the top card only). It needs
Mosquitto, and Chromium for the pages.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from controller.cli.outgoing import give_out
from controller.demo import DemoOptions, play
from controller.demo.dealer import Shoe
from controller.demo.loop import POLL_S, SimulatedTable
from controller.demo.page import DemoPage
from controller.demo.world import GONE, Lying, PhysicalCard
from controller.events import StepConfirmed, Street
from controller.observer import TimePassed
from controller.rulebook import load_rulebook
from controller.rules import next_steps
from controller.runtime import TableConfig
from controller.runtime.camera import Feed, Listener
from controller.runtime.config import MetricsSection, MqttSection, TableSection
from controller.runtime.devices import Machine
from controller.runtime.past import KEPT
from controller.table import TableState
from firmware_bridge import CardOut, CardsIn, DeviceFact, ShuffleFinished, Shuffler
from scripts.measure_fleet import free_port, start_broker
from vision import Face, Quad, SeenCard, Sighting

HAND_MS: Final = 120_000
"""Table time of a hand: 30 an hour, in the middle of the 25 to 35 of a dealt table."""

ACT_MS: Final = 700
"""Table time that passes twice after each act: more than a dealt card waits for its turn."""

WARM_UP: Final = KEPT + 40
"""Hands before growth is looked for: those kept at hand, and what libraries load late."""

MOST_KIB_A_HAND: Final = 12.0
"""Growth of memory that is taken for none: 8.4 MiB in a day of 720 hands. Allocators give
memory back late, so that a line through a few hundred hands is never quite level."""

MOST_MORE: Final = 3
"""Descriptors, threads or tasks more than at the end of the warm-up: a request under way."""

PATIENT_ACTS: Final = 10
"""Acts after which a dealer presses the button of a step that is still asked for."""

PATIENCE: Final = 120
"""Half seconds that the broker may take to acknowledge what waits."""

_NOWHERE: Final[Quad] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_HEAPS: Final = frozenset({"muck"})


@dataclass(frozen=True, slots=True)
class Held:
    """What the process holds after so many hands."""

    hands: int
    rss_kib: int
    blocks: int
    descriptors: int
    threads: int
    tasks: int
    journal_kib: int
    waiting: float
    took_s: float


class SightedFelt:
    """A camera that says at once what lies in each zone: the watcher's sightings, no pictures."""

    age_s = 0.0

    def __init__(self) -> None:
        self._listener: Listener | None = None
        self._said: dict[str, tuple[tuple[str, bool, str], ...]] = {}
        self._looks = 0

    def start(self, listener: Listener) -> None:
        """Begin to tell."""
        self._listener = listener

    def stop(self) -> None:
        """Tell no more."""
        self._listener = None

    def look(self, zones: dict[str, tuple[Lying, ...]]) -> None:
        """Tell of each zone that has changed; those that lost cards first, as the watcher does."""
        now = {zone: _content(zone, pile) for zone, pile in zones.items()}
        changed = [z for z in {**self._said, **now} if now.get(z, ()) != self._said.get(z, ())]
        changed.sort(key=lambda z: len(now.get(z, ())) - len(self._said.get(z, ())))
        for zone in changed:
            self._looks += 1
            cards = tuple(_seen(*card) for card in now.get(zone, ()))
            if self._listener is not None:
                self._listener.seen(Sighting(zone, cards, self._looks, self._looks / 30))
        self._said = {zone: content for zone, content in now.items() if content}


def _open_steps(state: TableState) -> set[str]:
    """The steps of rulings that are not done yet."""
    return {s.id for o in state.open for s in o.ruling.steps if s.id not in o.done}


def _content(zone: str, pile: Sequence[Lying]) -> tuple[tuple[str, bool, str], ...]:
    """What a camera sees of a zone: of a heap only what lies on top."""
    shown = pile[-1:] if zone in _HEAPS else pile
    return tuple(
        (str(p.card.face) if p.up else "??", p.up, "" if p.up else p.card.back) for p in shown
    )


def _seen(card: str, up: bool, back: str) -> SeenCard:
    return SeenCard(card, Face.UP if up else Face.DOWN, _NOWHERE, 1.0, back)


class CountedMachine:
    """The shuffler, and how many of its facts the table has taken in."""

    def __init__(self, shuffler: Shuffler) -> None:
        self._shuffler = shuffler
        self._out = self._in = self._shuffled = self._asked = 0

    async def facts(self) -> AsyncIterator[DeviceFact]:
        """Everything that happens to the machine; counted once the table asks for the next."""
        async for fact in self._shuffler.facts():
            yield fact
            self._out += isinstance(fact, CardOut)
            self._in += isinstance(fact, CardsIn)
            self._shuffled += isinstance(fact, ShuffleFinished)

    async def shuffle(self) -> ShuffleFinished:
        """Shuffle every card in the machine."""
        self._asked += 1
        return await self._shuffler.shuffle()

    def has_all(self, shoe: CountedShoe) -> bool:
        """Whether the table knows of everything that was done to the shoe."""
        done = (shoe.drawn, shoe.changed, self._asked)
        return (self._out, self._in, self._shuffled) == done

    async def hold(self) -> None:
        """Close the gate."""
        await self._shuffler.hold()

    async def resume(self) -> None:
        """Open the gate."""
        await self._shuffler.resume()


class CountedShoe(Shoe):
    """The shoe, and how many cards left it and how often some were put in or taken out."""

    drawn = changed = 0

    def draw(self) -> tuple[PhysicalCard, bool]:
        """Take the next card at the gate."""
        drawn = super().draw()
        self.drawn += 1
        return drawn

    def insert(self, cards: tuple[PhysicalCard, ...], boxed: frozenset[int] = frozenset()) -> None:
        """Put cards into the machine."""
        self.changed += 1
        super().insert(cards, boxed)

    def take_out(self) -> tuple[PhysicalCard, ...]:
        """Open the lid and take everything into the hand."""
        self.changed += 1
        return super().take_out()


class LongTable(SimulatedTable):
    """The demo's table without pictures, on a clock that is moved on by hand."""

    now_ms = 0
    _asked, _times = "", 0

    def _clock(self) -> int:
        return self.now_ms

    def _machine_of(self, shuffler: Shuffler) -> Machine:
        self._shoe = self._shoe_counted = CountedShoe(self._world, self._machine)
        self.shuffler = shuffler
        self._counted = CountedMachine(shuffler)
        return self._counted

    def _feed(self) -> Feed:
        self.felt = SightedFelt()
        return self.felt

    def sweep(self) -> None:
        """Throw away what was taken out of play: matter is the simulation's, not the table's."""
        self._world.pick_up_all((GONE,))

    def _look_away(self) -> None:
        """Nobody waits for a picture."""

    async def _settle(self) -> None:
        """Let camera and shoe be heard, then let time pass for what waits for it."""
        self.felt.look(self._world.zones())
        await self._heard()
        for _ in range(2):
            self.now_ms += ACT_MS
            await self.table.observe(TimePassed(self.table.now_ms()))
            await self._heard()
        await self._press_done()

    async def _press_done(self) -> None:
        """A step that no sensor sees done, such as a card out of a heap, has a button."""
        steps = next_steps(self.table.state, self._book)
        asked = steps[0].id if steps else ""
        self._times = self._times + 1 if asked == self._asked else 0
        self._asked = asked
        if self._times >= PATIENT_ACTS and asked in _open_steps(self.table.state):
            await self.table.tap(StepConfirmed(step=asked))
            await self._heard()

    async def _heard(self) -> None:
        """Wait until the table has taken in every fact and every sighting."""
        while True:
            await asyncio.sleep(0)
            await self.table.idle()
            if self._running.done():
                self._running.result()
            if self._counted.has_all(self._shoe_counted):
                return
            await asyncio.sleep(POLL_S)


def held(hands: int, table: LongTable, path: Path, waiting: float, took_s: float) -> Held:
    """Count what this process holds now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    files = (path, path.with_name(path.name + "-wal"))
    return Held(
        hands=hands,
        rss_kib=pages * os.sysconf("SC_PAGE_SIZE") // 1024,
        blocks=sys.getallocatedblocks(),
        descriptors=len(list(Path("/proc/self/fd").iterdir())),
        threads=threading.active_count(),
        tasks=len(asyncio.all_tasks()),
        journal_kib=sum(f.stat().st_size for f in files if f.exists()) // 1024,
        waiting=waiting,
        took_s=round(took_s, 1),
    )


def slope(samples: Sequence[Held]) -> float:
    """Memory per hand in KiB: a line through the samples (least squares)."""
    line = statistics.linear_regression(
        [float(s.hands) for s in samples], [float(s.rss_kib) for s in samples]
    )
    return line.slope


def grown(samples: Sequence[Held]) -> tuple[str, ...]:
    """What grew past the warm-up; empty when nothing did."""
    steady = [s for s in samples if s.hands >= WARM_UP]
    if len(steady) < 3:
        return (f"too few hands to tell: play {WARM_UP} and some hundred more",)
    found = []
    if (rate := slope(steady)) > MOST_KIB_A_HAND:
        found.append(f"memory grows by {rate:.1f} KiB a hand")
    for name in ("descriptors", "threads", "tasks"):
        counts = [getattr(s, name) for s in steady]
        if counts[-1] > counts[0] + MOST_MORE:
            found.append(f"{name}: {counts[0]} at hand {steady[0].hands}, {counts[-1]} at the end")
    return tuple(found)


def scraped(port: int) -> dict[str, float]:
    """The numbers for Prometheus, without labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    plain = [line.rsplit(" ", 1) for line in lines if line.startswith("cutcard_")]
    return {name.split("{")[0]: float(value) for name, value in plain}


async def films(hands: int, seed: int) -> int:
    """Play hands with rendered pictures through the recogniser; how many went wrong."""
    return sum([not r.is_good async for r in play(DemoOptions(hands=hands, seed=seed))])


def browse(stack: AsyncExitStack, folder: Path, address: str, pages: Sequence[str]) -> None:
    """A browser for each page, which follows it until the end."""
    for page in pages:
        name = page.strip("/")
        home = folder / f"browser-{name or 'dealer'}"
        # A remote port is what keeps a headless browser open; nobody uses it.
        browser = subprocess.Popen(
            [
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu"),
                *(f"--user-data-dir={home}", "--remote-debugging-port=0", f"{address}{name}"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        stack.callback(browser.wait)
        stack.callback(browser.terminate)


async def play_long(given: argparse.Namespace, folder: Path) -> tuple[list[Held], list[str]]:
    """Play, sample, and say which hands went wrong."""
    path, metrics, broker = folder / "long.journal", free_port(), free_port()
    options = DemoOptions(seed=given.seed, journal=path, port=free_port())
    config = TableConfig(
        table=TableSection(name="demo", seats=options.seats),
        mqtt=MqttSection(url=f"mqtt://127.0.0.1:{broker}", table="long"),
        metrics=MetricsSection(port=metrics),
    )
    samples: list[Held] = []
    wrong: list[str] = []
    async with AsyncExitStack() as stack:
        mosquitto = start_broker(folder, broker)
        stack.callback(mosquitto.wait)
        stack.callback(mosquitto.kill)
        table = await stack.enter_async_context(LongTable(options, load_rulebook("ck")))
        give_out(stack, table.table, table.journal, config, table.shuffler, table.felt)
        if given.pages:
            follow = functools.partial(browse, stack, folder, pages=given.pages)
            await stack.enter_async_context(DemoPage(table.table, options, follow))
        began_s = time.monotonic()
        for number in range(1, given.hands + 1):
            report = await table.play_hand(number)
            table.now_ms = max(table.now_ms, number * HAND_MS)
            if not report.is_good:
                wrong.append(f"hand {number}: {report}")
                print(wrong[-1], file=sys.stderr)
            table.sweep()
            if table.table.state.street is not Street.BETWEEN:
                wrong.append(f"hand {number} does not end")
                break
            if number % given.every == 0 or number == 1:
                waiting = await until_sent(metrics)
                samples.append(held(number, table, path, waiting, time.monotonic() - began_s))
                print(json.dumps(asdict(samples[-1])), flush=True)
        waiting = await until_sent(metrics)
        samples.append(held(number, table, path, waiting, time.monotonic() - began_s))
    return samples, wrong


async def until_sent(port: int) -> float:
    """Give the broker time; the records that it has not acknowledged even then."""
    for _ in range(PATIENCE):
        waiting = (await asyncio.to_thread(scraped, port))["cutcard_outbox_records"]
        if not waiting:
            break
        await asyncio.sleep(0.5)
    return waiting


def verdict(samples: list[Held], wrong: list[str]) -> dict[str, object]:
    """What came of it."""
    steady = [s for s in samples if s.hands >= WARM_UP]
    last = samples[-1]
    found = [*grown(samples), *(line for line in wrong if line.endswith("does not end"))]
    if last.waiting:
        found.append(f"{last.waiting:.0f} records were not delivered")
    return {
        "hands": last.hands,
        "table_hours": round(last.hands * HAND_MS / 3_600_000, 1),
        "took_s": last.took_s,
        "rss_kib_a_hand": round(slope(steady), 2) if len(steady) > 1 else None,
        "blocks_a_hand": _rate(steady, "blocks", 1),
        "journal_bytes_a_hand": _rate(steady, "journal_kib", 1024),
        "wrong_hands": len(wrong),
        "found": found,
    }


def _rate(steady: Sequence[Held], what: str, unit: int) -> float | None:
    """Growth per hand from the first steady sample to the last."""
    if len(steady) < 2:
        return None
    first, last = steady[0], steady[-1]
    more: float = getattr(last, what) - getattr(first, what)
    return round(unit * more / (last.hands - first.hands), 1)


def main() -> int:
    """Parse, play, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=960)
    parser.add_argument("--rendered", type=int, default=20, help="hands with pictures before")
    parser.add_argument("--every", type=int, default=40, help="hands between two samples")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", nargs="*", default=["/", "/floor"], help="followed by a browser")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cutcard-long-") as folder:
        filmed_wrong = asyncio.run(films(given.rendered, given.seed)) if given.rendered else 0
        samples, wrong = asyncio.run(play_long(given, Path(folder)))
    found = verdict(samples, wrong) | {"rendered": given.rendered, "rendered_wrong": filmed_wrong}
    print(json.dumps(found))
    return 1 if found["found"] or filmed_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
