"""Read corner indices: one net finds them, another names each of them.

A card that is fanned, overlapped or half under a chip shows little more than
its index. The finding net looks at the picture at several sizes, because it
knows indices from 10 to 46 pixels only; only places with ink on something pale
are shown to it, packed into one sheet so that it is asked once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.levels import Image, Levels, from_level, to_level
from vision.nets import Net, load_sheet
from vision.packing import Patch, inked_patches, packed
from vision.values import CARD_LABELS, RANKS

CORNERS_SHEET: Final = "corners.json"
"""Name of the sheet; it lies beside the two nets."""

STRIDE: Final = 4
"""Pixels per cell of the finding net's answer."""

FINDER_CHANNELS: Final = 6
"""Presence (logit), middle x and y in cells, cosine and sine, logarithm of the height."""

USUAL_INDEX_PX: Final = 20.0
"""Height whose logarithm the finding net calls zero."""

CROP_SIZE: Final = (32, 48)
"""Width and height of an upright index as the naming net sees it, in pixels."""

CROP_INDEX_PX: Final = 36
"""Height of the index itself within the crop: leaves room for a finder's error."""

_SEARCH_SIDE_PX: Final = 1344
"""Larger pictures are searched at this size: an index of 14 pixels on a full-HD frame has 10 then,
which is enough to find it, and is too small to be named."""

_LEVEL_STEP: Final = 2
"""Every second level is searched: the finding net knows indices from 10 to 46 pixels."""

_LARGEST_FOUND_PX: Final = 46
"""Height of the largest index that the finding net knows."""

_LARGEST_INDEX_SHARE: Final = 0.35
"""No index is higher than this share of the picture: a card is not larger than the frame."""

_WORTH_A_LOOK: Final = 0.05
_SURE: Final = 0.98
"""An index named with a confidence between these is cut out and named some times more."""

_JITTER: Final = ((0.05, 0.0, 1.0), (-0.05, 0.0, 1.0), (0.0, 0.08, 0.93), (0.0, -0.08, 1.07))
"""Shift along the index in its heights, turn in radians and size of the further looks."""

_MOST_INDICES: Final = 150
"""A table holds no more; further ones would only cost time."""

RANK_CLASSES: Final = len(RANKS) + 1
"""The ranks from 2 to A, then no index."""


class CornersSheet(msgspec.Struct, frozen=True):
    """What must be known of the corner nets beside their weights.

    Attributes:
        finder_sha256: Of ``finder.onnx``, in hexadecimal.
        namer_sha256: Of ``indices.onnx``.
        present: Finds below this score are not looked at.
        temperature: Divides the naming net's logits so that confidence means what it says.
    """

    finder_sha256: str
    namer_sha256: str
    present: float
    temperature: float


@dataclass(frozen=True, slots=True, eq=False)
class CornerIndex:
    """One corner index: where it is, how it stands, what it says.

    Attributes:
        x: Middle of rank and pip, in pixels of the picture.
        y: The same downwards.
        angle: Direction from rank to pip, in radians clockwise from the x axis.
        height: From the top of the rank to the foot of the pip, in pixels.
        score: How sure the finding net is that there is an index.
        ranks: Probabilities of the ranks as in RANKS, then of no index; shape (14,).
        suits: Probabilities of the suits as in SUITS; shape (4,).
    """

    x: float
    y: float
    angle: float
    height: float
    score: float
    ranks: NDArray[np.float64]
    suits: NDArray[np.float64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Probability of each of the 52 cards, in the order of CARD_LABELS."""
        return np.asarray(np.outer(self.suits, self.ranks[:-1]).ravel(), dtype=np.float64)

    @property
    def card(self) -> str:
        """The likeliest card."""
        return CARD_LABELS[int(self.suits.argmax()) * len(RANKS) + int(self.ranks[:-1].argmax())]

    @property
    def confidence(self) -> float:
        """Of the likeliest card."""
        return float(self.suits.max() * self.ranks[:-1].max())

    def agreement(self, other: CornerIndex) -> float:
        """Probability that both say the same card."""
        return float((self.ranks[:-1] @ other.ranks[:-1]) * (self.suits @ other.suits))

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle as an array."""
        return np.array((self.x, self.y))

    @property
    def down(self) -> NDArray[np.float64]:
        """Unit vector from rank to pip: down the card as its reader holds it."""
        return np.array((np.cos(self.angle), np.sin(self.angle)))

    @property
    def right(self) -> NDArray[np.float64]:
        """Unit vector to the right of that."""
        return np.array((np.sin(self.angle), -np.cos(self.angle)))


@dataclass(frozen=True, slots=True)
class _Find:
    """A place where the finding net sees an index."""

    x: float
    y: float
    angle: float
    height: float
    score: float


class CornerReader:
    """Finds and names corner indices.

    Args:
        finder: The finding net.
        namer: The naming net.
        sheet: What belongs to them.
    """

    def __init__(self, finder: Net, namer: Net, sheet: CornersSheet) -> None:
        self._finder = finder
        self._namer = namer
        self._sheet = sheet

    @classmethod
    def load(cls, folder: Path) -> CornerReader:
        """Load the nets and their sheet from a folder.

        Raises:
            ModelError: A file is absent, damaged, or not the one the sheet describes.
        """
        sheet = load_sheet(folder / CORNERS_SHEET, CornersSheet)
        finder = Net(folder / "finder.onnx", sheet.finder_sha256)
        namer = Net(folder / "indices.onnx", sheet.namer_sha256)
        return cls(finder, namer, sheet)

    def read(self, levels: Levels) -> tuple[CornerIndex, ...]:
        """Read the corner indices in a picture, the surest finds first."""
        finds = self._find(levels)
        return self._named(levels, finds[:_MOST_INDICES]) if finds else ()

    def _find(self, levels: Levels) -> list[_Find]:
        picture = levels.at(0)
        scale = min(1.0, _SEARCH_SIDE_PX / max(picture.shape[:2]))
        search = levels if scale == 1.0 else Levels(_shrunk(picture, scale))
        wanted = range(0, _deepest(search) + 1, _LEVEL_STEP)
        patches = [patch for level in wanted for patch in inked_patches(search, level)]
        if not patches:
            return []
        sheet, places = packed(search, patches)
        answer = self._finder.run(sheet[None])[0]
        share = 1 / (1 + np.exp(-answer[0]))
        highest = cv2.dilate(share, np.ones((3, 3), np.uint8))
        peak = (share >= highest) & (share > self._sheet.present)
        finds: list[_Find] = []
        for patch, (left, top) in zip(patches, places, strict=True):
            rows = slice(top // STRIDE, (top + patch.height) // STRIDE)
            columns = slice(left // STRIDE, (left + patch.width) // STRIDE)
            finds += _finds(patch, answer[:, rows, columns], peak[rows, columns], scale)
        return _distinct(finds)

    def _named(self, levels: Levels, finds: list[_Find]) -> tuple[CornerIndex, ...]:
        ranks, suits = self.shares(np.stack([_cut(levels, find) for find in finds]))
        sure = ranks[:, :-1].max(axis=1) * suits.max(axis=1)
        again = [n for n, share in enumerate(sure) if _WORTH_A_LOOK < share < _SURE]
        if again:
            looks = [_cut(levels, find) for n in again for find in _jittered(finds[n])]
            shape = (len(again), len(_JITTER), -1)
            more_ranks, more_suits = self.shares(np.stack(looks))
            ranks[again] = _agreed(ranks[again], more_ranks.reshape(shape))
            suits[again] = _agreed(suits[again], more_suits.reshape(shape))
        return tuple(
            CornerIndex(f.x, f.y, f.angle, f.height, f.score, rank, suit)
            for f, rank, suit in zip(finds, ranks, suits, strict=True)
        )

    def shares(self, crops: Image) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities for indices that are cut out already.

        Args:
            crops: Shape (N, 48, 32, 3), BGR, upright.

        Returns:
            Shape (N, 14): the ranks from 2 to A, then no index; and (N, 4): suits as in SUITS.
        """
        logits = self._namer.run(crops).astype(np.float64) / self._sheet.temperature
        return _softmax(logits[:, :RANK_CLASSES]), _softmax(logits[:, RANK_CLASSES:])


def _shrunk(picture: Image, scale: float) -> Image:
    # Averaging over areas is slow, and needed only where pixels would be left out.
    mode = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=mode), np.uint8)


def _deepest(search: Levels) -> int:
    """The level at which the highest index there can be is small enough for the finding net."""
    highest = _LARGEST_INDEX_SHARE * min(search.at(0).shape[:2])
    return search.clamped(int(np.ceil(np.log2(max(1.0, highest / _LARGEST_FOUND_PX)))))


def _finds(
    patch: Patch, answer: NDArray[np.float32], peak: NDArray[np.bool_], scale: float
) -> list[_Find]:
    """The peaks within a patch, in pixels of the picture that was shrunk by ``scale``."""
    finds = []
    for row, column in zip(*np.nonzero(peak), strict=True):
        present, dx, dy, cosine, sine, size = answer[:, row, column].tolist()
        x = patch.left + (column + dx + 0.5) * STRIDE - 0.5
        y = patch.top + (row + dy + 0.5) * STRIDE - 0.5
        x, y = ((from_level(np.array((x, y)), patch.level) + 0.5) / scale - 0.5).tolist()
        height = USUAL_INDEX_PX * float(np.exp(size)) * 2**patch.level / scale
        score = float(1 / (1 + np.exp(-present)))
        finds.append(_Find(x, y, float(np.arctan2(sine, cosine)), height, score))
    return finds


def _distinct(finds: list[_Find]) -> list[_Find]:
    """Each index once: of finds at one place the surest, whatever level it comes from."""
    ranked = sorted(finds, key=lambda f: -f.score)
    places = np.array([(f.x, f.y) for f in ranked]).reshape(-1, 2)
    heights = np.array([f.height for f in ranked])
    is_taken = np.zeros(len(ranked), dtype=bool)
    kept = []
    for number, find in enumerate(ranked):
        if not is_taken[number]:
            kept.append(find)
            away = np.hypot(*(places - places[number]).T)
            is_taken |= away <= 0.4 * np.minimum(heights, find.height)
    return kept


def _cut(levels: Levels, find: _Find) -> Image:
    """The index cut out and stood upright, from the level nearest to the wanted size."""
    level = levels.clamped(int(np.log2(max(1.0, find.height / CROP_INDEX_PX))))
    x, y = to_level(np.array((find.x, find.y)), level).tolist()
    return cut_index(levels.at(level), (x, y), find.angle, find.height / 2**level)


def cut_index(picture: Image, middle: tuple[float, float], angle: float, height: float) -> Image:
    """An index cut out and stood upright, of CROP_SIZE.

    Args:
        picture: Shape (H, W, 3), BGR.
        middle: Of the index, x and y in pixels.
        angle: Direction from rank to pip, in radians clockwise from the x axis.
        height: Of rank and pip together, in pixels.
    """
    scale = height / CROP_INDEX_PX
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    # Downwards in the crop is along the angle; rightwards is a quarter turn back from it.
    across, down = np.array((s, -c)), np.array((c, s))
    half_width, half_height = CROP_SIZE[0] / 2 - 0.5, CROP_SIZE[1] / 2 - 0.5
    origin = np.array(middle) - across * half_width - down * half_height
    move = np.column_stack([across, down, origin])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(picture, move, CROP_SIZE, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8)


def _jittered(find: _Find) -> list[_Find]:
    """The same find, a little moved, turned and sized."""
    down = np.array((np.cos(find.angle), np.sin(find.angle))) * find.height
    return [
        _Find(
            find.x + shift * float(down[0]),
            find.y + shift * float(down[1]),
            find.angle + turn,
            find.height * size,
            find.score,
        )
        for shift, turn, size in _JITTER
    ]


def _agreed(first: NDArray[np.float64], more: NDArray[np.float64]) -> NDArray[np.float64]:
    """Geometric mean of several looks, shapes (N, K) and (N, looks, K), again a distribution."""
    logs = np.log(np.concatenate([first[:, None], more], axis=1) + 1e-9).mean(axis=1)
    return _softmax(logs)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float64)
