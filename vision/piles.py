"""How many cards lie face down on one another, from the outline of their pile.

A reader sees backs that overlap as one odd back. Their common outline still
has the corners of each card: every right-angled corner tells where a whole card
of known size lies, and the fewest such cards that fill the outline are the
pile. A card that lies wholly under others cannot be seen and is not counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.artwork import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.tracks import lies_apart
from vision.values import Face, Quad, SeenCard
from vision.watcher import Reader

_Mask = NDArray[np.bool_]

_ALONE_SHARE: Final = 1.12
"""An outline no longer and no wider than a card by this much is one card."""

_MOST: Final = 5
"""More cards than that in one outline are a stub or the muck, not a hand."""

_CLOTH_STEP: Final = 40.0
"""Distance in Lab from the cloth around that makes a pixel part of the pile."""

_CORNER_COS: Final = 0.3
"""Cosine of a right angle's greatest error: 17 degrees."""

_SHORTEST_SHARE: Final = 0.15
"""Of a card's width, the shortest stretch of outline whose direction can be told."""

_BEND_SHARE: Final = 0.035
"""Of a card's height, how far an outline may stray from a straight side."""

_INSIDE_SHARE: Final = 0.96
"""Share of a supposed card that must lie in the outline; its corners are rounded."""

_REST_SHARE: Final = 0.08
"""Of a card's area, what may be left over at the rim of the outline."""

_SCALES: Final = (1.0, 1.03, 0.97, 1.015, 0.985)
"""The card's size is known for the middle of the table: near and far cards differ."""


@dataclass(frozen=True, slots=True)
class CardSize:
    """Sides of a card in the picture, in pixels."""

    width: float
    height: float

    @classmethod
    def at(cls, px_per_mm: float) -> CardSize:
        """The size at a scale."""
        return cls(CARD_WIDTH_MM * px_per_mm, CARD_HEIGHT_MM * px_per_mm)

    @property
    def area(self) -> float:
        """In square pixels."""
        return self.width * self.height

    def scaled(self, factor: float) -> CardSize:
        """The same, larger or smaller."""
        return CardSize(self.width * factor, self.height * factor)


class PileReader:
    """A reader that tells backs apart which overlap.

    Args:
        reader: Finds and names the cards.
        size: Of a card in its pictures.
    """

    def __init__(self, reader: Reader, size: CardSize) -> None:
        self._reader, self._size = reader, size

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """The cards; one back read around several becomes these."""
        cards = self._reader.read(image)
        odd = [c for c in cards if c.face is Face.DOWN and not self._is_one(c.quad)]
        sound = [card for card in cards if card not in odd]
        for card in odd:
            apart = [replace(card, quad=q) for q in cards_in_pile(image, card.quad, self._size)]
            sound += [new for new in apart or [card] if lies_apart(new, sound)]
        return tuple(sound)

    def _is_one(self, quad: Quad) -> bool:
        """Whether an outline is as large as one card."""
        sides = [math.dist(quad[n], quad[n - 1]) for n in range(4)]
        short, long = sorted((max(sides[0], sides[2]), max(sides[1], sides[3])))
        return short <= _ALONE_SHARE * self._size.width and long <= _ALONE_SHARE * self._size.height


def cards_in_pile(image: NDArray[np.uint8], quad: Quad, size: CardSize) -> tuple[Quad, ...]:
    """Where the cards of a pile lie; empty when it is one card or cannot be told apart.

    Args:
        image: Shape (H, W, 3), BGR.
        quad: What a reader took the pile for.
        size: Of a card in the picture.
    """
    mask, (left, top) = _outline(image, quad, size)
    if _is_alone(mask, size) or np.count_nonzero(mask) > _MOST * size.area:
        return ()
    tries = (_fewest(mask, size.scaled(factor)) for factor in _SCALES)
    told = [found for found in tries if len(found) > 1]
    best = min(told, key=len, default=[])
    return tuple(_quad(corners + np.array([left, top])) for corners in best)


def _outline(image: NDArray[np.uint8], quad: Quad, size: CardSize) -> tuple[_Mask, tuple[int, int]]:
    """What differs from the cloth around a pile, cut out, and where it was cut out."""
    points, room = np.array(quad), size.height / 2
    left, top = (int(v) for v in np.maximum(points.min(axis=0) - room, 0))
    right, bottom = (int(v) for v in points.max(axis=0) + room)
    lab = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate(
        [lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3), lab[:, :3].reshape(-1, 3)]
    )
    differs = np.linalg.norm(lab - np.median(rim, axis=0), axis=2) > _CLOTH_STEP
    # Holes in a back's pattern are closed; lines printed on the cloth are cut off.
    block = np.ones((5, 5), np.uint8)
    solid = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, block)
    solid = cv2.morphologyEx(solid, cv2.MORPH_OPEN, block)
    _, labels = cv2.connectedComponents(solid)
    x, y = (points.mean(axis=0) - (left, top)).astype(int)
    inside = labels[min(max(y, 0), labels.shape[0] - 1), min(max(x, 0), labels.shape[1] - 1)]
    return labels == inside if inside else np.zeros_like(labels, dtype=np.bool_), (left, top)


def _is_alone(mask: _Mask, size: CardSize) -> bool:
    """Whether an outline is not larger than a card."""
    spots = cv2.findNonZero(mask.astype(np.uint8))
    if spots is None:
        return True
    short, long = sorted(cv2.minAreaRect(spots)[1])
    return short <= _ALONE_SHARE * size.width and long <= _ALONE_SHARE * size.height


def _fewest(mask: _Mask, size: CardSize) -> list[NDArray[np.float64]]:
    """The fewest cards that fill an outline, each at a corner of it; none if it is not filled."""
    covers = [(corners, _drawn(corners, mask.shape)) for corners in _candidates(mask, size)]
    covers = [
        (corners, cover)
        for corners, cover in covers
        if np.count_nonzero(cover & mask) >= _INSIDE_SHARE * np.count_nonzero(cover)
    ]
    if any(np.count_nonzero(mask & ~cover) <= 2 * _REST_SHARE * size.area for _, cover in covers):
        return []
    if pair := _pair(mask, covers, size):
        return pair
    rest = mask.copy()
    chosen: list[NDArray[np.float64]] = []
    while covers and np.count_nonzero(rest) > _REST_SHARE * size.area and len(chosen) < _MOST:
        corners, cover = max(covers, key=lambda item: np.count_nonzero(item[1] & rest))
        if np.count_nonzero(cover & rest) <= _REST_SHARE * size.area:
            break
        chosen.append(corners)
        rest &= ~cover
    return chosen if np.count_nonzero(rest) <= 2 * _REST_SHARE * size.area else []


def _pair(
    mask: _Mask, covers: list[tuple[NDArray[np.float64], _Mask]], size: CardSize
) -> list[NDArray[np.float64]]:
    """The two cards that fill an outline best, if two do."""
    left_over = [
        (np.count_nonzero(mask & ~(one[1] | other[1])), (one[0], other[0]))
        for one, other in combinations(covers, 2)
    ]
    least, pair = min(left_over, key=lambda item: item[0], default=(0, ()))
    return list(pair) if least <= 1.25 * _REST_SHARE * size.area else []


def _candidates(mask: _Mask, size: CardSize) -> Iterator[NDArray[np.float64]]:
    """A card in each of both ways at every right-angled corner of an outline."""
    sides = _sides(mask, size)
    for number, side in enumerate(sides):
        before = sides[number - 1]
        if min(before.length, side.length) < _SHORTEST_SHARE * size.width:
            continue
        if abs(float(before.direction @ side.direction)) > _CORNER_COS:
            continue
        corner = _meeting(before, side)
        lengths = (before.length, side.length)
        yield from _placed(corner, -before.direction, side.direction, lengths, size)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A straight stretch of an outline: a point on it, its direction and its length."""

    middle: NDArray[np.float64]
    direction: NDArray[np.float64]
    length: float


def _sides(mask: _Mask, size: CardSize) -> list[_Side]:
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return []
    contour = max(contours, key=cv2.contourArea).reshape(-1, 2)
    bends = cv2.approxPolyDP(contour, _BEND_SHARE * size.height, True).reshape(-1, 2)
    places = sorted(int(np.flatnonzero((contour == bend).all(axis=1))[0]) for bend in bends)
    around = np.concatenate([contour, contour]).astype(np.float64)
    ends = [*places[1:], places[0] + len(contour)]
    return [_side(around[start : end + 1]) for start, end in zip(places, ends, strict=True)]


def _side(points: NDArray[np.float64]) -> _Side:
    """A line through the inner part of a stretch: its ends are rounded."""
    span = points[-1] - points[0]
    trim = len(points) // 6
    inner = points[trim : len(points) - trim]
    vx, vy, x, y = cv2.fitLine(inner.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    direction = np.array([float(vx), float(vy)])
    if direction @ span < 0:
        direction = -direction
    return _Side(np.array([float(x), float(y)]), direction, float(np.linalg.norm(span)))


def _meeting(one: _Side, other: _Side) -> NDArray[np.float64]:
    lines = np.column_stack([one.direction, -other.direction])
    along = np.linalg.solve(lines, other.middle - one.middle)[0]
    return np.asarray(one.middle + along * one.direction, dtype=np.float64)


def _placed(
    corner: NDArray[np.float64],
    back: NDArray[np.float64],
    on: NDArray[np.float64],
    lengths: tuple[float, float],
    size: CardSize,
) -> Iterator[NDArray[np.float64]]:
    """The card in both ways, squared up along the longer of the two sides of its corner."""
    if lengths[0] >= lengths[1]:
        on = _square_to(back, on)
    else:
        back = _square_to(on, back)
    for along, across in ((size.width, size.height), (size.height, size.width)):
        yield np.array(
            [
                corner,
                corner + along * on,
                corner + along * on + across * back,
                corner + across * back,
            ]
        )


def _square_to(kept: NDArray[np.float64], turned: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction at a right angle to one, on the side of another."""
    square = np.array([-kept[1], kept[0]])
    return square if float(square @ turned) > 0 else -square


def _drawn(corners: NDArray[np.float64], shape: tuple[int, ...]) -> _Mask:
    cover = np.zeros(shape, np.uint8)
    cv2.fillPoly(cover, [np.round(corners).astype(np.int32)], 1)
    return cover > 0


def _quad(corners: NDArray[np.float64]) -> Quad:
    """Clockwise, a short side first."""
    points = [(float(x), float(y)) for x, y in corners]
    sides = [float(np.linalg.norm(corners[n] - corners[n - 1])) for n in range(4)]
    if sides[1] > sides[2]:
        points = points[1:] + points[:1]
    if cv2.contourArea(np.array(points, dtype=np.float32), oriented=True) < 0:
        points = [points[1], points[0], points[3], points[2]]
    a, b, c, d = points
    return (a, b, c, d)
