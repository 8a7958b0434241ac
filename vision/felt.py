"""The cloth of a rendered table: texture, printed lines and markers."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import FELT, STANDARD_MARKERS
from vision.zones import Marker

_PX_PER_MM: Final = 1
"""About the scale at which a 1280-pixel camera sees it."""

_GREEN: Final = (62, 98, 28)
_FLOOR: Final = (58, 64, 78)
_LINE: Final = (120, 165, 110)


def draw_felt(width_mm: float, height_mm: float, seed: int) -> NDArray[np.uint8]:
    """Draw the whole view from above, one pixel a millimetre.

    Returns:
        The picture, shape (height_mm, width_mm, 3), BGR.
    """
    rng = np.random.default_rng(seed)
    shape = (round(height_mm * _PX_PER_MM), round(width_mm * _PX_PER_MM))
    ground = np.full((*shape, 3), _FLOOR, np.float32)
    x, y, width, height = (round(v * _PX_PER_MM) for v in FELT)
    ground[y : y + height, x : x + width] = _GREEN
    ground += _weave(rng, shape)[..., None]
    picture = np.asarray(np.clip(ground, 0, 255), dtype=np.uint8)
    cv2.rectangle(picture, (x, y), (x + width, y + height), (30, 34, 44), 5, cv2.LINE_AA)
    centre = (x + width // 2, y + height // 2 + 20)
    cv2.ellipse(picture, centre, (250, 125), 0, 0, 360, _LINE, 2, cv2.LINE_AA)
    for marker in STANDARD_MARKERS:
        _print_marker(picture, marker)
    return picture


def _weave(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Fine fibres and slow unevenness, in grey levels."""
    fine = rng.standard_normal(shape, dtype=np.float32) * 5
    small = rng.standard_normal((shape[0] // 40 + 2, shape[1] // 40 + 2), dtype=np.float32)
    slow = cv2.resize(small * 4, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(fine + slow, dtype=np.float32)


def draw_marker(number: int, side_px: int) -> NDArray[np.uint8]:
    """One ArUco marker of DICT_4X4_50 with the quiet zone it needs, grey, (S, S)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    code = cv2.aruco.generateImageMarker(dictionary, number, side_px)
    quiet = max(2, side_px // 8)
    framed = cv2.copyMakeBorder(code, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(framed, dtype=np.uint8)


def _print_marker(picture: NDArray[np.uint8], marker: Marker) -> None:
    side = round(marker.side_mm * _PX_PER_MM)
    code = draw_marker(marker.number, side)
    quiet = (code.shape[0] - side) // 2
    x, y = round(marker.x_mm * _PX_PER_MM) - quiet, round(marker.y_mm * _PX_PER_MM) - quiet
    height, width = code.shape
    picture[y : y + height, x : x + width] = (code * 0.92).astype(np.uint8)[..., None]
