"""Parts of a picture worth a look, packed into one sheet for a net.

An index is ink on paper: dark beside pale. Most of a table is neither, and
what the net is not shown costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.levels import Image, Levels

_CELL_PX: Final = 8
"""Pictures are judged in squares of this side."""

_LEAST_CONTRAST: Final = 0.18
"""Least difference between ink and paper in and around a square, as a share of the paper."""

_PAPER_SHARE: Final = 0.4
"""Paper is at least this bright, compared with the brightest there is: it may lie in a shadow."""

_LEAST_PAPER: Final = 30.0
"""And at least this bright, of 255."""

_FULL_ENOUGH: Final = 0.6
"""A rectangle with this share worth a look is not cut up further."""

_SHORTEST_CUT: Final = 20
"""Nor is one with no side longer than this, in squares: what both parts keep would cost more."""

_KEPT: Final = 4
"""Squares that a part keeps beyond the cut: 32 pixels, over half the largest index."""

_WIDTHS_TRIED: Final = 6

_SHEET_STEP: Final = 16
"""Sheets grow in steps of this, which the net's strides divide."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of a level, in its pixels; sides are whole squares."""

    level: int
    left: int
    top: int
    width: int
    height: int


def inked_patches(levels: Levels, level: int) -> list[Patch]:
    """Where on a level there may be ink on paper, as few rectangles as that takes."""
    worth = _worth_a_look(levels, level)
    count, _, boxes, _ = cv2.connectedComponentsWithStats(worth.astype(np.uint8), connectivity=8)
    patches = []
    for number in range(1, count):
        left, top, width, height, _ = boxes[number].tolist()
        patches += _split(worth, left, top, width, height)
    return [
        Patch(level, x * _CELL_PX, y * _CELL_PX, w * _CELL_PX, h * _CELL_PX)
        for x, y, w, h in patches
    ]


def _worth_a_look(levels: Levels, level: int) -> NDArray[np.bool_]:
    """Squares with ink and paper in or beside them."""
    height, width = levels.at(level).shape[:2]
    half = levels.at(level + 1)
    side = _CELL_PX if half is levels.at(level) else _CELL_PX // 2
    size = -(-height // _CELL_PX) * side, -(-width // _CELL_PX) * side
    blue, green, red = cv2.split(half)
    weakest = _grown(cv2.min(cv2.min(blue, green), red), *size)
    reach = np.ones((2 * side, 2 * side), np.uint8)
    # What is thin and bright is a printed line, not paper.
    paper = cv2.erode(weakest, np.ones((3, 3), np.uint8))
    around = _middles(cv2.dilate(paper, reach), side)
    low = _middles(cv2.erode(weakest, reach), side)
    least = max(_LEAST_PAPER, _PAPER_SHARE * float(np.percentile(around, 99)))
    inked = (around > least) & (around - low > _LEAST_CONTRAST * around)
    # One more square around: the net needs to see that the index ends, and a gap is closed.
    return np.asarray(cv2.dilate(inked.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _grown(values: cv2.typing.MatLike, height: int, width: int) -> cv2.typing.MatLike:
    """Values of a size, the last ones repeated where there are too few."""
    below, beside = max(0, height - values.shape[0]), max(0, width - values.shape[1])
    edge = cv2.copyMakeBorder(values, 0, below, 0, beside, cv2.BORDER_REPLICATE)
    return edge[:height, :width]


def _middles(values: cv2.typing.MatLike, side: int) -> NDArray[np.float32]:
    """The value in the middle of each square of a side."""
    return np.asarray(values[side // 2 :: side, side // 2 :: side], dtype=np.float32)


def _split(
    worth: NDArray[np.bool_], left: int, top: int, width: int, height: int
) -> list[tuple[int, int, int, int]]:
    """A box cut in two across its longer side while much of it is not worth a look.

    Both parts keep some squares beyond the cut, so that an index on it is whole in one of them.
    """
    part = worth[top : top + height, left : left + width]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if len(rows) == 0:
        return []
    left, top = left + int(columns[0]), top + int(rows[0])
    width, height = int(columns[-1] - columns[0]) + 1, int(rows[-1] - rows[0]) + 1
    part = worth[top : top + height, left : left + width]
    if part.mean() > _FULL_ENOUGH or max(width, height) <= _SHORTEST_CUT:
        return [(left, top, width, height)]
    if width >= height:
        half = width // 2
        return _split(worth, left, top, half + _KEPT, height) + _split(
            worth, left + half - _KEPT, top, width - half + _KEPT, height
        )
    half = height // 2
    return _split(worth, left, top, width, half + _KEPT) + _split(
        worth, left, top + half - _KEPT, width, height - half + _KEPT
    )


def packed(levels: Levels, patches: list[Patch]) -> tuple[Image, list[tuple[int, int]]]:
    """Lay patches side by side on one sheet.

    Args:
        levels: Where they are cut from.
        patches: At least one.

    Returns:
        The sheet, and left and top of each patch on it.
    """
    widest = max(p.width for p in patches)
    side = float(np.sqrt(sum(p.width * p.height for p in patches)))
    widths = {
        -(-int(max(widest, side * stretch)) // _SHEET_STEP) * _SHEET_STEP
        for stretch in np.linspace(0.9, 1.6, _WIDTHS_TRIED)
    }
    width, height, places = min(
        ((width, *_shelved(patches, width)) for width in widths), key=lambda p: p[0] * p[1]
    )
    sheet = np.zeros((height, width, 3), np.uint8)
    for patch, (left, top) in zip(patches, places, strict=True):
        part = levels.at(patch.level)[
            patch.top : patch.top + patch.height, patch.left : patch.left + patch.width
        ]
        sheet[top : top + part.shape[0], left : left + part.shape[1]] = part
    return sheet, places


def _shelved(patches: list[Patch], width: int) -> tuple[int, list[tuple[int, int]]]:
    """Height of a sheet of a width, and left and top of each patch.

    The highest ones are laid first, each on the first shelf that has room for it.
    """
    places: dict[int, tuple[int, int]] = {}
    shelves: list[tuple[int, int]] = []  # used width, and top
    foot = 0
    for number in sorted(range(len(patches)), key=lambda n: -patches[n].height):
        patch = patches[number]
        free = (n for n, (used, _) in enumerate(shelves) if used + patch.width <= width)
        shelf = next(free, len(shelves))
        if shelf == len(shelves):
            shelves.append((0, foot))
            foot += patch.height
        used, top = shelves[shelf]
        places[number] = (used, top)
        shelves[shelf] = (used + patch.width, top)
    height = -(-foot // _SHEET_STEP) * _SHEET_STEP
    return height, [places[number] for number in range(len(patches))]
