"""Batches for the two corner nets: spreads with targets, and cut-out indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.corners import FINDER_CHANNELS, RANK_CLASSES, STRIDE, USUAL_INDEX_PX, cut_index
from vision.training.spreads import SPREAD_SIZE, Corner, Spread, Spreads

_CELLS: Final = SPREAD_SIZE // STRIDE

_WHOLE: Final = 0.8
"""An index with this share in view must be found."""

_HIDDEN: Final = 0.35
"""An index with less than this in view must not be found; between the two anything goes."""

_NO_INDEX: Final = RANK_CLASSES - 1


@dataclass(frozen=True, slots=True, eq=False)
class FinderBatch:
    """Pictures for the finding net and what it should say.

    Attributes:
        pictures: Shape (N, S, S, 3), uint8.
        target: Shape (N, 6, S/4, S/4): presence 0..1, then the values to be told.
        weight: Shape (N, 2, S/4, S/4): of presence (0 where anything goes), of the values.
    """

    pictures: NDArray[np.uint8]
    target: NDArray[np.float32]
    weight: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class NamerBatch:
    """Upright indices, shape (N, 48, 32, 3), their ranks and suits (-1 where there is none)."""

    crops: NDArray[np.uint8]
    ranks: NDArray[np.int64]
    suits: NDArray[np.int64]


def draw_batch(
    spreads: Spreads, size: int, rng: np.random.Generator
) -> tuple[FinderBatch, NamerBatch]:
    """Draw spreads and make both nets' batches of them."""
    drawn = [spreads.draw() for _ in range(size)]
    targets = [_target(spread.corners) for spread in drawn]
    finder = FinderBatch(
        np.stack([spread.picture for spread in drawn]),
        np.stack([target for target, _ in targets]),
        np.stack([weight for _, weight in targets]),
    )
    return finder, _indices(drawn, rng)


def _target(corners: tuple[Corner, ...]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    target = np.zeros((FINDER_CHANNELS, _CELLS, _CELLS), dtype=np.float32)
    weight = np.zeros((2, _CELLS, _CELLS), dtype=np.float32)
    weight[0] = 1
    rows, columns = np.mgrid[0:_CELLS, 0:_CELLS].astype(np.float32)
    for corner in sorted(corners, key=lambda c: c.visible):
        if corner.visible < _HIDDEN:
            continue
        x, y = (corner.x + 0.5) / STRIDE - 0.5, (corner.y + 0.5) / STRIDE - 0.5
        away = (columns - x) ** 2 + (rows - y) ** 2
        if corner.visible < _WHOLE:
            weight[0][away < (0.5 * corner.height / STRIDE) ** 2] = 0
            continue
        spread = max(0.75, corner.height / 26)
        near = np.exp(-away / (2 * spread**2)).astype(np.float32)
        column, row = min(_CELLS - 1, max(0, round(x))), min(_CELLS - 1, max(0, round(y)))
        near[row, column] = 1
        owned = (near > target[0]) & (near > 0.3)
        target[0] = np.maximum(target[0], near)
        weight[0][near > 0.05] = 1
        told = (np.cos(corner.angle), np.sin(corner.angle), np.log(corner.height / USUAL_INDEX_PX))
        target[1][owned] = (x - columns)[owned]
        target[2][owned] = (y - rows)[owned]
        target[3:, owned] = np.array(told, dtype=np.float32)[:, None]
        weight[1][owned] = near[owned]
    return target, weight


def _indices(drawn: list[Spread], rng: np.random.Generator) -> NamerBatch:
    crops, ranks, suits = [], [], []
    for spread in drawn:
        for corner in spread.corners:
            if corner.visible >= 0.7:
                shift = rng.normal(0, 0.05, 2) * corner.height
                angle = corner.angle + rng.normal(0, 0.09)
                height = corner.height * float(np.exp(rng.normal(0, 0.1)))
                middle = (corner.x + float(shift[0]), corner.y + float(shift[1]))
                crops.append(cut_index(spread.picture, middle, float(angle), height))
                ranks.append(corner.label % 13)
                suits.append(corner.label // 13)
        for x, y, angle, height in _elsewhere(spread, rng):
            crops.append(cut_index(spread.picture, (x, y), angle, height))
            ranks.append(_NO_INDEX)
            suits.append(-1)
    return NamerBatch(np.stack(crops), np.array(ranks), np.array(suits))


def _elsewhere(spread: Spread, rng: np.random.Generator) -> list[tuple[float, float, float, float]]:
    """Places that are no upright index: anywhere, beside one, turned, or of another size."""
    places = []
    for _ in range(2):
        x, y = rng.uniform(0, SPREAD_SIZE, 2)
        angle = float(rng.uniform(0, 2 * np.pi))
        places.append((float(x), float(y), angle, float(rng.uniform(12, 50))))
    corners = [c for c in spread.corners if c.visible > 0.2]
    for _ in range(min(3, len(corners))):
        c = corners[int(rng.integers(0, len(corners)))]
        kind = rng.integers(0, 4)
        angle, height, x, y = c.angle, c.height, c.x, c.y
        if kind == 0:
            angle += rng.uniform(0.8, 2 * np.pi - 0.8)
        elif kind == 1:
            away, reach = rng.uniform(0, 2 * np.pi), c.height * rng.uniform(0.6, 2.5)
            x, y = x + np.cos(away) * reach, y + np.sin(away) * reach
        elif kind == 2:
            height *= float(rng.choice((0.4, 0.5, 2.0, 2.6)))
        elif c.visible > 0.4:
            continue
        if all(_apart((x, y, angle, height), o) for o in spread.corners if o.visible > 0.4):
            places.append((float(x), float(y), float(angle), float(height)))
    return places


def _apart(place: tuple[float, float, float, float], corner: Corner) -> bool:
    x, y, angle, height = place
    near = np.hypot(x - corner.x, y - corner.y) < 0.4 * corner.height
    alike = np.cos(angle - corner.angle) > 0.75 and 0.65 < height / corner.height < 1.5
    return not (near and alike)
