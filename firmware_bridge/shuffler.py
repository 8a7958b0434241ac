"""The front door: one shuffler, driven from asyncio.

A reader thread blocks on the port; writing, opening and closing, which may block
too, run in one worker thread; everything else happens in the event loop around
the clockless ``HostLink``. When the line is lost the shuffler reopens the port
by itself, under whatever name ``discover`` finds it, checks who is there, asks
for the events missed and says all of it as facts.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeVar

from firmware_bridge.drawing import JointDrawing
from firmware_bridge.errors import (
    AuditFileError,
    CommandRefusedError,
    DeviceFaultError,
    LinkError,
    LinkLostError,
    OutcomeUnknownError,
    PortError,
    ProtocolError,
    UntrustedDeviceError,
    VersionMismatchError,
    WrongDeviceError,
)
from firmware_bridge.link import HostLink
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    Burn,
    Capability,
    Capacity,
    Command,
    Deal,
    Deck,
    DeviceEvent,
    DeviceStatus,
    Eject,
    FaultRaised,
    Hold,
    Identity,
    Light,
    Lock,
    Meters,
    Part,
    ReadCapacity,
    ReadMeters,
    ReadStatus,
    Refusal,
    Refused,
    Reply,
    Resume,
    SelectDeck,
    SelfTest,
    SelfTested,
    SetKey,
    SetLight,
    Shuffle,
    ShuffleFinished,
    TestPart,
)
from firmware_bridge.outputs import (
    Answered,
    DeviceRefused,
    DeviceRestarted,
    EventPosition,
    EventSeen,
    EventsLost,
    Expected,
    LinkChanged,
    LinkOutput,
    Unanswered,
    VersionRefused,
)
from firmware_bridge.port import Port, SerialPort
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_host import Breach, HostGuard, SecurityIncident
from firmware_bridge.security_keys import draw_nonce
from firmware_bridge.states import LinkState
from firmware_bridge.timing import LinkTiming
from firmware_bridge.transmitting import Counters

_LOGGER = logging.getLogger(__name__)

DeviceFact = DeviceEvent | LinkChanged | DeviceRestarted | EventsLost | SecurityIncident
"""Everything that ``Shuffler.facts`` says, in the order in which it became known."""

_ReplyT = TypeVar("_ReplyT")
_FROM_NOW = EventPosition()
_TIMING = LinkTiming()


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the shuffler waits, in seconds.

    ``lost_s``: an open command waits that long for a lost line to come back.
    ``shuffle_s``: the slowest shufflers known take 60 s for a deck; twice that.
    """

    connect_s: float = 6.0
    lost_s: float = 10.0
    shuffle_s: float = 120.0
    first_retry_s: float = 0.1
    last_retry_s: float = 2.0


_PATIENCE = Patience()


def _unrecorded(incident: SecurityIncident) -> None:
    """Without an audit file, the log has it."""
    _LOGGER.warning("%s: %s", incident.breach.value, incident.detail)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to reach the machine and how to treat the line.

    ``discover`` names the port to reopen (called in the worker thread; a
    ``PortError`` means not yet); without it the same name is used again. With
    ``keys``, by serial number, only a device that proves its key is taken; each
    incident goes to ``record`` before anybody hears of it.
    """

    discover: Callable[[], str] | None = None
    open_port: Callable[[str], Port] = SerialPort
    position: EventPosition = _FROM_NOW
    timing: LinkTiming = _TIMING
    patience: Patience = _PATIENCE
    keys: Mapping[str, DeviceKey] | None = None
    record: Callable[[SecurityIncident], None] = _unrecorded


_SETTINGS = Settings()


@dataclass(slots=True)
class _Question:
    """A caller waiting for the answer to its command."""

    command: Command
    answer: asyncio.Future[Reply]


@dataclass(slots=True)
class _Inbox:
    """What the reader thread hands to the event loop."""

    pieces: deque[bytes | LinkLostError] = field(default_factory=deque)
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Shuffler:
    """A connected shuffler; make one with ``await Shuffler.connect(url)``."""

    def __init__(self, url: str, serial_number: str, settings: Settings) -> None:
        self._url = url
        self._settings = settings
        self._link = HostLink(
            secrets.randbelow(0xFFFF) + 1,
            Expected(serial_number),
            settings.position,
            settings.timing,
            HostGuard(settings.keys, draw_nonce),
        )
        self._wanted = serial_number
        self._inbox = _Inbox()
        self._facts: asyncio.Queue[DeviceFact | None] = asyncio.Queue()
        self._questions: dict[int, _Question] = {}
        self._shuffling: asyncio.Future[ShuffleFinished] | None = None
        self._drawing = JointDrawing(draw_nonce)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="shuffler-port")
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._task: asyncio.Task[None] | None = None
        self._closing = False

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
            port = await shuffler._in_worker(lambda: settings.open_port(url))
            shuffler._task = asyncio.create_task(shuffler._run(port), name="shuffler")
            async with asyncio.timeout(settings.patience.connect_s):
                await shuffler._ready
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
        self._closing = True
        self._inbox.wake.set()
        if self._task is not None:
            await self._task
            self._task = None
        self._give_up()
        self._facts.put_nowait(None)
        self._worker.shutdown(wait=True)
        if self._ready.done() and not self._ready.cancelled():
            self._ready.exception()  # seen by connect, or superseded by its own error

    # --- what it is and says --------------------------------------------------------------

    @property
    def url(self) -> str:
        """The name under which the port was last opened."""
        return self._url

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
        while (fact := await self._facts.get()) is not None:
            yield fact
        self._facts.put_nowait(None)

    # --- commands -------------------------------------------------------------------------
    #
    # Each raises LinkLostError (not carried out, or harmless), OutcomeUnknownError (a motion
    # that may have been carried out), CommandRefusedError and DeviceFaultError.

    async def status(self) -> DeviceStatus:
        """State of gate, magazine and faults."""
        return _expect(DeviceStatus, await self._ask(ReadStatus()))

    async def deal(self, n: int) -> None:
        """Permit exactly ``n`` cards at the gate."""
        await self._ask(Deal(n))

    async def burn(self) -> None:
        """Permit exactly one card at the gate, the burn."""
        await self._ask(Burn())

    async def hold(self) -> None:
        """Close the gate."""
        await self._ask(Hold())

    async def resume(self) -> None:
        """Open the gate: cards may be drawn one after another."""
        await self._ask(Resume())

    async def eject(self) -> None:
        """Give every card in the machine out at the lid."""
        await self._ask(Eject())

    async def light(self, light: Light, tone_ms: int = 0) -> None:
        """Set the lamp, and sound the buzzer for ``tone_ms`` milliseconds."""
        await self._ask(SetLight(light, tone_ms))

    async def lock(self, is_locked: bool) -> None:
        """Lock or unlock the lid."""
        await self._ask(Lock(is_locked))

    async def select_deck(self, deck: Deck) -> None:
        """Bring this deck to the gate; ``DeckSelected`` tells when it is there."""
        await self._ask(SelectDeck(deck))

    async def capacity(self) -> Capacity:
        """How the machine is built."""
        return _expect(Capacity, await self._ask(ReadCapacity()))

    async def meters(self) -> Meters:
        """What the machine has counted since its start."""
        return _expect(Meters, await self._ask(ReadMeters()))

    async def test_part(self, part: Part) -> None:
        """Test one part without cards; ``PartTested`` tells how it went."""
        await self._ask(TestPart(part))

    async def set_key(self, key: DeviceKey) -> None:
        """Give the machine its key; it takes one only in its trusted mode."""
        await self._ask(SetKey(key.value))

    async def self_test(self) -> SelfTested:
        """Run the sensors' self-test."""
        return _expect(SelfTested, await self._ask(SelfTest()))

    async def shuffle(self) -> ShuffleFinished:
        """Shuffle every card in the machine; returns when the machine has finished.

        A machine that can draws its slots from its own entropy and ours.

        Raises:
            OutcomeUnknownError: the machine restarted, or was lost, in the middle.
            DeviceFaultError: a fault stopped it in the middle.
        """
        if self._shuffling is not None:
            raise CommandRefusedError("Shuffle", "the last shuffle has not finished")
        self._shuffling = self._loop.create_future()
        try:
            await self._begin_shuffle()
            async with asyncio.timeout(self._settings.patience.shuffle_s):
                return await self._shuffling
        except TimeoutError:
            raise OutcomeUnknownError("Shuffle", "it did not report an end") from None
        finally:
            if self._shuffling.done() and not self._shuffling.cancelled():
                self._shuffling.exception()
            self._shuffling = None

    async def _begin_shuffle(self) -> None:
        if not self.identity.capabilities & Capability.MIXED_ENTROPY:
            await self._ask(Shuffle())
            return
        await self._drawing.draw(self._ask)
        await self._ask(Shuffle())
        if not await self._drawing.is_sound(self._ask):
            words = "it opened another secret than it had committed itself to"
            serial_number = self.identity.serial_number
            self._report(SecurityIncident(Breach.FALSE_OPENING, serial_number, words))

    async def _ask(self, command: Command) -> Reply:
        if self._closing:
            raise LinkLostError(self._url, "it was closed")
        ticket = self._link.send(command, self._loop.time())
        question = _Question(command, self._loop.create_future())
        self._questions[ticket] = question
        self._inbox.wake.set()
        reply = await question.answer
        if isinstance(reply, Refused):
            raise _refusal(command, reply)
        return reply

    # --- the loop -------------------------------------------------------------------------

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
        if self._closing:
            self._link.port_closed("closed")
        self._publish()
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
        while not self._closing:
            try:
                return await self._in_worker(self._find_and_open)
            except PortError as error:
                _LOGGER.debug("not yet: %s", error)
            if self._loop.time() - lost_at_s >= patience.lost_s:
                self._give_up()
            await self._doze(retry_s)
            retry_s = min(2 * retry_s, patience.last_retry_s)
        return None

    def _find_and_open(self) -> Port:
        discover = self._settings.discover
        self._url = discover() if discover else self._url
        return self._settings.open_port(self._url)

    async def _doze(self, pause_s: float) -> None:
        """Pause; closing ends it early, a new command does not."""
        until_s = self._loop.time() + pause_s
        while not self._closing and self._loop.time() < until_s:
            self._inbox.wake.clear()
            try:
                async with asyncio.timeout_at(until_s):
                    await self._inbox.wake.wait()
            except TimeoutError:
                return

    def _in_worker(self, work: Callable[[], _ReplyT]) -> asyncio.Future[_ReplyT]:
        return self._loop.run_in_executor(self._worker, work)

    # --- news -----------------------------------------------------------------------------

    def _give_up(self) -> None:
        self._link.abandon(self._loop.time())
        self._publish()
        self._end_shuffle(OutcomeUnknownError("Shuffle", "the link is lost"))

    def _publish(self) -> None:
        for output in self._link.take_outputs():
            self._tell(output)

    def _tell(self, output: LinkOutput) -> None:
        match output:
            case Answered(ticket, reply):
                self._settle(ticket, reply)
            case Unanswered(ticket, may_have_run):
                self._settle(ticket, self._failure(ticket, may_have_run))
            case EventSeen(_, event):
                self._watch_shuffle(event)
                self._facts.put_nowait(event)
            case VersionRefused(theirs):
                self._fail_connect(VersionMismatchError(PROTOCOL_VERSION, theirs))
            case DeviceRefused(identity):
                self._fail_connect(_wrong_device(self._wanted, identity))
            case SecurityIncident():
                self._fail_connect(UntrustedDeviceError(output.serial_number, output.detail))
                self._report(output)
            case EventsLost() | DeviceRestarted() | LinkChanged():
                self._watch_link(output)
                self._facts.put_nowait(output)

    def _report(self, incident: SecurityIncident) -> None:
        """Write it down and say it; a full disk must not stop the link."""
        try:
            self._settings.record(incident)
        except AuditFileError as error:
            _LOGGER.error("%s", error)
        self._facts.put_nowait(incident)

    def _settle(self, ticket: int, answer: Reply | LinkError) -> None:
        question = self._questions.pop(ticket)
        if question.answer.done():
            return  # its caller was cancelled
        if isinstance(answer, LinkError):
            question.answer.set_exception(answer)
        else:
            question.answer.set_result(answer)

    def _failure(self, ticket: int, may_have_run: bool) -> LinkError:
        name = type(self._questions[ticket].command).__name__
        if may_have_run:
            return OutcomeUnknownError(name, "the link was lost or the machine restarted")
        return LinkLostError(self._url, f"{name} was not carried out")

    def _watch_shuffle(self, event: DeviceEvent) -> None:
        if isinstance(event, ShuffleFinished) and self._shuffling and not self._shuffling.done():
            self._shuffling.set_result(event)
        elif isinstance(event, FaultRaised):
            self._end_shuffle(DeviceFaultError(_words(event.code.name)))

    def _watch_link(self, output: EventsLost | DeviceRestarted | LinkChanged) -> None:
        match output:
            case LinkChanged(_, LinkState.READY, _):
                if not self._ready.done():
                    self._ready.set_result(None)
            case LinkChanged(_, LinkState.LOST, reason):
                self._fail_connect(LinkLostError(self._url, reason))
            case DeviceRestarted():
                self._end_shuffle(OutcomeUnknownError("Shuffle", "the machine restarted"))
            case EventsLost():
                self._end_shuffle(OutcomeUnknownError("Shuffle", "its end was not heard"))

    def _fail_connect(self, error: LinkError) -> None:
        if not self._ready.done():
            self._ready.set_exception(error)
        elif not isinstance(error, LinkLostError):
            _LOGGER.error("%s", error)

    def _end_shuffle(self, error: LinkError) -> None:
        if self._shuffling is not None and not self._shuffling.done():
            self._shuffling.set_exception(error)


def _expect(kind: type[_ReplyT], reply: Reply) -> _ReplyT:
    if not isinstance(reply, kind):
        raise ProtocolError(f"asked for {kind.__name__}, the machine answered {reply}")
    return reply


def _words(name: str) -> str:
    return name.lower().replace("_", " ")


def _refusal(command: Command, reply: Refused) -> LinkError:
    if reply.reason is Refusal.FAULT:
        return DeviceFaultError("a standing fault")
    return CommandRefusedError(type(command).__name__, _words(reply.reason.name))


def _wrong_device(serial_number: str, identity: Identity) -> WrongDeviceError:
    expected = f"a shuffler with serial number {serial_number}" if serial_number else "a shuffler"
    found = f"{identity.model or 'a device'} with serial number {identity.serial_number}"
    return WrongDeviceError(expected, found)
