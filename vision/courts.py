"""The project's own kings, queens, knaves and joker, drawn as plain figures.

A figure is drawn once, upper half, then turned by half a turn, as on every
double-headed court card.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.glyphs import Outline, circle
from vision.pen import Colour, Pen, rectangle, star

_SKIN: Final[Colour] = (185, 212, 242)
_INK: Final[Colour] = (40, 32, 30)
_GOLD: Final[Colour] = (50, 185, 240)
_RED: Final[Colour] = (45, 40, 190)
_BLUE: Final[Colour] = (150, 80, 35)
_HAIR: Final[dict[str, Colour]] = {"K": (95, 95, 100), "Q": (40, 120, 190), "J": (30, 60, 100)}

_FRAME: Final = (12.5, 9.5, 38.0, 69.0)
"""Left, top, width and height of the court's frame, in millimetres of a 63 x 88 card."""

_HEAD: Final = (31.5, 25.0)


def _points(*values: float) -> Outline:
    return np.array(values, dtype=np.float64).reshape(-1, 2)


def _robe(pen: Pen, robe: Colour, trim: Colour) -> None:
    pen.fill(_points(13, 44.2, 13, 40, 23, 31.5, 40, 31.5, 50, 40, 50, 44.2), robe)
    pen.fill(_points(27, 31, 36, 31, 39, 44.2, 24, 44.2), trim)
    for x, y in ((16.5, 40.8), (21.0, 37.0), (42.0, 37.0), (46.5, 40.8)):
        pen.fill(star(x, y, 1.7, 4), _GOLD)
    for y in (34.0, 37.4, 40.8):
        pen.fill(circle(31.5, y, 0.9), _INK)
    pen.stroke(_points(13, 40, 23, 31.5, 40, 31.5, 50, 40), _INK, 0.5)


def _face(pen: Pen, rank: str) -> None:
    x, y = _HEAD
    hair = _HAIR[rank]
    drop = 9.0 if rank == "Q" else 6.5
    pen.fill(_points(x - 6.4, y - 3, x + 6.4, y - 3, x + 7, y + drop, x - 7, y + drop), hair)
    pen.fill(circle(x, y, 5.0), _SKIN)
    pen.stroke(circle(x, y, 5.0), _INK, 0.4, closed=True)
    if rank == "K":
        pen.fill(
            _points(x - 4.6, y + 1.8, x + 4.6, y + 1.8, x + 3, y + 8, x, y + 9.4, x - 3, y + 8),
            hair,
        )
    for side in (-1, 1):
        pen.fill(circle(x + side * 1.9, y - 0.8, 0.6), _INK)
        pen.stroke(_points(x + side * 1.0, y - 2.0, x + side * 2.9, y - 2.1), _INK, 0.4)
    pen.stroke(_points(x, y - 0.6, x - 0.6, y + 1.2, x + 0.3, y + 1.3), _INK, 0.35)
    pen.stroke(_points(x - 1.3, y + 2.8, x + 1.3, y + 2.8), _RED, 0.7)


def _king(pen: Pen, robe: Colour) -> None:
    pen.fill(_points(25, 20.6, 24, 12.5, 28, 16.5, 31.5, 11, 35, 16.5, 39, 12.5, 38, 20.6), _GOLD)
    pen.box(25, 18.6, 13, 2.4, robe)
    pen.stroke(_points(46, 14, 46, 44), _INK, 1.4)
    pen.stroke(_points(43.6, 17.5, 48.4, 17.5), _INK, 1.4)


def _queen(pen: Pen, robe: Colour) -> None:
    pen.fill(_points(25, 20.8, 26, 15.5, 37, 15.5, 38, 20.8), _GOLD)
    for x in (26.0, 28.8, 31.5, 34.2, 37.0):
        pen.fill(circle(x, 14.8, 1.25), robe)
    for angle in np.arange(6) * np.pi / 3:
        pen.fill(circle(45 + 2 * np.cos(angle), 26 + 2 * np.sin(angle), 1.5), robe)
    pen.fill(circle(45, 26, 1.3), _GOLD)
    pen.stroke(_points(45, 29, 44, 40), (60, 120, 40), 0.9)


def _knave(pen: Pen, robe: Colour) -> None:
    pen.fill(_points(24.5, 20.8, 24.5, 16.8, 28, 13.6, 36, 13.6, 39, 17, 38.5, 20.8), robe)
    pen.box(24.3, 18.8, 14.4, 2.2, _GOLD)
    pen.fill(_points(37.0, 18, 41, 10.8, 43, 12.0, 39.4, 19), _INK)
    pen.fill(_points(44.6, 44, 44.6, 20, 46, 15.5, 47.4, 20, 47.4, 44), (190, 190, 195))
    pen.box(42.8, 32, 6.4, 1.4, _GOLD)


def draw_court(pen: Pen, rank: str, suit: str, ink: Colour) -> None:
    """Draw a court on a 63 x 88 mm pen.

    Args:
        pen: The card's pen; the indices are drawn after this.
        rank: ``J``, ``Q`` or ``K``.
        suit: One of ``cdhs``.
        ink: Colour of the suit.
    """
    red = suit in "dh"
    robe, trim = (_RED, _BLUE) if red else (_BLUE, _RED)
    for _ in range(2):
        _robe(pen, robe, trim)
        _face(pen, rank)
        {"K": _king, "Q": _queen, "J": _knave}[rank](pen, robe)
        pen.pip(suit, 18.6, 17.0, 9.0, ink)
        pen.turn()
    pen.stroke(_points(12.5, 44, 50.5, 44), _INK, 0.6)
    pen.stroke(rectangle(*_FRAME), _BLUE, 0.6, closed=True)


def draw_joker(pen: Pen, ink: Colour) -> None:
    """Draw the joker's figure on a 63 x 88 mm pen: a head under a cap with three bells."""
    pen.fill(_points(15, 62, 24, 56, 39, 56, 48, 62, 42, 70, 36, 64, 31.5, 72, 27, 64, 21, 70), ink)
    pen.fill(circle(31.5, 48, 8.5), _SKIN)
    pen.stroke(circle(31.5, 48, 8.5), _INK, 0.5, closed=True)
    pen.fill(
        _points(22.5, 45, 11.5, 31, 17, 24, 25, 29, 31.5, 15, 38, 29, 46, 24, 51.5, 31, 40.5, 45),
        ink,
    )
    pen.fill(_points(26.5, 45, 25, 29, 31.5, 15, 38, 29, 36.5, 45), _GOLD)
    for x, y in ((12.5, 32.0), (31.5, 14.5), (50.5, 32.0)):
        pen.fill(circle(x, y, 2.6), _GOLD)
        pen.stroke(circle(x, y, 2.6), _INK, 0.5, closed=True)
    for side in (-1, 1):
        pen.fill(circle(31.5 + side * 3.2, 48.5, 1.0), _INK)
    angle = np.linspace(0.3, np.pi - 0.3, 12)
    smile = np.stack([31.5 + 4.2 * np.cos(angle), 49.5 + 4.2 * np.sin(angle)], axis=1)
    pen.stroke(smile, _RED, 0.9)
