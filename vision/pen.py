"""Drawing in millimetres on a pixel canvas."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glyphs import Outline, letter_strokes, suit_outlines

Colour = tuple[int, int, int]
"""Blue, green, red, each 0..255."""

_SUBPIXEL_BITS: Final = 4


class Pen:
    """Draws shapes given in millimetres on a white BGR canvas.

    Args:
        width_mm: Width of the canvas.
        height_mm: Height of the canvas.
        px_per_mm: Whole pixels per millimetre.
    """

    def __init__(self, width_mm: float, height_mm: float, px_per_mm: int) -> None:
        self._scale = px_per_mm
        shape = (round(height_mm * px_per_mm), round(width_mm * px_per_mm), 3)
        self.canvas: NDArray[np.uint8] = np.full(shape, 255, np.uint8)

    def fill(self, outline: Outline, colour: Colour) -> None:
        """Fill a closed outline, points (N, 2) in millimetres."""
        cv2.fillPoly(self.canvas, [self._fixed(outline)], colour, cv2.LINE_AA, _SUBPIXEL_BITS)

    def stroke(
        self, outline: Outline, colour: Colour, width_mm: float, *, closed: bool = False
    ) -> None:
        """Draw along an outline with round joins."""
        thickness = max(1, round(width_mm * self._scale))
        points = [self._fixed(outline)]
        cv2.polylines(self.canvas, points, closed, colour, thickness, cv2.LINE_AA, _SUBPIXEL_BITS)

    def box(self, x: float, y: float, width: float, height: float, colour: Colour) -> None:
        """Fill an upright rectangle given by its top left corner."""
        self.fill(rectangle(x, y, width, height), colour)

    def pip(self, suit: str, x: float, y: float, size: float, colour: Colour) -> None:
        """Draw a suit's pip centred at x, y; a negative size draws it upside down."""
        for outline in suit_outlines(suit):
            self.fill(outline * size + (x, y), colour)

    def letter(
        self, letter: str, box: tuple[float, float, float, float], colour: Colour, weight: float
    ) -> None:
        """Draw one letter in a box (x, y, width, height), strokes ``weight`` wide."""
        x, y, width, height = box
        inset = weight / 2
        for line in letter_strokes(letter):
            points = line * (width - weight, height - weight) + (x + inset, y + inset)
            self.stroke(points, colour, weight)

    def turn(self) -> None:
        """Turn the canvas by half a turn, to draw at the other end."""
        self.canvas = np.ascontiguousarray(self.canvas[::-1, ::-1])

    def _fixed(self, outline: Outline) -> NDArray[np.int32]:
        return np.round(outline * self._scale * 2**_SUBPIXEL_BITS).astype(np.int32)


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    """Corners of an upright rectangle, clockwise from the top left."""
    return np.array(
        [(x, y), (x + width, y), (x + width, y + height), (x, y + height)], dtype=np.float64
    )


def star(x: float, y: float, radius: float, points: int, inner: float = 0.45) -> Outline:
    """A star with the given number of points, the first one upwards."""
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2 == 0, radius, radius * inner)
    return np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], axis=1)
