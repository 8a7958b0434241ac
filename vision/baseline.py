"""A plain recogniser to measure against: contours, a straightened corner, templates.

This is the textbook way with OpenCV: a threshold by Otsu, contours with four
corners, each card straightened, its upper left corner thresholded, and the two
largest blobs there compared with templates of the ranks and suits. It is here
to tell what the nets are worth, not to be used.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.artwork import draw_face
from vision.values import RANKS, SUITS, UNKNOWN, Face, Quad, SeenCard

Image = NDArray[np.uint8]

_CARD: Final = (200, 280)
_CORNER: Final = (34, 84)
"""Width and height of the corner looked at, of a straightened card."""

_ENLARGED: Final = 4
_GLYPH: Final = (50, 70)
_SMALLEST_SHARE: Final = 0.002
_LARGEST_SHARE: Final = 0.9
"""Contours below and above these shares of the picture are no cards."""

_LEAST_LIKE: Final = 0.6
"""A best template that fits worse leaves the card unread."""


class PlainReader:
    """Reads cards by contours and templates."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """The cards found, a confidence being how well the worse of both templates fits."""
        grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
        _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for contour in contours:
            share = cv2.contourArea(contour) / mask.size
            if not _SMALLEST_SHARE < share < _LARGEST_SHARE:
                continue
            polygon = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, True), True)
            if len(polygon) == 4:
                found.append(_named(grey, polygon.reshape(4, 2).astype(np.float32)))
        return tuple(found)


def _named(grey: cv2.typing.MatLike, corners: NDArray[np.float32]) -> SeenCard:
    corners = _clockwise(corners)
    readings = [_looked_up(grey, np.roll(corners, turn, axis=0)) for turn in (0, 2)]
    label, likeness = max(readings, key=lambda r: r[1])
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    quad: Quad = (a, b, c, d)
    return SeenCard(label if likeness >= _LEAST_LIKE else UNKNOWN, Face.UP, quad, likeness)


def _clockwise(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Corners clockwise, a short side first."""
    away = corners - corners.mean(axis=0)
    corners = corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    first, second = corners[1] - corners[0], corners[2] - corners[1]
    return corners if np.hypot(*first) <= np.hypot(*second) else np.roll(corners, -1, axis=0)


def _looked_up(grey: cv2.typing.MatLike, corners: NDArray[np.float32]) -> tuple[str, float]:
    width, height = _CARD
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    card = cv2.warpPerspective(grey, cv2.getPerspectiveTransform(corners, target), _CARD)
    glyphs = _glyphs(np.asarray(card, dtype=np.uint8))
    if len(glyphs) != 2:
        return UNKNOWN, 0.0
    rank, rank_likeness = _most_like(glyphs[0], _templates()[0])
    suit, suit_likeness = _most_like(glyphs[1], _templates()[1])
    return rank + suit, min(rank_likeness, suit_likeness)


def _glyphs(card: Image) -> list[Image]:
    """Rank and suit as they are printed in the corner, the upper one first."""
    corner = card[4 : _CORNER[1], 4 : _CORNER[0]]
    large = cv2.resize(corner, None, fx=_ENLARGED, fy=_ENLARGED, interpolation=cv2.INTER_CUBIC)
    _, ink = cv2.threshold(large, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    half = ink.shape[0] // 2
    parts = []
    for upper in (True, False):
        boxes = [cv2.boundingRect(c) for c in contours]
        inside = [
            b for b in boxes if (b[1] + b[3] / 2 < half) == upper and b[2] * b[3] > 0.01 * ink.size
        ]
        if not inside:
            return []
        left, top = min(b[0] for b in inside), min(b[1] for b in inside)
        right, bottom = max(b[0] + b[2] for b in inside), max(b[1] + b[3] for b in inside)
        parts.append(np.asarray(cv2.resize(ink[top:bottom, left:right], _GLYPH), dtype=np.uint8))
    return parts


def _most_like(glyph: Image, templates: dict[str, Image]) -> tuple[str, float]:
    likeness = {
        name: float(cv2.matchTemplate(glyph, template, cv2.TM_CCOEFF_NORMED)[0, 0])
        for name, template in templates.items()
    }
    best = max(likeness, key=likeness.__getitem__)
    return best, max(0.0, likeness[best])


@lru_cache(maxsize=1)
def _templates() -> tuple[dict[str, Image], dict[str, Image]]:
    """Pictures of the ranks and of the suits, from the faces that the project draws."""
    ranks, suits = {}, {}
    for number, rank in enumerate(RANKS):
        suit = SUITS[number % len(SUITS)]
        face = cv2.cvtColor(draw_face(rank + suit, _CARD[0])[..., :3], cv2.COLOR_BGR2GRAY)
        glyphs = _glyphs(np.asarray(cv2.resize(face, _CARD), dtype=np.uint8))
        ranks[rank], suits[suit] = glyphs[0], glyphs[1]
    return ranks, suits
