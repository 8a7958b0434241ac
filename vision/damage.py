"""Marks on a card that lies face up and free: a bent corner, a nick, ink on the rim.

The white rim of a face is the one part that looks alike on every card and deck,
so it is there that damage is looked for. What is found is for a person to look
at; nothing is ruled on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.artwork import CARD_HEIGHT_MM, CARD_WIDTH_MM, CORNER_RADIUS_MM
from vision.tracks import lies_free
from vision.values import UNKNOWN, Face, Point, Quad, SeenCard

_PX_PER_MM: Final = 4
_WIDTH, _HEIGHT = round(CARD_WIDTH_MM * _PX_PER_MM), round(CARD_HEIGHT_MM * _PX_PER_MM)

SMALLEST_PX: Final = 170.0
"""Height of a card below which its rim is too few pixels wide to be judged: a fitted side
may be a pixel off, which must stay well below a millimetre."""

_RIM_MM: Final = (1.0, 2.1)
"""How far inside the edge the rim is looked at; indices begin at about 2.5 mm."""

_CORNER_MM: Final = 6.2
"""The corner is what lies within so many millimetres of it, along both sides together."""

_DARK: Final = 0.72
"""Below this share of the rim's usual lightness a pixel is not white paper."""

_SPOT_MM2: Final = 1.5
"""Smallest dark spot that is told: a ball-pen dot is 1 mm wide, a nick some."""

_ROOMS_MM: Final = (8, 3)
"""How far around its found outline the true edge of a card is looked for, first and then."""

_STEEP_SHARE: Final = 0.5
"""Of the usual rise of lightness from cloth to paper, what makes an edge."""

_CLEAR_SHARE: Final = 0.6
"""Share of the rows of a side that must agree on its line."""

_STRAY_PX: Final = 2.5
"""Further than that from the line, at _PX_PER_MM, a row shows something else than the edge."""

_CORNER_SHARE: Final = 0.3
"""Share of a corner that is not white paper when it is bent away or torn off."""


class _UnclearError(Exception):
    """The card's sides cannot be told well enough to judge its rim."""


class Flaw(Enum):
    """What was found."""

    CORNER = "corner"
    RIM = "rim"


@dataclass(frozen=True, slots=True)
class Marred:
    """One flaw, and where it is in the picture."""

    flaw: Flaw
    at: Point


@dataclass(frozen=True, slots=True, eq=False)
class _Masks:
    """The parts of a straightened card that are looked at, shape (H, W) each."""

    rim: NDArray[np.bool_]
    corners: tuple[NDArray[np.bool_], ...]


def flaws(image: NDArray[np.uint8], card: SeenCard) -> tuple[Marred, ...]:
    """The flaws of a card; none for one that lies face down or is seen too small.

    Args:
        image: The picture that the card was read in, (H, W, 3), BGR.
        card: It must lie free: a chip or another card on it looks like a flaw.
    """
    if card.face is not Face.UP or _height(card.quad) < SMALLEST_PX:
        return ()
    try:
        corners = _refined(image, np.array(card.quad, dtype=np.float32))
    except _UnclearError:
        return ()
    back = cv2.getPerspectiveTransform(_FRAME, corners)
    size = (_WIDTH, _HEIGHT)
    flat = cv2.warpPerspective(image, back, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    light = cv2.cvtColor(flat, cv2.COLOR_BGR2HSV)[..., 2].astype(np.float32)
    masks = _masks()
    dark = light < _DARK * float(np.median(light[masks.rim]))
    found = [(Flaw.CORNER, mask) for mask in masks.corners if dark[mask].mean() > _CORNER_SHARE]
    found += [(Flaw.RIM, spot) for spot in _spots(dark & masks.rim)]
    return tuple(Marred(flaw, _centre(mask, back)) for flaw, mask in found)


def marred(image: NDArray[np.uint8], cards: Sequence[SeenCard]) -> tuple[str, ...]:
    """The names of those cards of a picture that lie free, are read, and have a flaw."""
    return tuple(
        card.card
        for card in cards
        if card.card != UNKNOWN and lies_free(card, cards) and flaws(image, card)
    )


_FRAME: Final = np.array([(0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT)], np.float32) - 0.5


def _refined(image: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The card's corners fitted anew at full resolution: where cloth turns into paper.

    Raises:
        _UnclearError: A side does not show itself as one straight edge.
    """
    for room_mm in _ROOMS_MM:
        quad = _fitted(image, quad, room_mm * _PX_PER_MM)
    return quad


def _fitted(image: NDArray[np.uint8], quad: NDArray[np.float32], room: int) -> NDArray[np.float32]:
    back = cv2.getPerspectiveTransform(_FRAME + room, quad)
    width, height = _WIDTH + 2 * room, _HEIGHT + 2 * room
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(image, back, (width, height), flags=flags)
    light = cv2.cvtColor(flat, cv2.COLOR_BGR2HSV)[..., 2].astype(np.float32)
    # A line is (a, b, c) with a x + b y = c; mirrored pictures bring each side to the left.
    slope, start = _side(light, room)
    left = (1.0, -slope, start)
    slope, start = _side(light[:, ::-1], room)
    right = (1.0, slope, width - 1 - start)
    slope, start = _side(light.T, room)
    top = (-slope, 1.0, start)
    slope, start = _side(light[::-1].T, room)
    bottom = (slope, 1.0, height - 1 - start)
    met = [_meeting(*pair) for pair in ((left, top), (right, top), (right, bottom), (left, bottom))]
    corners = np.array(met, dtype=np.float32).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(corners, back).reshape(4, 2), dtype=np.float32)


def _side(light: NDArray[np.float32], room: int) -> tuple[float, float]:
    """Slope and start of the left edge, x = start + slope y: the outermost steep rise.

    Raises:
        _UnclearError: Too few rows agree on a line.
    """
    skip = room + round(_CORNER_MM * _PX_PER_MM)
    rows = np.arange(skip, light.shape[0] - skip)
    smooth = cv2.GaussianBlur(np.ascontiguousarray(light), (3, 9), 0)
    rise = smooth[rows, 2 : 2 * room + 2] - smooth[rows, : 2 * room]
    steep = rise > _STEEP_SHARE * np.median(rise.max(axis=1))
    places = steep.argmax(axis=1) + 1.0
    near = steep.any(axis=1)
    for tolerance in (4 * _STRAY_PX, 2 * _STRAY_PX, _STRAY_PX):
        slope, start = (float(v) for v in np.polyfit(rows[near], places[near], 1))
        near = np.abs(places - start - slope * rows) < tolerance
        if np.count_nonzero(near) < _CLEAR_SHARE * len(rows):
            raise _UnclearError
    slope, start = (float(v) for v in np.polyfit(rows[near], places[near], 1))
    return slope, start


def _meeting(one: tuple[float, float, float], other: tuple[float, float, float]) -> Point:
    lines = np.array([one, other])
    x, y = np.linalg.solve(lines[:, :2], lines[:, 2])
    return (float(x), float(y))


@lru_cache(maxsize=1)
def _masks() -> _Masks:
    x = (np.arange(_WIDTH) + 0.5) / _PX_PER_MM
    y = (np.arange(_HEIGHT) + 0.5) / _PX_PER_MM
    to_side = np.minimum(x, CARD_WIDTH_MM - x)[None, :]
    to_end = np.minimum(y, CARD_HEIGHT_MM - y)[:, None]
    edge = np.minimum(to_side, to_end)
    straight = np.maximum(to_side, to_end) > _CORNER_MM
    rim = (edge >= _RIM_MM[0]) & (edge < _RIM_MM[1]) & straight
    reach = np.hypot(
        np.maximum(CORNER_RADIUS_MM - to_side, 0), np.maximum(CORNER_RADIUS_MM - to_end, 0)
    )
    corner = (to_side + to_end < _CORNER_MM) & (reach < CORNER_RADIUS_MM - _RIM_MM[0])
    corner &= edge >= _RIM_MM[0]
    left, top = (x < CARD_WIDTH_MM / 2)[None, :], (y < CARD_HEIGHT_MM / 2)[:, None]
    quarters = (left & top, ~left & top, ~left & ~top, left & ~top)
    return _Masks(rim, tuple(corner & quarter for quarter in quarters))


def _spots(dark: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(dark.astype(np.uint8))
    least = _SPOT_MM2 * _PX_PER_MM**2
    return [labels == n for n in range(1, count) if stats[n][cv2.CC_STAT_AREA] >= least]


def _centre(mask: NDArray[np.bool_], back: NDArray[np.number]) -> Point:
    rows, columns = np.nonzero(mask)
    middle = np.array([[[columns.mean(), rows.mean()]]], dtype=np.float64)
    x, y = cv2.perspectiveTransform(middle, np.asarray(back, dtype=np.float64)).reshape(2)
    return (float(x), float(y))


def _height(quad: Quad) -> float:
    (ax, ay), (dx, dy) = quad[0], quad[3]
    return float(np.hypot(dx - ax, dy - ay))
