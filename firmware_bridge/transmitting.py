"""How a command leaves and how long its answer may take: sealed, encoded, counted, timed. Pure."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from firmware_bridge.framing import Frame, Noise, encode
from firmware_bridge.outstanding import Pending
from firmware_bridge.security_host import HostGuard
from firmware_bridge.timing import LinkTiming, RoundTrip

_LOGGER = logging.getLogger(__name__)


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


class Transmitter:
    """The host's sending end.

    Args:
        timing: timeouts and bounds.
        guard: seals what is sent.
        counters: where sends are counted.
    """

    def __init__(self, timing: LinkTiming, guard: HostGuard, counters: Counters) -> None:
        self._timing = timing
        self._guard = guard
        self._counters = counters
        self._round_trip = RoundTrip(timing)
        self._clean = 0
        self._output = bytearray()

    @property
    def timeout_s(self) -> float:
        """How long to wait for the answer to what was sent last."""
        return self._round_trip.timeout_s

    def line_opened(self) -> None:
        """Another line: nothing is known of its round trip."""
        self._output.clear()
        self._round_trip.reset()

    def line_lost(self) -> None:
        """What was not written yet never will be."""
        self._output.clear()

    def send(self, pending: Pending, frame: Frame, now_s: float) -> bool:
        """Send a command, for the first time or again.

        Returns:
            Whether so many sends for one answer show a strained line.
        """
        pending.sends += 1
        pending.has_left = True
        pending.sent_at_s = now_s
        self._counters.sends += 1
        _LOGGER.debug("host > %s", frame)
        self._output += encode(self._guard.close(frame))
        return pending.sends == self._timing.strained_sends

    def strained(self) -> None:
        """Count the clean answers anew."""
        self._clean = 0

    def expired(self) -> None:
        """No answer came in time."""
        self._round_trip.expired()

    def answered(self, pending: Pending, now_s: float) -> bool:
        """Learn from an answer; one to a repeated command says nothing about time (Karn).

        Returns:
            Whether so many answers came at the first try that the line is sound.
        """
        if pending.sends > 1:
            return False
        self._round_trip.measured(now_s - pending.sent_at_s)
        self._clean += 1
        return self._clean >= self._timing.clean_answers

    def data_to_send(self) -> bytes:
        """The bytes to write now; they are handed out once."""
        data = bytes(self._output)
        self._output.clear()
        return data
