"""What a person who sets a camera up wants to know of its picture: sharpness and light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.values import Point

_BINS: Final = 32
DARK: Final = 16
"""Grey level of video black: what is not above it has no drawing left."""

BRIGHT: Final = 250
"""Grey level from which on white paper and what is printed on it run into one."""

_DIM: Final = 150.0
"""The brightest hundredth of a picture with cards or markers is their paper, which a camera that
exposes well puts at 200 and above. Chosen: at 0.6 of that light a person is told."""

_BURNT_SHARE: Final = 0.02
"""Share of the picture that may be burnt out. Chosen: the paper of five cards is about this much
of a table, so that more is no longer the brightest paper alone."""

_GLARE_SHARE: Final = 0.0003
"""A burnt-out spot of this share is reported: 17 pixels square at 720p, as large as an index."""


@dataclass(frozen=True, slots=True)
class Light:
    """How a picture is exposed.

    Attributes:
        histogram: Shares of the pixels by grey level, 32 steps from black to white.
        dark: Share of the pixels without drawing for lack of light.
        burnt: Share of the pixels without drawing for too much of it.
        paper: Grey level that one pixel in a hundred passes: that of the cards' paper.
        glare: Middles, in pixels, of spots that are burnt out, the largest first.
    """

    histogram: tuple[float, ...]
    dark: float
    burnt: float
    paper: float
    glare: tuple[Point, ...]

    @property
    def is_dim(self) -> bool:
        """Whether there is too little light."""
        return self.paper < _DIM

    @property
    def is_burnt(self) -> bool:
        """Whether there is too much light."""
        return self.burnt > _BURNT_SHARE


def sharpness(image: NDArray[np.uint8]) -> float:
    """How sharp a picture is: the higher the sharper, for comparing one view with itself.

    The variance of the Laplacian at full size, after a small blur against noise: what is lost
    by a lens one turn out of focus is gone at half the size already.

    Args:
        image: Shape (H, W, 3), BGR.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    return float(cv2.Laplacian(grey, cv2.CV_32F).var())


def light(image: NDArray[np.uint8]) -> Light:
    """How a picture (H, W, 3), BGR, is exposed."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    levels = np.bincount(grey.ravel(), minlength=256) / grey.size
    return Light(
        histogram=tuple(float(v) for v in levels.reshape(_BINS, -1).sum(axis=1)),
        dark=float(levels[:DARK].sum()),
        burnt=float(levels[BRIGHT:].sum()),
        paper=float(np.searchsorted(np.cumsum(levels), 0.99)),
        glare=_glare(grey),
    )


def _glare(grey: NDArray[np.uint8]) -> tuple[Point, ...]:
    """Burnt-out spots; what is thin, such as a bright edge, is worn away first."""
    burnt = (grey >= BRIGHT).astype(np.uint8)
    burnt = np.asarray(cv2.morphologyEx(burnt, cv2.MORPH_OPEN, np.ones((5, 5))), np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(burnt)
    spots = [
        (int(part[cv2.CC_STAT_AREA]), (float(x), float(y)))
        for part, (x, y) in zip(stats[1:], middles[1:], strict=True)
        if part[cv2.CC_STAT_AREA] >= _GLARE_SHARE * grey.size
    ]
    return tuple(middle for _, middle in sorted(spots, reverse=True))
