"""What a picture tells about the camera: scale, legibility, zones outside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.calibration import calibrate, draw_calibration, with_zones
from vision.errors import ZonesError
from vision.layout import STANDARD_MARKERS, TableLayout, dump_layout, load_layout
from vision.rendered import RenderedCamera, Scene, render
from vision.scale import INDEX_MM, Legibility, legibility, px_per_mm, worst
from vision.zones import Marker, Zones

LAYOUT = TableLayout.standard(10)
CAMERA = RenderedCamera(tilt_deg=0.0)
IMAGE = render(Scene(), CAMERA)


def test_the_scale_is_that_of_a_camera_straight_above() -> None:
    """1280 pixels over 1440 mm, the same everywhere."""
    found = calibrate(IMAGE, LAYOUT)

    scales = [scale.px_per_mm for scale in found.scales]
    assert scales == pytest.approx([1280 / 1440] * len(scales), rel=0.01)
    assert {scale.zone for scale in found.scales} == set(LAYOUT.zones.names) - {"off_table"}


def test_a_leaning_camera_sees_the_far_side_smaller() -> None:
    image = render(Scene(), replace(CAMERA, tilt_deg=25.0))
    found = calibrate(image, LAYOUT)
    by_zone = {scale.zone: scale.px_per_mm for scale in found.scales}

    assert abs(by_zone["seat:5"] - by_zone["burn"]) > 0.1
    assert worst(found.scales).px_per_mm == min(by_zone.values())


@given(st.floats(0.2, 5.0), st.floats(0, 360))
def test_turning_the_camera_does_not_change_the_scale(scale: float, turn_deg: float) -> None:
    turn = np.radians(turn_deg)
    rows = [[np.cos(turn), -np.sin(turn), 40.0], [np.sin(turn), np.cos(turn), 7.0]]
    pose = np.array([*rows, [0, 0, 1 / scale]]) * np.array([[1.0], [1.0], [1.0]])

    assert px_per_mm(pose, (300.0, 200.0)) == pytest.approx(scale, rel=1e-6)


def test_zones_beyond_the_picture_are_named() -> None:
    found = calibrate(np.ascontiguousarray(IMAGE[:, :1235]), LAYOUT)

    assert found.outside == ()
    cut = calibrate(np.ascontiguousarray(IMAGE[:, :1150]), LAYOUT)
    assert set(cut.outside) == {"seat:8", "seat:9", "seat:10"}


def test_markers_that_lie_elsewhere_are_noticed_and_can_be_measured() -> None:
    moved = tuple(replace(m, x_mm=m.x_mm + 80 * (m.number == 2)) for m in STANDARD_MARKERS)
    layout = replace(LAYOUT, markers=moved)

    assert calibrate(IMAGE, layout).is_mislaid
    assert not calibrate(IMAGE, layout, measure=True).is_mislaid


def test_a_layout_written_is_the_layout_read(tmp_path: Path) -> None:
    found = calibrate(IMAGE, LAYOUT, measure=True)
    path = tmp_path / "zones.toml"
    path.write_text(dump_layout(found.layout), encoding="utf-8")
    read = load_layout(path)

    assert read.zones.names == LAYOUT.zones.names
    assert [m.number for m in read.markers] == [0, 1, 2, 3]
    assert read.width_mm == pytest.approx(found.layout.width_mm, abs=0.1)
    again = calibrate(IMAGE, read)
    assert again.error_px < 0.5


def test_a_layout_without_markers_has_them_where_the_standard_table_has(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    path.write_text(
        'unit = "mm"\n[[zone]]\nname = "burn"\ncorners = [[0, 0], [9, 0], [9, 9]]\n',
        encoding="utf-8",
    )

    assert load_layout(path).markers == STANDARD_MARKERS


def test_a_marker_of_another_size_keeps_its_middle() -> None:
    layout = LAYOUT.with_marker_side(40.0)

    for small, usual in zip(layout.markers, LAYOUT.markers, strict=True):
        assert small.centre == pytest.approx(usual.centre)
        assert small.side_mm == 40.0


def test_a_turned_marker_turns_about_its_top_left_corner() -> None:
    corners = Marker(0, 10.0, 20.0, 60.0, 90.0).corners

    assert np.array(corners) == pytest.approx(
        np.array([(10, 20), (10, 80), (-50, 80), (-50, 20)]), abs=1e-9
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[zone]]\nname = "burn"\ncorners = [[0, 0], [9, 0], [9, 9]]', "is in pixels"),
        (
            'unit = "mm"\nzone = []\n[[marker]]\nnumber = 50\nx_mm = 1\ny_mm = 1',
            "Expected `int` <= 49",
        ),
        (
            'unit = "mm"\n[[zone]]\nname = "burn"\ncorners = [[0, 0], [9, 0], [9, 9]]\n'
            + "[[marker]]\nnumber = 1\nx_mm = 1\ny_mm = 1\n" * 2,
            "same number",
        ),
        ('unit = "mm"\nwidht_mm = 9\nzone = []', "did you mean 'width_mm'"),
    ],
)
def test_a_wrong_layout_is_refused_with_the_reason(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "zones.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ZonesError, match=r"zones\.toml") as refusal:
        load_layout(path)
    assert words in str(refusal.value)


def test_zones_drawn_in_the_picture_are_turned_into_millimetres() -> None:
    found = calibrate(IMAGE, LAYOUT)
    in_pixels = LAYOUT.zones.mapped(found.homography)
    again = with_zones(found, IMAGE, Zones(in_pixels.areas))

    for area, true in zip(again.layout.zones.areas, LAYOUT.zones.areas, strict=True):
        assert np.array(area.corners) == pytest.approx(np.array(true.corners), abs=0.01)


def test_the_overlay_differs_from_the_picture_and_leaves_it_alone() -> None:
    before = IMAGE.copy()
    drawn = draw_calibration(IMAGE, calibrate(IMAGE, LAYOUT))

    assert (drawn != IMAGE).any(axis=2).mean() > 0.005
    assert np.array_equal(IMAGE, before)


@pytest.mark.parametrize("index", sorted(INDEX_MM))
def test_more_pixels_are_never_less_legible(index: str) -> None:
    order = [Legibility.UNREADABLE, Legibility.SHARP_ONLY, Legibility.GOOD]
    ranks = [order.index(legibility(index, px / 2)) for px in range(4, 80)]

    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2}
