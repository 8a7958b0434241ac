"""Training pictures: one card as a finder would cut it out of a bad photograph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.decks import BACK, FACE_SIZE, Face, Faces
from vision.training.network import INPUT_SIZE
from vision.values import CARD_LABELS

Picture = NDArray[np.float32]
"""Colours 0..255, shape (height, width, 3), BGR."""

BACK_CLASS: Final = len(CARD_LABELS)
NO_CARD_CLASS: Final = BACK_CLASS + 1

_NO_CARD_SHARE: Final = 0.12
_BACK_SHARE: Final = 0.05


class Scenes:
    """An endless, seeded supply of labelled pictures.

    Args:
        faces: What ``load_faces`` gave.
        seed: Same seed, same pictures.
    """

    def __init__(self, faces: Faces, seed: int) -> None:
        self._faces = faces
        self._everything = [face for label in (*CARD_LABELS, BACK) for face in faces[label]]
        self._rng = np.random.default_rng(seed)

    def batch(self, size: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Pictures, shape (size, 3, height, width) in 0..1, and their classes."""
        labels = [self._draw_label() for _ in range(size)]
        pictures = np.stack([self.picture(label) for label in labels])
        return (
            np.ascontiguousarray(pictures.transpose(0, 3, 1, 2), dtype=np.float32)
            / np.float32(255),
            np.array(labels, dtype=np.int64),
        )

    def picture(self, label: int) -> NDArray[np.uint8]:
        """One picture of a class, shape (height, width, 3), BGR."""
        rng = self._rng
        height = float(np.exp(rng.uniform(np.log(52), np.log(190))))
        canvas = (max(20, round(height * 0.714)), round(height))
        is_card = label != NO_CARD_CLASS
        return self._photographed(self._card(label, canvas) if is_card else self._no_card(canvas))

    def _draw_label(self) -> int:
        share = self._rng.random()
        if share < _NO_CARD_SHARE:
            return NO_CARD_CLASS
        if share < _NO_CARD_SHARE + _BACK_SHARE:
            return BACK_CLASS
        return int(self._rng.integers(0, BACK_CLASS))

    def _card(self, label: int, canvas: tuple[int, int]) -> Picture:
        name = BACK if label == BACK_CLASS else CARD_LABELS[label]
        scene = self._background(canvas)
        if self._rng.random() < 0.25:
            self._lay(scene, self._any_face(), self._beside())
        face = self._faces[name][int(self._rng.integers(0, len(self._faces[name])))]
        if label == BACK_CLASS:
            face = self._recoloured(face)
        self._lay(scene, face, self._corners(0.035))
        self._cover(scene)
        return scene

    def _no_card(self, canvas: tuple[int, int]) -> Picture:
        """Table, half a card, a card lying across, two at once, or a detail such as a pip."""
        scene, rng = self._background(canvas), self._rng
        kind = rng.integers(0, 6)
        if kind == 1:
            shift = rng.choice([-1, 1], 2) * rng.uniform(0.33, 0.7, 2)
            self._lay(scene, self._any_face(), self._corners(0.05) * rng.uniform(0.9, 1.6) + shift)
        elif kind == 2:
            self._lay(scene, self._any_face(), np.roll(self._corners(0.05), 1, axis=0))
        elif kind == 3:
            for side in (-0.25, 0.25):
                half = (self._corners(0.05) - 0.5) * (0.5, rng.uniform(0.35, 1)) + 0.5
                self._lay(scene, self._any_face(), half + np.array((side, 0.0)))
        elif kind >= 4:
            corners = self._corners(0.05) - rng.uniform(0.1, 0.9, 2)
            self._lay(scene, self._any_face(), corners * rng.uniform(2.2, 7.0) + 0.5)
        if kind == 0 or rng.random() < 0.2:
            self._cover(scene, often=1.0, reach=0.6)
        return scene

    def _any_face(self) -> Face:
        return self._everything[int(self._rng.integers(0, len(self._everything)))]

    def _corners(self, jitter: float) -> NDArray[np.float64]:
        """Where the four corners come to lie, in fractions of the picture."""
        rng = self._rng
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float64)
        if rng.random() < 0.5:
            square = np.roll(square, 2, axis=0)
        square = (square - 0.5) * rng.normal(1.0, 0.02, 2) + 0.5 + rng.normal(0, 0.012, 2)
        return square + rng.normal(0, jitter * rng.random(), (4, 2))

    def _beside(self) -> NDArray[np.float64]:
        angle = self._rng.uniform(0, 2 * np.pi)
        shift = np.array((np.cos(angle), np.sin(angle))) * self._rng.uniform(0.6, 1.05)
        return self._corners(0.08) + shift

    def _lay(self, scene: Picture, face: Face, corners: NDArray[np.float64]) -> None:
        height, width = scene.shape[:2]
        grown = self._reduced(face, width)
        source = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32) * (
            grown.shape[1],
            grown.shape[0],
        )
        target = (corners * (width, height)).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source.astype(np.float32), target)
        laid = cv2.warpPerspective(grown, warp, (width, height), flags=cv2.INTER_LINEAR)
        alpha = laid[..., 3:].astype(np.float32) / 255
        scene *= 1 - alpha
        scene += laid[..., :3] * alpha

    def _reduced(self, face: Face, width: int) -> Face:
        if width * 1.5 >= FACE_SIZE[0]:
            return face
        size = (round(width * 1.3), round(width * 1.3 * FACE_SIZE[1] / FACE_SIZE[0]))
        return np.asarray(cv2.resize(face, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def _background(self, canvas: tuple[int, int]) -> Picture:
        rng = self._rng
        colour = rng.uniform(10, 235, 3)
        if rng.random() < 0.45:
            colour = np.array((rng.uniform(20, 90), rng.uniform(60, 150), rng.uniform(10, 70)))
        coarse = rng.normal(0, rng.uniform(2, 25), (4, 3, 1))
        texture = cv2.resize(coarse.astype(np.float32), canvas)[..., None]
        fine = rng.normal(0, rng.uniform(1, 14), (canvas[1], canvas[0], 1))
        return np.asarray(colour + texture + fine, dtype=np.float32)

    def _recoloured(self, face: Face) -> Face:
        """The same back in another colour."""
        hsv = cv2.cvtColor(face[..., :3], cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0] + int(self._rng.integers(0, 180))) % 180
        return np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), face[..., 3]])

    def _cover(self, scene: Picture, often: float = 0.3, reach: float = 0.28) -> None:
        """A chip, a coin or a finger over a part of the picture."""
        rng = self._rng
        if rng.random() >= often:
            return
        height, width = scene.shape[:2]
        colour = rng.uniform(10, 245, 3).tolist()
        if rng.random() < 0.4:
            colour = (np.array((140, 170, 220)) * rng.uniform(0.5, 1.1)).tolist()
        angle = rng.uniform(0, 2 * np.pi)
        away = np.array((np.cos(angle), np.sin(angle))) * rng.uniform(0.35, 0.6)
        x, y = (int(v) for v in (away + 0.5) * (width, height))
        axes = (int(width * rng.uniform(0.08, reach)), int(width * rng.uniform(0.08, reach)))
        cv2.ellipse(scene, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, colour, -1)

    def _photographed(self, scene: Picture) -> NDArray[np.uint8]:
        steps: tuple[tuple[float, Callable[[Picture], Picture]], ...] = (
            (0.9, self._lit),
            (0.2, self._glared),
            (0.6, self._blurred),
            (0.15, self._shaken),
            (0.7, self._noisy),
        )
        for often, step in steps:
            if self._rng.random() < often:
                scene = step(scene)
        picture = np.clip(scene, 0, 255).astype(np.uint8)
        if self._rng.random() < 0.4:
            quality = int(self._rng.integers(30, 92))
            _, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, quality))
            picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)
        shrinks = picture.shape[1] > INPUT_SIZE[0]
        mode = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(picture, INPUT_SIZE, interpolation=mode), dtype=np.uint8)

    def _lit(self, scene: Picture) -> Picture:
        """Brightness, contrast, the lamp's colour, and a slope or the edge of a shadow."""
        rng = self._rng
        gain = rng.uniform(0.42, 1.12) * rng.normal(1, 0.07, 3)
        if rng.random() < 0.3:
            gain = gain * (rng.uniform(0.55, 0.9), rng.uniform(0.8, 0.95), 1.0)
        lift = rng.uniform(0, 35)
        height, width = scene.shape[:2]
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        along = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
        slope = 1 + along * rng.uniform(0, 0.5)
        if rng.random() < 0.2:
            slope *= np.where(along > rng.uniform(-0.4, 0.4), rng.uniform(0.4, 0.8), 1.0)
        return np.asarray(scene * gain * slope[..., None] + lift, dtype=np.float32)

    def _glared(self, scene: Picture) -> Picture:
        rng = self._rng
        height, width = scene.shape[:2]
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        from_centre = np.hypot(
            (x / width - rng.random()) / rng.uniform(0.1, 0.4),
            (y / height - rng.random()) / rng.uniform(0.1, 0.4),
        )
        spot = np.exp(-(from_centre**2)) * rng.uniform(60, 200)
        return np.asarray(scene + spot[..., None], dtype=np.float32)

    def _blurred(self, scene: Picture) -> Picture:
        sigma = float(self._rng.uniform(0.3, 1.0 + scene.shape[0] / 150))
        return np.asarray(cv2.GaussianBlur(scene, (0, 0), sigma), dtype=np.float32)

    def _shaken(self, scene: Picture) -> Picture:
        """Blur of a moving card or camera."""
        length = int(self._rng.integers(2, 3 + scene.shape[0] // 22))
        kernel = np.zeros((length, length), dtype=np.float32)
        angle = self._rng.uniform(0, np.pi)
        half = (length - 1) / 2
        ends = [
            (round(half + side * half * np.cos(angle)), round(half + side * half * np.sin(angle)))
            for side in (-1, 1)
        ]
        cv2.line(kernel, ends[0], ends[1], 1.0)
        return np.asarray(cv2.filter2D(scene, -1, kernel / kernel.sum()), dtype=np.float32)

    def _noisy(self, scene: Picture) -> Picture:
        sigma = self._rng.uniform(1, 11)
        noise = self._rng.standard_normal(scene.shape, dtype=np.float32)
        return np.asarray(scene + noise * sigma, dtype=np.float32)
