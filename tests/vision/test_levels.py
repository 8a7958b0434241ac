from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.levels import SEARCH_SIDE_PX, SMALLEST_LEVEL_PX, Levels, from_level, to_level


def test_each_level_is_half_the_one_before_down_to_the_smallest() -> None:
    levels = Levels(np.zeros((480, 640, 3), np.uint8))

    shapes = [levels.at(level).shape[:2] for level in range(levels.deepest + 1)]

    assert shapes == [(480, 640), (240, 320), (120, 160), (60, 80)]
    assert min(shapes[-1]) >= SMALLEST_LEVEL_PX
    assert levels.at(9) is levels.at(levels.deepest)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (720, 4000), (1280, 720), (64, 48)])
def test_a_large_picture_is_searched_shrunk_and_a_small_one_as_it_is(
    width: int, height: int
) -> None:
    levels = Levels(np.zeros((height, width, 3), np.uint8))

    shrunk = levels.shrunk()

    assert max(shrunk.image.shape[:2]) == min(SEARCH_SIDE_PX, max(width, height))
    assert shrunk.scale == pytest.approx(max(shrunk.image.shape[:2]) / max(width, height))
    assert levels.shrunk() is shrunk


@given(x=st.floats(-10, 4000), level=st.integers(0, 5))
def test_there_and_back_is_the_same_place(x: float, level: int) -> None:
    place = np.array((x, 7.0))

    assert from_level(to_level(place, level), level) == pytest.approx(place)


def test_a_spot_stays_where_it_is_on_every_level() -> None:
    picture = np.zeros((256, 256, 3), np.uint8)
    picture[96:104, 160:168] = 255
    middle = np.array((163.5, 99.5))
    levels = Levels(picture)

    for level in (1, 2):
        x, y = to_level(middle, level)
        weights = levels.at(level)[..., 0].astype(float)
        ys, xs = np.mgrid[0 : weights.shape[0], 0 : weights.shape[1]]
        seen = ((xs * weights).sum() / weights.sum(), (ys * weights).sum() / weights.sum())
        assert seen == pytest.approx((x, y), abs=0.05)
