"""Many simulated tables at one broker and one pit: does every record arrive once, and how late.

Usage: python scripts/measure_fleet.py --tables 50 --seconds 30 --rate 0.5 [--kill-broker]
           [--database postgresql://...] [--workers 2]

Every table keeps a real journal, with each event on disk before it is sent; the pit is a
process of its own (``cutcard pit listen``). Afterwards each journal is compared with what the
pit holds, record by record. The lag is from the journal's clock to the pit's transaction, on
the same computer's clock. Prints one line of JSON; exit code 1 when anything is missing,
doubled or out of order. It needs Mosquitto.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from multiprocessing.synchronize import Event as EventType
from pathlib import Path

import msgspec
from sqlalchemy import select

from controller.events import TableEvent
from controller.fleet import Broker, Outbox, PitStore, PositionFile, Publisher
from controller.fleet.store import RECORDS
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.runtime import Journal
from controller.runtime.config import MqttSection
from controller.runtime.errors import JournalError
from controller.view import Surroundings

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "exposed_remedied.jsonl"
PATIENCE_S = 420.0
"""For all tables to play and the pit to have everything; then what is missing is missing."""


def events() -> tuple[TableEvent, ...]:
    """A hand with an irregularity and its remedy, played over and over."""
    decoder = msgspec.json.Decoder(TableEvent)
    return tuple(decoder.decode(line) for line in EXAMPLE.read_bytes().splitlines())


async def play(name: str, folder: Path, url: str, options: argparse.Namespace) -> None:
    """One table: an event now and then, each written and then sent; it stays until cancelled."""
    book = load_rulebook("ck")
    path = folder / f"{name}.journal"
    journal = await asyncio.to_thread(Journal.open, path, table_id=name, rulebook="ck")
    outbox = Outbox(name, book, journal, PositionFile.of(journal))
    around = Surroundings(name=name, seats=10, devices={"shuffler": "ready"})
    publisher = Publisher(name, outbox, Broker.of(MqttSection(url=url)), lambda: around)
    sending = asyncio.create_task(publisher.run())
    rng, state, hand = random.Random(name), new_table(book), events()
    for n in range(round(options.seconds * options.rate)):
        await asyncio.sleep(rng.expovariate(options.rate) if n else rng.random() / options.rate)
        event = hand[n % len(hand)]
        outcome = advance(state, event, book)
        seq = await asyncio.to_thread(journal.append, event, hand=outcome.state.hand)
        await asyncio.to_thread(journal.record, seq, outcome.rulings)
        state = outcome.state
        publisher.wake()
    await sending


def work(
    names: list[str], folder: Path, url: str, options: argparse.Namespace, over: EventType
) -> None:
    """A process with a share of the tables, until the pit has everything or was given up."""

    async def all_of_them() -> None:
        tables = [asyncio.create_task(play(name, folder, url, options)) for name in names]
        await asyncio.to_thread(over.wait)
        for table in tables:
            table.cancel()
        await asyncio.gather(*tables, return_exceptions=True)

    asyncio.run(all_of_them())


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_broker(folder: Path, port: int) -> subprocess.Popen[bytes]:
    """Mosquitto as it is set up by default, but for port and place."""
    program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        sys.exit("measure_fleet: Mosquitto is missing; apt-get install mosquitto")
    lines = [f"listener {port} 127.0.0.1", "allow_anonymous true", "persistence true"]
    lines += [f"persistence_location {folder}/", *(["user root"] if os.geteuid() == 0 else [])]
    file = folder / "mosquitto.conf"
    file.write_text("\n".join(lines) + "\n")
    return subprocess.Popen(
        [program, "-c", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def has_played(folder: Path, names: list[str], least: int) -> bool:
    """Whether every table has written so many records."""
    for name in names:
        try:
            journal = Journal.open(folder / f"{name}.journal", read_only=True)
        except JournalError:
            return False  # it is being made
        with closing(journal):
            if journal.end() < least:
                return False
    return True


def compared(folder: Path, names: list[str], store: PitStore) -> tuple[int, int]:
    """Records of all journals, and tables at which the pit's differ from them."""
    total = wrong = 0
    for name in names:
        if not (folder / f"{name}.journal").is_file():
            wrong += 1
            continue
        journal = Journal.open(folder / f"{name}.journal", read_only=True)
        written = [record.hash.hex() for record in journal.records()]
        journal.close()
        query = select(RECORDS.c.id).where(RECORDS.c.table_id == name).order_by(RECORDS.c.seq)
        with store.reading() as connection:
            held = list(connection.scalars(query))
        total += len(written)
        wrong += held != written
    return total, wrong


def wait_for_all(folder: Path, names: list[str], store: PitStore, least: int) -> None:
    """Until all tables have played and the pit has what they wrote."""
    ends_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_s:
        time.sleep(5.0)
        if has_played(folder, names, least) and not compared(folder, names, store)[1]:
            return


def measure(options: argparse.Namespace, folder: Path, stack: ExitStack) -> dict[str, object]:
    """Run broker, pit and tables, and count."""
    port, database = free_port(), options.database or str(folder / "pit.db")
    url, names = f"mqtt://127.0.0.1:{port}", [f"t{n}" for n in range(1, options.tables + 1)]
    broker = start_broker(folder, port)
    command = [sys.executable, "-m", "controller.cli", "pit", "listen"]
    pit = subprocess.Popen([*command, "--broker", url, "--database", database])
    stack.callback(pit.wait)
    stack.callback(pit.terminate)
    over = multiprocessing.Event()
    shares = [names[n :: options.workers] for n in range(options.workers)]
    workers = [
        multiprocessing.Process(target=work, args=(share, folder, url, options, over), daemon=True)
        for share in shares
    ]
    began_s = time.monotonic()
    for worker in workers:
        worker.start()
    if options.kill_broker:
        while not has_played(folder, names, 3):
            time.sleep(1.0)
        broker.kill()
        broker.wait()
        broker = start_broker(folder, port)
    stack.callback(broker.wait)
    stack.callback(broker.kill)
    store = PitStore.open(database, lambda: 0)
    stack.callback(store.close)
    wait_for_all(folder, names, store, 1 + round(options.seconds * options.rate))
    over.set()
    for worker in workers:
        worker.join()
    total, wrong = compared(folder, names, store)
    lags = store.lags_ms()
    return {
        "tables": options.tables,
        "records": total,
        "held": len(lags),
        "tables_that_differ": wrong,
        "took_s": round(time.monotonic() - began_s, 1),
        "lag_ms": {p: lags[min(len(lags) - 1, len(lags) * p // 100)] for p in (50, 90, 99, 100)},
    }


def main() -> int:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=0.5, help="events a second and table")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database", default="")
    parser.add_argument("--kill-broker", action="store_true", help="in the middle, with SIGKILL")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="cutcard-fleet-"))
    try:
        with ExitStack() as stack:
            found = measure(options, folder, stack)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(found))
    return 1 if found["tables_that_differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
