"""A small house: tables without devices and pages, and a pit, at a real broker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from sqlalchemy import select

from controller.events import TableEvent
from controller.fleet import Broker, Listener, Outbox, PitStore, PositionFile, Publisher
from controller.fleet.store import RECORDS
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.runtime.config import MqttSection
from controller.runtime.journal import Journal
from controller.table import TableState
from controller.view import Surroundings
from tests.mosquitto import Mosquitto

CK = load_rulebook("ck")
EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "exposed.jsonl"
HAND: tuple[TableEvent, ...] = tuple(
    msgspec.json.decode(line, type=TableEvent) for line in EXAMPLE.read_bytes().splitlines()
)
"""A hand in which a card is exposed in the deal, which brings a ruling."""

PATIENCE_S = 60.0


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that other threads and processes bring about."""
    looked, ends_s = threading.Event(), time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends_s, f"never came: {what}"
        looked.wait(0.02)


def broker_at(mosquitto: Mosquitto, **more: str) -> Broker:
    return Broker.of(MqttSection(url=mosquitto.url, **more))


@dataclass
class SimulatedTable:
    """A journal that events are written to, as a running table does."""

    name: str
    journal: Journal
    state: TableState = field(default_factory=lambda: new_table(CK))

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, name: str) -> Iterator[SimulatedTable]:
        journal = Journal.open(folder / f"{name}.journal", table_id=name, rulebook="ck")
        try:
            yield cls(name, journal)
        finally:
            journal.close()

    def happen(self, *events: TableEvent) -> None:
        for event in events:
            outcome = advance(self.state, event, CK)
            seq = self.journal.append(event, hand=outcome.state.hand)
            self.journal.record(seq, outcome.rulings)
            self.state = outcome.state

    def outbox(self) -> Outbox:
        return Outbox(self.name, CK, self.journal, PositionFile.of(self.journal))

    def around(self) -> Surroundings:
        return Surroundings(name=self.name.upper(), seats=10, devices={"shuffler": "ready"})

    def publisher(self, broker: Broker) -> Publisher:
        return Publisher(self.name, self.outbox(), broker, self.around)

    def ids(self) -> list[str]:
        """The hashes of all records in order."""
        return [record.hash.hex() for record in self.journal.records()]


class Pit:
    """A store, and while it listens a thread."""

    def __init__(self, database: str) -> None:
        self.store = PitStore.open(database, lambda: time.time_ns() // 1_000_000)
        self.said: list[str] = []
        self.listener: Listener | None = None
        self._thread: threading.Thread | None = None

    def listen(self, broker: Broker) -> None:
        self.listener = Listener(broker, self.store, told=self.said.append)
        self._thread = threading.Thread(target=self.listener.run)
        self._thread.start()

    def leave(self) -> None:
        if self.listener is not None and self._thread is not None:
            self.listener.stop()
            self._thread.join()
            self.listener = self._thread = None

    def close(self) -> None:
        self.leave()
        self.store.close()

    def ids(self, table: str) -> list[str]:
        """The ids held of a table, in the order in which they were stored."""
        query = select(RECORDS.c.id).where(RECORDS.c.table_id == table).order_by(RECORDS.c.seq)
        with self.store.reading() as connection:
            return [str(id_) for id_ in connection.scalars(query)]

    def online(self, table: str) -> bool | None:
        return next((t.is_online for t in self.store.tables() if t.table == table), None)
