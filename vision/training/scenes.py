"""Training pictures: one card as a finder would cut it out of a bad photograph."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.decks import BACK, FACE_SIZE, Face, Faces
from vision.training.network import INPUT_SIZE
from vision.training.photograph import Camera, Picture
from vision.values import CARD_LABELS

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
        self._camera = Camera(self._rng)

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
        rng, camera, height = self._rng, self._camera, scene.shape[0]
        if rng.random() < 0.9:
            scene = camera.lit(scene)
        if rng.random() < 0.2:
            scene = camera.glared(scene)
        if rng.random() < 0.6:
            scene = camera.blurred(scene, 1.0 + height / 150)
        if rng.random() < 0.15:
            scene = camera.shaken(scene, 3 + height / 22)
        if rng.random() < 0.7:
            scene = camera.noisy(scene)
        picture = np.clip(scene, 0, 255).astype(np.uint8)
        if rng.random() < 0.4:
            picture = camera.compressed(picture)
        shrinks = picture.shape[1] > INPUT_SIZE[0]
        mode = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(picture, INPUT_SIZE, interpolation=mode), dtype=np.uint8)
