"""Card faces and backs drawn by the project itself, at any size.

A card is 63 x 88 mm (poker size), its corners rounded; pictures are
``(height, width, 4)`` uint8 in BGRA order, transparent outside the corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.courts import draw_court, draw_joker
from vision.glyphs import circle
from vision.pen import Colour, Pen, rectangle
from vision.values import CARD_LABELS, JOKER

CARD_WIDTH_MM: Final = 63.0
CARD_HEIGHT_MM: Final = 88.0
CORNER_RADIUS_MM: Final = 3.2

BACK_COLOURS: Final[dict[str, Colour]] = {
    "red": (45, 35, 175),
    "blue": (150, 70, 30),
    "other": (70, 115, 45),
}
"""The backs that can be drawn, by the names used in SeenCard.back."""

BACK_DESIGNS: Final = ("lattice", "rings")
"""The patterns that can be printed in them; ``red`` is ``red/lattice``, there is ``red/rings``."""

_MASTER_PX_PER_MM: Final = 8
"""Cards are drawn at least this fine, then reduced: the reduction smooths the edges."""

_BACK_FIELD: Final = (5.0, 5.0, CARD_WIDTH_MM - 10, CARD_HEIGHT_MM - 10)
"""Left, top, width and height of what is printed of a back, in millimetres."""

_PALE: Final[Colour] = (235, 238, 240)
_BLACK: Final[Colour] = (28, 24, 22)
_RED: Final[Colour] = (38, 28, 200)
_FOUR_COLOURS: Final[dict[str, Colour]] = {
    "c": (45, 120, 20),
    "d": (190, 85, 15),
    "h": _RED,
    "s": _BLACK,
}

# Pips per rank as (column, row): column -1, 0, 1; row from 0 (top) to 1 (bottom).
_SIDES4: Final = tuple((c, r) for c in (-1, 1) for r in (0.0, 1 / 3, 2 / 3, 1.0))
_SIDES3: Final = tuple((c, r) for c in (-1, 1) for r in (0.0, 0.5, 1.0))
_SIDES2: Final = tuple((c, r) for c in (-1, 1) for r in (0.0, 1.0))
_PIPS: Final[dict[str, tuple[tuple[int, float], ...]]] = {
    "2": ((0, 0.0), (0, 1.0)),
    "3": ((0, 0.0), (0, 0.5), (0, 1.0)),
    "4": _SIDES2,
    "5": (*_SIDES2, (0, 0.5)),
    "6": _SIDES3,
    "7": (*_SIDES3, (0, 0.25)),
    "8": (*_SIDES3, (0, 0.25), (0, 0.75)),
    "9": (*_SIDES4, (0, 0.5)),
    "T": (*_SIDES4, (0, 1 / 6), (0, 5 / 6)),
}


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How a face is printed.

    Attributes:
        index: Size of the corner index, ``"standard"`` or ``"jumbo"``.
        four_colour: Clubs green and diamonds blue, as on some online-style decks.
        weight: Thickness of the index strokes relative to the usual one, 0.6..1.4.
    """

    index: Literal["standard", "jumbo"] = "standard"
    four_colour: bool = False
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class _IndexPlan:
    """Measures of a corner index, in millimetres."""

    centre_x: float
    top: float
    width: float
    height: float
    stroke: float
    pip: float


_INDEX: Final[dict[str, _IndexPlan]] = {
    "standard": _IndexPlan(6.3, 4.0, 6.6, 9.6, 1.6, 6.6),
    "jumbo": _IndexPlan(8.6, 4.0, 10.6, 16.0, 2.7, 9.8),
}


def draw_face(label: str, width_px: int, *, style: FaceStyle | None = None) -> NDArray[np.uint8]:
    """Draw the face of a card.

    Args:
        label: One of CARD_LABELS, such as ``"As"`` or ``"Jk"``.
        width_px: Width of the picture; its height follows as 88/63 of it, rounded.
        style: How the face is printed; the standard two-colour face when absent.

    Returns:
        The picture, shape (H, W, 4), BGRA.

    Raises:
        ValueError: The label names no card, or the width is below 8 pixels.
    """
    if label not in CARD_LABELS:
        raise ValueError(f"{label!r} is no card that has a face; use a label such as 'As' or 'Jk'")
    return _reduced(_face_master(label, style or FaceStyle(), _fineness(width_px)), width_px)


def draw_back(back: str, width_px: int) -> NDArray[np.uint8]:
    """Draw the back of a card: a pattern in one colour inside a white border.

    Args:
        back: ``"red"``, ``"blue"`` or ``"other"`` (green), which have a lattice; or colour
            and pattern, such as ``"red/rings"``.
        width_px: Width of the picture.

    Returns:
        The picture, shape (H, W, 4), BGRA.

    Raises:
        ValueError: No such back, or the width is below 8 pixels.
    """
    if not is_back(back):
        raise ValueError(f"no back called {back!r}; there are {', '.join(BACK_COLOURS)}")
    colour, _, design = back.partition("/")
    return _reduced(_back_master(colour, design or BACK_DESIGNS[0], _fineness(width_px)), width_px)


def is_back(back: str) -> bool:
    """Whether a back of that name can be drawn."""
    colour, _, design = back.partition("/")
    return colour in BACK_COLOURS and (not design or design in BACK_DESIGNS)


def _fineness(width_px: int) -> int:
    if width_px < 8:
        raise ValueError(f"a card {width_px} pixels wide cannot be drawn; ask for 8 or more")
    return max(_MASTER_PX_PER_MM, math.ceil(width_px / CARD_WIDTH_MM))


def _reduced(master: NDArray[np.uint8], width_px: int) -> NDArray[np.uint8]:
    height_px = round(width_px * CARD_HEIGHT_MM / CARD_WIDTH_MM)
    small = cv2.resize(master, (width_px, height_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


@lru_cache(maxsize=128)
def _face_master(label: str, style: FaceStyle, fineness: int) -> NDArray[np.uint8]:
    pen = Pen(CARD_WIDTH_MM, CARD_HEIGHT_MM, fineness)
    if label == JOKER:
        draw_joker(pen, _RED)
    elif label[0] in "JQK":
        draw_court(pen, label[0], label[1], _ink(label[1], style))
    else:
        _draw_pips(pen, label[0], label[1], style)
    for _ in range(2):
        _draw_index(pen, label, style)
        pen.turn()
    return _cut(pen)


@lru_cache(maxsize=8)
def _back_master(colour: str, design: str, fineness: int) -> NDArray[np.uint8]:
    pen = Pen(CARD_WIDTH_MM, CARD_HEIGHT_MM, fineness)
    ink = BACK_COLOURS[colour]
    left, top, width, height = _BACK_FIELD
    pen.box(left, top, width, height, ink)
    (_rings if design == "rings" else _lattice)(pen, ink)
    _mask_border(pen, left, top)
    pen.stroke(rectangle(left, top, width, height), ink, 0.8, closed=True)
    return _cut(pen)


def _lattice(pen: Pen, ink: Colour) -> None:
    """Crossing lines and three rows of medallions."""
    left, top, width, height = _BACK_FIELD
    for step in np.arange(-height, width + height, 5.3):
        for lean in (-1.0, 1.0):
            start = left + step if lean > 0 else left + width - step
            line = np.array([(start, top), (start + lean * height, top + height)])
            pen.stroke(line, _PALE, 0.55)
    for row in range(5):
        for column in range(3):
            x, y = 15.0 + 16.5 * column, 12.0 + 16.0 * row
            pen.fill(circle(x, y, 3.4), ink)
            pen.fill(circle(x, y, 1.5), _PALE)


def _rings(pen: Pen, ink: Colour) -> None:
    """Rings around the middle, and a large medallion in it."""
    for radius in np.arange(60.0, 4.0, -6.0):
        pen.fill(circle(CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2, float(radius)), _PALE)
        pen.fill(circle(CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2, float(radius) - 1.5), ink)
    pen.fill(circle(CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2, 7.0), _PALE)


def _mask_border(pen: Pen, left: float, top: float) -> None:
    white: Colour = (255, 255, 255)
    for _ in range(2):
        pen.box(0, 0, CARD_WIDTH_MM, top, white)
        pen.box(0, 0, left, CARD_HEIGHT_MM, white)
        pen.turn()


def _ink(suit: str, style: FaceStyle) -> Colour:
    if style.four_colour:
        return _FOUR_COLOURS[suit]
    return _RED if suit in "dh" else _BLACK


def _draw_pips(pen: Pen, rank: str, suit: str, style: FaceStyle) -> None:
    ink, centre_x, centre_y = _ink(suit, style), CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    if rank == "A":
        pen.pip(suit, centre_x, centre_y, 23.0, ink)
        return
    jumbo = style.index == "jumbo"
    half_width, top, size = (10.5, 16.0, 11.0) if jumbo else (12.5, 15.0, 13.0)
    for column, row in _PIPS[rank]:
        y = top + row * (CARD_HEIGHT_MM - 2 * top)
        upright = 1 if row <= 0.5 else -1
        pen.pip(suit, centre_x + column * half_width, y, upright * size, ink)


def _draw_index(pen: Pen, label: str, style: FaceStyle) -> None:
    plan = _INDEX[style.index]
    stroke, left = plan.stroke * style.weight, plan.centre_x - plan.width / 2
    if label == JOKER:
        for number, letter in enumerate("JOKER"):
            box = (plan.centre_x - 2.1, plan.top + 6.6 * number, 4.2, 5.6)
            pen.letter(letter, box, _BLACK, 1.0 * style.weight)
        return
    rank, suit = label[0], label[1]
    ink = _ink(suit, style)
    if rank in "JQK":
        room = plan.height + 1.4 * plan.pip
        pen.box(0, 0, plan.centre_x + plan.width / 2 + 0.6, plan.top + room, (255, 255, 255))
    if rank == "T":
        stroke *= 0.8
    letters = "10" if rank == "T" else rank
    for letter in letters:
        pen.letter(letter, (left, plan.top, plan.width, plan.height), ink, stroke)
    pen.pip(suit, plan.centre_x, plan.top + plan.height + plan.pip * 0.68, plan.pip, ink)


def _corner_mask(shape: tuple[int, int]) -> NDArray[np.uint8]:
    height, width = shape
    radius = CORNER_RADIUS_MM * width / CARD_WIDTH_MM
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius)
    reach = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
    return np.asarray(np.clip((radius - reach + 0.5) * 255, 0, 255), dtype=np.uint8)


def _cut(pen: Pen) -> NDArray[np.uint8]:
    """The finished card: with its corners transparent."""
    mask = _corner_mask((pen.canvas.shape[0], pen.canvas.shape[1]))
    picture = np.dstack([pen.canvas, mask])
    picture.flags.writeable = False
    return picture
