"""A picture of which only chosen parts are shown; everything else is hatched over.

Nothing of what is covered is left: a blur or a mosaic of a card still tells red from
black and a court card from a pip card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.zones import Polygon

_GROUND: Final = (52, 46, 42)
_LINE: Final = (84, 76, 70)
_STEP_PX: Final = 24
_WIDTH_PX: Final = 6


def covered(
    image: NDArray[np.uint8], shown: Iterable[Polygon], hidden: Iterable[Polygon] = ()
) -> NDArray[np.uint8]:
    """The picture with all but some parts hatched over.

    Args:
        image: Shape (H, W, 3), BGR; not changed.
        shown: Outlines, in pixels, of what may be seen.
        hidden: Outlines of what must not, even where it lies over something shown.
    """
    mask = np.zeros(image.shape[:2], np.uint8)
    for outline in shown:
        cv2.fillPoly(mask, [_pixels(outline)], (255,))
    for outline in hidden:
        cv2.fillPoly(mask, [_pixels(outline)], (0,))
    result = _hatch(image.shape[0], image.shape[1])
    np.copyto(result, image, where=mask[:, :, None] > 0)
    return result


def grown(outline: Polygon, share: float) -> Polygon:
    """The outline made larger about its middle, such as by 0.1 for a tenth each way."""
    points = np.array(outline, np.float64)
    middle = points.mean(axis=0)
    return tuple((float(x), float(y)) for x, y in middle + (points - middle) * (1 + share))


def _pixels(outline: Polygon) -> NDArray[np.int32]:
    return np.array(outline, np.float64).round().astype(np.int32)


def _hatch(height: int, width: int) -> NDArray[np.uint8]:
    rows, columns = np.ogrid[:height, :width]
    is_line = (rows + columns) % _STEP_PX < _WIDTH_PX
    colours = np.array((_GROUND, _LINE), np.uint8)
    return np.asarray(colours[is_line.astype(np.uint8)], dtype=np.uint8)
