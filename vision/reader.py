"""Read the cards in a picture: find candidates, straighten them, name them.

Candidates come from ``vision.finder``; a small convolutional net names all of
them in one pass. Where the net is not sure the card is UNKNOWN: a card not
read costs a second look, a card read wrongly costs a ruling.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.errors import ImageError, ModelError
from vision.finder import Candidate, Corners, find_candidates, looks_square, overlap, quad_area
from vision.values import CARD_LABELS, UNKNOWN, Face, Quad, SeenCard

Image = NDArray[np.uint8]

MODEL_PATH: Final = Path(__file__).parent / "model" / "cards.onnx"
"""The recogniser shipped with the package; its sheet lies beside it as ``cards.json``."""

_BACK: Final = len(CARD_LABELS)
_NO_CARD: Final = _BACK + 1
_SMALLEST_IMAGE: Final = 32
_CLUTTER_SHARE: Final = 0.3
"""What looks like no one face, nor a back, this much is clutter."""

_SQUARE_SHARE: Final = 0.8
"""A square is more often a table marker than a slanted card: it must be read well."""

_SURE_FACE: Final = 0.9
"""Faces from here on tell how large the cards in the picture are."""

_SIZE_SPREAD: Final = 3.5
"""Areas of cards in one picture differ by no more: near and far end of a tilted view."""

_MOST_CANDIDATES: Final = 160
"""More outlines than this are clutter; the largest are looked at."""


class ModelSheet(msgspec.Struct, frozen=True):
    """What must be known of a model beside its weights.

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


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """One candidate with what the net says of it."""

    corners: Corners
    crop: Image
    shares: NDArray[np.float64]
    fill: float

    @property
    def card_share(self) -> float:
        """Probability that this is a card at all."""
        return 1.0 - float(self.shares[_NO_CARD])

    @property
    def best_share(self) -> float:
        """Probability of the likeliest face, or of a back."""
        return float(self.shares[:_NO_CARD].max())

    @property
    def face_share(self) -> float:
        """Probability of the likeliest face."""
        return float(self.shares[:_BACK].max())

    @property
    def area(self) -> float:
        """Area in square pixels."""
        return quad_area(self.corners)

    @property
    def rating(self) -> float:
        """How well this candidate explains what lies there: sure and well outlined."""
        return self.best_share * (0.7 + 0.3 * self.fill)


class CardReader:
    """Names the cards in a picture.

    Args:
        net: The net, as OpenCV loaded it.
        sheet: What belongs to it.
    """

    def __init__(self, net: cv2.dnn.Net, sheet: ModelSheet) -> None:
        self._net = net
        self._sheet = sheet

    @classmethod
    def load(cls, model: Path | None = None) -> CardReader:
        """Load a recogniser.

        Args:
            model: ONNX file with its sheet (``.json``) beside it; the shipped one when absent.

        Returns:
            A reader that needs nothing further.

        Raises:
            ModelError: A file is absent, damaged, or not the one its sheet describes.
        """
        path = model or MODEL_PATH
        sheet = _sheet(path.with_suffix(".json"))
        weights = _bytes(path)
        if hashlib.sha256(weights).hexdigest() != sheet.sha256:
            raise ModelError(f"{path} is damaged or of another version: install it again")
        try:
            net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, dtype=np.uint8))
        except cv2.error as error:
            raise ModelError(f"{path} cannot be run by OpenCV {cv2.__version__}") from error
        return cls(net, sheet)

    def read(self, image: NDArray[np.uint8]) -> tuple[SeenCard, ...]:
        """Read the cards in a picture.

        Args:
            image: Shape (H, W, 3), uint8, BGR; both sides of 32 pixels or more.

        Returns:
            One value per card, from top to bottom; empty when there is none.

        Raises:
            ImageError: Not such a picture.
        """
        _verify(image)
        candidates = find_candidates(image)
        readings = self._name(image, candidates)
        cards = [
            r
            for r in readings
            if r.card_share >= self._sheet.is_card and r.best_share >= _share_needed(r)
        ]
        kept = _without_overlaps(_without_details(_of_like_size(cards)))
        kept.sort(key=lambda r: tuple(r.corners.mean(axis=0)[::-1]))
        return tuple(self._seen(reading) for reading in kept)

    def shares(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities for cards that are cut out already.

        Args:
            crops: Shape (N, height, width, 3), BGR, upright or upside down.

        Returns:
            Shape (N, 55): CARD_LABELS, then a back, then no card; rows sum to 1.
        """
        blob = np.ascontiguousarray(crops.transpose(0, 3, 1, 2), dtype=np.float32) / 255
        self._net.setInput(blob)
        logits = np.asarray(self._net.forward(), dtype=np.float64) / self._sheet.temperature
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)

    def _name(self, image: Image, candidates: tuple[Candidate, ...]) -> list[_Reading]:
        if not candidates:
            return []
        largest = sorted(candidates, key=lambda c: -c.area)[:_MOST_CANDIDATES]
        size = (self._sheet.width, self._sheet.height)
        levels = _Levels(image)
        crops = np.stack([straightened(levels, c.corners, size) for c in largest])
        return [
            _Reading(candidate.corners, crop, shares, candidate.fill)
            for candidate, crop, shares in zip(largest, crops, self.shares(crops), strict=True)
        ]

    def _seen(self, reading: _Reading) -> SeenCard:
        faces = reading.shares[:_BACK]
        best = int(faces.argmax())
        back_share = float(reading.shares[_BACK])
        quad = _quad(reading.corners)
        if back_share >= faces[best]:
            return SeenCard(UNKNOWN, Face.DOWN, quad, back_share, back_colour(reading.crop))
        confidence = float(faces[best])
        label = CARD_LABELS[best] if confidence >= self._sheet.sure else UNKNOWN
        return SeenCard(label, Face.UP, quad, confidence)


class _Levels:
    """The picture and its halves, each made when first needed."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    def at(self, level: int) -> Image:
        while len(self._levels) <= level:
            half = cv2.pyrDown(self._levels[-1])
            self._levels.append(np.asarray(half, dtype=np.uint8))
        return self._levels[level]


def straightened(levels: _Levels, corners: Corners, size: tuple[int, int]) -> Image:
    """The card cut out upright, from the level nearest to the wanted size."""
    side = float(np.hypot(*(corners[3] - corners[0])))
    level = max(0, int(np.log2(max(side, 1.0) / size[1])))
    width, height = size
    # Pixel centres of a half-size picture lie at (x + 0.5) / 2 - 0.5.
    source = (corners + 0.5) / 2**level - 0.5
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


def _share_needed(reading: _Reading) -> float:
    return _SQUARE_SHARE if looks_square(reading.corners) else _CLUTTER_SHARE


def _of_like_size(readings: list[_Reading]) -> list[_Reading]:
    """Without what is far larger or smaller than the faces read for sure: cards are of one size."""
    sure = [r.area for r in readings if r.face_share >= _SURE_FACE]
    if not sure:
        return readings
    usual = float(np.median(sure))
    smallest, largest = usual / _SIZE_SPREAD, usual * _SIZE_SPREAD
    return [r for r in readings if smallest <= r.area <= largest]


def _without_details(readings: list[_Reading]) -> list[_Reading]:
    """Without pips and frames that pass for cards but lie inside one."""
    outer = [r for r in readings if r.best_share > 0.3]
    return [r for r in readings if r.face_share >= _SURE_FACE or not _lies_in_one(r, outer)]


def _lies_in_one(inner: _Reading, outers: list[_Reading]) -> bool:
    area = inner.area
    return any(
        area < 0.45 * outer.area and overlap(inner.corners, outer.corners) > 0.9 for outer in outers
    )


def _without_overlaps(readings: list[_Reading]) -> list[_Reading]:
    """Of candidates lying on one another only the best: a card is one thing."""
    kept: list[_Reading] = []
    for reading in sorted(readings, key=lambda r: -r.rating):
        if all(overlap(reading.corners, other.corners) < 0.4 for other in kept):
            kept.append(reading)
    return kept


def _quad(corners: Corners) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)


def _verify(image: NDArray[np.uint8]) -> None:
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8:
        kind = getattr(image, "dtype", type(image).__name__)
        raise ImageError(f"a picture of {kind} cannot be read: give uint8, BGR, (H, W, 3)")
    if image.ndim != 3 or image.shape[2] != 3:
        raise ImageError(f"a picture of shape {image.shape} cannot be read: give (H, W, 3), BGR")
    if min(image.shape[:2]) < _SMALLEST_IMAGE:
        raise ImageError(
            f"a picture of {image.shape[1]} x {image.shape[0]} is too small: "
            f"give {_SMALLEST_IMAGE} pixels or more each way"
        )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"the recogniser's file {path} cannot be read: install it again"
        ) from error


def _sheet(path: Path) -> ModelSheet:
    try:
        return msgspec.json.decode(_bytes(path), type=ModelSheet)
    except msgspec.DecodeError as error:
        raise ModelError(f"{path} does not describe a recogniser: {error}") from error
