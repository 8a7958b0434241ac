"""Draw the rendered cards that the recogniser does not name rightly, as a sheet for the docs.

Goes through the conditions of ``scripts/measure_conditions.py`` in which cards fail, and
lays what the camera saw of each such card side by side, with its name and what was read.
The cards are the project's own print, because photographs of others are not its to show.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from scripts.measure_conditions import CONDITIONS, Condition, readings
from vision.levels import Image
from vision.reader import CardReader
from vision.rendered import card_quad, render
from vision.values import UNKNOWN, SeenCard

_SHOWN = ("index_8_px", "tilt_50_deg", "covered_0.2", "covered_0.4", "covered_0.6", "covered_0.75")
_MOST_PER_ROW = 6
_TILE_PX = (112, 112)
_TITLE_PX, _FOOT_PX = 22, 20
_FONT, _INK = cv2.FONT_HERSHEY_SIMPLEX, (30, 30, 30)


def failures(condition: Condition, reader: CardReader) -> list[tuple[str, str]]:
    """Name of each card that was not read rightly, and what was said of it, wrong ones first."""
    told = [(card, _said(seen)) for card, seen in readings(condition, reader) if card]
    failed = [(card, said) for card, said in told if said.split()[0] != card]
    return sorted(failed, key=lambda pair: pair[1].startswith((UNKNOWN, "missed")))


def _said(seen: SeenCard | None) -> str:
    if seen is None:
        return "missed"
    return seen.card if seen.card == UNKNOWN else f"{seen.card} {seen.confidence:.2f}"


def row(condition: Condition, reader: CardReader) -> Image:
    """One row of the sheet: a title, and the first cards that failed."""
    found = failures(condition, reader)
    tiles = [_tile(condition, card, said) for card, said in found[:_MOST_PER_ROW]]
    blank = np.full((_TILE_PX[1] + _FOOT_PX, _TILE_PX[0], 3), 255, np.uint8)
    tiles += [blank] * (_MOST_PER_ROW - len(tiles))
    title = np.full((_TITLE_PX, _TILE_PX[0] * _MOST_PER_ROW, 3), 255, np.uint8)
    words = f"{condition.name.replace('_', ' ')}: {len(found)} of 52 not named rightly"
    cv2.putText(title, words, (4, 16), _FONT, 0.5, _INK, 1, cv2.LINE_AA)
    return np.vstack([title, np.hstack(tiles)])


def _tile(condition: Condition, card: str, said: str) -> Image:
    """What the camera sees of a card, and below it its name and what was read."""
    scene, camera = condition.scene, condition.camera
    placed = next(p for p in scene.cards if p.card == card)
    quad = np.array(card_quad(placed, camera.homography(scene.width_mm, scene.height_mm)))
    picture = render(scene, camera)
    side = 1.25 * float(np.ptp(quad, axis=0).max())
    left, top = quad.mean(axis=0) - side / 2
    scale = _TILE_PX[0] / side
    move = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])
    cut = cv2.warpAffine(picture, move, _TILE_PX, borderMode=cv2.BORDER_REPLICATE)
    foot = np.full((_FOOT_PX, _TILE_PX[0], 3), 255, np.uint8)
    cv2.putText(foot, f"{card}: {said}", (4, 14), _FONT, 0.42, _INK, 1, cv2.LINE_AA)
    return np.vstack([cut, foot])


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(description="Draw the cards that are not read.")
    parser.add_argument("out", type=Path, help="PNG file to write")
    options = parser.parse_args()
    reader = CardReader.load()
    shown = [condition for condition in CONDITIONS if condition.name in _SHOWN]
    sheet = np.vstack([row(condition, reader) for condition in shown])
    # Coarser colours show the same, and halve the file.
    cv2.imwrite(str(options.out), sheet // 16 * 16 + 8, (cv2.IMWRITE_PNG_COMPRESSION, 9))


if __name__ == "__main__":
    main()
