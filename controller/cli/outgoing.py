"""What a running table gives to others: messages to a broker, numbers to Prometheus."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from controller.fleet import (
    Broker,
    Instruments,
    Line,
    Outbox,
    PositionFile,
    Publisher,
    Sources,
    serve_metrics,
)
from controller.runtime import Journal, Table, TableConfig
from controller.runtime.camera import Feed
from firmware_bridge import Shuffler


def give_out(
    stack: AsyncExitStack,
    table: Table,
    journal: Journal,
    config: TableConfig,
    shuffler: Shuffler | None = None,
    camera: Feed | None = None,
) -> None:
    """Send and serve what the table file asks for, until the stack is left.

    Raises:
        FleetError: The broker is named wrongly, or the metrics cannot be served.
        JournalError: The journal cannot be read.
    """
    sending = sender(table, journal, config) if config.has_broker else None
    if config.metrics.port:
        sources = _sources(table, shuffler, camera, sending)
        instruments = Instruments(config.table.name, journal, sources)
        stack.callback(serve_metrics(instruments, config.metrics.port))
    if sending is not None:
        stack.push_async_callback(_end, asyncio.create_task(sending.run(), name="mqtt"))


def sender(table: Table, journal: Journal, config: TableConfig) -> Publisher:
    """What tells the broker that the table file names of all that happens at a table.

    Raises:
        BrokerError: The broker cannot be used as it is named.
        JournalError: The journal cannot be read.
    """
    broker, name = Broker.of(config.mqtt), config.mqtt.table
    outbox = Outbox(name, table.book, journal, PositionFile.of(journal), table.past.present)
    sending = Publisher(name, outbox, broker, table.around)
    table.subscribe(sending.wake)
    return sending


def _sources(
    table: Table, shuffler: Shuffler | None, camera: Feed | None, sending: Publisher | None
) -> Sources:
    def line() -> Line:
        cost = shuffler.counters if shuffler else None
        return Line(cost.sends, cost.commands, cost.noise.total) if cost else Line()

    return Sources(
        devices=lambda: dict(table.around().devices),
        line=line,
        camera_age_s=lambda: camera.age_s if camera else None,
        waiting=lambda: sending.outbox.waiting() if sending else None,
    )


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
