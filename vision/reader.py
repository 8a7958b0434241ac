"""Read the cards in a picture: by their outlines and by their corner indices.

``vision.finder`` proposes outlines of a card's shape and a net names what lies
in them; ``vision.corners`` finds and names corner indices, which are enough
where cards overlap. An outline takes the indices that stand at its corners;
indices left over are joined to cards by ``vision.pairing``. Where the evidence
does not make sure the card is UNKNOWN: a card not read costs a second look, a
card read wrongly costs a ruling.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import CornerIndex, CornerReader
from vision.errors import ImageError
from vision.evidence import FACES, Shares, of_face, of_index, trusted, weighed
from vision.finder import (
    CARD_RATIO,
    SIZE_SPREAD,
    Candidate,
    Corners,
    Masks,
    find_candidates,
    looks_square,
    overlap,
    quad_area,
)
from vision.levels import Image, Levels
from vision.naming import (
    BACK_CLASS,
    NO_CARD_CLASS,
    CardNamer,
    ModelSheet,
    back_colour,
    straightened,
)
from vision.pairing import USUAL_INDEX_SHARE, JoinedCard, alone, is_index_of, join_opposites
from vision.values import CARD_LABELS, JOKER, UNKNOWN, Face, Quad, SeenCard

__all__ = ["MODEL_PATH", "CardReader", "ModelSheet", "back_colour"]

MODEL_PATH: Final = Path(__file__).parent / "model" / "cards.onnx"
"""The whole-card net shipped with the package; sheets and corner nets lie beside it."""

_SMALLEST_IMAGE: Final = 32
_CLUTTER_SHARE: Final = 0.3
"""What looks like no one face, nor a back, this much is clutter."""

_BACK_SHARE: Final = 0.85
"""A back must be sure: a court card cut out wrongly is as full of pattern."""

_SQUARE_SHARE: Final = 0.8
"""A square is more often a table marker than a slanted card: it must be read well."""

_SURE_FACE: Final = 0.9
"""Faces from here on tell how large the cards in the picture are."""

_MOST_CANDIDATES: Final = 160
"""More outlines than this are clutter; the largest are looked at."""

_JOINED_SURE: Final = 0.9
"""Two indices that do not tell a card to this confidence may be anything, such as print."""

_JOINED_SCORE: Final = 0.75
"""Nor may the finding net be in doubt of both: its scores for them must sum up to this."""

_SURE_INDICES: Final = 0.995
"""Indices below this do not speak against a joker: their net knows no jokers, whose print it
takes for one rank or another."""

_JOKER_SHARE: Final = 0.5
"""What the whole-card net takes for a joker this much may be one."""

_SETTLED: Final = 0.995
"""A card whose two indices agree on it to this confidence is not looked for by its outline."""

_GROWTH: Final = 1.08
"""Such a card is taken to be this much larger, because its outline is inferred."""

_LONE_SURE: Final = 0.88
"""A card of which nothing but one index is seen is reported from this confidence on."""

_LONE_SCORE: Final = 0.3
"""And if the finding net is this sure that it is an index."""

_INDEX_SPREAD: Final = 1.6
"""Indices in one picture differ in height by no more than this from the usual one."""

_TURNED: Final = -0.5
"""Cosine between indices from which on they stand upside down to each other."""

_FARTHEST_END: Final = 8.0
"""Distance between both indices of a card, in index heights: no print has more than 7.5."""

_SAME_PLACE: Final = 0.4
"""Two cards that share this much of the smaller one's area are one, unless indices part them."""


_Indices = tuple[CornerIndex, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """One possible card with what is known of it.

    ``whole`` is the whole-card net's answer, uniform where it was not asked, as
    when there is no ``crop``; ``face`` is the distribution over the faces by all
    evidence.
    """

    corners: Corners
    whole: NDArray[np.float64]
    indices: tuple[CornerIndex, ...]
    fill: float
    crop: Image | None
    face: Shares

    @classmethod
    def outlined(
        cls, candidate: Candidate, whole: NDArray[np.float64], crop: Image, indices: _Indices
    ) -> _Reading:
        """A card that has an outline and perhaps indices."""
        evidence = [of_index(index) for index in indices]
        if evidence and _is_joker(whole) and float(weighed(evidence).max()) < _SURE_INDICES:
            evidence = []
        face = weighed([of_face(whole), *evidence])
        return cls(candidate.corners, whole, indices, candidate.fill, crop, face)

    @classmethod
    def joined(cls, card: JoinedCard) -> _Reading:
        """A card of which nothing is known but its indices."""
        whole = np.full(NO_CARD_CLASS + 1, 1 / (NO_CARD_CLASS + 1))
        face = weighed([of_index(index) for index in card.indices])
        return cls(card.corners, whole, card.indices, 0.9, None, face)

    @property
    def card_share(self) -> float:
        """Probability that this is a card at all, by its whole face."""
        return 1.0 - float(self.whole[NO_CARD_CLASS])

    @property
    def best_share(self) -> float:
        """Probability of the likeliest face, or of a back, by the whole face."""
        return float(self.whole[:NO_CARD_CLASS].max())

    @property
    def face_share(self) -> float:
        """Confidence in the likeliest face."""
        return float(self.face.max())

    @property
    def confidence(self) -> float:
        """Confidence in the likeliest face, as far as what names it may be trusted together."""
        height_px = float(np.sqrt(self.area / CARD_RATIO))
        return trusted(self.face, self.whole, self.indices, height_px)

    @property
    def is_back(self) -> bool:
        """Whether it shows its back."""
        if float(self.whole[BACK_CLASS]) < float(self.whole[:FACES].max()):
            return False
        # A back's lattice may pass for an index here and there, but not for a sure one.
        return not self.indices or self.face_share < _SURE_FACE

    @property
    def area(self) -> float:
        """Area in square pixels."""
        return quad_area(self.corners)

    @property
    def rating(self) -> tuple[int, float]:
        """What explains the picture best comes first: most indices, then sure and well outlined."""
        if self.crop is None:
            return (len(self.indices), self.face_share * 0.7)
        best = max(self.best_share, self.face_share if self.indices else 0.0)
        return (len(self.indices), best * (0.7 + 0.3 * self.fill))


class CardReader:
    """Names the cards in a picture.

    Args:
        namer: Names whole cards.
        corners: Reads corner indices.
    """

    def __init__(self, namer: CardNamer, corners: CornerReader) -> None:
        self._namer = namer
        self._corners = corners
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="masks")

    @classmethod
    def load(cls, model: Path | None = None) -> CardReader:
        """Load a recogniser.

        Args:
            model: The whole-card net, with its sheet, the corner nets and theirs beside it;
                the shipped one when absent.

        Returns:
            A reader that needs nothing further.

        Raises:
            ModelError: A file is absent, damaged, or not the one its sheet describes.
        """
        path = model or MODEL_PATH
        return cls(CardNamer.load(path), CornerReader.load(path.parent))

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
        levels = Levels(image)
        # What stands out does not depend on the indices, so both are looked for at once.
        masks = self._aside.submit(Masks.of, levels.shrunk())
        indices = list(self._corners.read(levels))
        joined = [_Reading.joined(card) for card in join_opposites(indices)]
        settled = [r for r in joined if _is_trusted(r) and r.face_share >= _SETTLED]
        candidates = find_candidates(masks.result(), tuple(_grown(r.corners) for r in settled))
        outlined = self._outlined(levels, candidates, indices)
        kept = decided(outlined, joined, indices)
        kept.sort(key=lambda r: tuple(r.corners.mean(axis=0)[::-1]))
        return tuple(self._seen(reading) for reading in kept)

    def shares(self, crops: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Probabilities for cards that are cut out already.

        Args:
            crops: Shape (N, height, width, 3), BGR, upright or upside down.

        Returns:
            Shape (N, 55): CARD_LABELS, then a back, then no card; rows sum to 1.
        """
        return self._namer.shares(crops)

    def _outlined(
        self, levels: Levels, candidates: tuple[Candidate, ...], indices: list[CornerIndex]
    ) -> list[_Reading]:
        """Outlines that hold a card, by the whole-card net or by the indices at their corners."""
        if not candidates:
            return []
        largest = sorted(candidates, key=lambda c: -c.area)[:_MOST_CANDIDATES]
        crops = np.stack([straightened(levels, c.corners, self._namer.size) for c in largest])
        readings = [
            _Reading.outlined(c, shares, crop, _indices_of(c.corners, indices))
            for c, crop, shares in zip(largest, crops, self._namer.shares(crops), strict=True)
        ]
        return [
            r
            for r in readings
            if r.card_share >= self._namer.sheet.is_card and r.best_share >= _share_needed(r)
        ]

    def _seen(self, reading: _Reading) -> SeenCard:
        quad = _quad(reading.corners)
        if reading.is_back and reading.crop is not None:
            back_share = float(reading.whole[BACK_CLASS])
            return SeenCard(UNKNOWN, Face.DOWN, quad, back_share, back_colour(reading.crop))
        confidence = reading.confidence
        if confidence < self._namer.sheet.sure:
            return SeenCard(UNKNOWN, Face.UP, quad, confidence)
        return SeenCard(CARD_LABELS[int(reading.face.argmax())], Face.UP, quad, confidence)


def decided(
    outlined: list[_Reading], joined: list[_Reading], indices: list[CornerIndex]
) -> list[_Reading]:
    """The cards that explain outlines and indices best, each index used once.

    Args:
        outlined: Outlines that hold a card, with the indices at their corners.
        joined: Cards made of two opposite indices.
        indices: All of them.
    """
    joined = [reading for reading in joined if _is_trusted(reading)]
    outlined = _without_details(_of_like_size(outlined, joined))
    kept: list[_Reading] = []
    taken: set[int] = set()
    for reading in sorted([*outlined, *joined], key=lambda r: r.rating, reverse=True):
        own = {id(index) for index in reading.indices}
        if own & taken or not _has_place(reading, kept):
            continue
        kept.append(reading)
        taken |= own
    kept += _lone(indices, taken, kept)
    return kept


def _lone(indices: list[CornerIndex], taken: set[int], kept: list[_Reading]) -> list[_Reading]:
    """Cards of which one index is all that is seen."""
    used = [(index, reading) for reading in kept for index in reading.indices]
    heights = [index.height for index, _ in used]
    share = USUAL_INDEX_SHARE
    if used:
        share = float(np.median([JoinedCard(r.corners, (i,)).index_share for i, r in used]))
    found: list[_Reading] = []
    for index in sorted(indices, key=lambda i: -i.confidence):
        if id(index) in taken or index.confidence < _LONE_SURE or index.score < _LONE_SCORE:
            continue
        if any(_is_print_of(index, other) for other in kept):
            continue
        usual = float(np.median(heights)) if heights else index.height
        if not 1 / _INDEX_SPREAD < index.height / usual < _INDEX_SPREAD:
            continue
        # Cards are of one size, so several heights together are a better guess than one.
        height = float(np.sqrt(index.height * usual))
        reading = _Reading.joined(alone(index, share, height))
        others = [*kept, *found]
        if not any(_is_copy(reading, other) or _is_end_of(index, other) for other in others):
            found.append(reading)
            heights.append(index.height)
    return found


def _is_print_of(index: CornerIndex, card: _Reading) -> bool:
    """Whether an index stands on a card both of whose ends are read: it is a pip beside the rank.

    A card that lay upon it would be on top, and seen by more than one index of its own.
    """
    if len(card.indices) < 2:
        return False
    return cv2.pointPolygonTest(card.corners.astype(np.float32), (index.x, index.y), False) >= 0


def _is_copy(reading: _Reading, other: _Reading) -> bool:
    """Whether a card made of an index is another look at one that is known already."""
    return (
        int(reading.face.argmax()) == int(other.face.argmax())
        and overlap(reading.corners, other.corners) > _SAME_PLACE
    )


def _is_joker(whole: NDArray[np.float64]) -> bool:
    return float(whole[CARD_LABELS.index(JOKER)]) >= _JOKER_SHARE


def _is_trusted(joined: _Reading) -> bool:
    """Whether a card made of two indices may be reported without an outline."""
    score = sum(index.score for index in joined.indices)
    return score >= _JOINED_SCORE and joined.face_share >= _JOINED_SURE


def _is_end_of(index: CornerIndex, card: _Reading) -> bool:
    """Whether an index is the other end of a card that says the same and is near."""
    if CARD_LABELS[int(card.face.argmax())] != index.card:
        return False
    return any(
        float(one.down @ index.down) < _TURNED
        and float(np.hypot(*(one.middle - index.middle))) < _FARTHEST_END * one.height
        for one in card.indices
    )


def _grown(corners: Corners) -> Corners:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * _GROWTH, dtype=np.float64)


def _has_place(reading: _Reading, kept: list[_Reading]) -> bool:
    """Whether a card may lie there beside those that are kept."""
    for other in kept:
        shared = overlap(reading.corners, other.corners)
        if reading.indices and other.indices:
            if shared > 0.85 or (shared > _SAME_PLACE and _is_copy(reading, other)):
                return False
        elif shared > _SAME_PLACE:
            return False
    return True


def _indices_of(corners: Corners, indices: list[CornerIndex]) -> tuple[CornerIndex, ...]:
    """The surest index at either end of a card."""
    ends: dict[bool, CornerIndex] = {}
    along = corners[3] - corners[0]
    (left, top), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    for index in indices:
        is_inside = left < index.x < right and top < index.y < bottom
        if is_inside and is_index_of(index, corners):
            end = bool(along @ index.down > 0)
            if end not in ends or index.confidence > ends[end].confidence:
                ends[end] = index
    return tuple(ends.values())


def _share_needed(reading: _Reading) -> float:
    if reading.is_back:
        return _BACK_SHARE
    return _SQUARE_SHARE if looks_square(reading.corners) else _CLUTTER_SHARE


def _of_like_size(readings: list[_Reading], joined: list[_Reading]) -> list[_Reading]:
    """Without what is far larger or smaller than the faces read for sure: cards are of one size."""
    faces = [r for r in (*readings, *joined) if not r.is_back and r.face_share >= _SURE_FACE]
    if not faces:
        return readings
    usual = float(np.median([r.area for r in faces]))
    smallest, largest = usual / SIZE_SPREAD, usual * SIZE_SPREAD
    return [r for r in readings if smallest <= r.area <= largest]


def _without_details(readings: list[_Reading]) -> list[_Reading]:
    """Without pips and frames that pass for cards but lie inside one."""
    outer = [r for r in readings if r.best_share > 0.3]
    return [
        r
        for r in readings
        if (not r.is_back and r.face_share >= _SURE_FACE) or not _lies_in_one(r, outer)
    ]


def _lies_in_one(inner: _Reading, outers: list[_Reading]) -> bool:
    area = inner.area
    return any(
        area < 0.45 * outer.area and overlap(inner.corners, outer.corners) > 0.9 for outer in outers
    )


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
