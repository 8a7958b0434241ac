"""Which parts of a picture moved, and how parts to be read are joined."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.motion import Box, MotionMap, Part, gathered, merged
from vision.zones import Zone, Zones

LEFT = Zone("seat:1", ((0, 0), (100, 0), (100, 100), (0, 100)))
RIGHT = Zone("seat:2", ((200, 0), (300, 0), (300, 100), (200, 100)))

boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h),
    *(st.integers(0, 200), st.integers(0, 200), st.integers(1, 60), st.integers(1, 60)),
)


def picture(level: int = 90) -> NDArray[np.uint8]:
    return np.full((100, 300, 3), level, np.uint8)


def with_card(x: int) -> NDArray[np.uint8]:
    image = picture()
    image[20:80, x : x + 40] = 240
    return image


@given(st.lists(boxes, max_size=12))
def test_joined_boxes_lie_apart_and_cover_all(given_boxes: list[Box]) -> None:
    result = merged(given_boxes)

    assert not any(a.overlaps(b) for a, b in itertools.combinations(result, 2))
    for box in given_boxes:
        assert any(out.joined(box) == out for out in result)


@given(st.lists(boxes, max_size=12))
def test_gathered_parts_hold_every_area_once_with_its_box(given_boxes: list[Box]) -> None:
    parts = gathered([Part(box, frozenset({n})) for n, box in enumerate(given_boxes)])

    assert sorted(n for part in parts for n in part.areas) == list(range(len(given_boxes)))
    for part in parts:
        assert all(part.box.joined(given_boxes[n]) == part.box for n in part.areas)


def test_a_strip_along_the_border_and_a_seat_that_shares_its_corner_are_read_apart() -> None:
    strip = Part(Box(0, 0, 100, 1080), frozenset({0}))
    seat = Part(Box(80, 900, 1900, 1080), frozenset({1}))
    beside = Part(Box(90, 300, 400, 600), frozenset({2}))

    assert gathered([strip, seat]) == [strip, seat]
    (both,) = gathered([beside, Part(Box(410, 300, 700, 600), frozenset({3}))])
    assert both == Part(Box(90, 300, 700, 600), frozenset({2, 3}))


def test_motion_is_told_by_area() -> None:
    motion = MotionMap(Zones((LEFT, RIGHT)), 300, 100)
    motion.look(picture())
    moving, _ = motion.look(with_card(230))

    assert moving.tolist() == [False, True]


def test_a_change_lasts_until_it_is_settled() -> None:
    motion = MotionMap(Zones((LEFT, RIGHT)), 300, 100)
    motion.look(picture())
    for area in (0, 1):
        motion.settle(area)
    motion.look(with_card(30))
    moving, changed = motion.look(with_card(30))
    motion.settle(0)
    _, after = motion.look(with_card(30))

    assert (moving.tolist(), changed.tolist()) == ([False, False], [True, False])
    assert after.tolist() == [False, False]


def test_sensor_noise_is_no_motion() -> None:
    rng = np.random.default_rng(5)
    motion = MotionMap(Zones((LEFT, RIGHT)), 300, 100)
    for _ in range(20):
        noisy = np.clip(picture() + rng.normal(0, 8, (100, 300, 3)), 0, 255).astype(np.uint8)
        moving, _ = motion.look(noisy)
        assert not moving.any()


def test_every_pixel_belongs_to_the_nearest_area() -> None:
    motion = MotionMap(Zones((LEFT, RIGHT)), 300, 100)

    assert [motion.area_at(x, 50) for x in (10, 140, 160, 290)] == [0, 0, 1, 1]
    assert abs(motion.box(0, 10).right - (150 + 10)) <= 4  # a reduced pixel
