"""From the names in a table file to a connected machine and a watching camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.runtime.camera import CameraFeed
from controller.runtime.config import TableConfig
from firmware_bridge import Shuffler
from vision import (
    CardReader,
    Frame,
    FrameSource,
    Reader,
    Sighting,
    TableLayout,
    TableTracker,
    TableWatcher,
    Zones,
    ZonesError,
    load_layout,
    load_zones,
    open_source,
)

MARKERS: Final = "markers"
"""The word of a table file for zones that are found by printed markers."""

FIRST_LOOKS: Final = 60
"""Pictures searched for the markers before giving up: two seconds of a usual camera."""

LOOK_EVERY: Final = 30
"""Pictures between two searches for the markers: a knock of the camera shows within a second."""


class TrackingWatcher:
    """A watcher whose zones stay on the table although the camera may be knocked.

    Args:
        watcher: Decides on the frames.
        tracker: Finds the table in a frame.
    """

    def __init__(self, watcher: TableWatcher, tracker: TableTracker) -> None:
        self._watcher, self._tracker = watcher, tracker
        self._fed = 0

    def feed(self, frame: Frame) -> tuple[Sighting, ...]:
        """The sightings that this frame completes."""
        self._fed += 1
        if self._fed % LOOK_EVERY == 0 and (zones := self._tracker.update(frame.image)) is not None:
            self._watcher.move_zones(zones)
        return self._watcher.feed(frame)


async def connect_shuffler(config: TableConfig) -> Shuffler:
    """Connect the machine that the table file names.

    Raises:
        LinkError: The port is absent, busy or forbidden, or something else answers.
    """
    section = config.shuffler
    return await Shuffler.connect(section.url, serial_number=section.serial_number)


def open_camera(
    config: TableConfig,
    reader: Callable[[], Reader] = CardReader.load,
    opener: Callable[[str], FrameSource] = open_source,
) -> CameraFeed:
    """Open the camera that the table file names and find the table in its picture.

    Raises:
        VisionError: No pictures, no recogniser, or the zones cannot be found.
    """
    section = config.camera
    source = opener(section.source)
    try:
        if section.zones != MARKERS and (file := load_zones(Path(section.zones))).unit == "px":
            watcher = TableWatcher(reader(), file.zones, stable_frames=section.stable_frames)
            return CameraFeed(source, watcher)
        tracker = TableTracker(_layout(config))
        zones = find_zones(source, tracker)
        watcher = TableWatcher(reader(), zones, stable_frames=section.stable_frames)
        return CameraFeed(source, TrackingWatcher(watcher, tracker))
    except BaseException:
        source.close()
        raise


def find_zones(source: FrameSource, tracker: TableTracker) -> Zones:
    """Look through the first pictures until the markers are found.

    Raises:
        ZonesError: They are not found.
        SourceError: The camera gives no pictures.
    """
    reason = ZonesError("the camera gave no picture in which to look for the markers")
    for _ in range(FIRST_LOOKS):
        frame = source.read()
        if frame is None:
            break
        try:
            if (zones := tracker.update(frame.image)) is not None:
                return zones
        except ZonesError as error:
            reason = error
    raise reason


def _layout(config: TableConfig) -> TableLayout:
    """The zones in millimetres: the standard table's, or those of a zones file."""
    if config.camera.zones == MARKERS:
        return TableLayout.standard(config.table.seats)
    return load_layout(Path(config.camera.zones))
