"""Faces that show for a moment while a card is moving: a flashed card in the pitch.

The watcher reads what lies still. This one reads what moves: where two frames
differ, and only there. A face seen in several frames at places that follow one
another is a flash; its clearest frame is kept as evidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion import Box, merged
from vision.sources.frames import Frame
from vision.tracks import Track, short_side
from vision.values import UNKNOWN, Face, Quad, SeenCard
from vision.watcher import Reader

_REDUCTION: Final = 4
_GREY_STEP: Final = 14
"""Grey levels that count as a change after the reduction, as in the motion map."""

_SMALLEST: Final = 12
"""Reduced pixels that a moving card changes at least."""

_MOST_OF_FRAME: Final = 0.3
"""A larger part that moves is an arm, a knock or a change of light: it is not read."""

_STEP_MOST: Final = 3.0
"""Long sides that a card flies from one frame to the next at most: 8 m/s at 30 frames/s."""

_STEP_LEAST: Final = 0.1
"""Short sides that it must move at least; what moves less is a card being laid or nudged."""

_GAP: Final = 2
"""Frames in which the flying card may be missed, blurred or edge on."""

_LOOKS: Final = 2
"""Frames in which a face must be seen: one alone may be a misreading of a blur."""


@dataclass(frozen=True, slots=True, eq=False)
class Flash:
    """A face that showed while its card was moving.

    Attributes:
        card: Its name, UNKNOWN where the frames do not settle it.
        looks: In how many frames a face was seen.
        quad: Where it was in the clearest of them.
        evidence: That frame, (H, W, 3), BGR.
        frame: Its number.
        at_s: Its time.
        last: Where the card was seen last, in pixels.
    """

    card: str
    looks: int
    quad: Quad
    evidence: NDArray[np.uint8] = field(repr=False)
    frame: int
    at_s: float
    last: tuple[float, float]


@dataclass(slots=True)
class _Flight:
    """One moving card whose face has been seen."""

    track: Track
    best: SeenCard
    frame: Frame
    seen_at: int
    length_px: float = 0.0

    def follow(self, seen: SeenCard, frame: Frame) -> None:
        self.length_px += math.dist(self.track.last.centre, seen.centre)
        self.track.add(seen)
        self.seen_at = frame.number
        if _clarity(seen) > _clarity(self.best):
            self.best, self.frame = seen, frame

    def reaches(self, seen: SeenCard, number: int) -> bool:
        side = max(math.dist(seen.quad[0], seen.quad[3]), short_side(seen))
        steps = number - self.seen_at
        return math.dist(self.track.last.centre, seen.centre) <= _STEP_MOST * side * steps


class FlashWatch:
    """Finds faces in what moves.

    Args:
        reader: Reads cards; called once for each part of a frame that moves.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._before: NDArray[np.uint8] | None = None
        self._flights: list[_Flight] = []

    def feed(self, frame: Frame) -> tuple[Flash, ...]:
        """The flashes that are over with this frame."""
        for seen in self._faces(frame):
            near = [f for f in self._flights if f.reaches(seen, frame.number)]
            if near:
                near[0].follow(seen, frame)
            else:
                track = Track(seen)
                track.add(seen)
                self._flights.append(_Flight(track, seen, frame, frame.number))
        over = [f for f in self._flights if frame.number - f.seen_at > _GAP]
        self._flights = [f for f in self._flights if f not in over]
        return tuple(_flash(flight) for flight in over if _is_flash(flight))

    def _faces(self, frame: Frame) -> Iterator[SeenCard]:
        """Faces in the parts of the frame that differ from the frame before."""
        height, width = frame.image.shape[:2]
        for box in self._moving(frame.image):
            if (box.right - box.left) * (box.bottom - box.top) > _MOST_OF_FRAME * height * width:
                continue
            part = np.ascontiguousarray(frame.image[box.top : box.bottom, box.left : box.right])
            for card in self._reader.read(part):
                if card.face is Face.UP:
                    yield _shifted(card, box.left, box.top)

    def _moving(self, image: NDArray[np.uint8]) -> list[Box]:
        size = (image.shape[1] // _REDUCTION, image.shape[0] // _REDUCTION)
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        before, self._before = self._before, grey
        if before is None or before.shape != grey.shape:
            return []
        differs = (cv2.absdiff(grey, before) > _GREY_STEP).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(differs, np.ones((5, 5))))
        return merged([_around(part, image.shape) for part in stats[1:] if part[4] >= _SMALLEST])


def _around(part: NDArray[np.int32], shape: tuple[int, ...]) -> Box:
    """A changed part with a margin of a tenth of the frame's height, in full pixels."""
    left, top, width, height = (int(v) * _REDUCTION for v in part[:4])
    margin = shape[0] // 10
    return Box(
        max(0, left - margin),
        max(0, top - margin),
        min(shape[1], left + width + margin),
        min(shape[0], top + height + margin),
    )


def _shifted(card: SeenCard, left: int, top: int) -> SeenCard:
    a, b, c, d = ((x + left, y + top) for x, y in card.quad)
    return SeenCard(card.card, card.face, (a, b, c, d), card.confidence, card.back)


def _clarity(seen: SeenCard) -> float:
    """What makes a frame good evidence: first that the card has a name, then how sure it is."""
    return seen.confidence + (seen.card != UNKNOWN)


def _is_flash(flight: _Flight) -> bool:
    moved = flight.length_px >= _STEP_LEAST * short_side(flight.best) * (flight.track.looks - 1)
    return flight.track.looks >= _LOOKS and moved


def _flash(flight: _Flight) -> Flash:
    best, frame = flight.best, flight.frame
    return Flash(
        flight.track.decided().card,
        flight.track.looks,
        best.quad,
        frame.image,
        frame.number,
        frame.at_s,
        flight.track.last.centre,
    )
