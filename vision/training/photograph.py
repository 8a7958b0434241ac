"""What a camera does to a picture: light, glare, blur, shake, noise and JPEG."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
"""Colours 0..255, shape (height, width, 3), BGR."""

_WARM: Final = (0.5, 0.78, 1.0)
"""Share of blue, green and red that a warm lamp leaves at its warmest."""


class Camera:
    """Spoils pictures as cameras and lamps do.

    Args:
        rng: Where its chance comes from.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def lit(self, scene: Picture) -> Picture:
        """Brightness, contrast, the lamp's colour, and a slope or the edge of a shadow."""
        rng = self._rng
        gain = rng.uniform(0.38, 1.15) * rng.normal(1, 0.07, 3)
        if rng.random() < 0.35:
            gain = gain * (1 - rng.random() * (1 - np.array(_WARM)))
        height, width = scene.shape[:2]
        angle = rng.uniform(0, 2 * np.pi)
        across = np.linspace(-0.5, 0.5, width, dtype=np.float32) * np.float32(np.cos(angle))
        down = np.linspace(-0.5, 0.5, height, dtype=np.float32) * np.float32(np.sin(angle))
        along = across[None, :] + down[:, None]
        slope = 1 + along * np.float32(rng.uniform(0, 0.6))
        if rng.random() < 0.3:
            shade = np.float32(rng.uniform(0.35, 0.8))
            slope *= np.where(along > rng.uniform(-0.4, 0.4), shade, np.float32(1))
        scene *= gain.astype(np.float32)
        scene *= slope[..., None]
        scene += np.float32(rng.uniform(0, 35))
        return scene

    def glared(self, scene: Picture) -> Picture:
        """A lamp mirrored in the card's varnish."""
        rng = self._rng
        height, width = scene.shape[:2]
        y = (np.linspace(0, 1, height, dtype=np.float32) - rng.random()) / rng.uniform(0.05, 0.4)
        x = (np.linspace(0, 1, width, dtype=np.float32) - rng.random()) / rng.uniform(0.05, 0.4)
        spot = np.exp(-(x[None, :] ** 2 + y[:, None] ** 2)) * rng.uniform(60, 200)
        scene += spot[..., None].astype(np.float32)
        return scene

    def blurred(self, scene: Picture, most_px: float) -> Picture:
        """Out of focus, by up to ``most_px`` of standard deviation."""
        sigma = float(self._rng.uniform(0.25, max(0.3, most_px)))
        return np.asarray(cv2.GaussianBlur(scene, (0, 0), sigma), dtype=np.float32)

    def shaken(self, scene: Picture, most_px: float) -> Picture:
        """Blur of a moving card or camera, up to ``most_px`` long."""
        length = max(2, int(self._rng.uniform(1.5, max(2.0, most_px)) + 0.5))
        kernel = np.zeros((length, length), dtype=np.float32)
        angle = self._rng.uniform(0, np.pi)
        half = (length - 1) / 2
        ends = [
            (round(half + side * half * np.cos(angle)), round(half + side * half * np.sin(angle)))
            for side in (-1, 1)
        ]
        cv2.line(kernel, ends[0], ends[1], 1.0)
        return np.asarray(cv2.filter2D(scene, -1, kernel / kernel.sum()), dtype=np.float32)

    def sharpened(self, scene: Picture) -> Picture:
        """The edge enhancement of telephones and webcams."""
        soft = cv2.GaussianBlur(scene, (0, 0), float(self._rng.uniform(0.6, 1.6)))
        return np.asarray(scene + (scene - soft) * self._rng.uniform(0.3, 1.5), dtype=np.float32)

    def noisy(self, scene: Picture) -> Picture:
        """The noise of the sensor."""
        sigma = np.float32(self._rng.uniform(1, 11))
        scene += self._rng.standard_normal(scene.shape, dtype=np.float32) * sigma
        return scene

    def compressed(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Through JPEG and back."""
        quality = int(self._rng.integers(30, 92))
        _, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, quality))
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
