"""Kill a running table at random instants and see that the same hand goes on.

A table under the real rules is given the events of hands with mistakes, one straight
after the other, and says after each what it holds: the events and the open steps. It
is killed (SIGKILL) at a random instant: while it opens the journal, takes the hand up,
writes, or decides. Then the journal is opened as after a power cut. Checked each time:

* every event that was acknowledged is there, in order, byte for byte, and at most the
  one that was being written besides;
* the table that is started again stands in the same hand with the same open steps;
* the chain and its signatures are whole (once per journal).

Usage: scripts/kill_test.py [--runs 200] [--seed 1]. The last line is JSON; exit code 1
when something was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from controller.events import HandStarted, TableEvent
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import advance, new_table, next_steps
from controller.runtime import Journal, Table, TableConfig, replay
from controller.runtime.config import TableSection
from controller.runtime.journal.keys import load_public_keys
from controller.runtime.journal.location import Location
from controller.runtime.journal.verifying import verify
from controller.simulate.hand import Hand
from controller.simulate.mistakes import plan_hand
from controller.table import TableState

HANDS = 200
"""Hands that a table can be given; no journal of the test gets through them."""

RUNS_PER_JOURNAL = 20
"""Then a new one is begun, so that kills also fall on the making of journal and keys."""

LONGEST_S = 0.5
"""Latest kill after the start: a table takes about a hundred events in that time."""


@dataclass
class Tally:
    """What the runs showed; ``events``, ``rulings`` and ``open_rulings`` are sums over the runs."""

    runs: int = 0
    events: int = 0
    rulings: int = 0
    open_rulings: int = 0
    while_opening: int = 0
    while_writing: int = 0
    lost: int = 0
    other_hand: int = 0
    broken_chains: int = 0

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost and every hand went on."""
        return not (self.lost or self.other_hand or self.broken_chains)


class Said(msgspec.Struct, frozen=True):
    """What a table says after an event: how many it holds, and its state's digest."""

    events: int
    state: str


def stream(seed: int, book: Rulebook) -> tuple[TableEvent, ...]:
    """The events of hands with mistakes, one after the other."""
    rng, state = random.Random(seed), new_table(book)
    events: list[TableEvent] = []
    seats = tuple(range(1, 7))
    for number in range(1, HANDS + 1):
        hand = Hand(plan_hand(rng, len(seats)), seats, state, book, rng)
        hand.play(number)
        state = hand.state
        events.extend(hand.events)
    return tuple(events)


def config() -> TableConfig:
    """A table without devices."""
    return TableConfig(table=TableSection(name="Killed"))


def state_of(state: TableState, book: Rulebook) -> str:
    """A digest of the hand and of every step that is asked for or open."""
    content = msgspec.msgpack.encode((state, next_steps(state, book)))
    return hashlib.sha256(content).hexdigest()


def decided(journal: Journal, book: Rulebook) -> str:
    """The state that the recorded events lead to, decided by the rules alone."""
    state = new_table(book)
    for entry in journal.read():
        state = advance(state, entry.event, book).state
    return state_of(state, book)


def play(path: Path, events: Sequence[TableEvent], book: Rulebook, out: int) -> None:
    """What the child does until it is killed: take events, say after each what it holds."""

    async def run() -> None:
        journal = Journal.open(path, table_id="Killed", rulebook=book.name)
        table = Table(config(), book, journal)
        running = asyncio.create_task(table.run())
        os.write(out, _line(Said(journal.last_seq, state_of(table.state, book))))
        for event in events[journal.last_seq :]:
            await table.tap(event)
            os.write(out, _line(Said(journal.last_seq, state_of(table.state, book))))
        await table.stop()
        await running

    asyncio.run(run())


def _line(said: Said) -> bytes:
    return msgspec.json.encode(said) + b"\n"


def run_and_kill(
    path: Path, events: Sequence[TableEvent], book: Rulebook, after_s: float
) -> tuple[Said, ...]:
    """Let a table play in a process of its own, kill it, and return what it had said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            play(path, events, book, writing)
        finally:
            os._exit(1)
    os.close(writing)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        raise SystemExit("the table ended by itself before it was killed; see its message above")
    with os.fdopen(reading, "rb") as said:
        # A line cut off by the kill was not said: a write to a pipe this short is whole.
        return tuple(msgspec.json.decode(line, type=Said) for line in said)


def check(
    path: Path, events: Sequence[TableEvent], book: Rulebook, said: tuple[Said, ...]
) -> Tally:
    """Open the journal as after a power cut and hold it against what was said."""
    tally = Tally(runs=1, while_opening=not said)
    with closing(Journal.open(path, table_id="Killed", rulebook=book.name)) as journal:
        kept = [untimed(entry.event) for entry in journal.read()]
        acknowledged = said[-1].events if said else 0
        tally.lost = not (
            kept == [untimed(event) for event in events[: len(kept)]]
            and (not said or acknowledged <= len(kept) <= acknowledged + 1)
        )
        again = Table(config(), book, journal)
        tally.while_writing = bool(said) and len(kept) == acknowledged + 1
        tally.events, tally.open_rulings = len(kept), len(again.state.open)
        wanted = said[-1].state if said and not tally.while_writing else decided(journal, book)
        tally.other_hand = state_of(again.state, book) != wanted
        tally.rulings = len(journal.rulings())
    return tally


def untimed(event: TableEvent) -> TableEvent:
    """An event without its time and day, which the table's own clock gives."""
    event = msgspec.structs.replace(event, at_ms=0)
    return msgspec.structs.replace(event, date="") if isinstance(event, HandStarted) else event


def is_whole(path: Path, book: Rulebook) -> bool:
    """Whether chain and signatures are whole and every ruling comes out again."""
    keys = load_public_keys([Location.of(path).keys("").public])
    with closing(Journal.open(path, read_only=True)) as journal:
        return verify(path, keys).is_whole and replay(journal, book).is_same


def kill_many(runs: int, seed: int, folder: Path) -> Tally:
    """Kill a table many times.

    Args:
        runs: How often.
        seed: Of the events and of the instants.
        folder: For the journals.
    """
    book, rng, total = load_rulebook("ck"), random.Random(seed), Tally()
    events = stream(seed, book)
    for run in range(runs):
        path = folder / f"{run // RUNS_PER_JOURNAL}.journal"
        said = run_and_kill(path, events, book, rng.uniform(0, LONGEST_S))
        seen = check(path, events, book, said)
        for name, count in asdict(seen).items():
            setattr(total, name, getattr(total, name) + int(count))
        if (run + 1) % RUNS_PER_JOURNAL == 0 or run + 1 == runs:
            total.broken_chains += not is_whole(path, book)
            print(f"{run + 1} of {runs} kills", file=sys.stderr)
    return total


def main() -> int:
    """Run the test and print what it showed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cutcard-kill-") as folder:
        total = kill_many(given.runs, given.seed, Path(folder))
    print(json.dumps(asdict(total)))
    return 0 if total.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
