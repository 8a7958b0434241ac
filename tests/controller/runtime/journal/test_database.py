"""Several threads use one journal's database, and none is in another's transaction."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine

from controller.runtime.journal import Journal
from controller.runtime.journal.database import connect
from controller.runtime.journal.location import Location
from tests.controller.runtime.journal.places import EVENTS, Place, ruling

THREADS = 12
"""More than the five connections that SQLAlchemy keeps for a database in memory."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = connect(Location.of(tmp_path / "t.journal"), read_only=False)
    yield engine
    engine.dispose()


def test_no_two_threads_hold_the_same_connection(engine: Engine) -> None:
    all_hold_one = threading.Barrier(THREADS)

    def hold(_: int) -> int:
        with engine.connect() as connection:
            all_hold_one.wait(timeout=30)
            assert connection.exec_driver_sql("SELECT 1").scalar() == 1  # nobody closed it
            all_hold_one.wait(timeout=30)
            return id(connection.connection.dbapi_connection)

    with ThreadPoolExecutor(THREADS) as threads:
        held = set(threads.map(hold, range(THREADS)))

    assert len(held) == THREADS


def test_a_second_connection_of_a_thread_is_not_in_the_transaction_of_the_first(
    engine: Engine,
) -> None:
    with engine.begin() as first, engine.connect() as second:
        first.exec_driver_sql("CREATE TABLE t (n INTEGER)")

        assert second.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0


def write_and_read(journal: Journal, worker: int) -> None:
    for n in range(10):
        seq = journal.append(EVENTS[n % len(EVENTS)], hand=1)
        if n % 3 == 0:
            journal.record(seq, (ruling(seq),))
        reading = journal.records()
        next(reading)
        assert sum(1 for _ in journal.read()) >= n + 1
        assert journal.head() is not None
        next(reading)  # a reader that stopped half-way disturbs nobody


def test_many_threads_write_and_read_one_journal(place: Place) -> None:
    with closing(place.open()) as journal, ThreadPoolExecutor(THREADS) as threads:
        done = [threads.submit(write_and_read, journal, worker) for worker in range(THREADS)]
        for future in done:
            future.result()

    with closing(place.read()) as again:
        events = [entry.seq for entry in again.read()]
        numbers = [record.seq for record in again.records()]
    assert events == list(range(1, THREADS * 10 + 1))
    assert numbers == list(range(1, len(numbers) + 1))
