"""Backs that overlap are counted by the corners of their common outline."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.piles import CardSize, PileReader, cards_in_pile
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import UNKNOWN, Face, Quad, SeenCard

CAMERA = RenderedCamera()
POSE = CAMERA.homography(1440, 810)
SIZE = CardSize.at(0.865)
"""The scale in the middle of the table; at the far and near end it is 2 % off."""


def pile(seed: int, count: int, offset_mm: float) -> tuple[PlacedCard, ...]:
    """Backs at a random place, each a little further on and turned a little."""
    rng = random.Random(seed)
    x, y, turn = rng.uniform(300, 1100), rng.uniform(150, 650), rng.uniform(0, 360)
    way = rng.uniform(0, 2 * math.pi)
    cards = []
    for _ in range(count):
        cards.append(PlacedCard(UNKNOWN, Face.DOWN, x, y, turn))
        x, y = x + offset_mm * math.cos(way), y + offset_mm * math.sin(way)
        turn += rng.uniform(-8, 8)
    return tuple(cards)


def around(cards: tuple[PlacedCard, ...]) -> Quad:
    """What a reader takes a pile for: one outline around all of it."""
    corners = np.array([card_quad(card, POSE) for card in cards]).reshape(-1, 2)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def told_apart(cards: tuple[PlacedCard, ...], seed: int = 0) -> tuple[Quad, ...]:
    return cards_in_pile(render(Scene(cards), CAMERA, seed), around(cards), SIZE)


def test_a_single_back_is_never_two() -> None:
    assert [seed for seed in range(40) if told_apart(pile(seed, 1, 0.0), seed)] == []


@pytest.mark.parametrize(("offset_mm", "least"), [(15.0, 15), (25.0, 15), (40.0, 15)])
def test_two_backs_are_mostly_two_and_hardly_ever_more(offset_mm: float, least: int) -> None:
    """Measured on 120 piles with offsets of 12 to 55 mm: 106 two, 14 one."""
    counts = [len(told_apart(pile(seed, 2, offset_mm), seed)) for seed in range(20)]

    assert counts.count(2) >= least
    assert sum(count > 2 for count in counts) <= 1


def test_the_cards_of_a_pile_are_where_they_lie() -> None:
    cards = (
        PlacedCard(UNKNOWN, Face.DOWN, 600, 400, 10.0),
        PlacedCard(UNKNOWN, Face.DOWN, 630, 410, 2.0),
    )
    found = sorted(np.mean(quad, axis=0).tolist() for quad in told_apart(cards))
    true = sorted(np.mean(card_quad(card, POSE), axis=0).tolist() for card in cards)

    assert np.array(found) == pytest.approx(np.array(true), abs=3.0)


def test_the_corners_come_clockwise_with_a_short_side_first() -> None:
    for quad in told_apart(pile(3, 2, 30.0)):
        a, b, c, _ = (np.array(corner) for corner in quad)

        assert np.linalg.norm(b - a) < np.linalg.norm(c - b)
        assert float(np.cross(b - a, c - b)) > 0


def test_a_heap_is_no_hand() -> None:
    cards = tuple(
        PlacedCard(UNKNOWN, Face.DOWN, 400 + 45.0 * n, 400 + 20.0 * (n % 3)) for n in range(12)
    )

    assert told_apart(cards) == ()


class OneOutline:
    """Takes a pile for one back, and sees a face beside it."""

    def __init__(self, cards: tuple[PlacedCard, ...]) -> None:
        self._cards = cards

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        face = SeenCard("As", Face.UP, ((10, 10), (60, 10), (60, 80), (10, 80)), 0.9)
        return (face, SeenCard(UNKNOWN, Face.DOWN, around(self._cards), 0.97, "red"))


def test_a_reader_is_given_the_cards_of_a_pile() -> None:
    cards = (
        PlacedCard(UNKNOWN, Face.DOWN, 600, 400, 0.0),
        PlacedCard(UNKNOWN, Face.DOWN, 630, 405, 3.0),
    )
    seen = PileReader(OneOutline(cards), SIZE).read(render(Scene(cards), CAMERA))

    assert [(card.card, card.face, card.back) for card in seen] == [
        ("As", Face.UP, ""),
        (UNKNOWN, Face.DOWN, "red"),
        (UNKNOWN, Face.DOWN, "red"),
    ]


def test_one_back_passes_as_it_was_read() -> None:
    cards = (PlacedCard(UNKNOWN, Face.DOWN, 600, 400, 12.0),)
    seen = PileReader(OneOutline(cards), SIZE).read(render(Scene(cards), CAMERA))

    assert seen[1].quad == around(cards)


def test_two_backs_that_were_read_apart_stay_as_they_are() -> None:
    """They touch, so that their outline is one; each is as large as a card."""
    cards = (
        PlacedCard(UNKNOWN, Face.DOWN, 600, 400, 1.0),
        PlacedCard(UNKNOWN, Face.DOWN, 665, 401, -2.0),
    )

    class Apart:
        def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
            return tuple(
                SeenCard(UNKNOWN, Face.DOWN, card_quad(card, POSE), 0.97, "red") for card in cards
            )

    seen = PileReader(Apart(), SIZE).read(render(Scene(cards), CAMERA))
    assert [card.quad for card in seen] == [card_quad(card, POSE) for card in cards]
