"""The checks of ``cutcard doctor`` that look: recogniser, camera, markers and zones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from controller.cli.findings import Finding, failure, ok, warning
from vision import (
    MISLAID_PX,
    CardReader,
    Frame,
    FrameSource,
    HealthMonitor,
    SourceHealth,
    TableLayout,
    VisionError,
    ZonesError,
    find_table,
    load_zones,
    open_source,
)

WARM_UP_FRAMES = 10
"""Pictures taken before one is judged: cameras need some to set exposure and focus."""


def check_model() -> Finding:
    """Whether the recogniser's weights are there and are those that were released."""
    try:
        CardReader.load()
    except VisionError as error:
        return failure("model", str(error), "install cutcard again: make clean demo")
    return ok("model", "the recogniser loads and its checksum is right")


def check_camera(
    spec: str, opener: Callable[[str], FrameSource] = open_source
) -> tuple[Finding, Frame | None]:
    """Whether a source gives usable pictures, and its last picture."""
    monitor, last, health = HealthMonitor(), None, SourceHealth.LOST
    try:
        with opener(spec) as source:
            for frame in source:
                last, health = frame, monitor.feed(frame)
                if frame.number >= WARM_UP_FRAMES:
                    break
    except VisionError as error:
        return failure("camera", *_fact_and_remedy(error, "name another source")), None
    if last is None or health is not SourceHealth.OK:
        return failure("camera", f"{spec}: pictures are {health.value}", health.advice), None
    height, width = last.image.shape[:2]
    return ok("camera", f"{spec} gives pictures of {width} x {height}"), last


def check_markers(frame: Frame, layout: TableLayout) -> Finding:
    """Whether the table is found in the picture by its markers, where the layout has them."""
    try:
        found = find_table(frame.image, layout.markers)
    except ZonesError as error:
        return failure("zones", *_fact_and_remedy(error, "lay the markers out as printed"))
    numbers = ", ".join(str(n) for n in found.markers)
    fact = f"markers {numbers} found, {found.error_px:.1f} pixels off on average"
    if found.error_px > MISLAID_PX:
        return failure(
            "zones", fact, "they lie elsewhere: cutcard calibrate --measure --out zones.toml"
        )
    if len(found.markers) < len(layout.markers):
        return warning("zones", fact, "uncover the other markers: a knock shows sooner with all")
    return ok("zones", fact)


def check_zones_file(path: Path) -> Finding:
    """Whether a zones file can be used."""
    try:
        zones = load_zones(path).zones
    except ZonesError as error:
        return failure("zones", *_fact_and_remedy(error, "correct the file (docs/camera.md)"))
    return ok("zones", f"{path}: {len(zones.names)} zones")


def _fact_and_remedy(error: VisionError, otherwise: str) -> tuple[str, str]:
    """The package's errors say what is wrong, a semicolon, and what to do."""
    fact, _, remedy = str(error).partition("; ")
    return fact, remedy or otherwise
