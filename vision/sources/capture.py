"""Cameras, streams and video files, through OpenCV."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.sources.config import CameraSettings
from vision.sources.frames import Frame, ReadingSource

_LOGGER = logging.getLogger(__name__)

STREAM_TIMEOUT_MS: Final = 5000
"""A stream that answers nothing for so long is treated as broken off."""

_FIRST_WAIT_S: Final = 0.5
_LONGEST_WAIT_S: Final = 8.0

_DEFAULT_FPS: Final = 25.0
"""For a video file that does not tell its rate."""

_MANUAL_EXPOSURE: Final = 1.0
"""Value of CAP_PROP_AUTO_EXPOSURE that switches it off with V4L2."""


def quiet_opencv() -> None:
    """Keep OpenCV and its video library from writing to stderr: our errors say it."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_VIDEOIO_DEBUG", "0")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


# The video library reads the variable once, at its first use by anybody in the process.
quiet_opencv()


class CameraSource(ReadingSource):
    """A USB camera by its number.

    Args:
        settings: Which camera, and how it is set.
        clock: Time of a frame.

    Raises:
        SourceError: There is no such camera, or another program holds it.
    """

    def __init__(
        self, settings: CameraSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        quiet_opencv()
        self._settings = settings
        self._clock = clock
        self._number = 0
        self._capture = cv2.VideoCapture(settings.index)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"camera {settings.index} does not open; plug it in, close other programs "
                "that use it, or choose another number"
            )
        self._apply()

    def _apply(self) -> None:
        wanted = self._settings
        capture = self._capture
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, wanted.width_px)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wanted.height_px)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if wanted.exposure is not None:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
            if not capture.set(cv2.CAP_PROP_EXPOSURE, wanted.exposure):
                _LOGGER.warning("camera %s does not let its exposure be fixed", wanted.index)
        if wanted.focus is not None:
            capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)
            if not capture.set(cv2.CAP_PROP_FOCUS, wanted.focus):
                _LOGGER.warning("camera %s does not let its focus be fixed", wanted.index)

    def read(self) -> Frame | None:
        """The next frame.

        Raises:
            SourceError: The camera stopped giving frames.
        """
        is_read, image = self._capture.read()
        if not is_read or image is None:
            raise SourceError(
                f"camera {self._settings.index} has stopped giving pictures; check its cable"
            )
        frame = Frame(_bgr(image), self._clock(), self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


class VideoSource(ReadingSource):
    """A video file; times follow from its frame rate.

    Raises:
        SourceError: The file is absent or is no video.
    """

    def __init__(self, path: Path) -> None:
        quiet_opencv()
        if not path.is_file():
            raise SourceError(f"there is no video file {path}; give an existing file")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"{path} is not a video that can be read; give MP4, AVI or MKV")
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._frame_s = 1 / rate if rate > 0 else 1 / _DEFAULT_FPS
        self._number = 0

    def read(self) -> Frame | None:
        """The next frame; None at the end of the file."""
        is_read, image = self._capture.read()
        if not is_read or image is None:
            return None
        frame = Frame(_bgr(image), self._number * self._frame_s, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Let go of the file."""
        self._capture.release()


class StreamSource(ReadingSource):
    """An RTSP, HTTP or MJPEG stream that is opened again when it breaks off.

    Args:
        url: Address of the stream.
        attempts: How often in a row it is opened again before it counts as lost.
        clock: Time of a frame.
        wait: Waits some seconds between attempts, longer each time.

    Raises:
        SourceError: The stream does not open the first time.
    """

    def __init__(
        self,
        url: str,
        *,
        attempts: int = 5,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        quiet_opencv()
        self._url = url
        self._attempts = attempts
        self._clock = clock
        self._wait = wait
        self._number = 0
        self._capture = _open_stream(url)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"stream {url} does not open; check the address and the network")

    def read(self) -> Frame | None:
        """The next frame, after opening the stream again if need be.

        Raises:
            SourceError: It broke off and could not be opened again.
        """
        image = self._grab()
        wait_s = _FIRST_WAIT_S
        for attempt in range(1, self._attempts + 1):
            if image is not None:
                break
            _LOGGER.warning(
                "stream %s broke off; opening it again in %.1f s (%d of %d)",
                self._url,
                wait_s,
                attempt,
                self._attempts,
            )
            self._wait(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)
            self._capture.release()
            self._capture = _open_stream(self._url)
            image = self._grab()
        if image is None:
            tried = f" after {self._attempts} attempts" if self._attempts else ""
            raise SourceError(
                f"stream {self._url} is lost{tried}; check the camera's power and the network"
            )
        frame = Frame(image, self._clock(), self._number)
        self._number += 1
        return frame

    def _grab(self) -> NDArray[np.uint8] | None:
        is_read, image = self._capture.read()
        return _bgr(image) if is_read and image is not None else None

    def close(self) -> None:
        """Let go of the connection."""
        self._capture.release()


def _open_stream(url: str) -> cv2.VideoCapture:
    limits = [
        *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_TIMEOUT_MS),
        *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_TIMEOUT_MS),
    ]
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)


def _bgr(image: NDArray[np.number]) -> NDArray[np.uint8]:
    """What a capture gave, as (H, W, 3) uint8."""
    pixels = np.asarray(image, dtype=np.uint8)
    return np.repeat(pixels[..., None], 3, axis=2) if pixels.ndim == 2 else pixels
