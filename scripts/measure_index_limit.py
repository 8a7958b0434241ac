"""How high a corner index must be in the picture for the reader to name its card.

Renders every card of a deck at several scales, upright and turned, through a
sharp and through a soft lens, and reads it. Prints one line per index, lens and
scale: pixels per millimetre, the height of the index in pixels, and of all
cards the share that is named rightly, named wrongly, unsure and missed.
docs/camera.md holds the table; the limits that ``cutcard calibrate`` warns at
stand in ``vision/scale.py``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import (
    CARD_LABELS,
    JOKER,
    UNKNOWN,
    CardReader,
    Face,
    FaceStyle,
    PlacedCard,
    RenderedCamera,
    Scene,
    SeenCard,
    card_quad,
    render,
)

INDEX_MM: Final = {"standard": 9.6, "jumbo": 16.0}
"""Height of the rank that ``draw_face`` prints."""

SCALES: Final = (0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5)
"""Pixels per millimetre."""

LENSES: Final = {"sharp": (0.0, 2.0), "soft": (1.2, 6.0)}
"""Further blur in pixels and noise in grey levels, both standard deviations."""

OUTCOMES: Final = ("right", "wrong", "unsure", "missed")
CARDS: Final = tuple(label for label in CARD_LABELS if label != JOKER)
ROW, ROWS = 9, 3
TURNS: Final = (0.0, 90.0, 180.0, 20.0)


def tables(style: FaceStyle) -> Iterator[Scene]:
    """Every card once per turn, 27 on a table, none touching another."""
    rng = np.random.default_rng(4)
    order = [(card, turn) for turn in TURNS for card in rng.permutation(CARDS)]
    for first in range(0, len(order), ROW * ROWS):
        batch = order[first : first + ROW * ROWS]
        yield Scene(
            tuple(
                PlacedCard(
                    str(card),
                    Face.UP,
                    260.0 + 115.0 * (n % ROW),
                    200.0 + 150.0 * (n // ROW),
                    turn + float(rng.uniform(-4, 4)),
                    style=style,
                )
                for n, (card, turn) in enumerate(batch)
            )
        )


def seen_through(lens: str, scene: Scene, scale: float, number: int) -> NDArray[np.uint8]:
    """The picture that a lens gives of a scene."""
    blur_px, noise = LENSES[lens]
    image = render(scene, replace(camera_at(scale), noise=0.0), number)
    if blur_px:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur_px), dtype=np.uint8)
    grain = np.random.default_rng(number).normal(0.0, noise, image.shape)
    return np.asarray(np.clip(image + grain, 0, 255), dtype=np.uint8)


def camera_at(scale: float) -> RenderedCamera:
    """A camera straight above with so many pixels per millimetre."""
    return RenderedCamera(width_px=round(1440 * scale), height_px=round(810 * scale), tilt_deg=0.0)


def outcome(placed: PlacedCard, seen: tuple[SeenCard, ...], camera: RenderedCamera) -> str:
    """What became of one card: right, wrong, unsure or missed."""
    quad = card_quad(placed, camera.homography(1440.0, 810.0))
    x, y = (sum(c) / 4 for c in zip(*quad, strict=True))
    reach = 0.25 * math.dist(quad[0], quad[2])
    near = [s for s in seen if math.dist((x, y), s.centre) < reach]
    if not near:
        return "missed"
    card = min(near, key=lambda s: math.dist((x, y), s.centre)).card
    return {UNKNOWN: "unsure", placed.card: "right"}.get(card, "wrong")


def shares(reader: CardReader, index: str, lens: str, scale: float) -> dict[str, float]:
    """Of all cards the share with each outcome."""
    style = FaceStyle(index="jumbo" if index == "jumbo" else "standard")
    counts: Counter[str] = Counter()
    for number, scene in enumerate(tables(style)):
        seen = reader.read(seen_through(lens, scene, scale, number))
        counts.update(outcome(placed, seen, camera_at(scale)) for placed in scene.cards)
    return {key: counts[key] / counts.total() for key in OUTCOMES}


def main() -> None:
    """Measure and print."""
    reader = CardReader.load()
    print("index    lens   px/mm  index px   " + "  ".join(f"{key:>6}" for key in OUTCOMES))
    for index, height_mm in INDEX_MM.items():
        for lens in LENSES:
            for scale in SCALES:
                found = shares(reader, index, lens, scale)
                words = "  ".join(f"{share:6.3f}" for share in found.values())
                print(
                    f"{index:8} {lens:5} {scale:6.2f} {scale * height_mm:9.1f}   {words}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
