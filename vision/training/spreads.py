"""Training pictures for the corner finder: cards strewn, fanned and covered, photographed badly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.clutter import cover, draw_background
from vision.training.decks import FACE_SIZE, Deck, Face
from vision.training.photograph import Camera, Picture
from vision.values import CARD_LABELS, JOKER

SPREAD_SIZE: Final = 256
"""Side of a picture in pixels: holds a few cards at the largest scale, many at the smallest."""

INDEX_RANGE_PX: Final = (10.0, 46.0)
"""Heights of an index, rank and pip together, that the finder must find at one scale."""

_GRID: Final = np.array(
    [(x, y) for y in np.linspace(-0.48, 0.48, 9) for x in np.linspace(-0.2, 0.2, 5)]
)
"""Points of an index whose visibility is looked at, in index heights around its middle."""

_BACK_SHARE: Final = 0.08

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corner:
    """One corner index in a picture.

    Attributes:
        x: Middle of rank and pip, in pixels.
        y: The same downwards.
        angle: Direction from rank to pip, in radians clockwise from the x axis.
        height: From the top of the rank to the foot of the pip, in pixels.
        label: Of the card, as its place in CARD_LABELS.
        visible: Share of the index that nothing lies on and that is in the picture.
    """

    x: float
    y: float
    angle: float
    height: float
    label: int
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """One picture, shape (SPREAD_SIZE, SPREAD_SIZE, 3), BGR, and the corners in it."""

    picture: NDArray[np.uint8]
    corners: tuple[Corner, ...]


@dataclass(frozen=True, slots=True)
class _Laid:
    """A card on the table: centre in pixels before the camera's slant, angle in radians."""

    x: float
    y: float
    angle: float


class Spreads:
    """An endless, seeded supply of spreads.

    Args:
        decks: Decks to take cards from.
        backs: Faces to lay as backs.
        seed: Same seed, same pictures.
    """

    def __init__(self, decks: list[Deck], backs: list[Face], seed: int) -> None:
        self._decks = decks
        self._backs = backs
        self._rng = np.random.default_rng(seed)
        self._camera = Camera(self._rng)

    def draw(self) -> Spread:
        """The next one."""
        rng = self._rng
        deck = self._deck()
        low, high = INDEX_RANGE_PX
        index_px = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        card_px = min(index_px / deck.place.height, 1.5 * SPREAD_SIZE)
        scene = draw_background(rng, SPREAD_SIZE)
        owner = np.zeros((SPREAD_SIZE, SPREAD_SIZE), dtype=np.int16)
        view = self._view()
        laid = self._layout(card_px)
        found: list[tuple[int, Matrix, Deck, int]] = []
        for number, card in enumerate(laid, start=1):
            own = deck if rng.random() < 0.9 else self._deck()
            size = card_px * rng.normal(1, 0.02)
            place = view @ _placed(card, size)
            label = int(rng.integers(0, len(CARD_LABELS) - 1))
            if rng.random() < _BACK_SHARE:
                self._lay(
                    scene, owner, self._backs[int(rng.integers(0, len(self._backs)))], place, -1
                )
                continue
            joker = rng.random() < 0.02 and JOKER in own.faces
            face = own.faces[JOKER if joker else CARD_LABELS[label]][0]
            self._lay(scene, owner, face, place, number)
            if not joker:
                found.append((number, place, own, label))
        for _ in range(int(rng.poisson(0.8))):
            cover(rng, scene, owner, card_px)
        corners = [c for entry in found for c in _corners(*entry, owner)]
        return Spread(self._photographed(scene, index_px), tuple(corners))

    def _deck(self) -> Deck:
        return self._decks[int(self._rng.integers(0, len(self._decks)))]

    def _view(self) -> Matrix:
        """How the camera looks: mostly from above, sometimes at a slant."""
        rng = self._rng
        half = SPREAD_SIZE / 2
        slant = rng.normal(0, 0.0007, 2) if rng.random() < 0.6 else (0.0, 0.0)
        squeeze = rng.uniform(0.62, 1.0) if rng.random() < 0.5 else 1.0
        turn = rng.uniform(0, np.pi)
        c, s = np.cos(turn), np.sin(turn)
        rotate = np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
        flatten = rotate.T @ np.diag((1.0, squeeze, 1.0)) @ rotate
        tilt = np.array([(1, 0, 0), (0, 1, 0), (slant[0], slant[1], 1)], dtype=np.float64)
        centre = np.array([(1, 0, half), (0, 1, half), (0, 0, 1)], dtype=np.float64)
        return np.asarray(centre @ tilt @ flatten @ np.linalg.inv(centre), dtype=np.float64)

    def _layout(self, card_px: float) -> list[_Laid]:
        """Cards as they lie on tables, the later ones on top."""
        rng = self._rng
        width = card_px * FACE_SIZE[0] / FACE_SIZE[1]
        room = SPREAD_SIZE**2 / (card_px * width)
        base = float(rng.uniform(0, 2 * np.pi))
        laid: list[_Laid] = []
        most = int(np.clip(rng.poisson(1.1 * room), 1, 22))
        while len(laid) < most:
            kind = rng.integers(0, 5)
            x, y = rng.uniform(-0.05, 1.05, 2) * SPREAD_SIZE
            angle = base + rng.normal(0, 0.1) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
            count = int(rng.integers(2, 8))
            if kind == 0:
                laid += self._fan(x, y, angle, card_px, count)
            elif kind == 1:
                step = width * rng.uniform(0.14, 1.15)
                laid += _line(x, y, angle, (step, rng.normal(0, 0.03) * width), count)
            elif kind == 2:
                step = card_px * rng.uniform(0.12, 0.5)
                laid += _line(x, y, angle, (rng.normal(0, 0.1) * width, step), min(count, 4))
            elif kind == 3:
                shift = rng.normal(0, 0.35, 2) * width
                laid += [_Laid(x, y, angle)]
                laid += [_Laid(x + shift[0], y + shift[1], angle + rng.normal(0, 0.4))]
            else:
                laid += [_Laid(x, y, angle)]
        return laid

    def _fan(self, x: float, y: float, angle: float, card_px: float, count: int) -> list[_Laid]:
        rng = self._rng
        reach = card_px * rng.uniform(0.5, 1.6)
        step = rng.uniform(0.08, 0.4)
        turns = angle + (np.arange(count) - (count - 1) / 2) * step
        ox, oy = x - np.sin(angle) * reach, y + np.cos(angle) * reach
        return [_Laid(ox + np.sin(t) * reach, oy - np.cos(t) * reach, float(t)) for t in turns]

    def _lay(
        self, scene: Picture, owner: NDArray[np.int16], face: Face, place: Matrix, number: int
    ) -> None:
        width, height = FACE_SIZE
        outline = _through(place, np.array([(0, 0), (width, 0), (width, height), (0, height)]))
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 2, SPREAD_SIZE)
        if (high - low < 2).any():
            return
        size = float(np.hypot(*(outline[3] - outline[0])))
        scale = min(1.0, 1.25 * size / height)
        small = face
        if scale < 0.85:
            small = np.asarray(
                cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
            )
        else:
            scale = 1.0
        ratio = np.diag((width / small.shape[1], height / small.shape[0], 1.0))
        move = np.array([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1)], dtype=np.float64)
        cut = (int(high[0] - low[0]), int(high[1] - low[1]))
        laid = cv2.warpPerspective(small, move @ place @ ratio, cut, flags=cv2.INTER_LINEAR)
        alpha = laid[..., 3:].astype(np.float32) * np.float32(1 / 255)
        region = scene[low[1] : high[1], low[0] : high[0]]
        if self._rng.random() < 0.5:
            region *= np.float32(1) - np.float32(0.35) * cv2.blur(alpha, (5, 5))[..., None]
        region += (laid[..., :3] - region) * alpha
        cv2.fillConvexPoly(owner, np.round(outline).astype(np.int32), number)

    def _photographed(self, scene: Picture, index_px: float) -> NDArray[np.uint8]:
        rng, camera = self._rng, self._camera
        if rng.random() < 0.9:
            scene = camera.lit(scene)
        if rng.random() < 0.2:
            scene = camera.glared(scene)
        if rng.random() < 0.6:
            scene = camera.blurred(scene, index_px / 20)
        if rng.random() < 0.15:
            scene = camera.shaken(scene, index_px / 6)
        if rng.random() < 0.25:
            scene = camera.sharpened(scene)
        if rng.random() < 0.7:
            scene = camera.noisy(scene)
        picture = np.clip(scene, 0, 255).astype(np.uint8)
        return camera.compressed(picture) if rng.random() < 0.5 else picture


def _placed(card: _Laid, card_px: float) -> Matrix:
    """From pixels of a face to the picture."""
    scale = card_px / FACE_SIZE[1]
    c, s = np.cos(card.angle) * scale, np.sin(card.angle) * scale
    move = np.array([(c, -s, card.x), (s, c, card.y), (0, 0, 1)], dtype=np.float64)
    middle = np.array([(1, 0, -FACE_SIZE[0] / 2), (0, 1, -FACE_SIZE[1] / 2), (0, 0, 1)])
    return np.asarray(move @ middle, dtype=np.float64)


def _line(x: float, y: float, angle: float, step: tuple[float, float], count: int) -> list[_Laid]:
    c, s = np.cos(angle), np.sin(angle)
    dx, dy = c * step[0] - s * step[1], s * step[0] + c * step[1]
    return [_Laid(x + n * dx, y + n * dy, angle) for n in range(count)]


def _through(matrix: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(spread[:, :2] / spread[:, 2:], dtype=np.float64)


def _corners(
    number: int, place: Matrix, deck: Deck, label: int, owner: NDArray[np.int16]
) -> list[Corner]:
    """The two indices of a card, as far as they are in the picture."""
    width, height = FACE_SIZE
    found = []
    middle_of = np.array((deck.place.x * width, deck.place.y * height))
    size = deck.place.height * height
    for turned in (False, True):
        points = _GRID * size + middle_of
        ends = np.array([(0, -0.5), (0, 0.5), (0, 0)]) * size + middle_of
        if turned:
            points, ends = np.array((width, height)) - points, np.array((width, height)) - ends
        top, foot, middle = _through(place, ends)
        if not (0 <= middle[0] < SPREAD_SIZE and 0 <= middle[1] < SPREAD_SIZE):
            continue
        spots = np.floor(_through(place, points)).astype(int)
        inside = ((spots >= 0) & (spots < SPREAD_SIZE)).all(axis=1)
        seen = owner[spots[inside, 1], spots[inside, 0]] == number
        along = foot - top
        found.append(
            Corner(
                float(middle[0]),
                float(middle[1]),
                float(np.arctan2(along[1], along[0])),
                float(np.hypot(*along)),
                label,
                float(seen.sum()) / len(points),
            )
        )
    return found
