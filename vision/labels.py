"""Labelled photographs: which cards are in a picture, and what it may be used for."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.values import CARD_LABELS, JOKER, Point, Quad

BACK: Final = "back"
"""Label of a card that lies face down."""

_TEST_SETS: Final = ("plaskod_9toA", "rdpong_single")
_MIXED_SETS: Final = ("edje_tf", "sergio_felt")
_TEST_PREFIX: Final = "test"


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """A card that is in the picture: label and box (x1, y1, x2, y2); no box, whole picture."""

    label: str
    box: tuple[float, float, float, float] | None

    def is_covered_by(self, quad: Quad) -> bool:
        """Whether a quadrilateral covers half of the box or more, or there is none.

        Boxes are drawn around what is visible; a card that is half under another
        reaches beyond its box, and its middle may lie outside.
        """
        if self.box is None:
            return True
        x1, y1, x2, y2 = self.box
        box = np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)], dtype=np.float32)
        outline = cv2.convexHull(np.array(quad, dtype=np.float32))
        shared, _ = cv2.intersectConvexConvex(box, outline)
        return float(shared) >= 0.5 * (x2 - x1) * (y2 - y1)

    def holds(self, point: Point) -> bool:
        """Whether a point lies in the box, or there is none."""
        if self.box is None:
            return True
        x1, y1, x2, y2 = self.box
        return x1 <= point[0] <= x2 and y1 <= point[1] <= y2


def use_of(set_name: str, image: str) -> str:
    """``"test"`` for what may only be measured on, else ``"dev"``.

    A picture named ``test...`` is for testing unless its whole set is for
    development, which shows in that no picture of the set is named ``train...``.
    """
    if set_name in _TEST_SETS:
        return "test"
    mixed = set_name in _MIXED_SETS
    return "test" if mixed and image.lower().startswith(_TEST_PREFIX) else "dev"


def read_labels(path: Path) -> dict[str, list[LabelledCard]]:
    """Read a ``labels.csv``.

    Args:
        path: Of the file.

    Returns:
        The labelled cards of each picture.

    Raises:
        ValueError: A row has no image, an unknown label or half a box.
    """
    cards: dict[str, list[LabelledCard]] = defaultdict(list)
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                cards[row["image"]].append(LabelledCard(_label(row["label"]), _box(row)))
            except (KeyError, ValueError, TypeError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return dict(cards)


def _label(written: str) -> str:
    known = {"BACK": BACK, "JOKER": JOKER}
    label = known.get(written.upper(), written[:1].upper() + written[1:].lower())
    if label not in (*CARD_LABELS, BACK):
        raise ValueError(f"{written!r} is no card: write it as AS, TD, BACK or JOKER")
    return label


def _box(row: dict[str, str]) -> tuple[float, float, float, float] | None:
    values = [row[key] for key in ("x1", "y1", "x2", "y2")]
    if not any(values):
        return None
    x1, y1, x2, y2 = (float(value) for value in values)
    return (x1, y1, x2, y2)
