"""What the camera side says about cards: values only, no images kept, no I/O.

Card identities are labels in PHH notation (``"As"``, ``"Td"``), ``"Jk"`` for a
joker and ``"??"`` for a card whose face is not seen or not read for sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
JOKER: Final = "Jk"
UNKNOWN: Final = "??"

CARD_LABELS: Final[tuple[str, ...]] = (*(r + s for s in SUITS for r in RANKS), JOKER)
"""The 53 identities a recogniser can name, in the order of its outputs."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners of a card in pixels, clockwise in the image, first corner top-left of the card."""


class Face(Enum):
    """Which side of a card is towards the camera."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card in one frame.

    ``card`` is a label of CARD_LABELS, or UNKNOWN when it lies face down or is
    not read for sure. ``back`` names the colour of a face-down card's back
    (``"red"``, ``"blue"``, ``"other"``), and is empty for a face-up card.
    ``confidence`` is in 0..1 and speaks of ``card`` (of ``face`` when down).
    """

    card: str
    face: Face
    quad: Quad
    confidence: float
    back: str = ""

    @property
    def centre(self) -> Point:
        """Mean of the four corners, in pixels."""
        return (sum(x for x, _ in self.quad) / 4, sum(y for _, y in self.quad) / 4)


@dataclass(frozen=True, slots=True)
class Sighting:
    """The stable content of one zone, said once each time it changes.

    ``cards`` are ordered as a dealer reads them: left to right along the
    zone's x axis. ``frame`` is the frame number on which the decision fell,
    ``at_s`` the source's time of that frame.
    """

    zone: str
    cards: tuple[SeenCard, ...]
    frame: int
    at_s: float
