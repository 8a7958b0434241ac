"""A picture at half, quarter and smaller size, each made when first needed."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

SMALLEST_LEVEL_PX: Final = 48
"""Levels with a side below this are not made."""


class Levels:
    """The picture and its halves.

    Args:
        image: Shape (H, W, 3), BGR.
    """

    def __init__(self, image: Image) -> None:
        self._levels = [image]
        self.deepest = max(0, int(np.log2(min(image.shape[:2]) / SMALLEST_LEVEL_PX)))

    def at(self, level: int) -> Image:
        """The picture halved ``level`` times; the deepest there is when there are fewer."""
        wanted = min(level, self.deepest)
        while len(self._levels) <= wanted:
            half = cv2.pyrDown(self._levels[-1])
            self._levels.append(np.asarray(half, dtype=np.uint8))
        return self._levels[wanted]

    def clamped(self, level: int) -> int:
        """The nearest level that exists."""
        return max(0, min(level, self.deepest))


def to_level(points: NDArray[np.float64], level: int) -> NDArray[np.float64]:
    """Points of the picture in pixels of a level."""
    # pyrDown keeps every second pixel, beginning with the first, so nothing is shifted.
    return np.asarray(points / 2**level, dtype=np.float64)


def from_level(points: NDArray[np.float64], level: int) -> NDArray[np.float64]:
    """Points of a level in pixels of the picture."""
    return np.asarray(points * 2**level, dtype=np.float64)
