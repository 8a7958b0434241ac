"""Where markers of known size lie on a table, from one picture of it.

People lay the printed markers down by hand. Each is a square of known size, so
all squares together tell the table's plane and the distances on it: the plane
and the places are fitted at once so that every corner falls where it is seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ZonesError
from vision.layout import TableLayout
from vision.markers import detect_markers
from vision.zones import Homography, Marker, Zones, map_points

_Vector = NDArray[np.float64]

_ROUNDS: Final = 60
_FEWEST: Final = 3
"""Two markers on one line leave the plane's lean across that line to chance."""

_WORST_FIT_PX: Final = 3.0
"""More than that between a corner and the fit means that the table is not flat there."""

_PLANE: Final = 8
"""Numbers that make a homography, its last element being 1."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredTable:
    """A table measured by its markers.

    Attributes:
        layout: Zones and markers in millimetres, as they lie.
        homography: Its millimetres to pixels.
        error_px: Root mean square distance of the corners from the fit.
    """

    layout: TableLayout
    homography: Homography
    error_px: float


def measure_table(image: NDArray[np.uint8], layout: TableLayout) -> MeasuredTable:
    """Measure where a layout's markers lie, and move its zones along with them.

    Args:
        image: Shape (H, W, 3), BGR.
        layout: Which markers there are, their sizes, and about where they lie; its
            zones are stretched between them.

    Raises:
        ZonesError: Fewer than three of the markers are in the picture, or they do
            not lie flat on one plane.
    """
    wanted = {marker.number: marker for marker in layout.markers}
    found = {n: quad for n, quad in sorted(detect_markers(image).items()) if n in wanted}
    if len(found) < _FEWEST:
        raise ZonesError(
            f"only {len(found)} of {len(wanted)} markers in the picture; "
            f"{_FEWEST} or more are needed to measure where they lie"
        )
    markers = [wanted[n] for n in found]
    fit = _fitted([m.side_mm for m in markers], list(found.values()))
    if fit.error_px > _WORST_FIT_PX:
        raise ZonesError(
            f"the markers fit no flat table: {fit.error_px:.1f} pixels off; "
            "check that they were printed at 100 % and lie flat"
        )
    return _laid_out(layout, markers, fit)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Centres and turns of the markers in a plane of its own, and that plane in the picture."""

    homography: Homography
    squares: list[_Vector]
    error_px: float


def _fitted(sides: Sequence[float], quads: Sequence[_Vector]) -> _Fit:
    """Find the plane in which every marker is a square of its size."""
    anchor = max(range(len(quads)), key=lambda n: cv2.contourArea(quads[n].astype(np.float32)))
    first = _square(sides[anchor], (0.0, 0.0, 0.0))
    plane = np.asarray(cv2.findHomography(first, quads[anchor])[0], dtype=np.float64)
    back = np.asarray(np.linalg.inv(plane), dtype=np.float64)
    others = [n for n in range(len(quads)) if n != anchor]
    poses = [_pose(_mapped(back, quads[n])) for n in others]
    start = np.concatenate([(plane / plane[2, 2]).ravel()[:_PLANE], *poses])
    picture = np.vstack([quads[anchor], *(quads[n] for n in others)])

    def squares(state: _Vector) -> list[_Vector]:
        rest = state[_PLANE:].reshape(-1, 3)
        moved = (_square(sides[n], tuple(pose)) for n, pose in zip(others, rest, strict=True))
        return [first, *moved]

    def residual(state: _Vector) -> _Vector:
        seen = _mapped(_homography(state), np.vstack(squares(state)))
        return np.asarray((seen - picture).ravel(), dtype=np.float64)

    best = _least_squares(residual, start)
    in_order = dict(zip((anchor, *others), squares(best), strict=True))
    error_px = float(np.sqrt((residual(best).reshape(-1, 2) ** 2).sum(axis=1).mean()))
    return _Fit(_homography(best), [in_order[n] for n in range(len(quads))], error_px)


def _mapped(homography: Homography, points: _Vector) -> _Vector:
    return np.array(map_points(homography, [(float(x), float(y)) for x, y in points]))


def _square(side: float, pose: tuple[float, ...]) -> _Vector:
    """Corners of a square of that side with its top left corner at (x, y), turned."""
    x, y, turn = pose
    return np.array(Marker(0, x, y, side, math.degrees(turn)).corners)


def _pose(corners: _Vector) -> _Vector:
    """Top left corner and turn of what is nearly a square."""
    along = corners[1] + corners[2] - corners[0] - corners[3]
    return np.array([*corners[0], math.atan2(along[1], along[0])])


def _homography(state: _Vector) -> Homography:
    return np.append(state[:_PLANE], 1.0).reshape(3, 3)


def _least_squares(residual: Callable[[_Vector], _Vector], start: _Vector) -> _Vector:
    """Levenberg-Marquardt with a numeric derivative and each unknown in its own scale."""
    state, damping = start, 1e-3
    now = residual(state)
    for _ in range(_ROUNDS):
        steps = 1e-6 * np.maximum(np.abs(state), 1e-3)
        slope = np.column_stack(
            [(residual(state + step * unit) - now) / step for step, unit in _axes(steps)]
        )
        square = slope.T @ slope
        change = np.linalg.solve(
            square + damping * np.diag(np.diag(square) + 1e-12), -slope.T @ now
        )
        tried = residual(state + change)
        if float(tried @ tried) < float(now @ now):
            state, now, damping = state + change, tried, damping / 5
        else:
            damping *= 7
    return state


def _axes(steps: _Vector) -> list[tuple[float, _Vector]]:
    return [(float(step), unit) for step, unit in zip(steps, np.eye(len(steps)), strict=True)]


def _laid_out(layout: TableLayout, markers: Sequence[Marker], fit: _Fit) -> MeasuredTable:
    """Turn the fit's own plane into the table's: as the layout has it, seen by the dealer."""
    expected = np.array([marker.centre for marker in markers])
    centres = np.array([square.mean(axis=0) for square in fit.squares])
    to_table = _rigid(centres, expected)
    stretched = _stretch(expected, _mapped(to_table, centres))
    view = ((0.0, 0.0), (layout.width_mm, 0.0), (layout.width_mm, layout.height_mm))
    outline = np.array(map_points(stretched, [*view, (0.0, layout.height_mm)]))
    low, high = outline.min(axis=0), outline.max(axis=0)
    shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
    to_table, stretched = shift @ to_table, shift @ stretched
    measured = tuple(
        _marker(marker, _mapped(to_table, square))
        for marker, square in zip(markers, fit.squares, strict=True)
    )
    zones = Zones(layout.zones.mapped(stretched).areas, tuple(m.corners for m in measured))
    width, height = (float(side) for side in high - low)
    laid = TableLayout(zones, width, height, measured)
    return MeasuredTable(laid, fit.homography @ np.linalg.inv(to_table), fit.error_px)


def _marker(marker: Marker, corners: _Vector) -> Marker:
    x, y, turn = (float(value) for value in _pose(corners))
    return Marker(marker.number, x, y, marker.side_mm, math.degrees(turn))


def _rigid(points: _Vector, targets: _Vector) -> Homography:
    """The turn and shift, without any stretching, that brings points nearest to targets."""
    middle, aim = points.mean(axis=0), targets.mean(axis=0)
    u, _, vt = np.linalg.svd((points - middle).T @ (targets - aim))
    mirror = np.diag([1.0, float(np.sign(np.linalg.det(u @ vt)))])
    turn = (u @ mirror @ vt).T
    moved = np.eye(3)
    moved[:2, :2], moved[:2, 2] = turn, aim - turn @ middle
    return moved


def _stretch(points: _Vector, targets: _Vector) -> Homography:
    """What carries the expected places of the markers to the measured ones."""
    if len(points) == _FEWEST:
        affine = cv2.getAffineTransform(points.astype(np.float32), targets.astype(np.float32))
        return np.vstack([np.asarray(affine, dtype=np.float64), (0.0, 0.0, 1.0)])
    return np.asarray(cv2.findHomography(points, targets)[0], dtype=np.float64)
