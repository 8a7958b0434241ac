"""Markers of known size, laid by hand, tell the table's plane and where they lie."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.errors import ZonesError
from vision.felt import draw_marker
from vision.layout import TableLayout
from vision.plane import measure_table
from vision.rendered import RenderedCamera, Scene, render
from vision.zones import Marker, map_points

LAYOUT = TableLayout.standard(10)


def distance(one: Marker, other: Marker) -> float:
    return math.dist(one.centre, other.centre)


def by_hand(markers: tuple[Marker, ...], camera: RenderedCamera) -> NDArray[np.uint8]:
    """A picture of a plain table with markers lying just there."""
    fine = 2
    table = np.full((810 * fine, 1440 * fine, 3), (62, 98, 28), np.uint8)
    for marker in markers:
        code = draw_marker(marker.number, round(marker.side_mm * fine))
        quiet = (code.shape[0] - round(marker.side_mm * fine)) / 2
        corners = np.array(marker.corners) * fine
        source = np.array([(quiet, quiet), (code.shape[1] - quiet, quiet)])
        source = np.vstack([source, [(c[0], code.shape[0] - quiet) for c in source[::-1]]])
        warp = cv2.getPerspectiveTransform(source.astype(np.float32), corners.astype(np.float32))
        size = (table.shape[1], table.shape[0])
        laid = cv2.warpPerspective(code, warp, size)
        mask = cv2.warpPerspective(np.full_like(code, 255), warp, size)
        table[mask > 127] = laid[mask > 127][:, None]
    pose = camera.homography(1440, 810) @ np.diag([1 / fine, 1 / fine, 1.0])
    seen = cv2.warpPerspective(table, pose, (camera.width_px, camera.height_px))
    return np.asarray(cv2.GaussianBlur(seen, (3, 3), 0.5), dtype=np.uint8)


@pytest.mark.parametrize("tilt_deg", [0.0, 15.0, 25.0])
@pytest.mark.parametrize("roll_deg", [0.0, 180.0])
def test_distances_between_markers_are_measured_to_one_in_a_hundred(
    tilt_deg: float, roll_deg: float
) -> None:
    camera = RenderedCamera(tilt_deg=tilt_deg, roll_deg=roll_deg)
    measured = measure_table(render(Scene(), camera), LAYOUT).layout.markers

    for a, b in ((0, 1), (0, 2), (1, 3), (2, 3)):
        true = distance(LAYOUT.markers[a], LAYOUT.markers[b])
        assert distance(measured[a], measured[b]) == pytest.approx(true, rel=0.012)


def test_zones_move_with_markers_that_were_laid_elsewhere() -> None:
    camera = RenderedCamera(width_px=1920, height_px=1080)
    laid = (
        Marker(0, 130, 60, angle_deg=5),
        Marker(1, 1240, 40, angle_deg=-8),
        Marker(2, 1260, 600, angle_deg=3),
        Marker(3, 110, 620, angle_deg=-4),
    )
    measured = measure_table(by_hand(laid, camera), LAYOUT)
    places = [marker.centre for marker in measured.layout.markers]
    seen = np.array(map_points(measured.homography, places))
    true = map_points(camera.homography(1440, 810), [marker.centre for marker in laid])

    assert np.abs(seen - np.array(true)).max() < 1.5
    for a, b in ((0, 2), (1, 3)):
        assert distance(measured.layout.markers[a], measured.layout.markers[b]) == pytest.approx(
            distance(laid[a], laid[b]), rel=0.012
        )
    board = measured.layout.zones.polygon("board:3")
    assert measured.layout.zones.zone_of(board[0]) in {"board:2", "board:3"}
    assert measured.error_px < 0.5


def test_three_markers_are_enough() -> None:
    image = render(Scene(), RenderedCamera())
    image[:140, :180] = 60

    measured = measure_table(image, LAYOUT)
    assert [marker.number for marker in measured.layout.markers] == [1, 2, 3]


def test_two_markers_are_too_few_to_measure() -> None:
    image = render(Scene(), RenderedCamera())
    image[:140] = 60

    with pytest.raises(ZonesError, match="only 2 of 4 markers"):
        measure_table(image, LAYOUT)


def test_sizes_that_cannot_be_true_are_refused() -> None:
    """One marker printed at twice its size: no flat table shows the others like that."""
    wrong = tuple(
        replace(marker, side_mm=120.0) if marker.number == 1 else marker
        for marker in LAYOUT.markers
    )
    layout = replace(LAYOUT, markers=wrong)

    with pytest.raises(ZonesError, match="printed at 100 %"):
        measure_table(render(Scene(), RenderedCamera()), layout)
