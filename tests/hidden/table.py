"""A simulated table whose every output is listened to, and which knows what lies face down."""

from __future__ import annotations

import logging
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from playwright.async_api import Browser, Page, WebSocket

from controller.cards import Card
from controller.cli.device import _traffic
from controller.demo import DemoOptions
from controller.demo.loop import SimulatedTable
from controller.events import (
    Action,
    AlarmAcknowledged,
    FloorDecided,
    HandStarted,
    PlayerActed,
    StepConfirmed,
    TableEvent,
)
from controller.fleet.topics import parsed
from controller.rulebook import load_rulebook
from controller.runtime import TapRefusedError
from firmware_bridge import Heard, SerialPort, Settings, Shuffler, TappedPort
from tests.hidden.marks import Watch

FIRST_TOKEN = 770_000_001
"""Cards as matter are numbered from here on, so that a number found anywhere is one of theirs."""

REFUSED: tuple[TableEvent, ...] = (
    StepConfirmed(step="none"),
    FloorDecided(ruling="none"),
    HandStarted(hand=9, seats=(1, 2), button=1, deck_back="red"),
    AlarmAcknowledged(alarm="none", by_whom="", reason=""),
    PlayerActed(seat=9, action=Action.FOLD),
)
"""Taps that fit at no moment of a hand, so that the sentences of refusals are heard too."""

Hear = Callable[[str, str], None]


class HeardTable(SimulatedTable):
    """The demo's table: real bytes, rendered pictures; each act first says what is public.

    Attributes:
        watch: Told of every card that lies face up, and of the marks of all.
        after: Called after each act.
    """

    def __init__(self, options: DemoOptions, watch: Watch) -> None:
        super().__init__(options, load_rulebook("ck"))
        self.watch = watch
        self._world._next_uid = FIRST_TOKEN - 1
        self._world.new_deck()
        watch.tokens = tuple(str(card.uid) for card in self._world.shoe)
        self.hidden: set[Card] = set()
        self.after: list[Callable[[], None]] = []

    async def _settle(self) -> None:
        lying = [lying for pile in self._world.zones().values() for lying in pile]
        self.watch.public |= {each.card.face for each in lying if each.up}
        self.hidden |= {each.card.face for each in lying if not each.up}
        await super()._settle()
        for look in self.after:
            look()

    async def refusals(self, hear: Hear) -> None:
        """Tap what does not fit, and listen to the answer."""
        for tap in REFUSED:
            try:
                await self.table.tap(tap)
            except TapRefusedError as error:
                hear("errors", str(error))


class HeardShuffler:
    """Connects a shuffler, and tells the decoded traffic as ``cutcard device watch`` prints it."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear

    async def connect(self, url: str) -> Shuffler:
        """Connect with an ear on the cable."""

        def tell(heard: Heard) -> None:
            for as_json in (False, True):
                self._hear("device watch", _traffic(heard, 0.0, as_json))

        tapped = Settings(open_port=lambda name: TappedPort(SerialPort(name), tell))
        return await Shuffler.connect(url, settings=tapped)


class _Handler(logging.Handler):
    def __init__(self, hear: Hear) -> None:
        super().__init__(logging.DEBUG)
        self._hear = hear

    def emit(self, record: logging.LogRecord) -> None:
        self._hear("log", self.format(record))


@contextmanager
def logged(hear: Hear) -> Iterator[None]:
    """Everything that our packages log, down to DEBUG."""
    handler, loggers = _Handler(hear), [logging.getLogger(n) for n in OURS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


OURS = ("controller", "firmware_bridge", "vision")


@contextmanager
def subscribed(port: int, hear: Hear) -> Iterator[None]:
    """Everything that goes through a broker, under the last word of its topic."""

    def take(_: Client, __: object, message: MQTTMessage) -> None:
        hear(f"mqtt {parsed(message.topic)[1]}", message.payload.decode())

    def connected(client: Client, *_: object) -> None:
        client.subscribe("#", qos=1)

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
    client.on_message = take
    client.on_connect = connected
    client.connect("127.0.0.1", port)
    client.loop_start()
    try:
        yield
    finally:
        client.disconnect()
        client.loop_stop()


@asynccontextmanager
async def followed(chromium: Browser, address: str, output: str, hear: Hear) -> AsyncIterator[Page]:
    """A page in the browser: what is sent to it, and what stands on it at the end."""
    page = await chromium.new_page()

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: hear(output, _plain(frame)))

    page.on("websocket", opened)
    answer = await page.goto(address, wait_until="load")
    assert answer is not None
    assert answer.ok, answer.status
    hear(output, await answer.text())
    yield page
    hear(output, await page.content())
    await page.close()


def _plain(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", "replace")


def scraped(port: int) -> str:
    """The numbers for Prometheus."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        return str(answer.read().decode())


def until(condition: Callable[[], bool], patience_s: float = 30.0) -> None:
    """Wait for something that another thread brings about."""
    ends_s = time.monotonic() + patience_s
    while not condition() and time.monotonic() < ends_s:
        time.sleep(0.02)
