from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest

from vision.artwork import draw_back, draw_face
from vision.corners import RANK_CLASSES, STRIDE, USUAL_INDEX_PX, cut_index
from vision.training.corner_batches import draw_batch
from vision.training.decks import FACE_SIZE, Deck, IndexPlace
from vision.training.spreads import INDEX_RANGE_PX, SPREAD_SIZE, Spreads
from vision.values import CARD_LABELS, RANKS


@lru_cache(maxsize=1)
def decks() -> tuple[Deck, ...]:
    """The project's own standard faces; their index is 17.7 mm high, 12.75 mm from the top."""
    faces = {c: [cv2.resize(draw_face(c, 160), FACE_SIZE)] for c in CARD_LABELS}
    return (Deck("drawn", faces, IndexPlace(0.103, 0.145, 0.201)),)  # type: ignore[arg-type]


def spreads(seed: int) -> Spreads:
    back = np.asarray(cv2.resize(draw_back("red", 160), FACE_SIZE), dtype=np.uint8)
    return Spreads(list(decks()), [back], seed)


def test_the_same_seed_draws_the_same_spread() -> None:
    one, same, other = (spreads(seed).draw() for seed in (4, 4, 5))

    assert (one.picture == same.picture).all()
    assert one.corners == same.corners
    assert (one.picture != other.picture).any()


@pytest.mark.parametrize("seed", range(3))
def test_corners_lie_in_the_picture_at_the_scales_the_finder_must_know(seed: int) -> None:
    source = spreads(seed)

    corners = [corner for _ in range(8) for corner in source.draw().corners]

    assert len(corners) > 8
    low, high = INDEX_RANGE_PX
    for corner in corners:
        assert 0 <= corner.x < SPREAD_SIZE
        assert 0 <= corner.y < SPREAD_SIZE
        assert 0 <= corner.visible <= 1
        # A slanted view shortens by up to 38 %, and lengthens what is nearer.
        assert 0.5 * low < corner.height < 1.4 * high


def test_a_corner_in_full_view_shows_ink_on_paper() -> None:
    source = spreads(11)
    cuts = []
    for _ in range(12):
        spread = source.draw()
        for c in spread.corners:
            if c.visible > 0.95:
                cuts.append(cut_index(spread.picture, (c.x, c.y), c.angle, c.height))

    weakest = np.array([cut.min(axis=2)[6:42, 8:24].astype(float) for cut in cuts])
    contrast = weakest.max(axis=(1, 2)) - weakest.min(axis=(1, 2))

    assert (contrast > 15).mean() > 0.9


def test_the_target_tells_each_whole_corner_and_nothing_else() -> None:
    finder, _ = draw_batch(spreads(2), 4, np.random.default_rng(0))
    source = spreads(2)
    for number in range(4):
        whole = [c for c in source.draw().corners if c.visible >= 0.8]
        present, *values = finder.target[number]
        told = set()
        for row, column in zip(*np.nonzero(present == 1), strict=True):
            dx, dy, cosine, sine, size = (float(v[row, column]) for v in values)
            x, y = (column + dx + 0.5) * STRIDE - 0.5, (row + dy + 0.5) * STRIDE - 0.5
            nearest = min(whole, key=lambda c: np.hypot(c.x - x, c.y - y))
            told.add(nearest)
            assert np.hypot(nearest.x - x, nearest.y - y) < 0.1
            assert np.exp(size) * USUAL_INDEX_PX == pytest.approx(nearest.height, rel=1e-3)
            assert (cosine, sine) == pytest.approx(
                (np.cos(nearest.angle), np.sin(nearest.angle)), abs=1e-3
            )
        # Two corners in one cell share it; that is rare.
        assert len(told) >= 0.9 * len(whole)


def test_indices_come_with_their_names_and_some_crops_are_none() -> None:
    _, namer = draw_batch(spreads(6), 4, np.random.default_rng(0))

    is_none = namer.ranks == RANK_CLASSES - 1
    assert namer.crops.shape[1:] == (48, 32, 3)
    assert 0.05 < is_none.mean() < 0.6
    assert (namer.suits[is_none] == -1).all()
    assert set(namer.suits[~is_none]) <= set(range(4))
    assert namer.ranks[~is_none].max() < len(RANKS)
