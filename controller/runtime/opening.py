"""From the names in a table file to a connected machine and a watching camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.runtime.camera import CameraFeed, Feed, JoinedFeed
from controller.runtime.config import NONE, TableConfig
from firmware_bridge import (
    AuditFile,
    Capability,
    KeyStore,
    KeyStoreError,
    LinkLostError,
    Settings,
    Shuffler,
    WrongDeviceError,
    find_machine,
)
from vision import (
    BackWatch,
    CardReader,
    CardSize,
    FrameSource,
    JoinedTable,
    PileReader,
    Reader,
    SourceConfig,
    TableLayout,
    TableTracker,
    TableWatcher,
    TrackedTable,
    Zones,
    ZonesError,
    load_layout,
    load_zones,
    open_source,
    zone_scales,
)

AUDIT_NAME: Final = "audit.jsonl"
"""The file of security incidents, beside the file of keys."""

MARKERS: Final = "markers"
"""The word of a table file for zones that are found by printed markers."""

FIRST_LOOKS: Final = 60
"""Pictures searched for the markers before giving up: two seconds of a usual camera."""

_LIVE: Final = ("camera:", "rtsp://", "rtsps://", "http://", "https://")

Opener = Callable[[str], FrameSource]


async def connect_shuffler(config: TableConfig) -> Shuffler:
    """Connect the machine that the table file names.

    Raises:
        LinkError: The port is absent, busy or forbidden, something else answers, the machine
            does not prove its key, or the files of keys and incidents cannot be used.
    """
    section = config.shuffler
    settings = Settings() if section.keys == NONE else trusting(Path(section.keys))
    settings = replace(settings, discover=_finding(section.url, section.serial_number))
    try:
        shuffler = await Shuffler.connect(
            section.url, serial_number=section.serial_number, settings=settings
        )
    except LinkLostError as error:
        who = f"cutcard doctor --port {section.url} says who is there"
        raise LinkLostError(error.url, f"{error.detail}; {who}") from error
    return await _with_two_decks(shuffler, config)


async def _with_two_decks(shuffler: Shuffler, config: TableConfig) -> Shuffler:
    """The shuffler, if it has the decks that the table file speaks of.

    Raises:
        WrongDeviceError: it has one deck.
    """
    who = shuffler.identity
    if config.shuffler.second_deck and not who.capabilities & Capability.TWO_DECKS:
        await shuffler.close()
        expected = "a machine with two decks (shuffler.second_deck)"
        raise WrongDeviceError(expected, f"{who.model} with one")
    return shuffler


def _finding(url: str, serial_number: str) -> Callable[[], str] | None:
    """Finds a lost machine by its number under whatever name it comes back; else by its name."""
    if not serial_number or "://" in url:
        return None
    return lambda: find_machine(serial_number, url)


def trusting(keys: Path) -> Settings:
    """Take only a machine whose key is in this file; incidents go to the audit file beside it.

    Raises:
        LinkError: One of the files cannot be used; a file of keys must exist.
    """
    if not keys.exists():
        raise KeyStoreError(keys, "there is no such file: pair the machine, or name another file")
    return Settings(keys=KeyStore(keys), record=AuditFile(keys.with_name(AUDIT_NAME)).record)


def open_live(spec: str) -> FrameSource:
    """Open a source for a running table, which is told of a broken stream at once.

    Raises:
        VisionError: It does not open.
    """
    return open_source(SourceConfig(spec, attempts=0))


def open_camera(
    config: TableConfig,
    reader: Callable[[], Reader] = CardReader.load,
    opener: Opener = open_live,
) -> Feed:
    """Open the camera or cameras that the table file names and find the table in each picture.

    Raises:
        VisionError: No pictures, no recogniser, or the zones cannot be found.
    """
    section = config.camera
    if section.second != NONE:
        return _open_both(config, BackWatch(reader()), opener)
    source = opener(section.source)
    try:
        if section.zones != MARKERS and (file := load_zones(Path(section.zones))).unit == "px":
            watcher = _watcher(config, reader(), file.zones)
            return _feed(section.source, source, watcher, opener)
        layout = _layout(config)
        tracker, _ = found_table(source, layout)
        cards = _telling_apart(reader(), tracker, layout)
        tracked = TrackedTable(_watcher(config, cards, tracker.zones), tracker)
        return _feed(section.source, source, tracked, opener)
    except BaseException:
        source.close()
        raise


def _watcher(config: TableConfig, reader: Reader, zones: Zones) -> TableWatcher:
    frames = config.camera.stable_frames
    return TableWatcher(BackWatch(reader), zones, stable_frames=frames)


def _telling_apart(reader: Reader, tracker: TableTracker, layout: TableLayout) -> Reader:
    """A reader that counts overlapping backs: the markers say how large a card is."""
    scales = sorted(s.px_per_mm for s in zone_scales(layout.zones, tracker.homography))
    return PileReader(reader, CardSize.at(scales[len(scales) // 2]))


def _open_both(config: TableConfig, reader: Reader, opener: Opener) -> Feed:
    section, layout = config.camera, _layout(config)
    joined = JoinedTable(reader, layout, stable_frames=section.stable_frames)
    feeds: list[CameraFeed] = []
    sources: list[FrameSource] = []
    try:
        for spec in (section.source, section.second):
            sources.append(opener(spec))
            tracker, (width, height) = found_table(sources[-1], layout)
            eye = joined.add(tracker, width, height)
            feeds.append(_feed(spec, sources[-1], eye, opener))
    except BaseException:
        for source in sources:
            source.close()
        raise
    return JoinedFeed(tuple(feeds))


def _feed(
    spec: str, source: FrameSource, watcher: TableWatcher | TrackedTable, opener: Opener
) -> CameraFeed:
    """A feed that opens its camera again; a file that has ended has nothing more to give."""
    is_live = spec.startswith(_LIVE)
    reopen = (lambda: opener(spec)) if is_live else None
    return CameraFeed(source, watcher, reopen=reopen, expects_noise=is_live, eye=watcher)


def found_table(source: FrameSource, layout: TableLayout) -> tuple[TableTracker, tuple[int, int]]:
    """Look through the first pictures until the markers are found.

    Returns:
        What has found the table, and width and height of the pictures.

    Raises:
        ZonesError: They are not found.
        SourceError: The camera gives no pictures.
    """
    tracker = TableTracker(layout)
    reason = ZonesError("the camera gave no picture in which to look for the markers")
    for _ in range(FIRST_LOOKS):
        frame = source.read()
        if frame is None:
            break
        try:
            tracker.look(frame.image)
        except ZonesError as error:
            reason = error
        else:
            height, width = frame.image.shape[:2]
            return tracker, (width, height)
    raise reason


def _layout(config: TableConfig) -> TableLayout:
    """The zones in millimetres: the standard table's, or those of a zones file."""
    if config.camera.zones == MARKERS:
        return TableLayout.standard(config.table.seats)
    return load_layout(Path(config.camera.zones))
