"""Find what may be a card: four-cornered outlines of a card's shape.

Three pictures of the frame are searched, because no single one shows every
card: what is paler than its surroundings (faces on cloth), what differs in
colour from the table (backs), and edges (white cards on a white desk).
Candidates are only proposals: the recogniser decides which of them is a card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.levels import Image, Shrunk

Corners = NDArray[np.float64]
"""Shape (4, 2): corners in pixels, clockwise, the first side a short one."""

CARD_RATIO: Final = 63 / 88
"""Short side by long side of a poker card."""

_MIN_SIDE_PX: Final = 22.0
"""Shorter sides leave an index of under two pixels, which nothing can read."""

_LINE_PX: Final = 9
"""Printed lines up to this width are cut away from cards they touch."""

_SQUARE_RATIO: Final = 0.85
"""From here on a slant may have made the long side the shorter one."""

_SURELY_SQUARE: Final = 0.94
"""Sharpening its corners makes no card of what is so square before."""

_RATIO_RANGE: Final = (0.42, 1.0)
"""Short by long side as seen: a card tilted by 50 degrees either way still passes."""

_OUTLINE_POINTS: Final = 160
"""Outlines are thinned to about so many points: more cost time and change nothing."""

_ROUGH_FILL: Final = 0.72
"""The same share before the corners are sharpened, which may add or take a little."""

SIZE_SPREAD: Final = 3.5
"""Areas of cards in one picture differ by no more: near and far end of a tilted view."""

_ENOUGH_KNOWN: Final = 3
"""So many cards tell how large cards are in the picture, and whether it is seen from above."""

_MIN_FILL: Final = 0.84
"""Share of the quadrilateral that the outline must fill; rounded corners cost 1 %."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One proposed card.

    Attributes:
        corners: Shape (4, 2), pixels of the image searched.
        fill: Share of the quadrilateral that the found outline fills, 0..1.
    """

    corners: Corners
    fill: float

    @property
    def area(self) -> float:
        """Area in square pixels."""
        return quad_area(self.corners)


@dataclass(frozen=True, slots=True)
class _Limits:
    """What a card's outline may be in a picture: its area in square pixels, and its shape."""

    smallest: float
    largest: float
    has_squares: bool


@dataclass(frozen=True, slots=True, eq=False)
class Masks:
    """What stands out in a picture, seen in several ways: 255 where it does, else 0.

    Attributes:
        views: Shape (H, W) each.
        scale: Their size by that of the picture.
    """

    views: tuple[Image, ...]
    scale: float

    @classmethod
    def of(cls, shrunk: Shrunk) -> Masks:
        """What stands out in a picture."""
        pale, unlike = _pale(shrunk.image), _unlike_table(shrunk.image)
        views = (pale, _without_lines(pale), _without_lines(unlike), _edges(shrunk.image))
        return cls(views, shrunk.scale)


def find_candidates(masks: Masks, known: tuple[Corners, ...] = ()) -> tuple[Candidate, ...]:
    """Propose cards.

    Args:
        masks: Of the picture.
        known: Cards that are known already: what lies on them is not looked at, and what
            differs too much from them in size and proportions is no card.

    Returns:
        Candidates in no particular order, each region once or a few times.
    """
    found: list[Candidate] = []
    hidden = [np.round(corners * masks.scale).astype(np.int32) for corners in known]
    limits = _limits([corners * masks.scale for corners in known], masks.views[0].size)
    for view in masks.views:
        mask = view.copy() if hidden else view
        for corners in hidden:
            cv2.fillConvexPoly(mask, corners, 0)
        found += _candidates_in(mask, limits)
    kept = [turned for candidate in _distinct(found) for turned in _ways(candidate)]
    return tuple(Candidate(c.corners / masks.scale, c.fill) for c in kept)


def _pale(image: Image) -> Image:
    """Paper: its weakest colour is stronger than around it."""
    blue, green, red = cv2.split(image)
    weakest = cv2.min(cv2.min(blue, green), red)
    level, paler = cv2.threshold(weakest, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    over = cv2.subtract(weakest, cv2.blur(weakest, (181, 181)))
    _, shaded = cv2.threshold(over, 12, 255, cv2.THRESH_BINARY)
    _, lit = cv2.threshold(weakest, 0.55 * level, 255, cv2.THRESH_BINARY)
    return np.asarray(cv2.bitwise_or(paler, cv2.bitwise_and(shaded, lit)), dtype=np.uint8)


def _unlike_table(image: Image) -> Image:
    """What differs from the commonest colour, which is the table's."""
    tones = cv2.cvtColor(image, cv2.COLOR_BGR2YCrCb)
    table = np.median(tones[::8, ::8].reshape(-1, 3), axis=0)
    light, red, blue = cv2.split(cv2.absdiff(tones, np.array([*table, 0.0])))
    # Light differs over a table, by shadows and lamps, and so counts for half.
    distance = cv2.addWeighted(light, 0.5, cv2.add(red, blue), 1.0, 0.0)
    _, mask = cv2.threshold(distance, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    return np.asarray(mask, dtype=np.uint8)


def _without_lines(mask: Image) -> Image:
    """The mask without what is thin: betting lines and lettering that touch cards."""
    disc = cv2.getStructuringElement(cv2.MORPH_RECT, (_LINE_PX, _LINE_PX))
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc), dtype=np.uint8)


def _ways(candidate: Candidate) -> tuple[Candidate, ...]:
    """The candidate, and turned by a quarter where its shape does not tell which way it lies."""
    if not looks_square(candidate.corners):
        return (candidate,)
    return (candidate, Candidate(np.roll(candidate.corners, 1, axis=0), candidate.fill))


def _edges(image: Image) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    edges = cv2.Canny(cv2.GaussianBlur(grey, (5, 5), 0), 25, 70)
    return np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def _limits(known: list[Corners], size: int) -> _Limits:
    smallest, largest = _MIN_SIDE_PX * _MIN_SIDE_PX / CARD_RATIO, 0.96 * size
    if len(known) < _ENOUGH_KNOWN:
        return _Limits(smallest, largest, True)
    usual = float(np.median([quad_area(corners) for corners in known]))
    return _Limits(
        max(smallest, usual / SIZE_SPREAD),
        min(largest, usual * SIZE_SPREAD),
        2 * sum(looks_square(shape_as_card(corners)) for corners in known) > len(known),
    )


def _candidates_in(mask: Image, limits: _Limits) -> list[Candidate]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in contours:
        if len(contour) < 4 * _MIN_SIDE_PX * 0.9:
            continue
        candidate = _candidate(contour, limits)
        if candidate is not None:
            found.append(candidate)
    return found


def _candidate(contour: cv2.typing.MatLike, limits: _Limits) -> Candidate | None:
    hull = np.asarray(cv2.convexHull(contour), dtype=np.int32)
    hull_area = cv2.contourArea(hull)
    if not limits.smallest < hull_area < limits.largest:
        return None
    rough = _four_corners(hull)
    if rough is None or hull_area < _ROUGH_FILL * quad_area(rough):
        return None
    if not limits.has_squares and _squareness(rough) > _SURELY_SQUARE:
        return None
    outline = contour.reshape(-1, 2)[:: max(1, len(contour) // _OUTLINE_POINTS)]
    corners = shape_as_card(_sharpened(rough, outline.astype(np.float64)))
    if not is_card_shaped(corners) or (looks_square(corners) and not limits.has_squares):
        return None
    fill = min(1.0, cv2.contourArea(contour) / quad_area(corners))
    if hull_area / quad_area(corners) < _MIN_FILL or fill < 0.6:
        return None
    return Candidate(corners, fill)


def _four_corners(hull: NDArray[np.int32]) -> Corners | None:
    """The hull reduced to four corners, or None when it has another shape."""
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.035, 0.05, 0.08):
        polygon = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(polygon) == 4:
            return np.asarray(polygon.reshape(4, 2), dtype=np.float64)
        if len(polygon) < 4:
            break
    box = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64)
    return box if cv2.contourArea(hull) > 0.9 * quad_area(box) else None


def _sharpened(corners: Corners, outline: NDArray[np.float64]) -> Corners:
    """Corners where the straight sides would meet, undoing the rounding of the card."""
    ways = corners[[1, 2, 3, 0]] - corners
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    directions = ways / np.maximum(lengths, 1e-6)[:, None]
    normals = np.column_stack([-directions[:, 1], directions[:, 0]])
    along = outline @ directions.T - (corners * directions).sum(axis=1)
    across = outline @ normals.T - (corners * normals).sum(axis=1)
    near = (along > 0.08 * lengths) & (along < 0.92 * lengths) & (np.abs(across) < 0.06 * lengths)
    lines = []
    for side in range(4):
        a, b = along[near[:, side], side], across[near[:, side], side]
        slope, offset = (
            _straight(a, b) if len(a) and np.ptp(a) > 0.4 * lengths[side] else (0.0, 0.0)
        )
        way = directions[side] + slope * normals[side]
        point = corners[side] + offset * normals[side]
        lines.append((way[1], -way[0], way[0] * point[1] - way[1] * point[0]))
    sharp = []
    for (a1, b1, c1), (a2, b2, c2) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        crossing = a1 * b2 - a2 * b1
        if abs(crossing) < 1e-6:
            return corners
        sharp.append(((b1 * c2 - b2 * c1) / crossing, (a2 * c1 - a1 * c2) / crossing))
    result = np.array(sharp)
    reach = 0.12 * np.sqrt(quad_area(corners))
    return result if np.abs(result - corners).max() < reach else corners


def _straight(along: NDArray[np.float64], across: NDArray[np.float64]) -> tuple[float, float]:
    """Slope and offset of the straight line through points, the third farthest from it left out."""
    slope, offset = _least_squares(along, across)
    off = np.abs(across - slope * along - offset)
    kept = off <= np.partition(off, (2 * len(off)) // 3)[(2 * len(off)) // 3]
    return _least_squares(along[kept], across[kept])


def _least_squares(along: NDArray[np.float64], across: NDArray[np.float64]) -> tuple[float, float]:
    middle, level = along.mean(), across.mean()
    centred = along - middle
    spread = float(centred @ centred)
    slope = float(centred @ (across - level)) / spread if spread > 1e-9 else 0.0
    return slope, float(level - slope * middle)


def shape_as_card(corners: Corners) -> Corners:
    """The corners clockwise in the image, beginning with a short side, its upper end first."""
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(angles)]
    sides = _sides(corners)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        corners = np.roll(corners, -1, axis=0)
    first, third = corners[0] + corners[1], corners[2] + corners[3]
    return corners if first[1] <= third[1] else np.roll(corners, 2, axis=0)


def looks_square(corners: Corners) -> bool:
    """Whether the shape leaves open which side of the card is the short one."""
    sides = _sides(corners)
    return bool((sides[0] + sides[2]) >= _SQUARE_RATIO * (sides[1] + sides[3]))


def _squareness(corners: Corners) -> float:
    """Shorter by longer pair of opposite sides."""
    sides = _sides(corners)
    one, other = float(sides[0] + sides[2]), float(sides[1] + sides[3])
    return min(one, other) / max(one, other, 1e-6)


def is_card_shaped(corners: Corners) -> bool:
    """Whether four corners may be a card seen from above or at a slant."""
    sides = _sides(corners)
    if sides.min() < _MIN_SIDE_PX:
        return False
    short, long = sides[0] + sides[2], sides[1] + sides[3]
    if not _RATIO_RANGE[0] < short / long <= _RATIO_RANGE[1]:
        return False
    opposite = max(
        sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1]
    )
    return bool(opposite < 1.6) and bool(cv2.isContourConvex(corners.astype(np.float32)))


def _sides(corners: Corners) -> NDArray[np.float64]:
    """Lengths of the four sides, the first from the first corner to the second."""
    along = corners[[1, 2, 3, 0]] - corners
    return np.asarray(np.hypot(along[:, 0], along[:, 1]), dtype=np.float64)


def quad_area(corners: Corners) -> float:
    """Area of a quadrilateral, shape (4, 2), in square pixels."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return 0.5 * abs(float((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)))


def overlap(a: Corners, b: Corners) -> float:
    """Shared area of two convex quadrilaterals by the smaller one's area, 0..1."""
    if _are_apart(a.tolist(), b.tolist()):
        return 0.0
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(shared) / max(1.0, min(quad_area(a), quad_area(b)))


def _are_apart(one: list[list[float]], other: list[list[float]]) -> bool:
    """Whether the boxes around two outlines share nothing; plain numbers, which is quicker."""
    for (a, b, c, d), (e, f, g, h) in zip(
        zip(*one, strict=True), zip(*other, strict=True), strict=True
    ):
        if max(a, b, c, d) < min(e, f, g, h) or max(e, f, g, h) < min(a, b, c, d):
            return True
    return False


def _distinct(found: list[Candidate]) -> list[Candidate]:
    """Without near repetitions; the better filled of two equal ones stays."""
    if not found:
        return []
    ranked = sorted(found, key=lambda c: -c.fill)
    corners = np.stack([c.corners for c in ranked])
    reach = 0.07 * np.sqrt([c.area for c in ranked])
    taken = np.zeros(len(ranked), dtype=bool)
    kept = []
    for number, candidate in enumerate(ranked):
        if not taken[number]:
            kept.append(candidate)
            taken |= np.abs(corners - candidate.corners).max(axis=(1, 2)) < reach[number]
    return kept
