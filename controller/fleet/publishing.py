"""Tells a broker what happens at a table, and goes on trying while there is none.

The table never waits for it: what could not be sent lies in the journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Final

import msgspec
from aiomqtt import Client, MqttError, ProtocolVersion, Will

from controller.fleet.broker import Broker
from controller.fleet.messages import (
    RecordMessage,
    ResendMessage,
    StateMessage,
    StatusMessage,
    encoded,
)
from controller.fleet.outbox import WINDOW, Outbox
from controller.fleet.topics import Topics
from controller.runtime.errors import JournalError
from controller.view import Surroundings

_LOGGER = logging.getLogger(__name__)

AT_LEAST_ONCE: Final = 1
"""MQTT's quality of service (MQTT 5.0, section 4.3.2)."""

KEEPALIVE_S: Final = 15
"""The broker speaks the last will after half as much again without a sign of life."""

FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 15.0
"""Between attempts to reach the broker: each wait is twice the one before."""

ANSWER_S: Final = 5.0
"""Patience with a broker that is only asked whether it is there."""

GOODBYE_S: Final = 2.0
"""How long the end of the program may wait for the broker to take the last word."""


class Publisher:
    """Sends a table's records in order, each at least once, and its state.

    Args:
        table: The table's name in topics.
        outbox: What is to be sent.
        broker: Where to.
        around: Name and devices of the table now.
    """

    def __init__(
        self, table: str, outbox: Outbox, broker: Broker, around: Callable[[], Surroundings]
    ) -> None:
        self._table, self._topics = table, Topics(table)
        self._outbox, self._broker, self._around = outbox, broker, around
        self._wake = asyncio.Event()
        self._said: StateMessage | None = None
        self._again_from = 0
        self.is_connected = False
        self.connections = 0

    @property
    def outbox(self) -> Outbox:
        """What is still to be sent."""
        return self._outbox

    def wake(self) -> None:
        """Something has happened at the table."""
        self._wake.set()

    async def run(self) -> None:
        """Send until cancelled; a broker that is away is tried again for ever."""
        wait_s = FIRST_WAIT_S
        while True:
            try:
                async with self._client() as client:
                    wait_s = FIRST_WAIT_S
                    await self._serve(client)
            except (MqttError, JournalError, OSError) as error:
                _LOGGER.warning("broker %s: %s; trying again", self._broker.shown, error)
            finally:
                self.is_connected = False
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def _client(self) -> Client:
        broker = self._broker
        client = Client(
            broker.host,
            broker.port,
            username=broker.user or None,
            password=broker.password or None,
            identifier=f"cutcard-table-{self._table}",
            protocol=ProtocolVersion.V5,
            clean_start=True,
            keepalive=KEEPALIVE_S,
            tls_context=broker.tls,
            max_inflight_messages=WINDOW,
            will=Will(self._topics.status, self._status(is_online=False), AT_LEAST_ONCE, True),
        )
        client.pending_calls_threshold = 2 * WINDOW
        return client

    async def _serve(self, client: Client) -> None:
        await client.subscribe(self._topics.resend, qos=AT_LEAST_ONCE)
        await self._retain(client, self._topics.status, self._status(is_online=True))
        self.is_connected, self._said = True, None
        self.connections += 1
        asked = asyncio.create_task(self._hear(client))
        try:
            while not asked.done():
                self._wake.clear()
                await self._drain(client)
                await self._tell_state(client)
                await self._until_woken(asked)
            asked.result()
        except asyncio.CancelledError:
            with suppress(MqttError):
                offline = self._status(is_online=False)
                await self._retain(client, self._topics.status, offline, GOODBYE_S)
            raise
        finally:
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)

    async def _drain(self, client: Client) -> None:
        while messages := await asyncio.to_thread(self._next):
            await self._send(client, messages)
            await asyncio.to_thread(self._outbox.acknowledge, messages[-1].seq)

    def _next(self) -> tuple[RecordMessage, ...]:
        if self._again_from:
            self._outbox.send_again(self._again_from)
            self._again_from, self._said = 0, None
        return self._outbox.pending()

    async def _send(self, client: Client, messages: Sequence[RecordMessage]) -> None:
        """Send a few at once, in order; returns when the broker has acknowledged all of them."""
        sent = [
            client.publish(self._topics.record(m.type), encoded(m), qos=AT_LEAST_ONCE)
            for m in messages
        ]
        for outcome in await asyncio.gather(*sent, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    async def _tell_state(self, client: Client) -> None:
        position = self._outbox.position
        state = self._outbox.narrator.state(self._around(), position.seq, position.id)
        if state != self._said:
            await self._retain(client, self._topics.state, encoded(state))
            self._said = state

    async def _until_woken(self, asked: asyncio.Task[None]) -> None:
        _verify_wanted()
        woken = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait((woken, asked), return_when=asyncio.FIRST_COMPLETED)
        finally:
            woken.cancel()

    async def _hear(self, client: Client) -> None:
        """Take requests to send records again; ends with an error when the line is lost."""
        async for message in client.messages:
            wanted = read_request(message.payload)
            if wanted is None:
                continue
            self._again_from = min(wanted.first, self._again_from or wanted.first)
            self._wake.set()

    async def _retain(
        self, client: Client, topic: str, payload: bytes, timeout_s: float | None = None
    ) -> None:
        await client.publish(topic, payload, qos=AT_LEAST_ONCE, retain=True, timeout=timeout_s)

    def _status(self, *, is_online: bool) -> bytes:
        return encoded(
            StatusMessage(table=self._table, is_online=is_online, program=version("cutcard"))
        )


def _verify_wanted() -> None:
    """End here if somebody has cancelled us and the client library has swallowed it.

    It waits by ``asyncio.wait_for``, which until Python 3.12 gives the answer and forgets
    the cancellation when both come at the same moment (CPython issue 86296).
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def read_request(payload: object) -> ResendMessage | None:
    """A request to send records again; None for one that cannot be read."""
    try:
        return msgspec.json.decode(
            payload if isinstance(payload, bytes) else b"", type=ResendMessage
        )
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _LOGGER.warning("a request to send again cannot be read: %s", error)
        return None


async def answer_of(broker: Broker) -> str:
    """What is wrong with the broker; empty when it takes us in. Disturbs no table."""
    client = Client(
        broker.host,
        broker.port,
        username=broker.user or None,
        password=broker.password or None,
        protocol=ProtocolVersion.V5,
        tls_context=broker.tls,
        timeout=ANSWER_S,
    )
    try:
        async with client:
            return ""
    except MqttError as error:
        return str(error)
