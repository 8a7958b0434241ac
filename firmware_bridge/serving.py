"""One port after another: opened, read in a thread, written, and opened again when it is lost.

A reader thread blocks on the port; writing, opening and closing, which may block
too, run in one worker thread; everything else happens in the event loop around
the clockless ``HostLink``.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from firmware_bridge.conversation import Conversation
from firmware_bridge.errors import LinkLostError, PortError
from firmware_bridge.link import HostLink
from firmware_bridge.port import Port
from firmware_bridge.settings import Settings
from firmware_bridge.states import LinkState

_LOGGER = logging.getLogger(__name__)

_WorkT = TypeVar("_WorkT")


@dataclass(slots=True)
class _Inbox:
    """What the reader thread hands to the event loop."""

    pieces: deque[bytes | LinkLostError] = field(default_factory=deque)
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class PortService:
    """Serves a link on its port until closed.

    Args:
        link: what the bytes are for.
        conversation: hears what they meant, and knows the port's name.
        settings: discovery, patience, the way to open a port.
    """

    def __init__(self, link: HostLink, conversation: Conversation, settings: Settings) -> None:
        self._link = link
        self._conversation = conversation
        self._settings = settings
        self._inbox = _Inbox()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="shuffler-port")
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[None] | None = None
        self.is_closing = False

    async def start(self) -> None:
        """Open the port and serve it from now on.

        Raises:
            PortError: it is absent, busy or forbidden.
        """
        url = self._conversation.url
        port = await self._in_worker(lambda: self._settings.open_port(url))
        self._task = asyncio.create_task(self._run(port), name="shuffler")

    def wake(self) -> None:
        """Something waits to be sent."""
        self._inbox.wake.set()

    async def close(self) -> None:
        """Give the port back."""
        self.is_closing = True
        self.wake()
        if self._task is not None:
            await self._task
            self._task = None

    def end(self) -> None:
        """Nothing will be opened any more."""
        self._worker.shutdown(wait=True)

    async def _run(self, port: Port) -> None:
        """Serve one port after another until closed."""
        found: Port | None = port
        while found is not None:
            try:
                await self._serve(found)
            finally:
                await self._in_worker(found.close)
            found = await self._reopen()

    async def _serve(self, port: Port) -> None:
        """Drive the link on one port until the line is lost or the shuffler closed."""
        self._inbox.pieces.clear()
        stop = threading.Event()
        reader = threading.Thread(
            target=self._read, args=(port, stop), name="shuffler-reader", daemon=True
        )
        reader.start()
        self._link.port_opened(self._loop.time())
        try:
            while await self._turn(port):
                await self._pause()
        finally:
            stop.set()
            await self._in_worker(reader.join)

    async def _turn(self, port: Port) -> bool:
        """One round: bytes in, time, bytes out, news; whether to go on."""
        while self._inbox.pieces:
            piece = self._inbox.pieces.popleft()
            if isinstance(piece, LinkLostError):
                self._link.port_closed(piece.detail)
            else:
                self._link.receive(piece, self._loop.time())
        self._link.tick(self._loop.time())
        if data := self._link.data_to_send():
            try:
                await self._in_worker(lambda: port.write(data))
            except LinkLostError as error:
                self._link.port_closed(error.detail)
        if self.is_closing:
            self._link.port_closed("closed")
        self._conversation.publish()
        return self._link.state is not LinkState.LOST

    async def _pause(self) -> None:
        """Until bytes, a command or the link's deadline."""
        try:
            async with asyncio.timeout_at(self._link.deadline_s):
                await self._inbox.wake.wait()
        except TimeoutError:
            return
        self._inbox.wake.clear()

    def _read(self, port: Port, stop: threading.Event) -> None:
        """The reader thread."""
        while not stop.is_set():
            try:
                piece: bytes | LinkLostError = port.read()
            except LinkLostError as error:
                piece = error
            if piece:
                self._loop.call_soon_threadsafe(self._arrived, piece)
            if isinstance(piece, LinkLostError):
                return

    def _arrived(self, piece: bytes | LinkLostError) -> None:
        self._inbox.pieces.append(piece)
        self._inbox.wake.set()

    async def _reopen(self) -> Port | None:
        """Wait for the port to come back; None once closed."""
        patience = self._settings.patience
        retry_s, lost_at_s = patience.first_retry_s, self._loop.time()
        while not self.is_closing:
            try:
                return await self._in_worker(self._find_and_open)
            except PortError as error:
                _LOGGER.debug("not yet: %s", error)
            if self._loop.time() - lost_at_s >= patience.lost_s:
                self._conversation.give_up()
            await self._doze(retry_s)
            retry_s = min(2 * retry_s, patience.last_retry_s)
        return None

    def _find_and_open(self) -> Port:
        discover = self._settings.discover
        if discover:
            self._conversation.url = discover()
        return self._settings.open_port(self._conversation.url)

    async def _doze(self, pause_s: float) -> None:
        """Pause; closing ends it early, a new command does not."""
        until_s = self._loop.time() + pause_s
        while not self.is_closing and self._loop.time() < until_s:
            self._inbox.wake.clear()
            try:
                async with asyncio.timeout_at(until_s):
                    await self._inbox.wake.wait()
            except TimeoutError:
                return

    def _in_worker(self, work: Callable[[], _WorkT]) -> asyncio.Future[_WorkT]:
        return self._loop.run_in_executor(self._worker, work)
