"""How a source of frames is named and set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """A USB camera and its settings.

    Attributes:
        index: Its number, 0 for the first.
        width_px: Width asked for; the camera may give another.
        height_px: Height asked for.
        exposure: Fixed exposure in the driver's own unit; None leaves it automatic.
        focus: Fixed focus in the driver's own unit; None leaves it automatic.
    """

    index: int
    width_px: int = 1280
    height_px: int = 720
    exposure: float | None = None
    focus: float | None = None


@dataclass(frozen=True, slots=True)
class SourceConfig:
    """A source by its text (``camera:0``, a URL, a file, a folder), with camera settings.

    ``exposure`` and ``focus`` matter for USB cameras only, ``attempts`` for streams
    only: how often in a row one that breaks off is opened again before it is lost.
    """

    spec: str
    width_px: int = 1280
    height_px: int = 720
    exposure: float | None = None
    focus: float | None = None
    attempts: int = 5
