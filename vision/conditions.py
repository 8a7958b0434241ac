"""Under which conditions cards are read: size, angle and company, told from labelled boxes.

An upright box around a turned card gives away its size and angle, because a
card's proportions are known: a box W by H around a card a wide, r a high and
turned by t has W = a (cos t + r sin t) and H = a (sin t + r cos t).
"""

from __future__ import annotations

import math
from typing import Final

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels."""

_RATIO: Final = 88 / 63
_INDEX_SHARE: Final = 0.19
"""Index height, rank and pip, by card height: 16 to 17 mm of 88 on standard decks."""

_UPRIGHT_DEG: Final = 12.0
_TOUCHING: Final = 0.04
"""Boxes that share more than this part of the smaller one lie on one another."""

_HEIGHTS_PX: Final = ((0, 12), (12, 18), (18, 27), (27, 40), (40, 80), (80, 10_000))


def conditions_of(box: Box | None, others: list[Box]) -> tuple[str, ...]:
    """Names of the conditions that a card is seen under.

    Args:
        box: Around the card; None when the label is for the whole picture.
        others: Boxes of the other cards of the picture.

    Returns:
        Such as ``("index 18-27 px", "turned", "overlapping")``; one of each kind that is known.
    """
    if box is None:
        return ("no box",)
    shared = max((_shared(box, other) for other in others), default=0.0)
    company = "overlapping" if shared > _TOUCHING else ("among others" if others else "alone")
    shape = _shape(box)
    if shape is None:
        return ("cut off or covered", company)
    height_px, angle_deg = shape
    turned = min(angle_deg, 90 - angle_deg) > _UPRIGHT_DEG
    return (_index_height(height_px), "turned" if turned else "upright or lying", company)


def _index_height(card_height_px: float) -> str:
    index = card_height_px * _INDEX_SHARE
    low, high = next(pair for pair in _HEIGHTS_PX if index < pair[1])
    return f"index {low}-{high} px" if high < 10_000 else f"index over {low} px"


def _shape(box: Box) -> tuple[float, float] | None:
    """Height of the card in pixels and its angle in degrees, 0 to 90.

    None if no whole card fits.
    """
    width, height = box[2] - box[0], box[3] - box[1]
    if width <= 0 or height <= 0:
        return None
    # r H - W = a (r r - 1) cos t, and r W - H = a (r r - 1) sin t.
    up, side = _RATIO * height - width, _RATIO * width - height
    slack = 0.06 * max(width, height)
    if up < -slack or side < -slack:
        return None
    angle = math.atan2(max(side, 0.0), max(up, 0.0))
    card_width = (width + height) / ((1 + _RATIO) * (math.cos(angle) + math.sin(angle)))
    return card_width * _RATIO, math.degrees(angle)


def _shared(one: Box, other: Box) -> float:
    """Shared area by that of the smaller box."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = [(b[2] - b[0]) * (b[3] - b[1]) for b in (one, other)]
    return width * height / max(1e-9, min(areas))
