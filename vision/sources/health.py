"""Whether the pictures of a camera can be used, from the pictures alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.frames import Frame

BLACK_LEVEL: Final = 12.0
"""Grey level below which 99 % of the pixels make a picture black; video black is 16."""

BLURRED_DETAIL: Final = 12.0
"""Variance of the Laplacian, at 640 pixels of width, below which no index can be read."""

FROZEN_AFTER_S: Final = 2.0
"""A real sensor's noise makes two pictures differ; equal ones for so long are a hung stream."""

LOST_AFTER_S: Final = 3.0
"""Without any picture for so long the camera counts as lost."""

_WIDTH_PX: Final = 640


class SourceHealth(Enum):
    """State of a source; ``advice`` says what to do about it."""

    OK = "ok"
    BLACK = "black"
    BLURRED = "blurred"
    FROZEN = "frozen"
    MOVED = "moved"
    """The camera was moved and the table is found again: what it says holds."""
    ASTRAY = "astray"
    """The camera was moved and the table is not found: it says nothing until it is."""
    LOST = "lost"

    @property
    def advice(self) -> str:
        """One sentence for the person at the table; empty when all is well."""
        return _ADVICE[self]


_ADVICE: Final[dict[SourceHealth, str]] = {
    SourceHealth.OK: "",
    SourceHealth.BLACK: "The picture is black: take off the lens cover and switch on the light.",
    SourceHealth.BLURRED: "The picture is blurred: wipe the lens and focus on the table.",
    SourceHealth.FROZEN: "The picture stands still: restart the camera or its stream.",
    SourceHealth.MOVED: "The camera was moved: its table is found again by the markers.",
    SourceHealth.ASTRAY: "The camera was moved: uncover the table's markers or set it back.",
    SourceHealth.LOST: "The camera gives no pictures: check its cable and its power.",
}


@dataclass(frozen=True, slots=True)
class _Still:
    """The last picture and since when it has been the same."""

    image: NDArray[np.uint8]
    since_s: float


class HealthMonitor:
    """Judges a source from its frames; time comes with the frames and the question.

    Args:
        expects_noise: Whether equal pictures mean a hung stream, as they do for a
            camera; False for rendered pictures and files.
    """

    def __init__(self, *, expects_noise: bool = True) -> None:
        self._expects_noise = expects_noise
        self._still: _Still | None = None
        self._last_s: float | None = None
        self._health = SourceHealth.OK

    def feed(self, frame: Frame) -> SourceHealth:
        """Judge the source by its newest frame."""
        self._last_s = frame.at_s
        still = self._still
        if still is None or not _equal(still.image, frame.image):
            still = self._still = _Still(frame.image, frame.at_s)
        if self._expects_noise and frame.at_s - still.since_s >= FROZEN_AFTER_S:
            self._health = SourceHealth.FROZEN
        else:
            self._health = judge_picture(frame.image)
        return self._health

    def at(self, now_s: float) -> SourceHealth:
        """The health at a time, on the clock of the frames: LOST after a silence."""
        if self._last_s is not None and now_s - self._last_s >= LOST_AFTER_S:
            return SourceHealth.LOST
        return self._health


def judge_picture(image: NDArray[np.uint8]) -> SourceHealth:
    """OK, BLACK or BLURRED, from one picture (H, W, 3), BGR."""
    height = max(1, round(image.shape[0] * _WIDTH_PX / image.shape[1]))
    small = cv2.resize(image, (_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 99)) < BLACK_LEVEL:
        return SourceHealth.BLACK
    if float(cv2.Laplacian(grey, cv2.CV_32F).var()) < BLURRED_DETAIL:
        return SourceHealth.BLURRED
    return SourceHealth.OK


def _equal(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    return one.shape == other.shape and np.array_equal(one, other)
