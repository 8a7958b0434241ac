"""An ear on the cable: every frame of both ends, decoded, as it passes through a port."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import Decoder, ForeignFrame, Frame
from firmware_bridge.messages import Sealed
from firmware_bridge.port import Port
from firmware_bridge.security import unseal


@dataclass(frozen=True, slots=True)
class Heard:
    """One frame on the line.

    Attributes:
        at_s: when, on the monotonic clock.
        is_ours: whether the host said it.
        frame: the frame; a sealed one as it was meant, its tag not checked here.
        is_sealed: whether it came in an envelope.
        noise: what was thrown away in this direction since the tap was opened.
    """

    at_s: float
    is_ours: bool
    frame: Frame | ForeignFrame
    is_sealed: bool
    noise: int


class TappedPort:
    """A port that tells every frame that passes through it.

    Args:
        port: the port behind.
        tell: called from the threads that read and write.
        now: the monotonic clock.
    """

    def __init__(
        self,
        port: Port,
        tell: Callable[[Heard], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._port = port
        self._tell = tell
        self._now = now
        self._ours, self._theirs = Decoder(), Decoder()

    @property
    def url(self) -> str:
        """See ``Port.url``."""
        return self._port.url

    def read(self) -> bytes:
        """See ``Port.read``."""
        data = self._port.read()
        self._hear(self._theirs, data, is_ours=False)
        return data

    def write(self, data: bytes) -> None:
        """See ``Port.write``."""
        self._hear(self._ours, data, is_ours=True)
        self._port.write(data)

    def close(self) -> None:
        """See ``Port.close``."""
        self._port.close()

    def _hear(self, decoder: Decoder, data: bytes, *, is_ours: bool) -> None:
        for frame in decoder.feed(data):
            meant, is_sealed = _meant(frame)
            self._tell(Heard(self._now(), is_ours, meant, is_sealed, decoder.noise.total))


def _meant(frame: Frame | ForeignFrame) -> tuple[Frame | ForeignFrame, bool]:
    if isinstance(frame, ForeignFrame) or not isinstance(frame.message, Sealed):
        return frame, False
    try:
        return replace(frame, message=unseal(frame).message), True
    except ProtocolError:
        return frame, True
