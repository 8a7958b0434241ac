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

import logging
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import Decoder, ForeignFrame, Frame, Noise, encode
from firmware_bridge.greeting import Claim, Greeting, Step, TurnedAway
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    Challenge,
    Command,
    DeviceEvent,
    EventsReplayed,
    Identify,
    Identity,
    Prove,
    ReadStatus,
    Refusal,
    Refused,
    ReplayEvents,
    Reply,
    is_answer,
    is_motion,
)
from firmware_bridge.outputs import (
    Answered,
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
from firmware_bridge.security_host import HostGuard
from firmware_bridge.states import LinkEvent, LinkState, next_state
from firmware_bridge.timing import LinkTiming, RoundTrip

_LOGGER = logging.getLogger(__name__)


@dataclass(slots=True)
class _Pending:
    """A command waiting for its answer; ticket 0 is the link's own."""

    ticket: int
    command: Command
    sequence: int = 0
    sends: int = 0
    has_left: bool = False
    sent_at_s: float = -math.inf


@dataclass(slots=True)
class Counters:
    """What the line cost so far; ``noise`` is what the decoder threw away."""

    noise: Noise
    commands: int = 0
    sends: int = 0
    strays: int = 0
    """Frames that fitted no open question: late doubles, other sessions."""
    replays: int = 0
    refused: int = 0
    """Frames that a proved device does not send: plain, of another session, with a false tag."""


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
        if not 1 <= session <= 0xFFFF:
            raise ProtocolError(f"a session is 1 to 65535, not {session}")
        self.state = LinkState.LOST
        self.identity: Identity | None = None
        self.position = position
        self._session = session
        self._timing = timing
        self._guard = guard or HostGuard(None, bytes)
        self._greeting = Greeting(expected, self._guard)
        self._decoder = Decoder()
        self.counters = Counters(self._decoder.noise)
        self._round_trip = RoundTrip(timing)
        self._handshake: _Pending | None = None
        self._open: _Pending | None = None
        self._queue: deque[_Pending] = deque()
        self._sequence = 0
        self._handshakes = 0
        self._tickets = 0
        self._newest = position.number
        self._clean = 0
        self._quiet_since_s = 0.0
        self._output = bytearray()
        self._outputs: list[LinkOutput] = []

    # --- what the owner of the port calls -------------------------------------------------

    def port_opened(self, now_s: float) -> None:
        """Bytes can flow: identify the device before anything else."""
        self._move(LinkEvent.PORT_OPENED, "the port is open")
        self._decoder.feed(b"\0")
        self._output.clear()
        self._round_trip.reset()
        self._start_handshake(now_s)

    def port_closed(self, reason: str) -> None:
        """Bytes cannot flow any more; open commands wait for a reconnection."""
        if self.state is not LinkState.LOST:
            self._lose(LinkEvent.PORT_CLOSED, reason)

    def send(self, command: Command, now_s: float) -> int:
        """Queue a command; its ``Answered`` or ``Unanswered`` carries the returned ticket."""
        self._tickets += 1
        self._queue.append(_Pending(self._tickets, command))
        self.counters.commands += 1
        self._pump(now_s)
        return self._tickets

    def abandon(self, now_s: float) -> None:
        """Give up every open command; a new session makes the device refuse late copies."""
        dropped = [pending for pending in (self._open, *self._queue) if pending]
        self._open = None
        self._queue.clear()
        for pending in dropped:
            self._give_up(pending)
        self._change_session()
        if self.state in (LinkState.READY, LinkState.DEGRADED):
            self._resync("commands were given up", now_s)
        elif self.state is LinkState.CONNECTING:
            self._start_handshake(now_s)

    def receive(self, data: bytes, now_s: float) -> None:
        """Take bytes from the wire, in any pieces."""
        if self.state is LinkState.LOST:
            return
        malformed = self._decoder.noise.bad_message
        for frame in self._decoder.feed(data):
            _LOGGER.debug("host < %s", frame)
            if isinstance(frame, ForeignFrame):
                self._refuse_version(frame)
            elif opened := self._opened(frame, now_s):
                self._take(opened, now_s)
            if self._is_lost():
                return
        malformed = self._decoder.noise.bad_message - malformed
        if incident := self._guard.malformed(malformed, now_s):
            self._outputs.append(incident)
        self._pump(now_s)

    def tick(self, now_s: float) -> None:
        """Let time pass: repeat what was not answered, keep the line alive."""
        waiting = self._handshake or self._open
        if self.state is LinkState.LOST or now_s < self.deadline_s:
            return
        if waiting is None:
            self._queue.append(_Pending(0, ReadStatus()))
            self._pump(now_s)
        elif waiting.sends >= self._timing.tries:
            self._lose(LinkEvent.TRIES_SPENT, f"no answer to {waiting.sends} tries")
        else:
            self._round_trip.expired()
            self._transmit(waiting, now_s)

    @property
    def deadline_s(self) -> float:
        """When ``tick`` has work next; infinite while the link is lost."""
        if self.state is LinkState.LOST:
            return math.inf
        waiting = self._handshake or self._open
        if waiting is None:
            return self._quiet_since_s + self._timing.keep_alive_s
        return waiting.sent_at_s + self._round_trip.timeout_s

    def data_to_send(self) -> bytes:
        """The bytes to write now; they are handed out once."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def take_outputs(self) -> Sequence[LinkOutput]:
        """What happened since the last call, in order; each is handed out once."""
        outputs, self._outputs = self._outputs, []
        return outputs

    # --- frames in ------------------------------------------------------------------------

    def _opened(self, frame: Frame, now_s: float) -> Frame | None:
        """The frame as it was meant; None where it is not our device's."""
        opened = self._guard.open(frame, now_s)
        if isinstance(opened, Frame):
            return opened
        self.counters.refused += 1
        if opened is not None:
            self._outputs.append(opened)
        return None

    def _take(self, frame: Frame, now_s: float) -> None:
        if self._handshake is not None:
            self._take_in_handshake(self._handshake, frame, now_s)
        elif isinstance(frame.message, Reply) and frame.session != self._session:
            self.counters.strays += 1
        elif frame.epoch != self.position.epoch:
            self._resync("the device speaks from another start", now_s)
        elif isinstance(frame.message, DeviceEvent):
            self._take_event(frame, frame.message, now_s)
        else:
            self._take_reply(frame, now_s)

    def _take_in_handshake(self, handshake: _Pending, frame: Frame, now_s: float) -> None:
        is_ours = frame.session == self._session and frame.sequence == handshake.sequence
        step = self._greeting.take(handshake.command, frame, now_s) if is_ours else None
        if step is None:
            self.counters.strays += 1
            return
        self._measure(handshake, now_s)
        match step:
            case Claim():
                self._accept(step, now_s)
            case TurnedAway(output, reason):
                self._outputs.append(output)
                self._lose(LinkEvent.REFUSED, reason)
            case _:
                self._take_step(step, now_s)

    def _accept(self, claim: Claim, now_s: float) -> None:
        """It is our device: go on where we were with it.

        Nothing of this may happen before the proof: with a false epoch or event number
        a stranger could make us hear events twice, or miss some.
        """
        self._handshake = None
        self.identity = claim.identity
        self._newest = claim.event
        if claim.epoch != self.position.epoch:
            self._enter_epoch(claim)
        if self._is_forgotten(claim.identity):
            self._drop_open()
            self._change_session()
            self._start_handshake(now_s)
            return
        about = f"{claim.identity.model} {claim.identity.serial_number}"
        self._move(LinkEvent.IDENTIFIED, about)
        if self._sequence == 0:
            self._queue.appendleft(_Pending(0, ReadStatus()))
        self._notice(claim.event, now_s)

    def _is_forgotten(self, identity: Identity) -> bool:
        """Whether the device has lost what it knew of this session.

        It last executed either that command or the one before it; anything else
        means that it restarted, or that another host came between. The first
        command of a session is always a ``ReadStatus``, so that 0 never stands
        before a motion command.
        """
        if self._open is None:
            return identity.last_sequence != self._sequence
        return identity.last_sequence not in (self._sequence, self._sequence - 1 or 0xFFFF)

    def _enter_epoch(self, claim: Claim) -> None:
        is_first = self.position.epoch == 0
        self.position = EventPosition(claim.epoch, claim.event if is_first else 0)
        if not is_first:
            self._outputs.append(DeviceRestarted(claim.epoch))

    def _drop_open(self) -> None:
        """Give the open command up if it moves cards and may have run; else start it afresh."""
        pending, self._open = self._open, None
        if pending is None:
            return
        if pending.has_left and is_motion(pending.command):
            self._give_up(pending)
        else:
            self._queue.appendleft(_Pending(pending.ticket, pending.command))

    def _take_event(self, frame: Frame, event: DeviceEvent, now_s: float) -> None:
        if frame.event == self.position.number + 1:
            self.position = EventPosition(frame.epoch, frame.event)
            self._outputs.append(EventSeen(frame.event, event))
        self._notice(frame.event, now_s)

    def _take_reply(self, frame: Frame, now_s: float) -> None:
        pending = self._open
        if (
            pending is None
            or frame.sequence != pending.sequence
            or not isinstance(frame.message, Reply)
            or not is_answer(pending.command, frame.message)
        ):
            self.counters.strays += 1
            return
        if isinstance(frame.message, Refused) and self._is_out_of_step(frame.message):
            self._resync("the device knows another session", now_s)
            return
        self._measure(pending, now_s)
        self._open = None
        self._quiet_since_s = now_s
        if isinstance(frame.message, EventsReplayed):
            self._skip_lost(frame.message)
        if pending.ticket:
            self._outputs.append(Answered(pending.ticket, frame.message))
        self._notice(frame.event, now_s)

    def _is_out_of_step(self, refused: Refused) -> bool:
        """Whether the device has forgotten the session, or the proof of it."""
        return refused.reason is Refusal.SESSION or (
            refused.reason is Refusal.SEAL and self._guard.is_required
        )

    def _skip_lost(self, replayed: EventsReplayed) -> None:
        first = self.position.number + 1
        if replayed.oldest > first:
            self._outputs.append(EventsLost(first, replayed.oldest - 1))
            self.position = replace(self.position, number=replayed.oldest - 1)

    def _notice(self, newest: int, now_s: float) -> None:
        """Ask for missed events again when the device has some that we have not."""
        self._newest = max(self._newest, newest)
        is_asked = any(
            isinstance(pending.command, ReplayEvents)
            for pending in (self._open, *self._queue)
            if pending
        )
        if self._newest > self.position.number and not is_asked:
            self.counters.replays += 1
            self._queue.appendleft(_Pending(0, ReplayEvents(self.position.number)))
        self._pump(now_s)

    # --- frames out -----------------------------------------------------------------------

    def _resync(self, reason: str, now_s: float) -> None:
        self._move(LinkEvent.RESYNC_NEEDED, reason)
        self._start_handshake(now_s)

    def _change_session(self) -> None:
        self._session = self._session % 0xFFFF + 1
        self._sequence = 0

    def _start_handshake(self, now_s: float) -> None:
        self._take_step(self._greeting.begin(), now_s)

    def _take_step(self, step: Step, now_s: float) -> None:
        self._handshakes = self._handshakes % 0xFFFF + 1
        self._handshake = _Pending(0, step, sequence=self._handshakes)
        self._transmit(self._handshake, now_s)

    def _pump(self, now_s: float) -> None:
        if self.state not in (LinkState.READY, LinkState.DEGRADED):
            return
        if self._open is not None:
            if self._open.sends == 0:
                self._transmit(self._open, now_s)
            return
        if not self._queue:
            return
        self._open = self._queue.popleft()
        self._sequence = self._sequence % 0xFFFF + 1
        self._open.sequence = self._sequence
        if isinstance(self._open.command, ReplayEvents):
            self._open.command = ReplayEvents(self.position.number)
        self._transmit(self._open, now_s)

    def _transmit(self, pending: _Pending, now_s: float) -> None:
        pending.sends += 1
        pending.has_left = True
        pending.sent_at_s = now_s
        self.counters.sends += 1
        if pending.sends == self._timing.strained_sends and self._handshake is None:
            self._clean = 0
            self._move(LinkEvent.STRAINED, f"{pending.sends} tries for one answer")
        frame = Frame(
            pending.command,
            pending.sequence,
            self._session,
            self._epoch_meant(pending.command),
            self.position.number,
        )
        _LOGGER.debug("host > %s", frame)
        self._output += encode(self._guard.close(frame))

    def _epoch_meant(self, command: Command) -> int:
        match command:
            case Identify():
                return 0
            case Challenge() | Prove():
                return self._greeting.epoch
            case _:
                return self.position.epoch

    def _measure(self, pending: _Pending, now_s: float) -> None:
        """Learn from an answer; one to a repeated command says nothing about time (Karn)."""
        if pending.sends > 1:
            return
        self._round_trip.measured(now_s - pending.sent_at_s)
        self._clean += 1
        if self.state is LinkState.DEGRADED and self._clean >= self._timing.clean_answers:
            self._move(LinkEvent.RECOVERED, f"{self._clean} answers at the first try")

    # --- ends -----------------------------------------------------------------------------

    def _refuse_version(self, frame: ForeignFrame) -> None:
        if frame.version == PROTOCOL_VERSION or self.state is not LinkState.CONNECTING:
            self.counters.strays += 1
            return
        self._outputs.append(VersionRefused(frame.version))
        self._lose(LinkEvent.REFUSED, f"protocol version {frame.version}")

    def _lose(self, event: LinkEvent, reason: str) -> None:
        self._move(event, reason)
        self._handshake = None
        self._output.clear()
        self._queue = deque(pending for pending in self._queue if pending.ticket)
        if self._open is not None:
            self._open.sends = 0

    def _is_lost(self) -> bool:
        return self.state is LinkState.LOST

    def _give_up(self, pending: _Pending) -> None:
        may_have_run = pending.has_left and is_motion(pending.command)
        if pending.ticket:
            self._outputs.append(Unanswered(pending.ticket, may_have_run))

    def _move(self, event: LinkEvent, reason: str) -> None:
        old, self.state = self.state, next_state(self.state, event)
        if old is not self.state:
            _LOGGER.info("link %s -> %s: %s", old.value, self.state.value, reason)
            self._outputs.append(LinkChanged(old, self.state, reason))
