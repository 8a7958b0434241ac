"""Name whole cards that are cut out: one small convolutional net over the straightened face."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.finder import Corners
from vision.levels import Image, Levels, to_level
from vision.nets import Net, load_sheet
from vision.values import CARD_LABELS

BACK_CLASS: Final = len(CARD_LABELS)
"""Place of a back among the net's answers; the faces come before it."""

NO_CARD_CLASS: Final = BACK_CLASS + 1


class ModelSheet(msgspec.Struct, frozen=True):
    """What must be known of the whole-card net beside its weights.

    Attributes:
        sha256: Of the ONNX file, in hexadecimal.
        width: Of the net's input, in pixels.
        height: Of the net's input, in pixels.
        temperature: Divides the logits so that the confidence means what it says.
        sure: Faces below this confidence are UNKNOWN.
        is_card: Candidates whose probability of being a card is below this are dropped.
    """

    sha256: str
    width: int
    height: int
    temperature: float
    sure: float
    is_card: float


class CardNamer:
    """Names cards that are cut out.

    Args:
        net: The whole-card net.
        sheet: What belongs to it.
    """

    def __init__(self, net: Net, sheet: ModelSheet) -> None:
        self._net = net
        self.sheet = sheet

    @classmethod
    def load(cls, path: Path) -> CardNamer:
        """Load the net, its sheet (``.json``) beside it.

        Raises:
            ModelError: A file is absent, damaged, or not the one its sheet describes.
        """
        sheet = load_sheet(path.with_suffix(".json"), ModelSheet)
        return cls(Net(path, sheet.sha256), sheet)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures it names."""
        return (self.sheet.width, self.sheet.height)

    def shares(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities for cards that are cut out already.

        Args:
            crops: Shape (N, height, width, 3), BGR, upright or upside down.

        Returns:
            Shape (N, 55): CARD_LABELS, then a back, then no card; rows sum to 1.
        """
        logits = self._net.run(crops).astype(np.float64) / self.sheet.temperature
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)


def straightened(levels: Levels, corners: Corners, size: tuple[int, int]) -> Image:
    """The card cut out upright, from the level nearest to the wanted size."""
    side = float(np.hypot(*(corners[3] - corners[0])))
    level = levels.clamped(int(np.log2(max(side, 1.0) / size[1])))
    width, height = size
    source = to_level(corners, level)
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(source.astype(np.float32), target - 0.5)
    cut = cv2.warpPerspective(
        levels.at(level), warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, dtype=np.uint8)


def back_colour(crop: Image) -> str:
    """Name the colour of a back: ``red``, ``blue`` or ``other``."""
    height, width = crop.shape[:2]
    inner = crop[height // 6 : -height // 6, width // 6 : -width // 6]
    hsv = cv2.cvtColor(inner, cv2.COLOR_BGR2HSV).reshape(-1, 3)
    strong = hsv[(hsv[:, 1] > 70) & (hsv[:, 2] > 40)]
    if len(strong) < 0.1 * len(hsv):
        return "other"
    hue = strong[:, 0].astype(np.int64)
    red = float(((hue < 12) | (hue > 165)).mean())
    blue = float(((hue > 95) & (hue < 135)).mean())
    if max(red, blue) < 0.5:
        return "other"
    return "red" if red > blue else "blue"
