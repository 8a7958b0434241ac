"""Reads a camera in a thread of its own and hands each sighting over."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from vision import Frame, FrameSource, Sighting, VisionError

_LOGGER = logging.getLogger(__name__)


class Watcher(Protocol):
    """What decides on frames; ``vision.TableWatcher`` is one."""

    def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
        """The sightings that this frame completes."""
        ...


class CameraFeed:
    """A camera and what decides on its frames.

    Args:
        source: Where frames come from; closed when the feed stops.
        watcher: Called from the feed's thread only.
    """

    def __init__(self, source: FrameSource, watcher: Watcher) -> None:
        self._source, self._watcher = source, watcher
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(
        self, seen: Callable[[Sighting], None], ended: Callable[[str, BaseException | None], None]
    ) -> None:
        """Begin to read.

        Args:
            seen: Called in the feed's thread with each sighting.
            ended: Called in the feed's thread when no more frames come: with what
                to tell, and the exception when it is not a fault of the camera.
        """
        self._thread = threading.Thread(
            target=self._read, args=(seen, ended), name="camera", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop reading and close the source; returns when the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        self._source.close()

    def _read(
        self, seen: Callable[[Sighting], None], ended: Callable[[str, BaseException | None], None]
    ) -> None:
        try:
            while not self._stop.is_set():
                frame = self._source.read()
                if frame is None:
                    ended("the source has no more pictures", None)
                    return
                for sighting in self._watcher.feed(frame):
                    seen(sighting)
        except VisionError as error:
            ended(str(error), None)
        except Exception as error:
            _LOGGER.exception("the camera's thread failed")
            ended(str(error), error)
