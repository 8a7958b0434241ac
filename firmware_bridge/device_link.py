"""The device's end of the link, without I/O and without a clock.

What a firmware does, in Python: execute each sequence number of a session once,
keep the last answer for its repetition, number every event within the epoch and
keep the newest in a ring for replay. The software shuffler is built on it.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from firmware_bridge.framing import Decoder, ForeignFrame, Frame, encode
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    Booted,
    Challenge,
    Command,
    DeviceEvent,
    EventsReplayed,
    Identify,
    Identity,
    Prove,
    Refusal,
    Refused,
    ReplayEvents,
    Reply,
    SealedCommand,
    SetKey,
)
from firmware_bridge.security_device import DeviceGuard, KeyMemory

_LOGGER = logging.getLogger(__name__)

RING_EVENTS = 256
"""Events kept for replay: a deck of 52 shuffled and dealt makes under 120."""

REPLAY_BURST = 16
"""Events sent again per request, so that an answer is never far behind them:
16 events of 22 bytes are 31 ms at 115200 baud."""


class DeviceLink:
    """One device, from one boot to the next.

    Args:
        identity: who it says it is.
        epoch: 1 to 2**32 - 1, another one at every boot.
        execute: carries one command out and answers it; called once per command.
        version: the protocol version that its frames carry.
        guard: whom the device obeys; the default has no key and obeys everybody.
    """

    def __init__(
        self,
        identity: Identity,
        epoch: int,
        execute: Callable[[Command], Reply],
        version: int = PROTOCOL_VERSION,
        guard: DeviceGuard | None = None,
    ) -> None:
        self._identity = identity
        self._epoch = epoch
        self._execute = execute
        self._version = version
        self._guard = guard or DeviceGuard(KeyMemory(), identity, epoch, bytes)
        self._decoder = Decoder()
        self._session = 0
        self._last_sequence = 0
        self._last_reply: Reply | None = None
        self._ring: deque[DeviceEvent] = deque(maxlen=RING_EVENTS)
        self._newest = 0
        self._output = bytearray()
        self.emit(Booted(identity.boot_cause))

    @property
    def newest(self) -> int:
        """Number of the newest event of this epoch."""
        return self._newest

    @property
    def noise(self) -> int:
        """What was thrown away in reception since the start."""
        return self._decoder.noise.total

    def emit(self, event: DeviceEvent) -> None:
        """Number an event, keep it for replay and send it."""
        self._newest += 1
        self._ring.append(event)
        if not self._guard.is_silent:
            self._send_event(event, self._newest)

    def receive(self, data: bytes) -> None:
        """Take bytes from the wire, in any pieces."""
        for frame in self._decoder.feed(data):
            _LOGGER.debug("device < %s", frame)
            if isinstance(frame, ForeignFrame) or self._version != PROTOCOL_VERSION:
                self._send(Frame(Refused(Refusal.VERSION), epoch=self._epoch))
            elif isinstance(frame.message, Command | SealedCommand):
                self._take(frame)

    def data_to_send(self) -> bytes:
        """The bytes to write now; they are handed out once."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def _take(self, frame: Frame) -> None:
        if isinstance(frame.message, Identify):
            self._open_session(frame.session)
            self._answer(frame, replace(self._identity, last_sequence=self._last_sequence))
        elif frame.session != self._session:
            self._answer(frame, Refused(Refusal.SESSION))
        elif frame.epoch != self._epoch:
            self._answer(frame, Refused(Refusal.EPOCH))
        elif isinstance(frame.message, Challenge | Prove):
            self._answer(frame, self._guard.shake(frame, frame.message, self._newest))
        else:
            self._take_numbered(frame)

    def _take_numbered(self, frame: Frame) -> None:
        """A command of the session: once each, in order, from the right host."""
        is_next = frame.sequence == self._last_sequence % 0xFFFF + 1
        command = self._guard.open(frame, is_next)
        if isinstance(command, Refused):
            self._answer(frame, command)
        elif frame.sequence == self._last_sequence and self._last_reply is not None:
            self._answer_sealed(frame, self._last_reply)
        elif is_next:
            self._run(frame, command)
        else:
            self._answer(frame, Refused(Refusal.SESSION))

    def _open_session(self, session: int) -> None:
        if session != self._session:
            self._session, self._last_sequence, self._last_reply = session, 0, None
            self._guard.forget()

    def _run(self, frame: Frame, command: Command) -> None:
        reply = self._reply_to(command)
        self._last_sequence, self._last_reply = frame.sequence, reply
        self._answer_sealed(frame, reply)

    def _reply_to(self, command: Command) -> Reply:
        match command:
            case ReplayEvents():
                return self._replay(command)
            case SetKey(key):
                return self._guard.set_key(key)
            case _:
                return self._execute(command)

    def _replay(self, command: ReplayEvents) -> Reply:
        oldest = self._newest - len(self._ring) + 1
        first = max(command.after + 1, oldest)
        for number in range(first, min(first + REPLAY_BURST, self._newest + 1)):
            self._send_event(self._ring[number - oldest], number)
        return EventsReplayed(oldest, self._newest)

    def _answer(self, asked: Frame, reply: Reply) -> None:
        """An answer that is never sealed: of the handshake, or that nothing was taken."""
        self._send(self._reply_frame(asked, reply))

    def _answer_sealed(self, asked: Frame, reply: Reply) -> None:
        self._send(self._guard.close(self._reply_frame(asked, reply), self._session))

    def _reply_frame(self, asked: Frame, reply: Reply) -> Frame:
        return Frame(reply, asked.sequence, asked.session, self._epoch, self._newest)

    def _send_event(self, event: DeviceEvent, number: int) -> None:
        frame = Frame(event, epoch=self._epoch, event=number)
        self._send(self._guard.close(frame, self._session))

    def _send(self, frame: Frame) -> None:
        _LOGGER.debug("device > %s", frame)
        self._output += encode(replace(frame, version=self._version))
