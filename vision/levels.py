"""A picture at half, quarter and smaller size, each made when first needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

SMALLEST_LEVEL_PX: Final = 48
"""Levels with a side below this are not made."""

SEARCH_SIDE_PX: Final = 1344
"""Larger pictures are searched at this size, both for outlines and for indices: an index of 14
pixels on a full-HD frame has 10 then, which is enough to find it, and is too small to be named."""


@dataclass(frozen=True, slots=True, eq=False)
class Shrunk:
    """A picture as it is searched, and its size by that of the original: 1 or less."""

    image: Image
    scale: float


class Levels:
    """The picture and its halves.

    Args:
        image: Shape (H, W, 3), BGR.
    """

    def __init__(self, image: Image) -> None:
        self._levels = [image]
        self._shrunk: Shrunk | None = None
        self.deepest = max(0, int(np.log2(min(image.shape[:2]) / SMALLEST_LEVEL_PX)))

    def at(self, level: int) -> Image:
        """The picture halved ``level`` times; the deepest there is when there are fewer."""
        wanted = min(level, self.deepest)
        while len(self._levels) <= wanted:
            half = cv2.pyrDown(self._levels[-1])
            self._levels.append(np.asarray(half, dtype=np.uint8))
        return self._levels[wanted]

    def shrunk(self) -> Shrunk:
        """The picture at the size that it is searched at, made once."""
        if self._shrunk is None:
            self._shrunk = _shrunk(self._levels[0])
        return self._shrunk

    def clamped(self, level: int) -> int:
        """The nearest level that exists."""
        return max(0, min(level, self.deepest))


def _shrunk(image: Image) -> Shrunk:
    scale = min(1.0, SEARCH_SIDE_PX / max(image.shape[:2]))
    if scale == 1.0:
        return Shrunk(image, scale)
    # Averaging over areas is slow, and needed only where pixels would be left out.
    mode = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=mode)
    return Shrunk(np.asarray(small, dtype=np.uint8), scale)


def to_level(points: NDArray[np.float64], level: int) -> NDArray[np.float64]:
    """Points of the picture in pixels of a level."""
    # pyrDown keeps every second pixel, beginning with the first, so nothing is shifted.
    return np.asarray(points / 2**level, dtype=np.float64)


def from_level(points: NDArray[np.float64], level: int) -> NDArray[np.float64]:
    """Points of a level in pixels of the picture."""
    return np.asarray(points * 2**level, dtype=np.float64)
