from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.corners import CornerIndex
from vision.pairing import alone, is_index_of, join_opposites
from vision.values import RANKS, SUITS

CARD_MM = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], dtype=np.float64)
INDEX_MM = (6.3, 12.2)
"""Middle of the index of the project's own standard face, from the card's corner."""

INDEX_HEIGHT_MM = 17.7


def sure_of(card: str) -> tuple[np.ndarray, np.ndarray]:
    ranks, suits = np.full(14, 0.001), np.full(4, 0.001)
    ranks[RANKS.index(card[0])] = 1 - 0.013
    suits[SUITS.index(card[1])] = 1 - 0.003
    return ranks, suits


def indices_of(
    card: str, angle: float, px_per_mm: float, at: tuple[float, float]
) -> tuple[np.ndarray, list[CornerIndex]]:
    """The outline of a card lying at an angle, and both of its indices."""
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    spots = np.array([INDEX_MM, (63 - INDEX_MM[0], 88 - INDEX_MM[1])])
    outline = (CARD_MM - (31.5, 44)) @ turn * px_per_mm + at
    middles = (spots - (31.5, 44)) @ turn * px_per_mm + at
    height = INDEX_HEIGHT_MM * px_per_mm
    found = [
        CornerIndex(float(x), float(y), angle + down, height, 0.9, *sure_of(card))
        for (x, y), down in zip(middles, (np.pi / 2, -np.pi / 2), strict=True)
    ]
    return outline, found


def farthest_corner(found: np.ndarray, truth: np.ndarray) -> float:
    turned = np.roll(found, 2, axis=0)
    return min(float(np.linalg.norm(q - truth, axis=1).max()) for q in (found, turned))


@given(angle=st.floats(0, 2 * np.pi), px_per_mm=st.floats(0.6, 8))
@settings(deadline=None)
def test_two_opposite_indices_give_the_outline_within_two_millimetres(
    angle: float, px_per_mm: float
) -> None:
    outline, indices = indices_of("7h", angle, px_per_mm, (500, 400))

    (card,) = join_opposites(indices)

    assert farthest_corner(card.corners, outline) < 2 * px_per_mm
    assert card.index_share == pytest.approx(INDEX_HEIGHT_MM / 88, rel=0.05)


@given(angle=st.floats(0, 2 * np.pi), which=st.integers(0, 1))
@settings(deadline=None)
def test_one_index_implies_the_outline_within_four_millimetres(angle: float, which: int) -> None:
    outline, indices = indices_of("Qs", angle, 2.0, (300, 300))

    card = alone(indices[which], INDEX_HEIGHT_MM / 88)

    assert farthest_corner(card.corners, outline) < 2.0 * 4


@given(angle=st.floats(0, 2 * np.pi))
@settings(deadline=None)
def test_both_indices_stand_where_the_outline_has_its_indices(angle: float) -> None:
    outline, indices = indices_of("Td", angle, 2.0, (300, 300))

    assert all(is_index_of(index, outline) for index in indices)


def test_an_index_in_the_middle_or_across_is_none_of_that_card() -> None:
    outline, (index, _) = indices_of("Td", 0.0, 2.0, (300, 300))
    told = (index.height, 0.9, index.ranks, index.suits)

    in_the_middle = CornerIndex(300, 300, index.angle, *told)
    across = CornerIndex(index.x, index.y, index.angle + np.pi / 2, *told)

    assert not is_index_of(in_the_middle, outline)
    assert not is_index_of(across, outline)


def test_indices_of_two_cards_side_by_side_are_not_mixed_up() -> None:
    _, left = indices_of("4h", 0.0, 2.0, (200, 300))
    _, right = indices_of("6h", 0.0, 2.0, (330, 300))

    cards = join_opposites([*right, *left])

    assert sorted(sorted({i.card for i in card.indices}) for card in cards) == [["4h"], ["6h"]]


def test_indices_that_stand_the_same_way_up_are_not_joined() -> None:
    _, (one, _) = indices_of("4h", 0.0, 2.0, (200, 300))
    _, (other, _) = indices_of("4h", 0.0, 2.0, (280, 370))

    assert join_opposites([one, other]) == []
