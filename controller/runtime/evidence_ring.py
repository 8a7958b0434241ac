"""The newest pictures of a camera, a few seconds of them, in bounded memory."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.runtime.evidence import PUBLIC_ZONES, PublicCards
from vision import Face, Point, Quad, Sighting, Zones

Image = NDArray[np.uint8]

EVERY_MS: Final = 200
"""Pictures in which nothing changed are kept five times a second: hands move slower."""

SPAN_MS: Final = 8_000
"""How far back the ring reaches: what led to a ruling, and the patience of the watcher."""

MOST_BYTES: Final = 24_000_000
"""Memory for compressed pictures, at most: forty of a 1080p camera are about 16 MB."""

LONGEST_SIDE_PX: Final = 1_920
"""Larger pictures are made smaller: a card's index is read at half of it."""

QUALITY: Final = 85
"""JPEG quality; below 80 the edges of an index blur."""

_SALT_BYTES: Final = 16
_COMMENT: Final = b"\xff\xfe\x00\x12"
"""A JPEG comment segment (ITU-T T.81, B.2.4.5): marker, and length with its own two bytes."""

_START: Final = b"\xff\xd8"


class Still:
    """One picture of the ring.

    Args:
        image: As it came from the camera; not changed here.
        taken_ms: On the table's own clock.
        seen: The changes that the watcher saw on it.
        zones: Where the zones lie in it; None where that is not known.
    """

    def __init__(
        self,
        image: Image,
        taken_ms: int,
        seen: tuple[Sighting, ...] = (),
        zones: Zones | None = None,
    ) -> None:
        self.taken_ms, self._seen, self._zones = taken_ms, seen, zones
        self._image: Image | None = image
        self._width = image.shape[1]
        self._jpeg = b""
        self._turn = threading.Lock()

    @property
    def is_change(self) -> bool:
        """Whether the watcher saw a change on it."""
        return bool(self._seen)

    @property
    def size(self) -> int:
        """Bytes of the compressed picture; 0 before it was compressed."""
        return len(self._jpeg)

    def jpeg(self) -> bytes:
        """The compressed picture; the first call compresses it."""
        with self._turn:
            if self._image is not None:
                self._jpeg, self._image = _encoded(_shrunk(self._image)), None
            return self._jpeg

    def covered(self, public: PublicCards = frozenset()) -> bytes:
        """The same with all black but the public places and some cards.

        Args:
            public: Cards that are left where they were seen on this picture.

        Returns:
            The compressed picture; empty where it is not known what lies where.
        """
        if self._zones is None:
            return b""
        packed = np.frombuffer(self.jpeg(), np.uint8)
        image = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        cards = [
            card.quad
            for sighting in self._seen
            for card in sighting.cards
            if card.face is Face.UP and (sighting.zone, card.card) in public
        ]
        image[_hidden(image, self._zones, cards, image.shape[1] / self._width)] = 0
        return _encoded(image)


class FrameRing:
    """Takes pictures in the camera's thread and gives them to any other."""

    def __init__(self) -> None:
        self._stills: deque[Still] = deque()
        self._turn = threading.Lock()

    def take(self, still: Still) -> None:
        """Keep a picture, unless it is like the one before; let go of old ones."""
        with self._turn:
            last = self._stills[-1] if self._stills else None
            if last and not still.is_change and still.taken_ms - last.taken_ms < EVERY_MS:
                return
            self._stills.append(still)
        if last is not None:
            last.jpeg()  # so that no more than one is held uncompressed
        self._let_go(still.taken_ms)

    def between(self, first_ms: int, last_ms: int) -> tuple[Still, ...]:
        """The pictures taken from one time to another, both included, oldest first."""
        with self._turn:
            return tuple(s for s in self._stills if first_ms <= s.taken_ms <= last_ms)

    @property
    def size(self) -> int:
        """Bytes of the compressed pictures held."""
        with self._turn:
            return sum(still.size for still in self._stills)

    def _let_go(self, now_ms: int) -> None:
        with self._turn:
            size = sum(still.size for still in self._stills)
            while len(self._stills) > 1 and (
                size > MOST_BYTES or now_ms - self._stills[0].taken_ms > SPAN_MS
            ):
                size -= self._stills.popleft().size


def best_of(stills: Iterable[Still]) -> Still | None:
    """The picture that shows what was ruled on: the newest with a change, else the newest."""
    newest: Still | None = None
    for still in stills:
        if newest is None or still.is_change or not newest.is_change:
            newest = still
    return newest


def spread(stills: Iterable[Still], at_ms: Iterable[int]) -> tuple[Still, ...]:
    """For each time the picture nearest to it, none of them twice, oldest first."""
    left = list(stills)
    chosen: list[Still] = []
    for wanted in at_ms:
        if left:
            chosen.append(min(left, key=_distance(wanted)))
            left.remove(chosen[-1])
    return tuple(sorted(chosen, key=lambda still: still.taken_ms))


def _distance(wanted: int) -> Callable[[Still], int]:
    return lambda still: abs(still.taken_ms - wanted)


def _shrunk(image: Image) -> Image:
    scale = LONGEST_SIDE_PX / max(image.shape[:2])
    if scale >= 1:
        return image
    return np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
    )


def _encoded(image: Image) -> bytes:
    """As JPEG, with random bytes in a comment: its hash gives nothing of the picture away."""
    _, packed = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    jpeg = bytes(packed)
    return _START + _COMMENT + secrets.token_bytes(_SALT_BYTES) + jpeg[len(_START) :]


def _hidden(image: Image, zones: Zones, cards: Iterable[Quad], scale: float) -> NDArray[np.bool_]:
    """Where something may lie that is not public; where zones overlap, it is hidden."""
    is_public = np.zeros(image.shape[:2], np.uint8)
    is_other = np.zeros(image.shape[:2], np.uint8)
    for area in zones.areas:
        name, _, _ = area.name.partition(":")
        _fill(is_public if name in PUBLIC_ZONES else is_other, area.corners, scale)
    is_public[is_other != 0] = 0
    for quad in cards:
        _fill(is_public, quad, scale)
    hidden: NDArray[np.bool_] = is_public == 0
    return hidden


def _fill(mask: Image, corners: Iterable[Point], scale: float) -> None:
    scaled = np.array(list(corners), np.float64) * scale
    cv2.fillPoly(mask, [scaled.round().astype(np.int32)], (255,))
