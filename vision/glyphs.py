"""Outlines of the rank letters and the suit pips, drawn for this project.

Ranks are strokes in a box one unit wide and one unit high, y downwards; pips
are closed outlines in a box from -0.5 to 0.5 in both directions.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Outline = NDArray[np.float64]
"""Points, shape (N, 2), x then y."""

_CURVE_STEPS: Final = 14
"""Points per Bezier piece: below a pixel of error at eight pixels a millimetre."""

_Path = tuple[float, ...]

# Each path is a start point followed by either (x, y) pairs for "L" or cubic
# pieces (c1, c2, end) for "C".
_STROKES: Final[dict[str, tuple[tuple[str, _Path], ...]]] = {
    "2": (
        ("C", (0.08, 0.28, 0.08, -0.08, 0.94, -0.10, 0.92, 0.29)),
        ("C", (0.92, 0.29, 0.91, 0.54, 0.36, 0.68, 0.06, 1.0)),
        ("L", (0.06, 1.0, 0.96, 1.0)),
    ),
    "3": (
        ("L", (0.10, 0.0, 0.90, 0.0, 0.44, 0.41)),
        ("C", (0.44, 0.41, 1.10, 0.36, 1.14, 1.02, 0.46, 1.0)),
        ("C", (0.46, 1.0, 0.22, 0.99, 0.08, 0.90, 0.03, 0.78)),
    ),
    "4": (("L", (0.74, 1.0, 0.74, 0.0, 0.02, 0.70, 1.0, 0.70)),),
    "5": (
        ("L", (0.88, 0.0, 0.20, 0.0, 0.13, 0.46)),
        ("C", (0.13, 0.46, 0.42, 0.28, 0.97, 0.34, 0.96, 0.68)),
        ("C", (0.96, 0.68, 0.95, 1.06, 0.22, 1.10, 0.03, 0.80)),
    ),
    "6": (
        ("C", (0.88, 0.13, 0.60, -0.12, 0.06, 0.02, 0.05, 0.64)),
        ("C", (0.05, 0.64, 0.05, 1.12, 0.95, 1.12, 0.95, 0.68)),
        ("C", (0.95, 0.68, 0.95, 0.28, 0.08, 0.30, 0.05, 0.68)),
    ),
    "7": (("L", (0.05, 0.0, 0.95, 0.0)), ("C", (0.95, 0.0, 0.62, 0.36, 0.40, 0.66, 0.38, 1.0))),
    "8": (
        ("C", (0.50, 0.46, -0.06, 0.46, -0.02, 0.0, 0.50, 0.0)),
        ("C", (0.50, 0.0, 1.02, 0.0, 1.06, 0.46, 0.50, 0.46)),
        ("C", (0.50, 0.46, -0.16, 0.46, -0.14, 1.0, 0.50, 1.0)),
        ("C", (0.50, 1.0, 1.14, 1.0, 1.16, 0.46, 0.50, 0.46)),
    ),
    "9": (
        ("C", (0.12, 0.87, 0.40, 1.12, 0.94, 0.98, 0.95, 0.36)),
        ("C", (0.95, 0.36, 0.95, -0.12, 0.05, -0.12, 0.05, 0.32)),
        ("C", (0.05, 0.32, 0.05, 0.72, 0.92, 0.70, 0.95, 0.32)),
    ),
    "1": (("L", (0.0, 0.0, 0.0, 1.0)),),
    "0": (
        ("C", (0.72, 0.0, 0.34, 0.0, 0.34, 1.0, 0.72, 1.0)),
        ("C", (0.72, 1.0, 1.10, 1.0, 1.10, 0.0, 0.72, 0.0)),
    ),
    "J": (
        ("L", (0.40, 0.0, 1.0, 0.0)),
        ("L", (0.72, 0.0, 0.72, 0.70)),
        ("C", (0.72, 0.70, 0.72, 1.08, 0.06, 1.12, 0.05, 0.72)),
    ),
    "Q": (
        ("C", (0.48, 0.0, -0.10, 0.0, -0.10, 1.0, 0.48, 1.0)),
        ("C", (0.48, 1.0, 1.06, 1.0, 1.06, 0.0, 0.48, 0.0)),
        ("L", (0.52, 0.70, 1.0, 1.04)),
    ),
    "K": (
        ("L", (0.08, 0.0, 0.08, 1.0)),
        ("L", (0.92, 0.0, 0.10, 0.62)),
        ("L", (0.38, 0.42, 0.96, 1.0)),
    ),
    "A": (("L", (0.0, 1.0, 0.5, 0.0, 1.0, 1.0)), ("L", (0.19, 0.66, 0.81, 0.66))),
    "O": (
        ("C", (0.5, 0.0, -0.12, 0.0, -0.12, 1.0, 0.5, 1.0)),
        ("C", (0.5, 1.0, 1.12, 1.0, 1.12, 0.0, 0.5, 0.0)),
    ),
    "E": (("L", (0.9, 0.0, 0.12, 0.0, 0.12, 1.0, 0.9, 1.0)), ("L", (0.12, 0.48, 0.76, 0.48))),
    "R": (
        ("L", (0.10, 1.0, 0.10, 0.0, 0.5, 0.0)),
        ("C", (0.5, 0.0, 1.04, 0.0, 1.04, 0.54, 0.5, 0.54)),
        ("L", (0.10, 0.54, 0.5, 0.54, 0.95, 1.0)),
    ),
}

_HEART: Final[_Path] = (
    *(0.0, -0.27, 0.05, -0.52, 0.50, -0.56, 0.50, -0.18),
    *(0.50, 0.06, 0.16, 0.22, 0.0, 0.52),
    *(-0.16, 0.22, -0.50, 0.06, -0.50, -0.18),
    *(-0.50, -0.56, -0.05, -0.52, 0.0, -0.27),
)
_DIAMOND: Final[_Path] = (
    *(0.0, -0.53, 0.12, -0.30, 0.26, -0.14, 0.42, 0.0),
    *(0.26, 0.14, 0.12, 0.30, 0.0, 0.53),
    *(-0.12, 0.30, -0.26, 0.14, -0.42, 0.0),
    *(-0.26, -0.14, -0.12, -0.30, 0.0, -0.53),
)
_SPADE: Final[_Path] = (
    *(0.0, -0.54, 0.14, -0.26, 0.48, -0.12, 0.48, 0.14),
    *(0.48, 0.44, 0.10, 0.42, 0.04, 0.20),
    *(0.05, 0.36, 0.10, 0.46, 0.22, 0.52),
    *(0.10, 0.52, -0.10, 0.52, -0.22, 0.52),
    *(-0.10, 0.46, -0.05, 0.36, -0.04, 0.20),
    *(-0.10, 0.42, -0.48, 0.44, -0.48, 0.14),
    *(-0.48, -0.12, -0.14, -0.26, 0.0, -0.54),
)
_CLUB_STEM: Final[_Path] = (
    *(-0.05, 0.0, -0.02, 0.30, -0.08, 0.46, -0.22, 0.52),
    *(-0.10, 0.52, 0.10, 0.52, 0.22, 0.52),
    *(0.08, 0.46, 0.02, 0.30, 0.05, 0.0),
)
_CLUB_LEAVES: Final = ((0.0, -0.28), (-0.265, 0.10), (0.265, 0.10))
_CLUB_LEAF_RADIUS: Final = 0.235


def _cubic(path: _Path) -> Outline:
    """Points along chained cubic pieces sharing their end points."""
    controls = np.array(path, dtype=np.float64).reshape(-1, 2)
    t = np.linspace(0.0, 1.0, _CURVE_STEPS)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    pieces = [weights @ controls[i : i + 4] for i in range(0, len(controls) - 1, 3)]
    return np.vstack(pieces)


def circle(x: float, y: float, radius: float) -> Outline:
    """A closed circle of 36 points."""
    angle = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=1)


@cache
def letter_strokes(letter: str) -> tuple[Outline, ...]:
    """Strokes of one letter or digit of the indices.

    Args:
        letter: One of ``234567891 0JQKAOER``; the ten is ``"1"`` and ``"0"``.

    Returns:
        Open polylines in the unit box.
    """
    return tuple(
        _cubic(path) if kind == "C" else np.array(path, dtype=np.float64).reshape(-1, 2)
        for kind, path in _STROKES[letter]
    )


@cache
def suit_outlines(suit: str) -> tuple[Outline, ...]:
    """Closed outlines whose union is the pip of a suit, ``c``, ``d``, ``h`` or ``s``."""
    if suit == "c":
        leaves = [circle(x, y, _CLUB_LEAF_RADIUS) for x, y in _CLUB_LEAVES]
        return (*leaves, circle(0.0, 0.0, 0.12), _cubic(_CLUB_STEM))
    return (_cubic({"h": _HEART, "d": _DIAMOND, "s": _SPADE}[suit]),)
