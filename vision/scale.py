"""How large the table is in the picture, and whether cards can be read at that size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from vision.values import Point
from vision.zones import Homography, Zones, map_points

INDEX_MM: Final[dict[str, float]] = {"standard": 8.4, "jumbo": 16.0}
"""Height of the printed rank on a card 88 mm high. Standard: 8.4 mm on the free decks
react-playing-cards (Urgyen) and the PNG set after Byron Knoll, 8.8 mm on Knoll's own.
Jumbo: decks differ, 10.1 mm (Spatz) to 18.2 mm (react-playing-cards, bf); 16 mm is what
``draw_face`` prints and what the limits were measured with."""

SHARP_PX: Final[dict[str, float]] = {"standard": 5.8, "jumbo": 8.0}
"""Height of the index in pixels from which 97 % of rendered cards are named through a sharp
lens (scripts/measure_index_limit.py): below it the camera cannot do its work."""

SOFT_PX: Final[dict[str, float]] = {"standard": 9.6, "jumbo": 12.8}
"""Height from which 99.5 % are named even through a soft lens with more noise."""

_OFF_TABLE: Final = "off_table"
"""The surroundings reach far out: a card there must be seen, not read."""


class Legibility(Enum):
    """Whether an index of so many pixels is read."""

    GOOD = "good"
    SHARP_ONLY = "sharp_only"
    """Only with a sharp, low-noise picture."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class ZoneScale:
    """The smallest scale of the picture inside one zone."""

    zone: str
    px_per_mm: float


def zone_scales(zones: Zones, homography: Homography) -> tuple[ZoneScale, ...]:
    """How many pixels a millimetre has in each zone, in its worst corner and direction.

    Args:
        zones: In table millimetres.
        homography: Table millimetres to pixels.
    """
    smallest: dict[str, float] = {}
    for area in zones.areas:
        if area.name != _OFF_TABLE:
            scale = min(px_per_mm(homography, corner) for corner in area.corners)
            smallest[area.name] = min(scale, smallest.get(area.name, scale))
    return tuple(ZoneScale(zone, scale) for zone, scale in smallest.items())


def px_per_mm(homography: Homography, spot: Point) -> float:
    """Pixels that a millimetre has at a spot of the table, in the direction with the fewest."""
    x, y = spot
    here, right, down = np.array(map_points(homography, [(x, y), (x + 1, y), (x, y + 1)]))
    return float(np.linalg.svd(np.column_stack([right - here, down - here]))[1].min())


def worst(scales: Sequence[ZoneScale]) -> ZoneScale:
    """The zone that is seen smallest.

    Raises:
        ValueError: There are no zones.
    """
    return min(scales, key=lambda scale: scale.px_per_mm)


def legibility(index: str, index_px: float) -> Legibility:
    """Whether an index of a kind is read at that height in the picture.

    Raises:
        KeyError: No such kind of index.
    """
    if index_px < SHARP_PX[index]:
        return Legibility.UNREADABLE
    return Legibility.GOOD if index_px >= SOFT_PX[index] else Legibility.SHARP_ONLY


def outside(zones: Zones, homography: Homography, width_px: int, height_px: int) -> tuple[str, ...]:
    """The zones of which a part lies outside the picture."""
    return tuple(
        dict.fromkeys(
            area.name
            for area in zones.areas
            if area.name != _OFF_TABLE
            and not is_inside(map_points(homography, area.corners), width_px, height_px)
        )
    )


def is_inside(corners: Iterable[Point], width_px: int, height_px: int) -> bool:
    """Whether all corners, in pixels, lie in a picture of that size."""
    return all(0 <= x <= width_px and 0 <= y <= height_px for x, y in corners)
