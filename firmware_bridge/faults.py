"""Named faults, and the wire that makes them: used by tests, demo and command line.

A ``Wire`` carries bytes one way and spoils them as its ``FaultPlan`` says. It
knows no clock: time comes in as data, so that it runs in simulated time as well
as between a real pty and its device.
"""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass
from enum import Enum

from firmware_bridge.messages import PROTOCOL_VERSION, Kind


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """What the line and the device do wrong all the time; the default does nothing wrong.

    ``flip`` is a probability per byte, ``lose``, ``double``, ``swap`` and
    ``delay`` are per frame. ``swap`` holds a frame back until the next has passed.
    """

    flip: float = 0.0
    lose: float = 0.0
    double: float = 0.0
    swap: float = 0.0
    delay: float = 0.0
    delay_s: float = 0.0
    byte_by_byte: bool = False
    silent: bool = False
    stale_boot: bool = False
    """A Booted frame of an earlier start lies in the line when the host opens it."""
    version: int = PROTOCOL_VERSION
    kind: Kind = Kind.SHUFFLER


class Fault(Enum):
    """Something that happens once, on demand (``SoftwareShuffler.inject``)."""

    CABLE_PULLED = "cable pulled"
    RESET = "reset"
    RESET_BEFORE_ANSWER = "reset before answer"
    JAM = "jam"
    DOUBLE_FEED = "double feed"
    HOPPER_EMPTY = "hopper empty"
    LID_OPEN = "lid open"
    FLOOD = "flood"


WIRES: dict[str, FaultPlan] = {
    "perfect": FaultPlan(),
    "byte-by-byte": FaultPlan(byte_by_byte=True),
    "lossy": FaultPlan(lose=0.05),
    "noisy": FaultPlan(flip=0.01),
    "doubling": FaultPlan(double=0.1),
    "reordering": FaultPlan(swap=0.05),
    "late": FaultPlan(delay=0.1, delay_s=0.2),
    "bad": FaultPlan(flip=0.01, lose=0.05, double=0.02, swap=0.01, delay=0.02, delay_s=0.1),
    "silent": FaultPlan(silent=True),
}
"""Wires by name; ``bad`` has one byte in a hundred corrupt and one frame in twenty lost."""

_PERFECT = FaultPlan()

_MAX_TAIL = 4096
"""Bytes without a delimiter that are kept; no frame of ours is that long."""


class Wire:
    """One direction of a line.

    Args:
        plan: what goes wrong.
        rng: decides when.
    """

    def __init__(self, plan: FaultPlan = _PERFECT, rng: random.Random | None = None) -> None:
        self.plan = plan
        self._rng = rng or random.Random(0)  # deterministic unless the caller says otherwise
        self._parcels: list[tuple[float, int, bytes]] = []
        self._count = 0
        self._held_back = b""
        self._tail = b""

    @property
    def due_s(self) -> float:
        """When the next bytes arrive; infinite when nothing is on the way."""
        return self._parcels[0][0] if self._parcels else math.inf

    def put(self, data: bytes, now_s: float) -> None:
        """Send bytes; they travel a frame at a time, so an unfinished one waits."""
        *bodies, tail = (self._tail + data).split(b"\0")
        self._tail = tail[:_MAX_TAIL]
        for frame in (b"\0" + body + b"\0" for body in bodies if body):
            for copy in self._spoil(frame):
                self._post(copy, now_s)

    def take(self, now_s: float) -> list[bytes]:
        """The pieces that have arrived by now."""
        pieces: list[bytes] = []
        while self._parcels and self._parcels[0][0] <= now_s:
            data = heapq.heappop(self._parcels)[2]
            if self.plan.byte_by_byte:
                pieces.extend(bytes([byte]) for byte in data)
            else:
                pieces.append(data)
        return pieces

    def clear(self) -> None:
        """What was on the way is gone."""
        self._parcels.clear()
        self._held_back = self._tail = b""

    def _spoil(self, frame: bytes) -> list[bytes]:
        plan = self.plan
        if plan.silent or self._happens(plan.lose):
            return []
        if plan.flip:
            frame = bytes(
                byte ^ (1 << self._rng.randrange(8)) if self._happens(plan.flip) else byte
                for byte in frame
            )
        copies = [frame, frame] if self._happens(plan.double) else [frame]
        if self._held_back:
            copies.append(self._held_back)
            self._held_back = b""
        elif self._happens(plan.swap):
            self._held_back = copies.pop()
        return copies

    def _post(self, data: bytes, now_s: float) -> None:
        late_s = self.plan.delay_s if self._happens(self.plan.delay) else 0.0
        self._count += 1
        heapq.heappush(self._parcels, (now_s + late_s, self._count, data))

    def _happens(self, probability: float) -> bool:
        return probability > 0 and self._rng.random() < probability
