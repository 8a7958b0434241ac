"""What one picture of a table with its markers tells about the camera over it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import TableLayout
from vision.markers import find_table
from vision.plane import measure_table
from vision.scale import ZoneScale, outside, zone_scales
from vision.zones import Homography, Zones, map_points

MISLAID_PX: Final = 3.0
"""Markers that are further off than this on average do not lie where the layout says."""

_LINE: Final = (60, 220, 255)
_INK: Final = (20, 20, 20)


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A table found in a picture.

    Attributes:
        layout: Zones and markers in millimetres.
        homography: Table millimetres to pixels.
        markers: Numbers of the markers it rests on.
        error_px: Root mean square distance of the marker corners from where they should be.
        scales: The smallest scale in each zone.
        outside: Zones that are not wholly in the picture.
    """

    layout: TableLayout
    homography: Homography
    markers: tuple[int, ...]
    error_px: float
    scales: tuple[ZoneScale, ...]
    outside: tuple[str, ...]

    @property
    def is_mislaid(self) -> bool:
        """Whether the markers lie elsewhere than the layout says."""
        return self.error_px > MISLAID_PX


def calibrate(
    image: NDArray[np.uint8], layout: TableLayout, *, measure: bool = False
) -> Calibration:
    """Find the table in a picture.

    Args:
        image: Shape (H, W, 3), BGR.
        layout: Zones and markers in millimetres.
        measure: Whether the markers were laid by hand: their places are then measured
            and the zones moved along, instead of taken from the layout.

    Raises:
        ZonesError: The markers are not in the picture or fit no flat table.
    """
    if measure:
        table = measure_table(image, layout)
        numbers = tuple(sorted(marker.number for marker in table.layout.markers))
        return _calibration(image, table.layout, table.homography, numbers, table.error_px)
    found = find_table(image, layout.markers)
    return _calibration(image, layout, found.homography, found.markers, found.error_px)


def with_zones(calibration: Calibration, image: NDArray[np.uint8], drawn: Zones) -> Calibration:
    """The same table with zones that were drawn in this very picture, in its pixels."""
    to_table = np.asarray(np.linalg.inv(calibration.homography), dtype=np.float64)
    areas = drawn.mapped(to_table).areas
    layout = replace(calibration.layout, zones=Zones(areas, calibration.layout.zones.blind))
    found = calibration
    return _calibration(image, layout, found.homography, found.markers, found.error_px)


def _calibration(
    image: NDArray[np.uint8],
    layout: TableLayout,
    homography: Homography,
    markers: tuple[int, ...],
    error_px: float,
) -> Calibration:
    height_px, width_px = image.shape[:2]
    return Calibration(
        layout,
        homography,
        markers,
        error_px,
        zone_scales(layout.zones, homography),
        outside(layout.zones, homography, width_px, height_px),
    )


def draw_calibration(image: NDArray[np.uint8], calibration: Calibration) -> NDArray[np.uint8]:
    """The picture with the outlines and names of the zones, to see whether they lie right."""
    drawn = image.copy()
    size = image.shape[1] / 2400
    for area in calibration.layout.zones.areas:
        corners = np.round(map_points(calibration.homography, area.corners)).astype(np.int32)
        cv2.polylines(drawn, [corners], True, _LINE, max(1, round(3 * size)), cv2.LINE_AA)
        spot = (int(corners[:, 0].min()) + 6, int(corners[:, 1].max()) - 6)
        for ink, width in ((_INK, 6), (_LINE, 2)):
            cv2.putText(
                drawn, area.name, spot, cv2.FONT_HERSHEY_SIMPLEX, 1.2 * size, ink,
                max(1, round(width * size)), cv2.LINE_AA,
            )  # fmt: skip
    return drawn
