"""The front door: one shuffler, driven from asyncio.

When the line is lost the shuffler reopens the port by itself, under whatever name
``discover`` finds it, checks who is there, asks for the events missed and says all
of it as facts.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Self

from firmware_bridge.asking import Commands, refusal
from firmware_bridge.conversation import Conversation, DeviceFact
from firmware_bridge.drawing import JointDrawing
from firmware_bridge.errors import LinkLostError, OutcomeUnknownError, ProtocolError
from firmware_bridge.link import HostLink
from firmware_bridge.messages import (
    Capability,
    Command,
    Identity,
    Refused,
    Reply,
    Shuffle,
    ShuffleFinished,
)
from firmware_bridge.outputs import EventPosition, Expected
from firmware_bridge.outstanding import LAST_NUMBER
from firmware_bridge.security_host import Breach, HostGuard, SecurityIncident
from firmware_bridge.security_keys import draw_nonce
from firmware_bridge.serving import PortService
from firmware_bridge.settings import Settings
from firmware_bridge.states import LinkState
from firmware_bridge.transmitting import Counters

_SETTINGS = Settings()


class Shuffler(Commands):
    """A connected shuffler; make one with ``await Shuffler.connect(url)``."""

    def __init__(self, url: str, serial_number: str, settings: Settings) -> None:
        self._settings = settings
        self._link = HostLink(
            secrets.randbelow(LAST_NUMBER) + 1,
            Expected(serial_number),
            settings.position,
            settings.timing,
            HostGuard(settings.keys, draw_nonce),
        )
        self._conversation = Conversation(self._link, url, serial_number, settings.record)
        self._service = PortService(self._link, self._conversation, settings)
        self._drawing = JointDrawing(draw_nonce)

    # --- connecting -----------------------------------------------------------------------

    @classmethod
    async def connect(
        cls, url: str, *, serial_number: str = "", settings: Settings = _SETTINGS
    ) -> Self:
        """Open ``url`` and identify the shuffler there.

        Args:
            url: a device path, ``socket://host:port`` or ``rfc2217://host:port``.
            serial_number: accept only this one; empty accepts any shuffler.
            settings: discovery, resume position, timing.

        Raises:
            PortError: the port is absent, busy or forbidden.
            LinkLostError: nothing there answers in this protocol.
            VersionMismatchError: it answers in another version.
            WrongDeviceError: it is another device.
            UntrustedDeviceError: it does not prove that it is ours.
        """
        shuffler = cls(url, serial_number, settings)
        try:
            await shuffler._service.start()
            async with asyncio.timeout(settings.patience.connect_s):
                await shuffler._conversation.ready
        except TimeoutError:
            await shuffler.close()
            raise LinkLostError(url, "nothing there answers as a shuffler") from None
        except BaseException:
            await shuffler.close()
            raise
        return shuffler

    async def __aenter__(self) -> Self:
        """The shuffler itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        await self.close()

    async def close(self) -> None:
        """Give the port back; open commands fail, ``facts`` ends."""
        await self._service.close()
        self._conversation.close()
        self._service.end()

    # --- what it is and says --------------------------------------------------------------

    @property
    def url(self) -> str:
        """The name under which the port was last opened."""
        return self._conversation.url

    @property
    def state(self) -> LinkState:
        """Where the link stands."""
        return self._link.state

    @property
    def identity(self) -> Identity:
        """Who the machine is, as of the last handshake."""
        if self._link.identity is None:
            raise ProtocolError("the machine has not been identified yet: await connect first")
        return self._link.identity

    @property
    def position(self) -> EventPosition:
        """The last event seen; a later run can resume from it."""
        return self._link.position

    @property
    def counters(self) -> Counters:
        """What the line cost so far."""
        return self._link.counters

    async def facts(self) -> AsyncGenerator[DeviceFact, None]:
        """Everything that happened since ``connect``, for one reader; ends at ``close``."""
        async for fact in self._conversation.facts():
            yield fact

    # --- commands -------------------------------------------------------------------------

    async def shuffle(self) -> ShuffleFinished:
        """Shuffle every card in the machine; returns when the machine has finished.

        A machine that can draws its slots from its own entropy and ours.

        Raises:
            OutcomeUnknownError: the machine restarted, or was lost, in the middle.
            DeviceFaultError: a fault stopped it in the middle.
        """
        finished = self._conversation.begin_shuffle()
        try:
            await self._begin_shuffle()
            async with asyncio.timeout(self._settings.patience.shuffle_s):
                return await finished
        except TimeoutError:
            raise OutcomeUnknownError("Shuffle", "it did not report an end") from None
        finally:
            self._conversation.end_shuffle()

    async def _begin_shuffle(self) -> None:
        if not self.identity.capabilities & Capability.MIXED_ENTROPY:
            await self._ask(Shuffle())
            return
        await self._drawing.draw(self._ask)
        await self._ask(Shuffle())
        if not await self._drawing.is_sound(self._ask):
            words = "it opened another secret than it had committed itself to"
            serial_number = self.identity.serial_number
            self._conversation.report(SecurityIncident(Breach.FALSE_OPENING, serial_number, words))

    async def _ask(self, command: Command) -> Reply:
        if self._service.is_closing:
            raise LinkLostError(self.url, "it was closed")
        answer = self._conversation.ask(command)
        self._service.wake()
        reply = await answer
        if isinstance(reply, Refused):
            raise refusal(command, reply)
        return reply
