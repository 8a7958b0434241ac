"""Where a picture changes: frame differences by part of the table.

Pictures are reduced to a quarter of their size first. That averages the noise
of sixteen pixels into one and makes the comparison cheap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values import Point
from vision.zones import Zones

_REDUCTION: Final = 4

_GREY_STEP: Final = 14
"""Grey levels that count as a change; sensor noise is about 1 after the reduction."""

_CHANGED_PIXELS: Final = 8
"""Reduced pixels that must differ: about a tenth of a card 70 pixels high."""

_SAME_SHARE: Final = 0.03
"""Share of a card that may differ and the card still be the same: another card of the same
rank and colour differs in more (an index and its pips)."""

_CORE: Final = 0.8
"""What counts of an outline: a card laid close by darkens the rim of its neighbour."""

_START_PX: Final = 200_000
"""What beginning another part costs, in pixels to read: an empty part of 450 x 450 pixels takes
twice what its pixels cost within a large one."""

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Box:
    """A part of a picture in pixels; right and bottom are excluded."""

    left: int
    top: int
    right: int
    bottom: int

    def overlaps(self, other: Box) -> bool:
        """Whether the two share a pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    @property
    def size(self) -> int:
        """Pixels in it."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


def merged(boxes: list[Box]) -> list[Box]:
    """Boxes joined until none overlaps another."""
    apart: list[Box] = []
    for box in boxes:
        grown = box
        while touching := [other for other in apart if other.overlaps(grown)]:
            for other in touching:
                apart.remove(other)
                grown = grown.joined(other)
        apart.append(grown)
    return apart


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture to be read, and the areas that it is read for."""

    box: Box
    areas: frozenset[int]

    def joined(self, other: Part) -> Part:
        """One part for the areas of both."""
        return Part(self.box.joined(other.box), self.areas | other.areas)


def gathered(parts: list[Part]) -> list[Part]:
    """Parts joined where one costs less to read than two.

    Boxes of areas far from each other stay apart, though they may share a margin: the box
    around a strip at the border and a seat in the middle would be the whole picture.
    """
    apart: list[Part] = []
    for part in parts:
        grown = part
        while near := next((other for other in apart if _is_cheaper(grown, other)), None):
            apart.remove(near)
            grown = grown.joined(near)
        apart.append(grown)
    return apart


def _is_cheaper(one: Part, other: Part) -> bool:
    return one.box.joined(other.box).size <= one.box.size + other.box.size + _START_PX


class MotionMap:
    """Knows which zone areas of a picture move, and which changed since they were read.

    Every pixel belongs to the nearest area, so nothing on the table is nobody's.

    Args:
        zones: Areas in pixels.
        width_px: Width of the pictures.
        height_px: Height of the pictures.
    """

    def __init__(self, zones: Zones, width_px: int, height_px: int) -> None:
        self.size = (width_px, height_px)
        self._count = len(zones.areas)
        self._small = (-(-width_px // _REDUCTION), -(-height_px // _REDUCTION))
        self._owner = _owners(zones, self._small)
        self._previous: Grey | None = None
        self._reference: Grey | None = None

    def area_at(self, x: float, y: float) -> int:
        """Index of the area that a pixel belongs to."""
        column = min(max(int(x / _REDUCTION), 0), self._small[0] - 1)
        row = min(max(int(y / _REDUCTION), 0), self._small[1] - 1)
        return int(self._owner[row, column])

    def box(self, area: int, margin_px: int) -> Box:
        """The part of the picture that belongs to an area, with a margin around it."""
        rows, columns = np.nonzero(self._owner == area)
        if rows.size == 0:
            return Box(0, 0, 0, 0)
        return Box(
            max(0, int(columns.min()) * _REDUCTION - margin_px),
            max(0, int(rows.min()) * _REDUCTION - margin_px),
            min(self.size[0], (int(columns.max()) + 1) * _REDUCTION + margin_px),
            min(self.size[1], (int(rows.max()) + 1) * _REDUCTION + margin_px),
        )

    def look(self, image: NDArray[np.uint8]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Compare a picture with the one before and with what was last read.

        Args:
            image: Shape (H, W, 3), BGR.

        Returns:
            Two arrays by area: moving now, and different from its last reading.
        """
        small = cv2.resize(image, self._small, interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        if self._previous is None or self._reference is None:
            self._previous, self._reference = grey, grey.copy()
            return np.zeros(self._count, np.bool_), np.ones(self._count, np.bool_)
        moving = self._areas(grey, self._previous)
        changed = self._areas(grey, self._reference)
        self._previous = grey
        return moving, changed

    def is_unchanged(self, outline: Sequence[Point]) -> bool:
        """Whether well inside an outline, in pixels, the picture is as it was when last read."""
        if self._reference is None or self._previous is None:
            return False
        points = np.array(outline, dtype=np.float64)
        points = points.mean(axis=0) + _CORE * (points - points.mean(axis=0))
        corners = np.round(points / _REDUCTION).astype(np.int32)
        low, high = np.maximum(corners.min(axis=0), 0), corners.max(axis=0) + 1
        window = np.s_[low[1] : high[1], low[0] : high[0]]
        inside = np.zeros(self._owner[window].shape, np.uint8)
        if inside.size == 0:
            return False
        cv2.fillPoly(inside, [corners - low.astype(np.int32)], 1)
        differs = cv2.absdiff(self._previous[window], self._reference[window]) > _GREY_STEP
        changed = np.count_nonzero(differs & (inside > 0))
        return bool(changed <= _SAME_SHARE * np.count_nonzero(inside))

    def settle(self, area: int) -> None:
        """Take the present look of an area as read."""
        if self._reference is not None and self._previous is not None:
            np.copyto(self._reference, self._previous, where=self._owner == area)

    def _areas(self, grey: Grey, other: Grey) -> NDArray[np.bool_]:
        differs = cv2.absdiff(grey, other) > _GREY_STEP
        if not differs.any():
            return np.zeros(self._count, np.bool_)
        counts = np.bincount(self._owner[differs], minlength=self._count)
        return np.asarray(counts >= _CHANGED_PIXELS, dtype=np.bool_)


def _owners(zones: Zones, size: tuple[int, int]) -> NDArray[np.int64]:
    """The nearest area of each reduced pixel, shape (H, W); the earlier one where two tie."""
    distances = []
    for area in zones.areas:
        outside = np.full((size[1], size[0]), 255, np.uint8)
        corners = np.round(np.array(area.corners) / _REDUCTION).astype(np.int32)
        cv2.fillPoly(outside, [corners], 0)
        distances.append(cv2.distanceTransform(outside, cv2.DIST_L2, cv2.DIST_MASK_PRECISE))
    return np.asarray(np.argmin(np.stack(distances), axis=0), dtype=np.int64)
