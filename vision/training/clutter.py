"""What lies about on tables, and on cards: cloth, wood, papers with print, chips, fingers."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.photograph import Picture

_FONTS: Final = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
_LETTERS: Final = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$.-"))


def draw_background(rng: np.random.Generator, size: int) -> Picture:
    """A table: colour, weave or grain, stains, and sometimes things lying about."""
    colour = rng.uniform(8, 240, 3)
    if rng.random() < 0.4:
        colour = np.array((rng.uniform(20, 90), rng.uniform(50, 150), rng.uniform(10, 70)))
    scene = np.empty((size, size, 3), dtype=np.float32)
    scene[:] = colour
    for cells in (4, 24):
        coarse = rng.normal(0, rng.uniform(1, 22), (cells, cells, 1)).astype(np.float32)
        scene += cv2.resize(coarse, (size, size))[..., None]
    if rng.random() < 0.3:
        _add_grain(rng, scene)
    scene += rng.standard_normal((size, size, 1), dtype=np.float32) * rng.uniform(1, 12)
    for _ in range(int(rng.poisson(1.2))):
        _PIECES[int(rng.integers(0, len(_PIECES)))](rng, scene)
    return scene


def cover(
    rng: np.random.Generator, scene: Picture, owner: NDArray[np.int16], card_px: float
) -> None:
    """Lay a chip, a finger or a slip over a part of the picture; owner becomes -1 there."""
    size = scene.shape[0]
    mask = np.zeros((size, size), np.uint8)
    x, y = (int(v) for v in rng.uniform(0, size, 2))
    colour = rng.uniform(5, 250, 3).tolist()
    kind = rng.integers(0, 4)
    if kind == 0:
        radius = max(3, int(card_px * rng.uniform(0.12, 0.24)))
        cv2.circle(mask, (x, y), radius, 255, -1)
        cv2.circle(scene, (x, y), radius, colour, -1)
        edge = rng.uniform(5, 250, 3).tolist()
        for start in range(0, 360, 60):
            cv2.ellipse(scene, (x, y), (radius, radius), start, 0, 25, edge, max(1, radius // 4))
    elif kind == 1:
        skin = (np.array((140, 170, 220)) * rng.uniform(0.3, 1.1)).tolist()
        end = (np.array((x, y)) + rng.normal(0, card_px, 2)).astype(int).tolist()
        width = max(3, int(card_px * rng.uniform(0.1, 0.25)))
        for canvas, ink in ((mask, 255), (scene, skin)):
            cv2.line(canvas, (x, y), end, ink, width)
    elif kind == 2:
        corners = (np.array((x, y)) + rng.normal(0, 0.5 * card_px, (4, 2))).astype(np.int32)
        hull = cv2.convexHull(corners)
        cv2.fillConvexPoly(mask, hull, 255)
        cv2.fillConvexPoly(scene, hull, colour)
    else:
        axes = [max(2, int(v)) for v in card_px * rng.uniform(0.05, 0.3, 2)]
        for canvas, ink in ((mask, 255), (scene, colour)):
            cv2.ellipse(canvas, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, ink, -1)
    owner[mask > 0] = -1


def _add_grain(rng: np.random.Generator, scene: Picture) -> None:
    size = scene.shape[0]
    lines = rng.normal(0, rng.uniform(4, 25), (int(rng.integers(20, 128)), 2)).astype(np.float32)
    grain = cv2.resize(lines, (size, size), interpolation=cv2.INTER_CUBIC)
    scene += (grain if rng.random() < 0.5 else grain.T)[..., None]


def _paper(rng: np.random.Generator, scene: Picture) -> None:
    size = scene.shape[0]
    box = cv2.boxPoints(
        (
            rng.uniform(0, size, 2).tolist(),
            rng.uniform(0.1 * size, 0.7 * size, 2).tolist(),
            float(rng.uniform(0, 180)),
        )
    )
    cv2.fillConvexPoly(scene, box.astype(np.int32), rng.uniform(90, 255, 3).tolist())
    _text(rng, scene)


def _text(rng: np.random.Generator, scene: Picture) -> None:
    size = scene.shape[0]
    ink = rng.uniform(0, 255, 3).tolist()
    font = _FONTS[int(rng.integers(0, len(_FONTS)))]
    scale = float(rng.uniform(0.25, 1.3))
    x, y = (int(v) for v in rng.uniform(-0.1, 0.9, 2) * size)
    mask = np.zeros((size, size), np.uint8)
    for line in range(int(rng.integers(1, 5))):
        word = "".join(rng.choice(_LETTERS, int(rng.integers(1, 9))))
        place = (x, y + int(line * 34 * scale))
        cv2.putText(mask, word, place, font, scale, 255, int(rng.integers(1, 4)), cv2.LINE_AA)
    share = mask[..., None].astype(np.float32) / 255
    scene += (np.array(ink, dtype=np.float32) - scene) * share


def _stripe(rng: np.random.Generator, scene: Picture) -> None:
    size = scene.shape[0]
    start, end = ([int(v) for v in rng.uniform(0, size, 2)] for _ in range(2))
    cv2.line(scene, start, end, rng.uniform(0, 255, 3).tolist(), int(rng.integers(1, 30)))


def _disc(rng: np.random.Generator, scene: Picture) -> None:
    size = scene.shape[0]
    centre = [int(v) for v in rng.uniform(0, size, 2)]
    radius = int(rng.uniform(5, 50))
    cv2.circle(scene, centre, radius, rng.uniform(0, 255, 3).tolist(), -1)
    cv2.circle(scene, centre, int(radius * 0.7), rng.uniform(0, 255, 3).tolist(), 2)


_PIECES: Final = (_paper, _text, _stripe, _disc)
