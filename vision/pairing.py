"""Join corner indices into cards: two opposite ones of a card, or one and what it implies.

An index stands upright at the left of its card's upper end, whichever end that
is, so one index tells where its card lies, and how large it is as far as the
deck's index is known. Two of them tell it well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import CornerIndex
from vision.finder import CARD_RATIO, Corners

USUAL_INDEX_SHARE: Final = 0.19
"""Index height by card height of a poker deck with standard index: 16 to 17 mm of 88."""

_TOP_SHARE: Final = 0.03
"""Paper above the rank, as a share of the card's height."""

_SIDE: Final = (0.045, 0.27)
"""Middle of the index by the card's width: a margin, and so much per index share.

Fitted to ten printed designs with index shares from 0.18 to 0.38.
"""

_OPPOSITE: Final = -0.8
"""Cosine between the two indices of one card; exactly -1 seen from above."""

_MOST_UNLIKE: Final = 1.7
"""Height of the nearer by that of the farther index of a tilted card."""

_SLOPE: Final = (0.38, 1.4)
"""Across by down, from index to index, over all designs and tilts up to 50 degrees."""

_FROM_ABOVE: Final = (0.58, 1.08)
"""Across by down of cards that pass for seen from above: 0.77 to 0.85, and how far that errs."""

_REACH: Final = (1.6, 7.5)
"""Distance between both indices in index heights: from jumbo to the smallest in print."""

_LEAST_AGREEMENT: Final = 0.05
"""Indices that less probably say the same card belong to two cards."""

_SPOT_X: Final = 0.33
_SPOT_Y: Final = 0.38
"""An index lies within these shares of its card's width and height from a corner."""


@dataclass(frozen=True, slots=True, eq=False)
class JoinedCard:
    """A card made of its indices: where it lies, and which they are."""

    corners: Corners
    indices: tuple[CornerIndex, ...]

    @property
    def index_share(self) -> float:
        """Index height by card height."""
        left, right = self.corners[3] - self.corners[0], self.corners[2] - self.corners[1]
        height = (np.hypot(*left) + np.hypot(*right)) / 2
        return float(np.mean([i.height for i in self.indices]) / max(height, 1e-6))


def join_opposites(indices: list[CornerIndex]) -> list[JoinedCard]:
    """Cards of two indices each, the best fitting first; an index belongs to one card at most."""
    fits = []
    for one, other in _likely(indices):
        fit = _fit(one, other)
        if fit > 0:
            fits.append((fit, one, other))
    fits.sort(key=lambda f: -f[0])
    taken: set[int] = set()
    joined = []
    for _, one, other in fits:
        if not taken & {id(one), id(other)}:
            taken |= {id(one), id(other)}
            joined.append(JoinedCard(_quad_of_two(one, other), (one, other)))
    return joined


def alone(
    index: CornerIndex, index_share: float = USUAL_INDEX_SHARE, index_height: float = 0.0
) -> JoinedCard:
    """The card that one index implies.

    Args:
        index: The index.
        index_share: Index height by card height of the deck in use.
        index_height: Height to reckon with instead of its own, which is a guess; 0 for none.
    """
    height = (index_height or index.height) / index_share
    side, top = _margins(index_share)
    down, across = index.down * height, index.right * height * CARD_RATIO
    corner = index.middle - across * side - down * top
    quad = np.array([corner, corner + across, corner + across + down, corner + down])
    return JoinedCard(quad, (index,))


def is_index_of(index: CornerIndex, corners: Corners) -> bool:
    """Whether an index stands where an index of the card with these corners stands.

    Args:
        index: The index.
        corners: Of the card, clockwise, the first side a short one.
    """
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)
    flatten = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    reach = 0.25 * index.height
    ends = np.array([index.middle, index.middle + index.down * reach], dtype=np.float32)
    (x, y), (_, to_y) = cv2.perspectiveTransform(ends[None], flatten)[0].tolist()
    along = corners[3] - corners[0]
    if abs(float(along @ index.down)) < 0.75 * np.hypot(*along):
        return False
    if to_y < y:  # it is the one at the other end: look from there
        x, y = 1 - x, 1 - y
    return bool(0 < y < _SPOT_Y and (0 < x < _SPOT_X or 1 - _SPOT_X < x < 1))


def _likely(indices: list[CornerIndex]) -> list[tuple[CornerIndex, CornerIndex]]:
    """Pairs that stand upside down to each other at a distance and of heights that cards have.

    All are looked at at once: nearly none of the pairs of a full table is one.
    """
    if len(indices) < 2:
        return []
    x, y, angle, height = np.array([(i.x, i.y, i.angle, i.height) for i in indices]).T
    first, second = np.triu_indices(len(indices), 1)
    unlike = np.abs(np.log(height[first] / height[second]))
    away = np.hypot(x[first] - x[second], y[first] - y[second])
    reach = 2 * away / (height[first] + height[second])
    likely = (np.cos(angle[first] - angle[second]) <= _OPPOSITE) & (
        unlike <= math.log(_MOST_UNLIKE)
    )
    likely &= (reach > _REACH[0]) & (reach < _REACH[1])
    return [(indices[a], indices[b]) for a, b in zip(first[likely], second[likely], strict=True)]


def _fit(one: CornerIndex, other: CornerIndex) -> float:
    """How well two likely indices pass for those of one card: 0 not at all, up to 1."""
    unlike = max(one.height, other.height) / min(one.height, other.height)
    way = other.middle - one.middle
    down_axis, right_axis = _axes(one, other)
    down, across = float(way @ down_axis), float(way @ right_axis)
    if down <= 0 or not _SLOPE[0] < across / down < _SLOPE[1]:
        return 0.0
    same = one.agreement(other)
    if same < _LEAST_AGREEMENT:
        return 0.0
    return float(same / (1 + abs(np.log(across / down / 0.8)) + np.log(unlike)))


def _axes(one: CornerIndex, other: CornerIndex) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Down and right on the card, from the first index's point of view."""
    down = one.down - other.down
    down = down / max(float(np.hypot(*down)), 1e-9)
    return down, np.array((down[1], -down[0]))


def _quad_of_two(one: CornerIndex, other: CornerIndex) -> Corners:
    """The outline from both middles: seen from above they alone tell how a card lies.

    The way from index to index runs at nearly the same angle in every print, and is
    told more exactly than the indices' own directions. These count where the card is
    seen at such a slant that its proportions are off.
    """
    way = other.middle - one.middle
    index = (one.height + other.height) / 2
    down_axis, right_axis = _axes(one, other)
    down, across = float(way @ down_axis), float(way @ right_axis)
    if _FROM_ABOVE[0] < across / down < _FROM_ABOVE[1]:
        height, down_axis = _upright(way, index)
        right_axis = np.array((down_axis[1], -down_axis[0]))
        width = height * CARD_RATIO
        side, top = _margins(index / height)
    else:
        height = (down + index) / (1 - 2 * _TOP_SHARE)
        side, top = _margins(index / height)
        width = across / (1 - 2 * side)
    right, foot = right_axis * width, down_axis * height
    corner = one.middle - right * side - foot * top
    return np.array([corner, corner + right, corner + right + foot, corner + foot])


def _upright(way: NDArray[np.float64], index: float) -> tuple[float, NDArray[np.float64]]:
    """Height and downward direction of a card seen from above, of its indices' way and height."""
    length = float(np.hypot(*way))
    height = length
    for _ in range(3):  # the margins depend on the height, and little
        side, top = _margins(index / height)
        across, down = (1 - 2 * side) * CARD_RATIO, 1 - 2 * top
        height = length / math.hypot(across, down)
    # Turned back from the way by its angle to the card's long side.
    c, s = down / math.hypot(across, down), across / math.hypot(across, down)
    x, y = way / length
    return height, np.array((c * x - s * y, s * x + c * y))


def _margins(index_share: float) -> tuple[float, float]:
    """Middle of the index from the card's corner, as shares of its width and height."""
    return _SIDE[0] + _SIDE[1] * index_share, _TOP_SHARE + index_share / 2
