"""Polygons that a person draws: area, crossing edges, and what two share."""

from __future__ import annotations

import pytest

from vision.shapes import area_of, is_crossing, shared_area
from vision.zones import Polygon

SQUARE: Polygon = ((0, 0), (10, 0), (10, 10), (0, 10))
BOW_TIE: Polygon = ((0, 0), (10, 10), (10, 0), (0, 10))
HOOK: Polygon = ((0, 0), (30, 0), (30, 30), (20, 30), (20, 10), (0, 10))
"""Concave, but with a clear inside."""


def test_the_area_does_not_depend_on_the_way_round() -> None:
    assert area_of(SQUARE) == 100
    assert area_of(SQUARE[::-1]) == 100
    assert area_of(HOOK) == 500


@pytest.mark.parametrize(
    ("polygon", "crosses"),
    [
        (SQUARE, False),
        (HOOK, False),
        (BOW_TIE, True),
        (((0, 0), (10, 0), (10, 10), (5, -5)), True),  # its last edge cuts the first
        (((0, 0), (10, 0), (5, 10)), False),
    ],
)
def test_edges_that_cross_are_found(polygon: Polygon, crosses: bool) -> None:
    assert is_crossing(polygon) is crosses


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        (SQUARE, 100),
        (((5, 0), (15, 0), (15, 10), (5, 10)), 50),
        (((10, 0), (20, 0), (20, 10), (10, 10)), 0),
        (((50, 50), (60, 50), (60, 60), (50, 60)), 0),
        (((0, 0), (10, 0), (0, 10)), 50),
    ],
)
def test_what_two_polygons_share(other: Polygon, shared: float) -> None:
    assert shared_area(SQUARE, other) == pytest.approx(shared, abs=1.5)
