"""Frames of a table that is only imagined."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.rendered import RenderedCamera, Scene, render
from vision.sources.frames import Frame, ReadingSource


class RenderedSource(ReadingSource):
    """Renders whatever scene its provider says lies there at that moment.

    Args:
        scene: Called once for each frame.
        camera: From where the table is seen.
        clock: Time of a frame, in seconds; the monotonic clock unless injected.
        frames: How many frames there are; 0 for no end.
    """

    def __init__(
        self,
        scene: Callable[[], Scene],
        camera: RenderedCamera | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        frames: int = 0,
    ) -> None:
        self._scene = scene
        self._camera = camera or RenderedCamera()
        self._clock = clock
        self._frames = frames
        self._number = 0

    @property
    def camera(self) -> RenderedCamera:
        """From where the table is seen."""
        return self._camera

    def read(self) -> Frame | None:
        """The picture of the present scene; None after the last frame."""
        if self._frames and self._number >= self._frames:
            return None
        image = render(self._scene(), self._camera, self._number)
        frame = Frame(image, self._clock(), self._number)
        self._number += 1
        return frame
