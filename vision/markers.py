"""Finding the table in a picture by its printed ArUco markers (DICT_4X4_50)."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ZonesError
from vision.felt import draw_marker
from vision.layout import TableLayout
from vision.zones import Homography, Marker, Zones, map_points

_LOGGER = logging.getLogger(__name__)

_FEWEST_MARKERS: Final = 2
"""Two markers give eight corners far apart; with one the far side is a guess."""

_KNOCKED_PX: Final = 4.0
"""Shift of the table's corners, at 1280 pixels of width, that counts as a knock."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """Where the table lies in the picture.

    Attributes:
        homography: Table millimetres to pixels, shape (3, 3).
        markers: Numbers of the markers it rests on.
        error_px: Root mean square distance of the marker corners from where it puts them.
    """

    homography: Homography
    markers: tuple[int, ...]
    error_px: float


def find_table(image: NDArray[np.uint8], markers: Sequence[Marker]) -> Registration:
    """Find the table by its markers.

    Args:
        image: Shape (H, W, 3), BGR.
        markers: The markers of the layout, in millimetres.

    Raises:
        ZonesError: Fewer than two of the markers are in the picture.
    """
    return registered(detect_markers(image), markers)


def registered(seen: dict[int, NDArray[np.float64]], markers: Sequence[Marker]) -> Registration:
    """Find the table by markers that were seen: corners in pixels by number.

    Raises:
        ZonesError: Fewer than two of them are the table's.
    """
    expected = {marker.number: marker for marker in markers}
    found = {n: quad for n, quad in seen.items() if n in expected}
    if len(found) < _FEWEST_MARKERS:
        missing = ", ".join(str(n) for n in sorted(set(expected) - set(found)))
        raise ZonesError(
            f"only {len(found)} of {len(expected)} table markers in the picture; "
            f"uncover marker {missing}, and light it evenly"
        )
    table = np.array([c for n in found for c in expected[n].corners], dtype=np.float64)
    picture = np.vstack(list(found.values())).astype(np.float64)
    homography, _ = cv2.findHomography(table, picture, cv2.RANSAC, 3.0)
    if homography is None:
        raise ZonesError("the table markers do not lie as the layout says; lay them out as printed")
    exact = np.asarray(homography, dtype=np.float64)
    apart = np.array(map_points(exact, table.tolist())) - picture
    error_px = float(np.sqrt((apart**2).sum(axis=1).mean()))
    return Registration(exact, tuple(sorted(found)), error_px)


def detect_markers(image: NDArray[np.uint8]) -> dict[int, NDArray[np.float64]]:
    """Corners (4, 2) of each marker seen, by number, clockwise from its top left."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    if numbers is None:
        return {}
    quads = [np.asarray(quad, dtype=np.float64).reshape(4, 2) for quad in corners]
    return dict(zip((int(n) for n in np.ravel(numbers)), quads, strict=True))


class Position(Enum):
    """What the markers in a picture say about the camera."""

    STILL = "still"
    """Where it was."""

    MOVED = "moved"
    """Elsewhere, and the table has been found again."""

    HIDDEN = "hidden"
    """Too few markers are to be seen; nothing speaks for a move."""

    ASTRAY = "astray"
    """The one marker to be seen is elsewhere, which is too little to find the table by."""


class TableTracker:
    """Keeps the zones on the table although the camera may be knocked.

    Args:
        layout: The zones and markers in millimetres.
    """

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        self._registration: Registration | None = None

    @property
    def layout(self) -> TableLayout:
        """The zones and markers in millimetres."""
        return self._layout

    def lay_out(self, zones: Zones) -> None:
        """Take other zones, in millimetres; the markers stay where they are."""
        blind = self._layout.zones.blind
        self._layout = replace(self._layout, zones=Zones(zones.areas, blind))

    @property
    def registration(self) -> Registration | None:
        """Where the table was found last; None before the first time."""
        return self._registration

    @property
    def homography(self) -> Homography:
        """Table millimetres to pixels, where the table was found last.

        Raises:
            ZonesError: It has never been found.
        """
        if self._registration is None:
            raise ZonesError("the table has not been found in the picture yet")
        return self._registration.homography

    @property
    def zones(self) -> Zones:
        """The zones in pixels, where the table was found last.

        Raises:
            ZonesError: It has never been found.
        """
        return self._layout.zones.mapped(self.homography)

    def update(self, image: NDArray[np.uint8]) -> Zones | None:
        """Look for the markers; call it now and then, a look takes some milliseconds.

        Returns:
            The zones in pixels when found for the first time or when the camera
            has moved, else None. While hands hide the markers, the last ones hold.

        Raises:
            ZonesError: The table has never been found and is not found now.
        """
        return self.zones if self.look(image) is Position.MOVED else None

    def look(self, image: NDArray[np.uint8]) -> Position:
        """Look for the markers and find the table again where the camera has moved.

        The first time that the table is found counts as a move.

        Raises:
            ZonesError: The table has never been found and is not found now.
        """
        before = self._registration
        knocked_px = _KNOCKED_PX * image.shape[1] / 1280
        seen = detect_markers(image)
        try:
            found = registered(seen, self._layout.markers)
        except ZonesError:
            if before is None:
                raise
            return Position.ASTRAY if self._strays(before, seen, knocked_px) else Position.HIDDEN
        if before is not None and self._shift(before, found) < knocked_px:
            return Position.STILL
        if before is not None:
            _LOGGER.warning("camera moved: table found again by markers %s", found.markers)
        self._registration = found
        return Position.MOVED

    def _shift(self, before: Registration, now: Registration) -> float:
        """How far the middles of the table's quarters have moved, at most, in pixels."""
        width, height = self._layout.width_mm, self._layout.height_mm
        spots = [(width * x, height * y) for x in (0.25, 0.75) for y in (0.25, 0.75)]
        old = np.array(map_points(before.homography, spots))
        new = np.array(map_points(now.homography, spots))
        return float(np.linalg.norm(new - old, axis=1).max())

    def _strays(
        self, before: Registration, seen: dict[int, NDArray[np.float64]], knocked_px: float
    ) -> bool:
        """Whether a marker of the table is seen elsewhere than it was."""
        for marker in self._layout.markers:
            if marker.number in seen:
                where = np.array(map_points(before.homography, marker.corners))
                if np.linalg.norm(seen[marker.number] - where, axis=1).mean() >= knocked_px:
                    return True
        return False


def marker_sheet(numbers: Sequence[int], side_mm: float, dpi: int = 300) -> NDArray[np.uint8]:
    """Markers to print, side by side with their quiet zones, grey, white paper around.

    Args:
        numbers: Which markers, each 0..49.
        side_mm: Length of the black square's side once printed at ``dpi``.
        dpi: Dots per inch of the print.
    """
    side_px = round(side_mm / 25.4 * dpi)
    tiles = [
        cv2.copyMakeBorder(draw_marker(n, side_px), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255)
        for n in numbers
    ]
    return np.asarray(np.hstack(tiles), dtype=np.uint8)
