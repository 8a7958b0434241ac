"""Where things lie on a standard table, in millimetres.

The origin is the top left corner of what the camera sees, x to the right, y
towards the dealer, who sits at the bottom. Seats run clockwise from the
dealer's left: up the left side, across the top, down the right side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from vision.artwork import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.errors import ZonesError
from vision.values import Point
from vision.zones import Marker, Zone, Zones, ZonesFile, dump_file, load_zones

VIEW_WIDTH_MM: Final = 1440.0
VIEW_HEIGHT_MM: Final = 810.0
"""16:9, and small enough that a card is 70 pixels high at 1280 x 720."""

FELT: Final = (80.0, 20.0, 1280.0, 720.0)
"""Left, top, width and height of the felt; what is outside is off the table."""

_SEAT_SIZE: Final = (210.0, 106.0)
_LEFT_X, _RIGHT_X, _TOP_Y = 95.0, 1135.0, 40.0
_SIDE_YS: Final = (430.0, 300.0, 170.0)
_TOP_XS: Final = (285.0, 505.0, 725.0, 945.0)
_SEAT_CORNERS: Final[tuple[Point, ...]] = (
    *((_LEFT_X, y) for y in _SIDE_YS),
    *((x, _TOP_Y) for x in _TOP_XS),
    *((_RIGHT_X, y) for y in reversed(_SIDE_YS)),
)
"""Top left corners of seats 1 to 10."""

_SEATS_USED: Final[dict[int, tuple[int, ...]]] = {
    2: (3, 8),
    3: (2, 5, 9),
    4: (2, 4, 7, 9),
    5: (1, 3, 5, 8, 10),
    6: (1, 3, 4, 7, 8, 10),
    7: (1, 2, 3, 5, 8, 9, 10),
    8: (1, 2, 3, 4, 7, 8, 9, 10),
    9: (1, 2, 3, 4, 5, 7, 8, 9, 10),
    10: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
}
"""Which of the ten places are taken when fewer play; they are numbered anew from 1."""

_BOXES: Final[dict[str, tuple[float, float, float, float]]] = {
    **{f"board:{n}": (525.0 + 78.0 * (n - 1), 320.0, 78.0, 116.0) for n in range(1, 6)},
    "pot": (525.0, 190.0, 390.0, 110.0),
    "muck": (170.0, 585.0, 310.0, 130.0),
    "burn": (500.0, 585.0, 240.0, 130.0),
    "aside": (760.0, 585.0, 190.0, 130.0),
    "stub": (970.0, 585.0, 130.0, 130.0),
    "shoe": (1120.0, 585.0, 150.0, 130.0),
}
"""Left, top, width and height of the zones that every table has."""

_GAP_MM: Final = 4.0
"""Between cards laid side by side: enough for each to be seen as one card."""


STANDARD_MARKERS: Final = (
    Marker(0, 92.0, 32.0),
    Marker(1, 1288.0, 32.0),
    Marker(2, 1288.0, 668.0),
    Marker(3, 92.0, 668.0),
)


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The zones of one table in millimetres, and where cards go in them."""

    zones: Zones
    width_mm: float = VIEW_WIDTH_MM
    height_mm: float = VIEW_HEIGHT_MM
    markers: tuple[Marker, ...] = STANDARD_MARKERS

    @classmethod
    def standard(cls, seats: int = 10) -> TableLayout:
        """The layout for a number of seats.

        Raises:
            ValueError: Fewer than 2 or more than 10 seats.
        """
        if seats not in _SEATS_USED:
            raise ValueError(f"a table has 2 to 10 seats, not {seats}")
        zones = [
            _box(f"seat:{number}", (*_SEAT_CORNERS[place - 1], *_SEAT_SIZE))
            for number, place in enumerate(_SEATS_USED[seats], start=1)
        ]
        zones += [_box(name, box) for name, box in _BOXES.items()]
        blind = tuple(marker.corners for marker in STANDARD_MARKERS)
        return cls(Zones((*zones, *_off_table()), blind))

    def with_marker_side(self, side_mm: float) -> TableLayout:
        """The same table with markers of another size, their middles where they were."""
        markers = tuple(
            Marker(m.number, m.centre[0] - side_mm / 2, m.centre[1] - side_mm / 2, side_mm)
            for m in self.markers
        )
        blind = tuple(marker.corners for marker in markers)
        return replace(self, zones=Zones(self.zones.areas, blind), markers=markers)

    def places(self, zone: str, count: int) -> tuple[Point, ...]:
        """Centres for ``count`` upright cards in a zone, left to right.

        Up to the room there is they lie side by side; beyond it they overlap,
        each showing its left edge with the index. Off the table they lie one
        below the other in the right-hand strip.

        Raises:
            KeyError: No such zone in this layout.
        """
        polygon = self.zones.polygon(zone)
        xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
        if zone == "off_table":
            step = min(CARD_HEIGHT_MM + _GAP_MM, (self.height_mm - 160.0) / max(1, count))
            return tuple((self.width_mm - 38.0, 90.0 + step * n) for n in range(count))
        middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        room = max(xs) - min(xs) - CARD_WIDTH_MM - 2.0
        step = min(CARD_WIDTH_MM + _GAP_MM, room / max(1, count - 1))
        first = middle[0] - step * (count - 1) / 2
        return tuple((first + step * n, middle[1]) for n in range(count))


def load_layout(path: Path) -> TableLayout:
    """Read a layout: a zones file in millimetres, which may place its markers.

    Without markers in it they lie where the standard table has them.

    Raises:
        ZonesError: The file cannot be used, or its corners are in pixels.
    """
    file = load_zones(path)
    if file.unit == "px":
        raise ZonesError(
            f"zones file {path} is in pixels of one picture; a layout is in millimetres: "
            "cutcard calibrate makes one"
        )
    markers = file.markers or STANDARD_MARKERS
    return TableLayout(
        Zones(file.zones.areas, tuple(marker.corners for marker in markers)),
        file.width_mm or VIEW_WIDTH_MM,
        file.height_mm or VIEW_HEIGHT_MM,
        markers,
    )


def dump_layout(layout: TableLayout) -> str:
    """The text of a zones file with this layout."""
    return dump_file(
        ZonesFile("mm", layout.zones, layout.markers, layout.width_mm, layout.height_mm)
    )


def _box(name: str, box: tuple[float, float, float, float]) -> Zone:
    x, y, width, height = box
    return Zone(name, ((x, y), (x + width, y), (x + width, y + height), (x, y + height)))


def _off_table() -> tuple[Zone, ...]:
    """The strips outside the felt; the right one first, where cards are laid."""
    x, y, width, height = FELT
    right, bottom = x + width, y + height
    strips = (
        (right, 0.0, VIEW_WIDTH_MM - right, VIEW_HEIGHT_MM),
        (0.0, 0.0, x, VIEW_HEIGHT_MM),
        (x, 0.0, width, y),
        (x, bottom, width, VIEW_HEIGHT_MM - bottom),
    )
    return tuple(_box("off_table", strip) for strip in strips)
