"""Several looks at one card make one decision.

Each look that names a card adds evidence ``-log(1 - confidence)`` for that
name: independent looks multiply the chances of all of them being wrong. A name
is decided once it leads every other by SURE_MARGIN; until then the card is
UNKNOWN.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.values import UNKNOWN, Face, Point, Quad, SeenCard

SURE_MARGIN: Final = 3.0
"""Lead that decides a name: a 5 % chance of error if looks were independent."""

_MOST_CONFIDENT: Final = 0.995
"""No single look counts for more than this, however sure the reader is of it."""

_SAME_PLACE: Final = 0.45
"""Looks belong to one card when their centres are closer than this share of its short side."""

_COVERED_SHARE: Final = 0.25
"""Of a card that lies unchanged no more can be covered by another: that would change it."""

_PRESENT_SHARE: Final = 0.5
"""A card is there when at least this share of the looks shows it."""


@dataclass(slots=True)
class Track:
    """One card followed over the looks since its place became quiet."""

    last: SeenCard
    looks: int = 0
    evidence: dict[str, float] = field(default_factory=dict)
    faces: dict[Face, float] = field(default_factory=dict)
    backs: dict[str, float] = field(default_factory=dict)

    def add(self, seen: SeenCard) -> None:
        """Count one look."""
        self.last = seen
        self.looks += 1
        weight = -math.log(1.0 - min(max(seen.confidence, 0.01), _MOST_CONFIDENT))
        self.faces[seen.face] = self.faces.get(seen.face, 0.0) + weight
        if seen.face is Face.DOWN:
            self.backs[seen.back] = self.backs.get(seen.back, 0.0) + weight
        elif seen.card != UNKNOWN:
            self.evidence[seen.card] = self.evidence.get(seen.card, 0.0) + weight

    def decided(self) -> SeenCard:
        """The card as all looks together show it."""
        face = max(self.faces, key=lambda side: self.faces[side])
        if face is Face.DOWN:
            back = max(self.backs, key=lambda name: self.backs[name])
            confidence = 1.0 - math.exp(-self.faces[face])
            return SeenCard(UNKNOWN, face, self.last.quad, confidence, back)
        best = max(self.evidence, key=lambda card: self.evidence[card], default=UNKNOWN)
        lead = self._lead()
        if lead < SURE_MARGIN:
            best = UNKNOWN
        return SeenCard(best, face, self.last.quad, 1.0 - math.exp(-lead))

    def _lead(self) -> float:
        first, second = [*sorted(self.evidence.values(), reverse=True), 0.0, 0.0][:2]
        return first - second

    def reaches(self, seen: SeenCard) -> bool:
        """Whether a look is of the card at this place."""
        return math.dist(self.last.centre, seen.centre) < _SAME_PLACE * short_side(seen)


def short_side(seen: SeenCard) -> float:
    """Length of a card's short side in pixels."""
    a, b, c, _ = seen.quad
    return min(math.dist(a, b), math.dist(b, c))


class Tracks:
    """The cards of one place, over the looks since it became quiet."""

    def __init__(self) -> None:
        self._tracks: list[Track] = []
        self.looks = 0

    def clear(self) -> None:
        """Forget all looks: something moves there."""
        self._tracks.clear()
        self.looks = 0

    def add(self, cards: Iterable[SeenCard]) -> None:
        """Count one look at the whole place."""
        self.looks += 1
        free = list(self._tracks)
        for seen in cards:
            near = [track for track in free if track.reaches(seen)]
            if near:
                track = min(near, key=lambda t: math.dist(t.last.centre, seen.centre))
                free.remove(track)
            else:
                track = Track(seen)
                self._tracks.append(track)
            track.add(seen)

    def decided(self, axis: Point) -> tuple[SeenCard, ...]:
        """The cards that are there, in order along an axis."""
        present = [t.decided() for t in self._tracks if t.looks >= _PRESENT_SHARE * self.looks]
        return ordered(present, axis)


def ordered(cards: Sequence[SeenCard], axis: Point) -> tuple[SeenCard, ...]:
    """Cards in the order of their centres along a direction."""
    return tuple(sorted(cards, key=lambda s: s.centre[0] * axis[0] + s.centre[1] * axis[1]))


def recalled(cards: Sequence[SeenCard], kept: Sequence[SeenCard]) -> tuple[SeenCard, ...]:
    """Cards as they look now, and what is known already where they cannot be read or found.

    Args:
        cards: What the looks show.
        kept: Cards decided before, whose picture has not changed since.
    """
    named = [card for card in cards if card.card != UNKNOWN]
    known = [card for card in kept if card.face is Face.DOWN or card.card != UNKNOWN]
    free = [old for old in known if not _lies_on(old, named)]
    others = [card for card in cards if card.card == UNKNOWN and not _covers(card, free)]
    return (*named, *free, *others)


def lies_apart(card: SeenCard, others: Sequence[SeenCard]) -> bool:
    """Whether no other card has its centre where this one has."""
    return not _lies_on(card, others)


def _lies_on(card: SeenCard, others: Sequence[SeenCard]) -> bool:
    reach = _SAME_PLACE * short_side(card)
    return any(math.dist(card.centre, other.centre) < reach for other in others)


def _covers(card: SeenCard, others: Sequence[SeenCard]) -> bool:
    """Whether a back or a nameless face is seen where a card lies that has not changed.

    It is that card, or an outline around several that lie close together.
    """
    return any(_shared(card.quad, other.quad) > _COVERED_SHARE for other in others)


def lies_free(card: SeenCard, cards: Iterable[SeenCard]) -> bool:
    """Whether the outline of a card shares nothing with that of another."""
    return all(other is card or _shared(card.quad, other.quad) == 0.0 for other in cards)


def _shared(one: Quad, other: Quad) -> float:
    """The share of the second outline that the first one covers."""
    first, second = (np.array(quad, dtype=np.float32) for quad in (one, other))
    area, _ = cv2.intersectConvexConvex(first, second)
    return float(area / max(cv2.contourArea(second), 1.0))
