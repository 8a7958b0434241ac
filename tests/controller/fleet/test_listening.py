"""Table, broker and pit together: whatever fails between them, each record is there once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
from aiomqtt import Client

from controller.fleet import Broker, Publisher
from controller.fleet.listening import read
from controller.fleet.messages import StatusMessage
from controller.fleet.store import Message, Taken
from tests.controller.fleet.house import HAND, Pit, SimulatedTable, broker_at, until
from tests.mosquitto import Mosquitto
from tests.postgres import Server


@asynccontextmanager
async def sending(table: SimulatedTable, broker: Broker) -> AsyncIterator[Publisher]:
    publisher = table.publisher(broker)
    task = asyncio.create_task(publisher.run())
    try:
        yield publisher
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def arrived(pit: Pit, table: SimulatedTable) -> None:
    wanted = table.ids()
    await asyncio.to_thread(until, lambda: pit.ids(table.name) == wanted, "every record")


async def test_everything_that_happens_arrives_once_and_in_order(
    mosquitto: Mosquitto, table: SimulatedTable, pit: Pit
) -> None:
    broker = broker_at(mosquitto)
    pit.listen(broker)
    async with sending(table, broker) as publisher:
        for event in HAND:
            await asyncio.to_thread(table.happen, event)
            publisher.wake()
        await arrived(pit, table)

        empty = "the acknowledgements"
        await asyncio.to_thread(until, lambda: publisher.outbox.waiting() == 0, empty)
        await asyncio.to_thread(until, lambda: pit.online("t1") is True, "its first word")
    await asyncio.to_thread(until, lambda: pit.online("t1") is False, "the last word")


async def test_a_broker_that_is_killed_twice_loses_nothing_and_doubles_nothing(
    mosquitto: Mosquitto, table: SimulatedTable, pit: Pit
) -> None:
    broker = broker_at(mosquitto)
    pit.listen(broker)
    async with sending(table, broker) as publisher:
        for _ in range(2):
            await asyncio.to_thread(table.happen, *HAND)
            publisher.wake()
            await asyncio.to_thread(until, lambda: bool(pit.ids("t1")), "the first records")
            mosquitto.kill()
            await asyncio.to_thread(table.happen, *HAND)  # the table plays on alone
            publisher.wake()
            await asyncio.to_thread(mosquitto.start)
        await arrived(pit, table)


async def test_a_pit_that_comes_late_asks_for_all_that_was_before(
    mosquitto: Mosquitto, table: SimulatedTable, pit: Pit
) -> None:
    broker = broker_at(mosquitto)
    table.happen(*HAND)
    async with sending(table, broker) as publisher:
        await asyncio.to_thread(until, lambda: publisher.outbox.waiting() == 0, "the sending")
        pit.listen(broker)
        await arrived(pit, table)


class Cut(Publisher):
    """A publisher whose cable can be pulled."""

    line: Client

    def _client(self) -> Client:
        self.line = super()._client()
        return self.line

    def cut(self) -> None:
        self.line._client.socket().shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]


async def test_a_table_whose_line_is_cut_is_called_away_and_comes_back(
    mosquitto: Mosquitto, table: SimulatedTable, pit: Pit
) -> None:
    heard: list[bool] = []
    take = pit.store.take

    def taking(messages: Sequence[Message]) -> Taken:
        heard.extend(m.is_online for m in messages if isinstance(m, StatusMessage))
        return take(messages)

    pit.store.take = taking  # type: ignore[method-assign]
    broker = broker_at(mosquitto)
    pit.listen(broker)
    publisher = Cut("t1", table.outbox(), broker, table.around)
    task = asyncio.create_task(publisher.run())
    await asyncio.to_thread(until, lambda: heard == [True], "the table")
    publisher.cut()
    await asyncio.to_thread(until, lambda: len(heard) > 2 and heard[-1], "its coming back")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert heard[1] is False


class Forgetful(Publisher):
    """A publisher whose client library swallows a cancellation, as on Python 3.11."""

    async def _retain(
        self, client: Client, topic: str, payload: bytes, timeout_s: float | None = None
    ) -> None:
        await super()._retain(client, topic, payload, timeout_s)
        task = asyncio.current_task()
        if task is not None and not task.cancelling():
            task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0)


async def test_a_cancellation_that_is_swallowed_ends_the_sending_all_the_same(
    mosquitto: Mosquitto, table: SimulatedTable
) -> None:
    publisher = Forgetful("t1", table.outbox(), broker_at(mosquitto), table.around)

    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await asyncio.create_task(publisher.run())


def test_a_message_that_is_none_is_passed_over() -> None:
    assert read("cutcard/v1/t1/fact", b"\xff{") is None
    assert read("cutcard/v1/t1/status", b'{"table":"t2","is_online":true}') is None
    assert read("elsewhere", b"{}") is None


async def test_a_database_that_is_restarted_in_between_loses_nothing(
    mosquitto: Mosquitto, table: SimulatedTable, postgres: Server
) -> None:
    pit, broker = Pit(postgres.database()), broker_at(mosquitto)
    pit.listen(broker)
    async with sending(table, broker) as publisher:
        await asyncio.to_thread(table.happen, *HAND)
        publisher.wake()
        await arrived(pit, table)
        await asyncio.to_thread(postgres.stop)
        await asyncio.to_thread(table.happen, *HAND)
        publisher.wake()
        away = "cannot be reached"
        await asyncio.to_thread(until, lambda: any(away in s for s in pit.said), "the complaint")
        await asyncio.to_thread(postgres.start)
        await arrived(pit, table)
    await asyncio.to_thread(pit.close)
