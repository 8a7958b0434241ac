from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.finder import (
    Masks,
    find_candidates,
    is_card_shaped,
    overlap,
    quad_area,
    shape_as_card,
)
from vision.levels import Levels
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import Face

CAMERA = RenderedCamera()


def masks(picture: np.ndarray) -> Masks:
    return Masks.of(Levels(picture).shrunk())


def farthest_corner(found: np.ndarray, truth: np.ndarray) -> float:
    turned = np.roll(found, 2, axis=0)
    return min(float(np.linalg.norm(q - truth, axis=1).max()) for q in (found, turned))


@pytest.mark.parametrize("angle_deg", [0, 17, 45, 90, 133, 200, 301])
@pytest.mark.parametrize("face", [Face.UP, Face.DOWN])
def test_a_card_on_felt_is_outlined_within_three_pixels(angle_deg: float, face: Face) -> None:
    scene = Scene(cards=(PlacedCard("7h", face, 600, 200, angle_deg, "blue"),))
    pose = CAMERA.homography(scene.width_mm, scene.height_mm)
    truth = np.array(card_quad(scene.cards[0], pose))

    candidates = find_candidates(masks(render(scene, CAMERA)))

    assert min(farthest_corner(c.corners, truth) for c in candidates) < 3.0


def test_an_even_picture_holds_no_candidate() -> None:
    assert find_candidates(masks(np.full((300, 400, 3), 90, np.uint8))) == ()


def test_what_lies_on_a_known_card_is_not_proposed_again() -> None:
    scene = Scene(cards=(PlacedCard("7h", Face.UP, 600, 200, 17),))
    pose = CAMERA.homography(scene.width_mm, scene.height_mm)
    known = np.array(card_quad(scene.cards[0], pose))
    seen = masks(render(scene, CAMERA))
    grown = known.mean(axis=0) + 1.1 * (known - known.mean(axis=0))

    before, after = find_candidates(seen), find_candidates(seen, (grown,))

    assert any(farthest_corner(c.corners, known) < 3.0 for c in before)
    assert not any(farthest_corner(c.corners, known) < 12.0 for c in after)


def test_a_square_is_as_card_shaped_as_a_slanted_card_but_a_plank_is_not() -> None:
    square = np.array([(0, 0), (60, 0), (60, 64), (0, 64)], dtype=np.float64)

    assert is_card_shaped(square)
    assert not is_card_shaped(square * (1, 4))


@given(
    angle=st.floats(0, 2 * np.pi),
    start=st.integers(0, 3),
    mirrored=st.booleans(),
)
@settings(deadline=None)
def test_corners_come_clockwise_with_a_short_side_first(
    angle: float, start: int, mirrored: bool
) -> None:
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    card = np.array([(-31.5, -44), (31.5, -44), (31.5, 44), (-31.5, 44)]) @ turn.T
    given_corners = np.roll(card[::-1] if mirrored else card, start, axis=0)

    shaped = shape_as_card(given_corners)

    first, second = shaped[1] - shaped[0], shaped[2] - shaped[1]
    assert np.linalg.norm(first) == pytest.approx(63)
    assert first[0] * second[1] - first[1] * second[0] > 0
    assert sorted(map(tuple, shaped.round(6))) == sorted(map(tuple, card.round(6)))


def test_area_and_overlap_of_known_squares() -> None:
    square = np.array([(0, 0), (10, 0), (10, 10), (0, 10)], dtype=np.float64)

    assert quad_area(square) == 100
    assert overlap(square, square + 5) == pytest.approx(0.25)
    assert overlap(square, square + 20) == 0
