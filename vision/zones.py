"""The zones of a table: named polygons, and which of them a point lies in.

A zones file is TOML. Each zone gives its corners in order, in pixels of the
picture, or in table millimetres when the file has ``unit = "mm"`` (markers then
say where the table lies in the picture; the file may say where they lie)::

    unit = "px"

    [[zone]]
    name = "seat:1"
    corners = [[102, 430], [312, 430], [312, 536], [102, 536]]
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.errors import ZonesError
from vision.values import Point

Polygon = tuple[Point, ...]
Homography = NDArray[np.float64]
"""3 x 3, maps homogeneous points of one plane to another."""

ZONE_NAMES: Final[tuple[str, ...]] = (
    *(f"seat:{n}" for n in range(1, 11)),
    *(f"board:{n}" for n in range(1, 6)),
    *("burn", "muck", "stub", "shoe", "pot", "aside", "off_table"),
)


MARKER_SIDE_MM: Final = 60.0
"""Side of a printed marker's black square, unless a file says otherwise."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One printed ArUco marker (DICT_4X4_50) on the table.

    Attributes:
        number: Its number, 0 to 49.
        x_mm: Its top left corner, from the left of the view.
        y_mm: Its top left corner, from the top of the view.
        side_mm: Side of its black square.
        angle_deg: Turned clockwise about that corner.
    """

    number: int
    x_mm: float
    y_mm: float
    side_mm: float = MARKER_SIDE_MM
    angle_deg: float = 0.0

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Clockwise from the top left, in millimetres, as OpenCV reports them."""
        x, y = self.x_mm, self.y_mm
        along = self.side_mm * math.cos(math.radians(self.angle_deg))
        down = self.side_mm * math.sin(math.radians(self.angle_deg))
        return (
            (x, y),
            (x + along, y + down),
            (x + along - down, y + down + along),
            (x - down, y + along),
        )

    @property
    def centre(self) -> Point:
        """Its middle, in millimetres."""
        corners = self.corners
        return (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)


@dataclass(frozen=True, slots=True)
class Zone:
    """One polygon with a name of ZONE_NAMES; several polygons may share a name.

    Raises:
        ZonesError: The name is unknown or there are fewer than three corners.
    """

    name: str
    corners: Polygon

    def __post_init__(self) -> None:
        """Refuse a zone that the table does not know."""
        if self.name not in ZONE_NAMES:
            raise ZonesError(f"no zone is called {self.name!r}{_nearest(self.name, ZONE_NAMES)}")
        if len(self.corners) < 3:
            raise ZonesError(f"zone {self.name} has {len(self.corners)} corners; give 3 or more")

    def depth(self, point: Point) -> float:
        """Distance from the edge: positive inside, negative outside."""
        return _depth(self.corners, point)

    def contains(self, point: Point) -> bool:
        """Whether the point lies inside or on the edge."""
        return self.depth(point) >= 0


@dataclass(frozen=True, slots=True)
class Zones:
    """All zones of a table, in one coordinate system. Earlier ones win where two overlap.

    ``blind`` are squares, such as printed markers, that look a little like cards:
    a card with its centre in one is not believed. A zones file does not hold them.
    """

    areas: tuple[Zone, ...]
    blind: tuple[Polygon, ...] = field(default=(), compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Each name once, in order of appearance."""
        return tuple(dict.fromkeys(area.name for area in self.areas))

    def zone_of(self, point: Point) -> str:
        """The zone a point lies in, or the nearest one when it lies between zones.

        Raises:
            ZonesError: There are no zones.
        """
        if not self.areas:
            raise ZonesError("there are no zones; load a zones file or find the markers first")
        return max(self.areas, key=lambda area: min(0.0, area.depth(point))).name

    def polygon(self, name: str) -> Polygon:
        """The first polygon with this name.

        Raises:
            KeyError: No such zone here.
        """
        for area in self.areas:
            if area.name == name:
                return area.corners
        raise KeyError(name)

    def mapped(self, homography: Homography) -> Zones:
        """The same zones seen through a homography, such as table to picture."""
        return Zones(
            tuple(Zone(area.name, map_points(homography, area.corners)) for area in self.areas),
            tuple(map_points(homography, square) for square in self.blind),
        )

    def is_blind(self, point: Point) -> bool:
        """Whether nothing seen at this point is believed to be a card."""
        return any(_depth(square, point) >= 0 for square in self.blind)


def _depth(polygon: Polygon, point: Point) -> float:
    contour = np.array(polygon, dtype=np.float32)
    return cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), True)


def map_points(homography: Homography, points: Iterable[Point]) -> Polygon:
    """Map points through a homography."""
    source = np.array(list(points), dtype=np.float64).reshape(-1, 1, 2)
    mapped = cv2.perspectiveTransform(source, homography).reshape(-1, 2)
    return tuple((float(x), float(y)) for x, y in mapped)


@dataclass(frozen=True, slots=True)
class ZonesFile:
    """What a zones file says.

    Attributes:
        unit: Of the corners.
        zones: The zones.
        markers: Where the markers lie; empty where the file does not say.
        width_mm: Width of the part of the table that matters; 0 where it does not say.
        height_mm: Its height; 0 where it does not say.
    """

    unit: Literal["px", "mm"]
    zones: Zones
    markers: tuple[Marker, ...] = ()
    width_mm: float = 0.0
    height_mm: float = 0.0


class _ZoneEntry(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    corners: list[tuple[float, float]]


_Size = Annotated[float, msgspec.Meta(gt=0, le=10_000)]


class _MarkerEntry(msgspec.Struct, forbid_unknown_fields=True):
    number: Annotated[int, msgspec.Meta(ge=0, le=49)]
    x_mm: float
    y_mm: float
    side_mm: _Size = MARKER_SIDE_MM
    angle_deg: float = 0.0


class _File(msgspec.Struct, forbid_unknown_fields=True):
    zone: list[_ZoneEntry]
    unit: Literal["px", "mm"] = "px"
    marker: list[_MarkerEntry] = []
    width_mm: _Size | None = None
    height_mm: _Size | None = None


_KEYS: Final = tuple(
    field.name
    for struct in (_File, _ZoneEntry, _MarkerEntry)
    for field in msgspec.structs.fields(struct)
)


def load_zones(path: Path) -> ZonesFile:
    """Read a zones file.

    Raises:
        ZonesError: Absent, not TOML, or a wrong key or value; the sentence names
            the file, the place in it and the nearest valid word.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ZonesError(f"zones file {path}: {reason}; give an existing TOML file") from error
    except (ValueError, RecursionError) as error:  # also of a number with thousands of digits
        raise ZonesError(f"zones file {path} is not valid TOML: {error}") from error
    try:
        parsed = msgspec.convert(raw, _File)
    except msgspec.ValidationError as error:
        raise ZonesError(f"zones file {path}: {error}{_suggestion(str(error))}") from error
    return ZonesFile(
        parsed.unit,
        Zones(_checked(path, parsed.zone)),
        _checked_markers(path, parsed),
        parsed.width_mm or 0.0,
        parsed.height_mm or 0.0,
    )


def _checked(path: Path, entries: list[_ZoneEntry]) -> tuple[Zone, ...]:
    if not entries:
        raise ZonesError(f"zones file {path} has no [[zone]]; add one for each place of the table")
    areas = []
    for number, entry in enumerate(entries):
        try:
            areas.append(Zone(entry.name, tuple(entry.corners)))
        except ZonesError as error:
            raise ZonesError(f"zones file {path}, $.zone[{number}]: {error}") from error
    return tuple(areas)


def _checked_markers(path: Path, parsed: _File) -> tuple[Marker, ...]:
    entries = parsed.marker
    if entries and parsed.unit == "px":
        raise ZonesError(f'zones file {path}: markers are placed in millimetres; set unit = "mm"')
    if len({entry.number for entry in entries}) < len(entries):
        raise ZonesError(f"zones file {path}: two markers have the same number; print another")
    return tuple(Marker(e.number, e.x_mm, e.y_mm, e.side_mm, e.angle_deg) for e in entries)


def _suggestion(message: str) -> str:
    """The valid key nearest to the unknown one that the message quotes."""
    found = re.search(r"unknown field `([^`]+)`", message)
    return _nearest(found.group(1), _KEYS) if found else ""


def _nearest(word: str, valid: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(valid), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def dump_zones(zones: Zones, unit: Literal["px", "mm"]) -> str:
    """The text of a zones file with these zones."""
    return dump_file(ZonesFile(unit, zones))


def dump_file(file: ZonesFile) -> str:
    """The text of a zones file."""
    lines = [f'unit = "{file.unit}"']
    if file.width_mm and file.height_mm:
        lines += [f"width_mm = {file.width_mm:.1f}", f"height_mm = {file.height_mm:.1f}"]
    for marker in file.markers:
        lines += ["", "[[marker]]", f"number = {marker.number}"]
        for key in ("x_mm", "y_mm", "side_mm", "angle_deg"):
            lines.append(f"{key} = {getattr(marker, key):.2f}")
    for area in file.zones.areas:
        corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in area.corners)
        lines += ["", "[[zone]]", f'name = "{area.name}"', f"corners = [{corners}]"]
    return "\n".join(lines) + "\n"
