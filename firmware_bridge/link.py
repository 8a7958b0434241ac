"""The host's end of the link, without I/O and without a clock.

Feed it bytes (``receive``) and time (``tick``); take from it bytes to write
(``data_to_send``) and what happened (``take_outputs``). One command is on the
wire at a time; it is repeated with the same sequence number until the device
answers, and the device executes a sequence number once. A command survives a
pulled cable: after reconnecting to the same device epoch it is repeated under
its old number. Across a changed epoch a motion command that may have left is
never repeated: its outcome is reported as unknown.

Times are seconds on any clock that does not go back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from firmware_bridge.following import EventFollower
from firmware_bridge.framing import ForeignFrame, Frame
from firmware_bridge.greeting import Claim, Greeting, TurnedAway
from firmware_bridge.handshake import Handshake
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    Command,
    DeviceEvent,
    EventsReplayed,
    Identity,
    ReadStatus,
    Refused,
    ReplayEvents,
    Reply,
    is_answer,
)
from firmware_bridge.outputs import (
    Answered,
    DeviceRestarted,
    EventPosition,
    Expected,
    LinkOutput,
    VersionRefused,
)
from firmware_bridge.outstanding import Outstanding, Pending
from firmware_bridge.receiving import Receiver
from firmware_bridge.reporting import Reporter
from firmware_bridge.security_host import HostGuard, SecurityIncident
from firmware_bridge.states import LinkEvent, LinkState
from firmware_bridge.timing import LinkTiming
from firmware_bridge.transmitting import Counters, Transmitter

_ANY_DEVICE = Expected()
_FROM_NOW = EventPosition()
_TIMING = LinkTiming()


class HostLink:
    """One host talking to one device.

    Args:
        session: 1 to 65535, different from the last run's; late frames of an
            earlier session are then refused by the device.
        expected: which device to accept.
        position: resume after this event; the default starts with what happens next.
        timing: timeouts and bounds.
        guard: who must prove what; the default takes every device.
    """

    def __init__(
        self,
        session: int,
        expected: Expected = _ANY_DEVICE,
        position: EventPosition = _FROM_NOW,
        timing: LinkTiming = _TIMING,
        guard: HostGuard | None = None,
    ) -> None:
        self.identity: Identity | None = None
        self._timing = timing
        self._guard = guard or HostGuard(None, bytes)
        self._handshake = Handshake(Greeting(expected, self._guard))
        self._receiver = Receiver(self._guard)
        self.counters = Counters(self._receiver.noise)
        self._transmitter = Transmitter(timing, self._guard, self.counters)
        self._commands = Outstanding(session)
        self._events = EventFollower(position)
        self._quiet_since_s = 0.0
        self._report = Reporter()

    @property
    def state(self) -> LinkState:
        """Where the link stands."""
        return self._report.state

    @property
    def position(self) -> EventPosition:
        """The last event seen."""
        return self._events.position

    # --- what the owner of the port calls -------------------------------------------------

    def port_opened(self, now_s: float) -> None:
        """Bytes can flow: identify the device before anything else."""
        self._report.move(LinkEvent.PORT_OPENED, "the port is open")
        self._receiver.line_opened()
        self._transmitter.line_opened()
        self._start_handshake(now_s)

    def port_closed(self, reason: str) -> None:
        """Bytes cannot flow any more; open commands wait for a reconnection."""
        if not self._report.is_lost:
            self._lose(LinkEvent.PORT_CLOSED, reason)

    def send(self, command: Command, now_s: float) -> int:
        """Queue a command; its ``Answered`` or ``Unanswered`` carries the returned ticket."""
        ticket = self._commands.add(command)
        self.counters.commands += 1
        self._pump(now_s)
        return ticket

    def abandon(self, now_s: float) -> None:
        """Give up every open command; a new session makes the device refuse late copies."""
        for pending in self._commands.give_up():
            self._report.give_up(pending)
        self._commands.change_session()
        if self._report.is_up:
            self._resync("commands were given up", now_s)
        elif self.state is LinkState.CONNECTING:
            self._start_handshake(now_s)

    def receive(self, data: bytes, now_s: float) -> None:
        """Take bytes from the wire, in any pieces."""
        if self._report.is_lost:
            return
        for heard in self._receiver.hear(data, now_s):
            if isinstance(heard, SecurityIncident):
                self._report.say(heard)
            elif isinstance(heard, ForeignFrame):
                self._refuse_version(heard)
            else:
                self._take(heard, now_s)
            if self._report.is_lost:
                break
        self.counters.refused = self._receiver.refused
        self._pump(now_s)

    def tick(self, now_s: float) -> None:
        """Let time pass: repeat what was not answered, keep the line alive."""
        waiting = self._waiting
        if self._report.is_lost or now_s < self.deadline_s:
            return
        if waiting is None:
            self._commands.ask_first(ReadStatus())
            self._pump(now_s)
        elif waiting.sends >= self._timing.tries:
            self._lose(LinkEvent.TRIES_SPENT, f"no answer to {waiting.sends} tries")
        else:
            self._transmitter.expired()
            self._transmit(waiting, now_s)

    @property
    def deadline_s(self) -> float:
        """When ``tick`` has work next; infinite while the link is lost."""
        if self._report.is_lost:
            return math.inf
        if (waiting := self._waiting) is None:
            return self._quiet_since_s + self._timing.keep_alive_s
        return waiting.sent_at_s + self._transmitter.timeout_s

    def data_to_send(self) -> bytes:
        """The bytes to write now; they are handed out once."""
        return self._transmitter.data_to_send()

    def take_outputs(self) -> Sequence[LinkOutput]:
        """What happened since the last call, in order; each is handed out once."""
        return self._report.take()

    @property
    def _waiting(self) -> Pending | None:
        """What an answer is waited for."""
        return self._handshake.pending or self._commands.open

    # --- frames in ------------------------------------------------------------------------

    def _take(self, frame: Frame, now_s: float) -> None:
        if self._handshake.pending is not None:
            self._take_in_handshake(self._handshake.pending, frame, now_s)
        elif isinstance(frame.message, Reply) and frame.session != self._commands.session:
            self.counters.strays += 1
        elif frame.epoch != self.position.epoch:
            self._resync("the device speaks from another start", now_s)
        elif isinstance(frame.message, DeviceEvent):
            if seen := self._events.take(frame, frame.message):
                self._report.say(seen)
            self._notice(frame.event, now_s)
        else:
            self._take_reply(frame, now_s)

    def _take_in_handshake(self, asked: Pending, frame: Frame, now_s: float) -> None:
        found = self._handshake.take(frame, self._commands.session, now_s)
        if found is None:
            self.counters.strays += 1
            return
        self._measure(asked, now_s)
        match found:
            case Claim():
                self._accept(found, now_s)
            case TurnedAway(output, reason):
                self._report.say(output)
                self._lose(LinkEvent.REFUSED, reason)
            case _:
                self._transmit(found, now_s)

    def _accept(self, claim: Claim, now_s: float) -> None:
        """It is our device: go on where we were with it.

        Nothing of this may happen before the proof: with a false epoch or event number
        a stranger could make us hear events twice, or miss some.
        """
        self._handshake.end()
        self.identity = claim.identity
        if self._events.begin(claim.epoch, claim.event):
            self._report.say(DeviceRestarted(claim.epoch))
        if self._commands.is_forgotten(claim.identity.last_sequence):
            if dropped := self._commands.drop_open():
                self._report.give_up(dropped)
            self._commands.change_session()
            self._start_handshake(now_s)
            return
        self._report.move(LinkEvent.IDENTIFIED, claim.about)
        if self._commands.is_unused:
            self._commands.ask_first(ReadStatus())
        self._notice(claim.event, now_s)

    def _take_reply(self, frame: Frame, now_s: float) -> None:
        pending, reply = self._commands.asked(frame.sequence), frame.message
        if pending is None or not isinstance(reply, Reply) or not is_answer(pending.command, reply):
            self.counters.strays += 1
            return
        if isinstance(reply, Refused) and self._guard.is_out_of_step(reply):
            self._resync("the device knows another session", now_s)
            return
        self._measure(pending, now_s)
        self._commands.open = None
        self._quiet_since_s = now_s
        if isinstance(reply, EventsReplayed) and (lost := self._events.skip_lost(reply)):
            self._report.say(lost)
        if pending.ticket:
            self._report.say(Answered(pending.ticket, reply))
        self._notice(frame.event, now_s)

    def _notice(self, newest: int, now_s: float) -> None:
        """Ask for missed events again when the device has some that we have not."""
        self._events.notice(newest)
        if self._events.is_behind and not self._commands.is_replay_asked():
            self.counters.replays += 1
            self._commands.ask_first(ReplayEvents(self.position.number))
        self._pump(now_s)

    # --- frames out -----------------------------------------------------------------------

    def _resync(self, reason: str, now_s: float) -> None:
        self._report.move(LinkEvent.RESYNC_NEEDED, reason)
        self._start_handshake(now_s)

    def _start_handshake(self, now_s: float) -> None:
        self._transmit(self._handshake.begin(), now_s)

    def _pump(self, now_s: float) -> None:
        if self._report.is_up and (pending := self._commands.due(self.position.number)):
            self._transmit(pending, now_s)

    def _transmit(self, pending: Pending, now_s: float) -> None:
        is_greeting, session = pending is self._handshake.pending, self._commands.session
        epoch, heard = self.position.epoch, self.position.number
        if is_greeting:
            epoch = self._handshake.epoch_meant(pending.command)
        frame = Frame(pending.command, pending.sequence, session, epoch, heard)
        is_strained = self._transmitter.send(pending, frame, now_s)
        if is_strained and not is_greeting:
            self._transmitter.strained()
            self._report.move(LinkEvent.STRAINED, f"{pending.sends} tries for one answer")

    def _measure(self, pending: Pending, now_s: float) -> None:
        if self._transmitter.answered(pending, now_s) and self.state is LinkState.DEGRADED:
            reason = f"{self._timing.clean_answers} answers at the first try"
            self._report.move(LinkEvent.RECOVERED, reason)

    # --- ends -----------------------------------------------------------------------------

    def _refuse_version(self, frame: ForeignFrame) -> None:
        if frame.version == PROTOCOL_VERSION or self.state is not LinkState.CONNECTING:
            self.counters.strays += 1
            return
        self._report.say(VersionRefused(frame.version))
        self._lose(LinkEvent.REFUSED, f"protocol version {frame.version}")

    def _lose(self, event: LinkEvent, reason: str) -> None:
        self._report.move(event, reason)
        self._handshake.end()
        self._transmitter.line_lost()
        self._commands.line_lost()
