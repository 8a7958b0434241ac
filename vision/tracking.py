"""A watched table that stays found although the camera over it is knocked.

Edges that were sharp and have gone all over the picture at once are a knock, or
somebody in front of the lens. From that moment nothing is decided until the
markers are found: at their old place, or at a new one, to which the zones move.
"""

from __future__ import annotations

from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers import Position, TableTracker
from vision.sources.frames import Frame
from vision.sources.health import SourceHealth
from vision.values import Sighting
from vision.watcher import FoundCard
from vision.zones import Homography, Zones

LOOK_EVERY: Final = 30
"""Pictures between two looks at the markers: a slow drift shows within a second."""

_WIDTH_PX: Final = 320
_SHARP: Final = 120
"""Gradient (Sobel, 3 x 3, both directions added) of an edge; the felt stays well below it."""

_GONE_SHARE: Final = 0.12
"""Share of the sharp edges that must be gone at once. On rendered frames half a degree of
turn or 8 pixels of shift at 1280 take 0.14 and more; a hand 0.03, four hands 0.06, half the
light 0.01. Cards that are gathered pass it too, and the markers then say that all is well."""

_FEWEST_EDGES: Final = 200
"""With fewer edges in the picture their going says nothing."""

_STEADY_LOOKS: Final = 3
"""Looks at the same place after a move before the camera counts as settled."""


class EdgeSense:
    """Notices that the edges of a picture have gone from where they were."""

    def __init__(self) -> None:
        self._edges: NDArray[np.bool_] | None = None

    def remember(self, image: NDArray[np.uint8]) -> None:
        """Take a picture as the usual one."""
        self._edges = _slopes(image) > _SHARP

    def gone_share(self, image: NDArray[np.uint8]) -> float:
        """Share of the remembered edges that are no longer there; 0 where there were none."""
        edges = self._edges
        if edges is None or np.count_nonzero(edges) < _FEWEST_EDGES:
            return 0.0
        slopes = _slopes(image)
        if slopes.shape != edges.shape:
            return 1.0
        return float((slopes[edges] < _SHARP / 2).mean())


def _slopes(image: NDArray[np.uint8]) -> NDArray[np.int16]:
    height = max(1, round(image.shape[0] * _WIDTH_PX / image.shape[1]))
    small = cv2.resize(image, (_WIDTH_PX, height), interpolation=cv2.INTER_LINEAR)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    across, down = (cv2.Sobel(grey, cv2.CV_16S, *way, ksize=3) for way in ((1, 0), (0, 1)))
    return np.asarray(np.abs(across) + np.abs(down), dtype=np.int16)


class Movable(Protocol):
    """What decides on frames and can be told where the zones are now."""

    @property
    def seen(self) -> tuple[FoundCard, ...]:
        """Every card seen now."""

    def move_zones(self, zones: Zones, /) -> None:
        """Watch other polygons from now on."""

    def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
        """The sightings that this frame completes."""


class TrackedTable:
    """A watcher whose zones stay on the table.

    Args:
        watcher: Decides on the frames.
        tracker: Finds the table in a picture; it must have found it once.
    """

    def __init__(self, watcher: Movable, tracker: TableTracker) -> None:
        self._watcher, self._tracker = watcher, tracker
        self._sense = EdgeSense()
        self._fed = self._steady = 0
        self._health = SourceHealth.OK

    @property
    def health(self) -> SourceHealth:
        """OK, MOVED for a while after a move, ASTRAY while the table is not found."""
        return self._health

    @property
    def zones(self) -> Zones:
        """The zones watched, in pixels."""
        return self._tracker.zones

    @property
    def homography(self) -> Homography | None:
        """Table millimetres to pixels, where the table was found last."""
        return self._tracker.homography

    @property
    def seen(self) -> tuple[FoundCard, ...]:
        """Every card seen now; none while the table is not found."""
        return () if self._health is SourceHealth.ASTRAY else self._watcher.seen

    def move_zones(self, zones: Zones) -> None:
        """Watch other polygons from now on, in millimetres of the table."""
        self._tracker.lay_out(zones)
        self._watcher.move_zones(self._tracker.zones)

    def feed(self, frame: Frame) -> tuple[Sighting, ...]:
        """The sightings that this frame completes; none while the table is not found."""
        self._fed += 1
        startled = self._sense.gone_share(frame.image) >= _GONE_SHARE
        unsettled = self._health is not SourceHealth.OK
        if startled or unsettled or self._fed % LOOK_EVERY == 1:
            self._look(frame.image, startled=startled)
        if self._health is SourceHealth.ASTRAY:
            return ()
        return self._watcher.feed(frame)

    def _look(self, image: NDArray[np.uint8], *, startled: bool) -> None:
        position = self._tracker.look(image)
        if position is Position.MOVED:
            self._watcher.move_zones(self._tracker.zones)
            self._health, self._steady = SourceHealth.MOVED, 0
        elif position is Position.STILL:
            self._steady += 1
            if self._health is SourceHealth.ASTRAY or self._steady >= _STEADY_LOOKS:
                self._health = SourceHealth.OK
        elif position is Position.ASTRAY or startled:
            self._health = SourceHealth.ASTRAY
        if position in {Position.MOVED, Position.STILL}:
            self._sense.remember(image)
