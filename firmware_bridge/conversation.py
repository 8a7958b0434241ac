"""Who waits for what: answers to commands, the end of a shuffle, the first handshake, the facts.

The link says what happened; here it reaches those whom it concerns. Used from the
event loop only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from firmware_bridge.asking import words
from firmware_bridge.errors import (
    AuditFileError,
    CommandRefusedError,
    DeviceFaultError,
    LinkError,
    LinkLostError,
    OutcomeUnknownError,
    UntrustedDeviceError,
    VersionMismatchError,
    WrongDeviceError,
)
from firmware_bridge.link import HostLink
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    Command,
    DeviceEvent,
    FaultRaised,
    Identity,
    Reply,
    ShuffleFinished,
)
from firmware_bridge.outputs import (
    Answered,
    DeviceRefused,
    DeviceRestarted,
    EventSeen,
    EventsLost,
    LinkChanged,
    LinkOutput,
    Unanswered,
    VersionRefused,
)
from firmware_bridge.security_host import SecurityIncident
from firmware_bridge.states import LinkState

_LOGGER = logging.getLogger(__name__)

DeviceFact = DeviceEvent | LinkChanged | DeviceRestarted | EventsLost | SecurityIncident
"""Everything that ``Shuffler.facts`` says, in the order in which it became known."""


@dataclass(slots=True)
class _Question:
    """A caller waiting for the answer to its command."""

    command: Command
    answer: asyncio.Future[Reply]


class Conversation:
    """What is said over one link.

    Args:
        link: says what happened.
        url: under which the port was opened.
        wanted: the serial number asked for; empty takes any.
        record: writes an incident down before anybody hears of it.
    """

    def __init__(
        self,
        link: HostLink,
        url: str,
        wanted: str,
        record: Callable[[SecurityIncident], None],
    ) -> None:
        self.url = url
        """The name under which the port was last opened."""
        self._link = link
        self._wanted = wanted
        self._record = record
        self._facts: asyncio.Queue[DeviceFact | None] = asyncio.Queue()
        self._questions: dict[int, _Question] = {}
        self._shuffling: asyncio.Future[ShuffleFinished] | None = None
        self._loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[None] = self._loop.create_future()
        """Done when the first handshake has ended, whichever way."""

    # --- for those who ask ----------------------------------------------------------------

    def ask(self, command: Command) -> asyncio.Future[Reply]:
        """Hand a command over; its answer comes, or the error that none will."""
        ticket = self._link.send(command, self._loop.time())
        question = _Question(command, self._loop.create_future())
        self._questions[ticket] = question
        return question.answer

    def begin_shuffle(self) -> asyncio.Future[ShuffleFinished]:
        """Wait for the end of the shuffle that begins now; ``end_shuffle`` ends the waiting.

        Raises:
            CommandRefusedError: somebody waits for another one.
        """
        if self._shuffling is not None:
            raise CommandRefusedError("Shuffle", "the last shuffle has not finished")
        self._shuffling = self._loop.create_future()
        return self._shuffling

    def end_shuffle(self) -> None:
        """Nobody waits for the end of a shuffle any more."""
        if self._shuffling and self._shuffling.done() and not self._shuffling.cancelled():
            self._shuffling.exception()  # seen, or superseded by another error
        self._shuffling = None

    async def facts(self) -> AsyncGenerator[DeviceFact, None]:
        """Everything that happened, for one reader; ends at ``close``."""
        while (fact := await self._facts.get()) is not None:
            yield fact
        self._facts.put_nowait(None)

    # --- for the owner of the port --------------------------------------------------------

    def give_up(self) -> None:
        """No command that is open will be answered."""
        self._link.abandon(self._loop.time())
        self.publish()
        self._break_shuffle(OutcomeUnknownError("Shuffle", "the link is lost"))

    def close(self) -> None:
        """Nothing more will happen."""
        self.give_up()
        self._facts.put_nowait(None)
        if self.ready.done() and not self.ready.cancelled():
            self.ready.exception()  # seen by connect, or superseded by its own error

    def publish(self) -> None:
        """Tell what the link has to say."""
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
                self.report(output)
            case EventsLost() | DeviceRestarted() | LinkChanged():
                self._watch_link(output)
                self._facts.put_nowait(output)

    def report(self, incident: SecurityIncident) -> None:
        """Write it down and say it; a full disk must not stop the link."""
        try:
            self._record(incident)
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
        return LinkLostError(self.url, f"{name} was not carried out")

    def _watch_shuffle(self, event: DeviceEvent) -> None:
        if isinstance(event, ShuffleFinished) and self._shuffling and not self._shuffling.done():
            self._shuffling.set_result(event)
        elif isinstance(event, FaultRaised):
            self._break_shuffle(DeviceFaultError(words(event.code.name)))

    def _watch_link(self, output: EventsLost | DeviceRestarted | LinkChanged) -> None:
        match output:
            case LinkChanged(_, LinkState.READY, _):
                if not self.ready.done():
                    self.ready.set_result(None)
            case LinkChanged(_, LinkState.LOST, reason):
                self._fail_connect(LinkLostError(self.url, reason))
            case DeviceRestarted():
                self._break_shuffle(OutcomeUnknownError("Shuffle", "the machine restarted"))
            case EventsLost():
                self._break_shuffle(OutcomeUnknownError("Shuffle", "its end was not heard"))

    def _fail_connect(self, error: LinkError) -> None:
        if not self.ready.done():
            self.ready.set_exception(error)
        elif not isinstance(error, LinkLostError):
            _LOGGER.error("%s", error)

    def _break_shuffle(self, error: LinkError) -> None:
        if self._shuffling is not None and not self._shuffling.done():
            self._shuffling.set_exception(error)


def _wrong_device(serial_number: str, identity: Identity) -> WrongDeviceError:
    expected = f"a shuffler with serial number {serial_number}" if serial_number else "a shuffler"
    found = f"{identity.model or 'a device'} with serial number {identity.serial_number}"
    return WrongDeviceError(expected, found)
