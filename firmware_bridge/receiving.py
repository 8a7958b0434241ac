"""What comes off the wire, as our device meant it: decoded, opened, counted. Pure."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from firmware_bridge.framing import Decoder, ForeignFrame, Frame, Noise
from firmware_bridge.security_host import HostGuard, SecurityIncident

_LOGGER = logging.getLogger(__name__)


class Receiver:
    """The host's receiving end.

    Args:
        guard: opens what a proved device sealed, and says what it did not send.
    """

    def __init__(self, guard: HostGuard) -> None:
        self._guard = guard
        self._decoder = Decoder()
        self.refused = 0
        """Frames that a proved device does not send: plain, of another session, falsely tagged."""

    @property
    def noise(self) -> Noise:
        """What the decoder threw away."""
        return self._decoder.noise

    def line_opened(self) -> None:
        """Another line: the half frame of the last one will not be completed."""
        self._decoder.feed(b"\0")

    def hear(self, data: bytes, now_s: float) -> Iterator[Frame | ForeignFrame | SecurityIncident]:
        """What the bytes say, each piece opened when it is asked for.

        A frame is opened only then, since the one before it may have changed who is trusted.
        """
        malformed = self.noise.bad_message
        for frame in self._decoder.feed(data):
            _LOGGER.debug("host < %s", frame)
            if isinstance(frame, ForeignFrame):
                yield frame
                continue
            opened = self._guard.open(frame, now_s)
            self.refused += not isinstance(opened, Frame)
            if opened is not None:
                yield opened
        if incident := self._guard.malformed(self.noise.bad_message - malformed, now_s):
            yield incident
