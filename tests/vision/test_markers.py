"""Markers tell where the table lies, also after the camera was knocked."""

from __future__ import annotations

import logging
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.errors import ZonesError
from vision.layout import TableLayout
from vision.markers import TableTracker, find_table, marker_sheet
from vision.rendered import RenderedCamera, Scene, render
from vision.zones import map_points

LAYOUT = TableLayout.standard(10)
CAMERA = RenderedCamera()


@pytest.mark.parametrize("tilt_deg", [0.0, 4.0, 15.0])
@pytest.mark.parametrize("roll_deg", [0.0, 10.0, 180.0])
def test_the_table_is_found_to_two_pixels(tilt_deg: float, roll_deg: float) -> None:
    camera = replace(CAMERA, tilt_deg=tilt_deg, roll_deg=roll_deg)
    found = find_table(render(Scene(), camera), LAYOUT.markers)
    spots = [(720.0, 405.0), (200.0, 200.0), (1200.0, 600.0)]
    true = np.array(map_points(camera.homography(1440, 810), spots))

    assert found.markers == (0, 1, 2, 3)
    assert np.abs(np.array(map_points(found.homography, spots)) - true).max() < 2.0


def test_a_covered_marker_is_done_without() -> None:
    image = render(Scene(), CAMERA)
    image[:120, :160] = 60

    assert find_table(image, LAYOUT.markers).markers == (1, 2, 3)


def test_a_table_without_markers_is_said_with_what_to_do() -> None:
    with pytest.raises(ZonesError, match=r"0 of 4 table markers .* uncover marker 0, 1, 2, 3"):
        find_table(np.full((360, 640, 3), 90, np.uint8), LAYOUT.markers)


def test_zones_are_given_once_and_again_after_a_knock(caplog: pytest.LogCaptureFixture) -> None:
    tracker = TableTracker(LAYOUT)
    first = tracker.update(render(Scene(), CAMERA))
    knocked = replace(CAMERA, roll_deg=2.0)

    assert first is not None
    assert tracker.update(render(Scene(), CAMERA, 1)) is None
    with caplog.at_level(logging.WARNING):
        second = tracker.update(render(Scene(), knocked))
    assert second is not None
    assert "camera moved" in caplog.text
    centre = np.mean(second.polygon("seat:1"), axis=0)
    true = map_points(knocked.homography(1440, 810), [(200.0, 483.0)])[0]
    assert centre == pytest.approx(true, abs=3)


def test_hidden_markers_keep_the_last_place() -> None:
    tracker = TableTracker(LAYOUT)
    tracker.update(render(Scene(), CAMERA))

    assert tracker.update(np.zeros((720, 1280, 3), np.uint8)) is None


def test_a_printed_sheet_is_found_again() -> None:
    sheet = cv2.cvtColor(marker_sheet((4, 5), side_mm=30, dpi=100), cv2.COLOR_GRAY2BGR)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    _, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(sheet)

    assert sorted(int(n) for n in np.ravel(numbers)) == [4, 5]
