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

_LEVEL_STEP: Final = 2
"""Every second level is searched: the finding net knows indices from 10 to 46 pixels."""

_LARGEST_FOUND_PX: Final = 46
"""Height of the largest index that the finding net knows."""

_LARGEST_INDEX_SHARE: Final = 0.35
"""No index is higher than this share of the picture: a card is not larger than the frame."""

_WORTH_A_LOOK: Final = 0.3
_SURE: Final = 0.98
"""An index named with a confidence between these is cut out and named some times more."""

_NEIGHBOURS: Final = 3
"""So many sure indices near an unsure one tell how high it is and how it stands."""

_OFF_SIZE: Final = 0.5
_OFF_TURN: Final = 1.0
"""Logarithm of heights and radians by which an index may differ from its neighbours and still be
taken to be as they are."""

_MOVED_SCORE: Final = 0.3
_MOVED_SURE: Final = 0.5
"""It is looked at so from this score on, and moved if it is then named with this confidence."""

_RANK_SHARE: Final = 0.25
"""The middle of the rank is this share of the index's height above the middle of both."""

_JITTER: Final = ((0.05, 0.0, 1.0), (-0.05, 0.0, 1.0), (0.0, 0.08, 0.93), (0.0, -0.08, 1.07))
"""Shift along the index in its heights, turn in radians and size of the further looks."""

_MOST_INDICES: Final = 150
"""A table holds no more; further ones would only cost time."""

_GRID: Final = np.stack(
    np.meshgrid(*(np.arange(side, dtype=np.float32) - (side - 1) / 2 for side in CROP_SIZE))
)
"""How far every place of the crop is from its middle, right and down; shape (2, height, width)."""

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
        scale = levels.shrunk().scale
        search = levels if scale == 1.0 else Levels(levels.shrunk().image)
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
        ranks, suits = self.shares(_cuts(levels, finds))
        finds, moved = self._moved(levels, finds, ranks, suits)
        sure = _confidence(ranks, suits)
        unsure = (sure > _WORTH_A_LOOK) & (sure < _SURE)
        again = np.flatnonzero(unsure | moved).tolist()
        if again:
            looks = [find for n in again for find in _jittered(finds[n])]
            shape = (len(again), len(_JITTER), -1)
            more_ranks, more_suits = self.shares(_cuts(levels, looks))
            ranks[again] = _agreed(ranks[again], more_ranks.reshape(shape))
            suits[again] = _agreed(suits[again], more_suits.reshape(shape))
        return tuple(
            CornerIndex(f.x, f.y, f.angle, f.height, f.score, rank, suit)
            for f, rank, suit in zip(finds, ranks, suits, strict=True)
        )

    def _moved(
        self,
        levels: Levels,
        finds: list[_Find],
        ranks: NDArray[np.float64],
        suits: NDArray[np.float64],
    ) -> tuple[list[_Find], NDArray[np.bool_]]:
        """The finds, some standing as their neighbours do because they are named better so.

        A pip close to an index draws the finding net's idea of its height and direction
        off. Cards of a table are of one size, and those next to each other lie much alike.

        Args:
            levels: The picture.
            finds: All of them.
            ranks: Their probabilities; follow where a find is moved.
            suits: The same.

        Returns:
            The finds, and which of them were moved.
        """
        moved = np.zeros(len(finds), dtype=bool)
        others = _as_neighbours(finds, _confidence(ranks, suits))
        if not others:
            return finds, moved
        places = list(others)
        more_ranks, more_suits = self.shares(_cuts(levels, list(others.values())))
        before = _confidence(ranks[places], suits[places])
        better = _confidence(more_ranks, more_suits) > np.maximum(before, _MOVED_SURE)
        moved[np.array(places)[better]] = True
        ranks[moved], suits[moved] = more_ranks[better], more_suits[better]
        return [others[n] if moved[n] else find for n, find in enumerate(finds)], moved

    def shares(self, crops: Image) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Probabilities for indices that are cut out already.

        Args:
            crops: Shape (N, 48, 32, 3), BGR, upright.

        Returns:
            Shape (N, 14): the ranks from 2 to A, then no index; and (N, 4): suits as in SUITS.
        """
        logits = self._namer.run(crops).astype(np.float64) / self._sheet.temperature
        return _softmax(logits[:, :RANK_CLASSES]), _softmax(logits[:, RANK_CLASSES:])


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


def _confidence(ranks: NDArray[np.float64], suits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Confidence in the likeliest card of each find."""
    return np.asarray(ranks[:, :-1].max(axis=1) * suits.max(axis=1), dtype=np.float64)


def _as_neighbours(finds: list[_Find], sure: NDArray[np.float64]) -> dict[int, _Find]:
    """Finds that are not named for sure, standing as the sure ones near them do, by place."""
    known = np.flatnonzero(sure >= _SURE)
    if len(known) < _NEIGHBOURS:
        return {}
    spots = np.array([(find.x, find.y, find.height, find.angle) for find in finds])
    changed = {}
    for number in np.flatnonzero(sure < _SURE).tolist():
        x, y, height, angle = spots[number]
        away = np.hypot(*(spots[known, :2] - (x, y)).T)
        near = spots[known[np.argsort(away)[:_NEIGHBOURS]]]
        usual = float(np.median(near[:, 2]))
        turns = _turns(near[:, 3], angle)
        turn = float(np.median(turns))
        if finds[number].score < _MOVED_SCORE or abs(np.log(height / usual)) > _OFF_SIZE:
            continue
        if np.abs(turns).max() < _OFF_TURN:
            changed[number] = _standing(finds[number], usual, angle + turn)
    return changed


def _turns(angles: NDArray[np.float64], angle: float) -> NDArray[np.float64]:
    """From an angle to others, or to their opposites where those are nearer."""
    return np.asarray((angles - angle + np.pi / 2) % np.pi - np.pi / 2, dtype=np.float64)


def _standing(find: _Find, height: float, angle: float) -> _Find:
    """The same find of another height and direction, its rank where it was."""
    before, after = find.height * _RANK_SHARE, height * _RANK_SHARE
    x = find.x - before * np.cos(find.angle) + after * np.cos(angle)
    y = find.y - before * np.sin(find.angle) + after * np.sin(angle)
    return _Find(float(x), float(y), float(angle), height, find.score)


def _cuts(levels: Levels, finds: list[_Find]) -> Image:
    """Indices cut out and stood upright, each from the level nearest to the wanted size."""
    spots = np.array([(find.x, find.y, find.height, find.angle) for find in finds])
    nearest = np.log2(np.maximum(1.0, spots[:, 2] / CROP_INDEX_PX)).astype(np.int64)
    cuts = np.empty((len(finds), CROP_SIZE[1], CROP_SIZE[0], 3), np.uint8)
    for level in np.unique(nearest).tolist():
        chosen, kept = nearest == level, levels.clamped(level)
        here = np.column_stack([to_level(spots[chosen, :3], kept), spots[chosen, 3]])
        cuts[chosen] = _cut_out(levels.at(kept), here)
    return cuts


def cut_index(picture: Image, middle: tuple[float, float], angle: float, height: float) -> Image:
    """An index cut out and stood upright, of CROP_SIZE.

    Args:
        picture: Shape (H, W, 3), BGR.
        middle: Of the index, x and y in pixels.
        angle: Direction from rank to pip, in radians clockwise from the x axis.
        height: Of rank and pip together, in pixels.
    """
    cut: Image = _cut_out(picture, np.array([(*middle, height, angle)]))[0]
    return cut


def _cut_out(picture: Image, spots: NDArray[np.float64]) -> Image:
    """Indices cut out of one picture, all at once; ``spots`` are rows of x, y, height, angle."""
    x, y, height, angle = spots.T.astype(np.float32)[:, :, None, None]
    scale = height / CROP_INDEX_PX
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    # Downwards in the crop is along the angle; rightwards is a quarter turn back from it.
    right, down = _GRID
    map_x, map_y = x + s * right + c * down, y - c * right + s * down
    cut = cv2.remap(
        picture,
        map_x.reshape(-1, CROP_SIZE[0]),
        map_y.reshape(-1, CROP_SIZE[0]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(cut, dtype=np.uint8).reshape(len(spots), CROP_SIZE[1], CROP_SIZE[0], 3)


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
