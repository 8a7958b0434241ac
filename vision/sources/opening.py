"""From the text that names a source to the source."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from vision.errors import SourceError
from vision.rendered import Scene
from vision.sources.capture import CameraSource, StreamSource, VideoSource
from vision.sources.config import CameraSettings, SourceConfig
from vision.sources.frames import FrameSource
from vision.sources.images import HEIC_SUFFIXES, IMAGE_SUFFIXES, FileSource, FolderSource
from vision.sources.rendered import RenderedSource

_STREAM_SCHEMES: Final = ("rtsp://", "rtsps://", "http://", "https://")


def open_source(spec: str | SourceConfig) -> FrameSource:
    """Open a source of frames.

    Args:
        spec: ``camera:N``, an ``rtsp://`` or ``http://`` address, a video file, an
            image file, a folder of images, or ``rendered`` for an empty table.

    Raises:
        SourceError: It names nothing, or what it names does not open.
        ImageError: It names an image file that is none.
    """
    config = SourceConfig(spec) if isinstance(spec, str) else spec
    text = config.spec.strip()
    if text == "rendered":
        return RenderedSource(Scene)
    if text.startswith("camera:"):
        return CameraSource(_camera_settings(config, text))
    if text.lower().startswith(_STREAM_SCHEMES):
        return StreamSource(text, attempts=config.attempts)
    path = Path(text)
    if not text or not path.exists():
        raise SourceError(
            f"nothing is found at {text!r}; give camera:0, an rtsp:// or http:// address, "
            "a video file, an image file or a folder of images"
        )
    if path.is_dir():
        return FolderSource(path)
    is_image = path.suffix.lower() in (*IMAGE_SUFFIXES, *HEIC_SUFFIXES)
    return FileSource(path) if is_image else VideoSource(path)


def _camera_settings(config: SourceConfig, text: str) -> CameraSettings:
    number = text.removeprefix("camera:")
    if not number.isdecimal():
        raise SourceError(f"{text!r} names no camera; give a number, such as camera:0")
    return CameraSettings(
        int(number), config.width_px, config.height_px, config.exposure, config.focus
    )
