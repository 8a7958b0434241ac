"""Whether a polygon that a person has drawn can be a zone."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.values import Point
from vision.zones import Polygon

_RASTER: Final = 200
"""Steps along the longer side when two polygons are laid over each other: half a per cent."""


def area_of(polygon: Polygon) -> float:
    """Area in square units, whichever way round the corners go."""
    contour = np.array(polygon, dtype=np.float32)
    return float(cv2.contourArea(contour))


def is_crossing(polygon: Polygon) -> bool:
    """Whether two of its edges cross, so that it has no clear inside."""
    count = len(polygon)
    edges = [(polygon[n], polygon[(n + 1) % count]) for n in range(count)]
    for first, second in combinations(range(count), 2):
        are_neighbours = second - first in (1, count - 1)
        if not are_neighbours and _cross(*edges[first], *edges[second]):
            return True
    return False


def shared_area(one: Polygon, other: Polygon) -> float:
    """Area that both cover, to about a per cent of the smaller bounding box."""
    low = np.maximum(np.min(one, axis=0), np.min(other, axis=0))
    high = np.minimum(np.max(one, axis=0), np.max(other, axis=0))
    if not (high > low).all():
        return 0.0
    scale = _RASTER / float((high - low).max())
    size = np.maximum(1, np.ceil((high - low) * scale)).astype(int)
    both = np.full((size[1], size[0]), True)
    for polygon in (one, other):
        mask = np.zeros(both.shape, np.uint8)
        corners = (np.array(polygon, np.float64) - low) * scale
        cv2.fillPoly(mask, [corners.round().astype(np.int32)], (1,))
        both &= mask > 0
    return float(np.count_nonzero(both) / scale**2)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, point: Point) -> float:
    """Positive on one side of the line through a and b, negative on the other, 0 on it."""
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
