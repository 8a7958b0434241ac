"""The pictures named on the command line: files, folders, videos, one shot of a camera."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision import IMAGE_SUFFIXES, Frame, FrameSource, VisionError, open_source


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture by its name: a path, with ``#frame`` where it comes from a video."""

    name: str
    frame: Frame


def named_files(spec: str) -> tuple[str, ...]:
    """The sources that one word names: a folder stands for the images in it, by name."""
    if not os.path.isdir(spec):  # noqa: PTH112 - pathlib raises where nobody may look
        return (spec,)
    try:
        inside = sorted(p for p in Path(spec).iterdir() if p.suffix.lower() in IMAGE_SUFFIXES)
    except PermissionError:
        return (spec,)  # opening it says what is wrong
    return tuple(str(p) for p in inside)


def pictures(spec: str, every_s: float) -> Iterator[Picture]:
    """The pictures of one source.

    Args:
        spec: An image, a video, or a camera or stream, of which one picture is taken.
        every_s: Seconds of a video between two pictures.

    Raises:
        VisionError: The source cannot be opened or read.
    """
    is_file = os.path.exists(spec)  # noqa: PTH110 - as above
    is_video = is_file and Path(spec).suffix.lower() not in IMAGE_SUFFIXES
    due_s = 0.0
    with _opened(spec) as source:
        for frame in source:
            if frame.at_s < due_s:
                continue
            due_s = frame.at_s + every_s
            yield Picture(f"{spec}#{frame.number}" if is_video else spec, frame)
            if not is_file:
                return
    if due_s == 0.0:
        raise VisionError(f"{spec} holds no picture; give another file")


def _opened(spec: str) -> FrameSource:
    try:
        return open_source(spec)
    except OSError as error:  # a folder that may not be read
        raise VisionError(f"{spec}: {error.strerror}; give another file") from error
