"""One table under several cameras: each zone is watched by the camera that sees it best.

All cameras find the same markers, so all of them know all zones. A zone goes to
the camera in whose picture it lies whole and largest; what the others see of it
is not read. Their statements together are one view of the table.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from vision.layout import TableLayout
from vision.markers import TableTracker
from vision.scale import is_inside, px_per_mm
from vision.sources.frames import Frame
from vision.tracking import TrackedTable
from vision.values import SeenCard, Sighting
from vision.watcher import FoundCard, Reader, TableWatcher
from vision.zones import Homography, Zone, Zones, map_points


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """What one camera sees of the table: millimetres to pixels, and its picture's size."""

    homography: Homography
    width_px: int
    height_px: int

    def scale(self, area: Zone) -> float:
        """Pixels per millimetre in an area; less than 0 where only a part is seen, 0 for none."""
        corners = map_points(self.homography, area.corners)
        share = sum(is_inside([c], self.width_px, self.height_px) for c in corners) / len(corners)
        if share < 1:
            return share - 1 if share else -1.0
        return min(px_per_mm(self.homography, corner) for corner in area.corners)


def owners(layout: TableLayout, views: tuple[View, ...]) -> tuple[int, ...]:
    """Which of the views each area of the layout belongs to, by index."""
    return tuple(
        max(range(len(views)), key=lambda n: views[n].scale(area)) for area in layout.zones.areas
    )


@dataclass(slots=True)
class _Eye:
    """One camera's watcher within the joined table."""

    table: JoinedTable
    watcher: TableWatcher
    tracker: TableTracker
    size: tuple[int, int]
    said: dict[str, tuple[SeenCard, ...]] = field(default_factory=dict)

    @property
    def view(self) -> View:
        return View(self.tracker.homography, *self.size)

    @property
    def seen(self) -> tuple[FoundCard, ...]:
        return self.watcher.seen

    def move_zones(self, zones: Zones) -> None:
        with self.table.lock:
            self.watcher.move_zones(zones)
            self.table.lay_out(self.tracker.layout)

    def feed(self, frame: Frame) -> tuple[Sighting, ...]:
        with self.table.lock:
            said = self.watcher.feed(frame)
            self.said |= {sighting.zone: sighting.cards for sighting in said}
            return tuple(self.table.whole(sighting) for sighting in said)


class JoinedTable:
    """The table that several cameras watch together.

    Args:
        reader: Reads cards; called by one camera at a time.
        layout: Zones and markers in millimetres.
        stable_frames: Looks with the same content before it is said.
    """

    def __init__(self, reader: Reader, layout: TableLayout, *, stable_frames: int = 3) -> None:
        self._reader, self._layout, self._stable_frames = reader, layout, stable_frames
        self._eyes: list[_Eye] = []
        self.lock = threading.RLock()

    def add(self, tracker: TableTracker, width_px: int, height_px: int) -> TrackedTable:
        """Let one more camera watch; each may be fed from a thread of its own.

        Args:
            tracker: It has found the table in the camera's picture.
            width_px: Width of the camera's pictures.
            height_px: Their height.

        Raises:
            ZonesError: The tracker has not found the table.
        """
        watcher = TableWatcher(self._reader, tracker.zones, stable_frames=self._stable_frames)
        eye = _Eye(self, watcher, tracker, (width_px, height_px))
        with self.lock:
            self._eyes.append(eye)
            self.share_out()
        return TrackedTable(eye, tracker)

    def lay_out(self, layout: TableLayout) -> None:
        """Share the table out by this layout, whose zones may have been moved."""
        with self.lock:
            self._layout = layout
            self.share_out()

    def share_out(self) -> None:
        """Give each area to the camera that sees it best now, with what was said of it."""
        owner = owners(self._layout, tuple(eye.view for eye in self._eyes))
        names = [area.name for area in self._layout.zones.areas]
        kept = [
            {names[area] for area, whose in enumerate(owner) if whose == number}
            for number in range(len(self._eyes))
        ]
        left = {
            zone: eye.said.pop(zone)
            for eye, zones in zip(self._eyes, kept, strict=True)
            for zone in set(eye.said) - zones
        }
        for number, eye in enumerate(self._eyes):
            eye.said |= {zone: left[zone] for zone in kept[number] if zone in left}
            foreign = frozenset(area for area, whose in enumerate(owner) if whose != number)
            company = tuple(other.watcher for other in self._eyes if other is not eye)
            eye.watcher.leave_out(foreign, company, eye.said)

    def whole(self, sighting: Sighting) -> Sighting:
        """A sighting with what the other cameras see of the same zone, such as ``off_table``."""
        cards = tuple(card for eye in self._eyes for card in eye.said.get(sighting.zone, ()))
        return Sighting(sighting.zone, cards, sighting.frame, sighting.at_s)
