"""Whether a card's back has the pattern of the deck in use, and not only its colour.

The pattern is learnt from the backs that are seen first: those of one colour
that agree with each other. A back of that colour with another pattern is said
to be ``other``, as is a back of another colour than red and blue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.artwork import CARD_HEIGHT_MM, CARD_WIDTH_MM
from vision.tracks import lies_free
from vision.values import Face, Quad, SeenCard

Pattern = NDArray[np.float32]
"""Lightness of a straightened back, smoothed, shape (H, W)."""

_WIDTH, _HEIGHT = 126, 176
_RIM: Final = 12
"""Of the straightened card: border and rounded corners, the same on every deck."""

_PLAY: Final = 6
"""A fitted corner may be off by as much, of _WIDTH pixels."""

_SMOOTH: Final = 3.0
"""Finer lines than this are not the same twice at a camera's resolution."""

ALIKE: Final = 0.45
"""Correlation from which two backs are of one pattern. On rendered frames of 960 to 1920
pixels, tilted by up to 10 degrees, with corners up to a pixel off, equal patterns reach 0.66
and more against eight learnt ones, others 0.25 at most."""

LEARNT: Final = 8
"""Backs that are learnt of each colour before any is judged."""

_SMALLEST_PX: Final = 40.0
"""A card less high in the picture shows no pattern."""

_CARD_RATIO: Final = CARD_WIDTH_MM / CARD_HEIGHT_MM
_RATIO_PLAY: Final = 0.06
"""A camera leaning by 20 degrees changes a card's sides by that much; what is further off is an
outline around several backs."""

UNLIKE: Final = "other"


class Reader(Protocol):
    """What reads the cards of a picture."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """The cards in a BGR picture, in its pixels."""


class BackWatch:
    """A reader that also compares backs with those of the deck in use.

    Args:
        reader: Finds and names the cards.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._pools: dict[str, list[Pattern]] = {}
        self._known: dict[str, list[Pattern]] = {}

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """The cards; a back of an unknown pattern has ``other`` for its colour."""
        cards = self._reader.read(image)
        return tuple(
            self._judged(image, card) if _shows_its_back(card, cards) else card for card in cards
        )

    def forget(self) -> None:
        """Learn anew: another deck comes into play."""
        self._pools.clear()
        self._known.clear()

    def _judged(self, image: NDArray[np.uint8], card: SeenCard) -> SeenCard:
        pattern = pattern_of(image, card.quad)
        known = self._known.get(card.back)
        if known is None:
            self._learn(card.back, pattern)
            return card
        if max(likeness(pattern, other) for other in known) >= ALIKE:
            return card
        return replace(card, back=UNLIKE)

    def _learn(self, colour: str, pattern: Pattern) -> None:
        """Keep a pattern; once there are enough, those that most others agree with are known."""
        pool = self._pools.setdefault(colour, [])
        pool.append(pattern)
        if len(pool) < LEARNT:
            return
        friends = [[b for b in pool if likeness(a, b) >= ALIKE] for a in pool]
        most = max(friends, key=len)
        if 2 * len(most) > len(pool):
            self._known[colour] = most
        else:
            del pool[0]


def pattern_of(image: NDArray[np.uint8], quad: Quad) -> Pattern:
    """The pattern of a back in a picture."""
    target = np.array([(0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(np.array(quad, dtype=np.float32), target)
    grey = cv2.cvtColor(cv2.warpPerspective(image, warp, (_WIDTH, _HEIGHT)), cv2.COLOR_BGR2GRAY)
    inner = grey[_RIM:-_RIM, _RIM:-_RIM].astype(np.float32)
    return np.asarray(cv2.GaussianBlur(inner, (0, 0), _SMOOTH), dtype=np.float32)


def likeness(one: Pattern, other: Pattern) -> float:
    """Correlation of two patterns, -1 to 1, either way up and shifted a little."""
    return max(_correlation(turned, other) for turned in (one, one[::-1, ::-1]))


def _correlation(one: Pattern, other: Pattern) -> float:
    core = np.ascontiguousarray(one[_PLAY:-_PLAY, _PLAY:-_PLAY])
    return float(cv2.matchTemplate(other, core, cv2.TM_CCOEFF_NORMED).max())


def _shows_its_back(card: SeenCard, cards: Sequence[SeenCard]) -> bool:
    """Whether a card lies face down, whole and large enough to show its pattern."""
    if card.face is not Face.DOWN or not lies_free(card, cards):
        return False
    a, b, _, d = (np.array(corner) for corner in card.quad)
    width, height = float(np.linalg.norm(b - a)), float(np.linalg.norm(d - a))
    ratio = width / max(height, 1.0)
    return height >= _SMALLEST_PX and abs(ratio - _CARD_RATIO) <= _RATIO_PLAY
