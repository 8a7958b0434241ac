"""Rendered pictures show the scene where the camera's geometry says."""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.layout import TableLayout
from vision.rendered import Disc, PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import Face
from vision.zones import map_points

LAYOUT = TableLayout.standard(10)
CAMERA = RenderedCamera()
POSE = CAMERA.homography(LAYOUT.width_mm, LAYOUT.height_mm)


def test_the_same_scene_gives_the_same_pixels() -> None:
    scene = Scene((PlacedCard("As", Face.UP, 700, 400),))

    assert np.array_equal(render(scene, CAMERA, 3), render(scene, CAMERA, 3))
    assert not np.array_equal(render(scene, CAMERA, 3), render(scene, CAMERA, 4))


def test_the_frame_has_the_camera_s_size() -> None:
    frame = render(Scene(), RenderedCamera(width_px=640, height_px=360))

    assert frame.shape == (360, 640, 3)
    assert frame.dtype == np.uint8


def test_a_card_appears_inside_its_quad_and_nowhere_else() -> None:
    quiet = replace(CAMERA, noise=0.0)
    placed = PlacedCard("2c", Face.UP, 720, 400, angle_deg=20)
    differs = np.abs(
        render(Scene((placed,)), quiet).astype(int) - render(Scene(), quiet).astype(int)
    ).max(axis=2)
    rows, columns = np.nonzero(differs > 60)
    quad = np.array(card_quad(placed, POSE))

    assert quad.min(axis=0) == pytest.approx([columns.min(), rows.min()], abs=4)
    assert quad.max(axis=0) == pytest.approx([columns.max(), rows.max()], abs=4)


def test_a_later_card_lies_on_top() -> None:
    under, over = PlacedCard("??", Face.DOWN, 700, 400), PlacedCard("As", Face.UP, 700, 400)

    as_seen = render(Scene((under, over)), CAMERA)[335:375, 605:640]
    assert np.array_equal(as_seen, render(Scene((over,)), CAMERA)[335:375, 605:640])


@pytest.mark.parametrize("zone", LAYOUT.zones.names)
def test_cards_are_70_pixels_high_in_every_zone(zone: str) -> None:
    for x, y in LAYOUT.places(zone, 3):
        a, _, _, d = card_quad(PlacedCard("As", Face.UP, x, y), POSE)
        assert math.dist(a, d) >= 70


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_zone_s_places_lie_in_it(seats: int) -> None:
    layout = TableLayout.standard(seats)

    for zone in layout.zones.names:
        for count in range(1, 4):
            assert {layout.zones.zone_of(p) for p in layout.places(zone, count)} == {zone}


def test_seats_run_clockwise_from_the_dealer_s_left() -> None:
    centres = [np.mean(LAYOUT.zones.polygon(f"seat:{n}"), axis=0) for n in range(1, 11)]
    angles = [math.atan2(y - 405, x - 720) for x, y in centres]
    steps = [(b - a) % (2 * math.pi) for a, b in itertools.pairwise(angles)]

    assert centres[0][0] < 720 < centres[9][0]
    assert all(0 < step < math.pi / 2 for step in steps)


@pytest.mark.parametrize("seats", [1, 11])
def test_a_table_without_places_for_them_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 10 seats"):
        TableLayout.standard(seats)


@given(st.floats(-20, 20), st.floats(-30, 30))
@settings(max_examples=25, deadline=None)
def test_the_whole_view_is_in_the_picture_however_the_camera_leans(
    tilt_deg: float, roll_deg: float
) -> None:
    camera = RenderedCamera(tilt_deg=tilt_deg, roll_deg=roll_deg)
    corners = map_points(camera.homography(1440, 810), [(0, 0), (1440, 0), (1440, 810), (0, 810)])

    assert all(-0.01 <= x <= 1280.01 and -0.01 <= y <= 720.01 for x, y in corners)


def test_chips_and_hands_are_drawn() -> None:
    bare = render(Scene(), CAMERA).astype(int)

    for scene in (Scene(chips=(Disc(700, 240),)), Scene(hands=((700, 500),))):
        assert np.abs(render(scene, CAMERA).astype(int) - bare).max() > 60


def test_cards_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot lie face up"):
        PlacedCard("??", Face.UP, 0, 0)
    with pytest.raises(ValueError, match="no back called"):
        PlacedCard("As", Face.DOWN, 0, 0, back="pink")


def test_a_full_table_renders_fast_enough_to_play() -> None:
    places = [LAYOUT.places(f"seat:{n}", 2) for n in range(1, 11)]
    cards = tuple(PlacedCard("As", Face.UP, x, y) for pair in places for x, y in pair)
    render(Scene(cards), CAMERA)
    taken = []
    for count in range(10, 20):
        start = time.perf_counter()
        render(Scene(cards[:count]), CAMERA)
        taken.append(time.perf_counter() - start)

    assert min(taken) < 0.1
