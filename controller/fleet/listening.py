"""The pit's ear: takes from the broker, stores, and only then acknowledges.

A message is acknowledged once it is in the database. What a broker, a line or a database
lost on the way is missed by the record that follows, and asked for again.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import msgspec
from paho.mqtt.client import Client, ConnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.fleet.broker import Broker
from controller.fleet.errors import PitDatabaseError
from controller.fleet.messages import (
    RecordMessage,
    ResendMessage,
    StateMessage,
    StatusMessage,
    encoded,
)
from controller.fleet.receiving import Requests, Tip
from controller.fleet.store import Message, PitStore
from controller.fleet.topics import PIT_SUBSCRIPTIONS, RECORD_WORDS, Topics, parsed

_LOGGER = logging.getLogger(__name__)

BATCH: Final = 500
"""Messages stored in one transaction at most."""

QUIET_S: Final = 0.2
"""How long the store waits for a message before it looks whether to stop."""

DATABASE_WAIT_S: Final = 2.0
"""Before a database that failed is tried again; the broker keeps what comes meanwhile."""

UNDER_WAY: Final = 1000
"""Messages that the broker may send before the first is acknowledged (MQTT 5.0, 3.1.2.11.3)."""

SESSION_S: Final = 7 * 24 * 3600
"""How long the broker keeps messages for a pit that is away."""

KEEPALIVE_S: Final = 15
LONGEST_WAIT_S: Final = 8

_PAYLOADS: Final[dict[str, type[RecordMessage] | type[StateMessage] | type[StatusMessage]]] = {
    **dict.fromkeys(RECORD_WORDS.values(), RecordMessage),
    "state": StateMessage,
    "status": StatusMessage,
}


@dataclass(frozen=True, slots=True)
class _Came:
    """A message as it came, and over which connection."""

    connection: int
    mid: int
    qos: int
    topic: str
    payload: bytes


def read(topic: str, payload: bytes) -> Message | None:
    """What a message says; None for one that says nothing a pit could use."""
    table, word = parsed(topic)
    if word not in _PAYLOADS:
        return None
    try:
        message = msgspec.json.decode(payload, type=_PAYLOADS[word])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _LOGGER.warning("a message on %s cannot be read: %s", topic, error)
        return None
    if message.table != table:
        _LOGGER.warning("a message on %s speaks of another table", topic)
        return None
    return message


class Listener:
    """Follows all tables at one broker.

    Args:
        broker: Where.
        store: Open.
        name: Under which the broker keeps messages while the pit is away; one for each pit.
        told: Called with a sentence when the line comes or goes.
    """

    def __init__(
        self,
        broker: Broker,
        store: PitStore,
        name: str = "pit",
        told: Callable[[str], None] = _LOGGER.info,
    ) -> None:
        self._broker, self._store, self._told = broker, store, told
        self._came: queue.Queue[_Came] = queue.Queue()
        self._requests = Requests(time.monotonic)
        self._lacking: dict[str, Tip] = {}
        self._stopping = threading.Event()
        self._connection = 0
        self._client = self._made(f"cutcard-{name}")
        self.stored = self.doubles = 0

    def run(self) -> None:
        """Listen until ``stop`` is called; a broker or a database that is away is awaited."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho's own
        properties.SessionExpiryInterval = SESSION_S
        properties.ReceiveMaximum = UNDER_WAY
        self._client.connect_async(
            self._broker.host,
            self._broker.port,
            keepalive=KEEPALIVE_S,
            clean_start=False,
            properties=properties,
        )
        self._client.loop_start()
        try:
            while not self._stopping.is_set():
                batch = self._batch()
                if batch:
                    self._take(batch)
                for table, tip in self._lacking.items():
                    self._ask(table, tip)
        finally:
            self._client.disconnect()
            self._client.loop_stop()

    def stop(self) -> None:
        """Let ``run`` return; what was not stored yet the broker sends again."""
        self._stopping.set()

    def _made(self, identifier: str) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=identifier,
            protocol=MQTTProtocolVersion.MQTTv5,
            manual_ack=True,
        )
        if self._broker.user:
            client.username_pw_set(self._broker.user, self._broker.password)
        if self._broker.tls is not None:
            client.tls_set_context(self._broker.tls)
        client.reconnect_delay_set(1, LONGEST_WAIT_S)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message = self._on_message
        return client

    def _on_connect(
        self,
        client: Client,
        _data: object,
        _flags: ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            self._told(f"broker {self._broker.shown} refuses the pit: {reason}")
            return
        self._connection += 1
        self._requests.forget()
        client.subscribe([(topic, 1) for topic in PIT_SUBSCRIPTIONS])
        self._told(f"connected to broker {self._broker.shown}")

    def _on_disconnect(self, *_told: object) -> None:
        if not self._stopping.is_set():
            self._told(f"broker {self._broker.shown} is gone; trying again")

    def _on_connect_fail(self, *_told: object) -> None:
        self._told(f"broker {self._broker.shown} cannot be reached; trying again")

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        payload = bytes(message.payload)
        self._came.put(_Came(self._connection, message.mid, message.qos, message.topic, payload))

    def _batch(self) -> list[_Came]:
        try:
            batch = [self._came.get(timeout=QUIET_S)]
        except queue.Empty:
            return []
        while len(batch) < BATCH and not self._came.empty():
            batch.append(self._came.get_nowait())
        return batch

    def _take(self, batch: list[_Came]) -> None:
        messages = [m for came in batch if (m := read(came.topic, came.payload)) is not None]
        while not self._stopping.is_set():
            try:
                taken = self._store.take(messages)
            except PitDatabaseError as error:
                self._told(f"{error}; trying again")
                self._stopping.wait(DATABASE_WAIT_S)
                continue
            self.stored += taken.stored
            self.doubles += taken.doubles
            for came in batch:
                # A number of an earlier connection would acknowledge some other message.
                if came.connection == self._connection:
                    self._client.ack(came.mid, came.qos)
            for table in taken.advanced:
                self._lacking.pop(table, None)
            self._lacking.update(taken.gaps)
            return

    def _ask(self, table: str, tip: Tip) -> None:
        first = self._requests.wanted(table, tip)
        if first:
            _LOGGER.info("asking table %s for its records from %d on", table, first)
            self._client.publish(Topics(table).resend, encoded(ResendMessage(first=first)), qos=1)
