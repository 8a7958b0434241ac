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

_CELL_PX: Final = 16
"""Pictures are judged in squares of this side."""

_LEAST_CONTRAST: Final = 0.18
"""Least difference between ink and paper in and around a square, as a share of the paper."""

_PAPER_SHARE: Final = 0.4
"""Paper is at least this bright, compared with the brightest there is: it may lie in a shadow."""

_LEAST_PAPER: Final = 30.0
"""And at least this bright, of 255."""

_FULL_ENOUGH: Final = 0.6
"""A rectangle with this share worth a look is not cut up further."""

_SHORTEST_CUT: Final = 12
"""Nor is one with no side longer than this, in squares: what both parts keep would cost more."""

_KEPT: Final = 2
"""Squares that a part keeps beyond the cut: 32 pixels, over half the largest index."""

_WIDTHS_TRIED: Final = 6

_SHEET_STEP: Final = 64
"""Sheets grow in steps of this, so that few sizes occur and the net's plans are kept."""


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
    """Squares with ink on paper, or beside paper: an index and what surrounds it."""
    height, width = levels.at(level).shape[:2]
    rows, columns = -(-height // _CELL_PX), -(-width // _CELL_PX)
    half = levels.at(level + 1)
    blue, green, red = cv2.split(half)
    weakest = np.asarray(cv2.min(cv2.min(blue, green), red), dtype=np.uint8)
    side = _CELL_PX if half is levels.at(level) else _CELL_PX // 2
    low, _ = _extremes(weakest, rows, columns, side)
    # What is thin and bright is a printed line, not paper.
    _, high = _extremes(cv2.erode(weakest, np.ones((3, 3), np.uint8)), rows, columns, side)
    paper = max(_LEAST_PAPER, _PAPER_SHARE * float(np.percentile(high, 99)))
    near = np.ones((3, 3), np.uint8)
    around = cv2.dilate(high, near)
    contrast = around.astype(np.float32) - low
    inked = (around > paper) & (contrast > _LEAST_CONTRAST * around)
    return np.asarray(inked)


def _extremes(
    values: cv2.typing.MatLike, rows: int, columns: int, side: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Least and greatest value in each square of a grid; the last ones may be cut off."""
    below, beside = rows * side - values.shape[0], columns * side - values.shape[1]
    edge = cv2.copyMakeBorder(values, 0, max(0, below), 0, max(0, beside), cv2.BORDER_REPLICATE)
    cells = edge[: rows * side, : columns * side].reshape(rows, side, columns * side)
    low = cells.min(axis=1).reshape(rows, columns, side).min(axis=2)
    high = cells.max(axis=1).reshape(rows, columns, side).max(axis=2)
    return low, high


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
    """Height of a sheet of a width, and left and top of each patch, the highest ones first."""
    places: dict[int, tuple[int, int]] = {}
    x = y = shelf = 0
    for number in sorted(range(len(patches)), key=lambda n: -patches[n].height):
        patch = patches[number]
        if x + patch.width > width:
            x, y, shelf = 0, y + shelf, 0
        places[number] = (x, y)
        x, shelf = x + patch.width, max(shelf, patch.height)
    height = -(-(y + shelf) // _SHEET_STEP) * _SHEET_STEP
    return height, [places[number] for number in range(len(patches))]
