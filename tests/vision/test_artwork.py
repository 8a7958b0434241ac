"""The drawn cards look like cards: shape, colours, indices, and no two alike."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.artwork import BACK_COLOURS, FaceStyle, draw_back, draw_face
from vision.values import CARD_LABELS

POKER_RATIO = 88 / 63
"""Poker-size cards measure 63 x 88 mm."""


def reddest(image: NDArray[np.uint8]) -> int:
    """How many pixels are clearly red."""
    blue, green, red = (image[..., n].astype(int) for n in range(3))
    return int(((red > 120) & (blue < 90) & (green < 90)).sum())


@pytest.mark.parametrize("width_px", [43, 126, 600])
def test_a_card_has_the_poker_shape(width_px: int) -> None:
    card = draw_face("9d", width_px)

    assert card.shape == (round(width_px * POKER_RATIO), width_px, 4)
    assert card.dtype == np.uint8


@pytest.mark.parametrize("label", CARD_LABELS)
def test_corners_are_rounded_and_the_card_is_opaque(label: str) -> None:
    alpha = draw_face(label, 126)[..., 3]

    assert alpha[0, 0] == alpha[0, -1] == alpha[-1, 0] == alpha[-1, -1] == 0
    assert alpha[10:-10, 10:-10].min() == 255


@pytest.mark.parametrize("label", [c for c in CARD_LABELS if c != "Jk" and c[0] in "2468T"])
def test_even_pip_cards_look_the_same_upside_down(label: str) -> None:
    card = draw_face(label, 252).astype(int)
    centre = np.s_[60:-60, 50:-50]

    if label[0] in "24T":
        assert np.abs(card[centre] - card[::-1, ::-1][centre]).mean() < 5
    index = np.s_[:60, :46]
    assert np.abs(card[index] - card[::-1, ::-1][index]).mean() < 2


@pytest.mark.parametrize("style", [FaceStyle(), FaceStyle("jumbo")])
def test_two_colours_are_red_for_hearts_and_diamonds_alone(style: FaceStyle) -> None:
    for suit, is_red in (("c", False), ("d", True), ("h", True), ("s", False)):
        assert (reddest(draw_face("7" + suit, 126, style=style)) > 300) is is_red


def test_four_colours_keep_red_for_hearts_alone() -> None:
    style = FaceStyle(four_colour=True)

    reds = {suit: reddest(draw_face("7" + suit, 126, style=style)) > 300 for suit in "cdhs"}
    assert reds == {"c": False, "d": False, "h": True, "s": False}


@pytest.mark.parametrize("rank", "23456789T")
def test_a_pip_card_has_as_many_pips_as_its_rank_says(rank: str) -> None:
    card = draw_face(rank + "h", 504)
    inked = (card[..., 1] < 128).astype(np.uint8)[:, 100:-100]
    count, _ = cv2.connectedComponents(inked)

    assert count - 1 == (10 if rank == "T" else int(rank))


def test_every_face_differs_from_every_other_at_60_pixels() -> None:
    faces = {label: draw_face(label, 43)[..., :3].astype(int) for label in CARD_LABELS}

    for one, other in itertools.combinations(CARD_LABELS, 2):
        assert np.abs(faces[one] - faces[other]).mean() > 0.5, (one, other)


@pytest.mark.parametrize(("colour", "channel"), [("blue", 0), ("other", 1), ("red", 2)])
def test_a_back_has_its_colour_and_a_white_border(colour: str, channel: int) -> None:
    back = draw_back(colour, 126)

    means = back[12:-12, 12:-12, :3].reshape(-1, 3).mean(axis=0)
    assert int(np.argmax(means)) == channel
    assert back[40:100, 3:7, :3].min() > 240


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(ValueError, match="'1s' is no card"):
        draw_face("1s", 100)
    with pytest.raises(ValueError, match="no back called 'pink'"):
        draw_back("pink", 100)
    with pytest.raises(ValueError, match="8 or more"):
        draw_face("As", 3)


def test_the_caller_may_draw_on_its_card() -> None:
    for card in (draw_face("As", 504), draw_back(next(iter(BACK_COLOURS)), 504)):
        card[:] = 0

    assert draw_face("As", 504).max() == 255


def test_a_back_of_another_pattern_has_the_same_colour_and_border() -> None:
    lattice, rings = draw_back("red", 126), draw_back("red/rings", 126)

    assert (lattice != rings).any(axis=2).mean() > 0.3
    assert np.array_equal(lattice[:8], rings[:8])
    assert abs(float(lattice[..., 2].mean()) - float(rings[..., 2].mean())) < 25


@pytest.mark.parametrize("back", ["red/stars", "/rings", "pink/rings"])
def test_a_back_without_a_pattern_of_that_name_is_refused(back: str) -> None:
    with pytest.raises(ValueError, match="no back called"):
        draw_back(back, 100)
