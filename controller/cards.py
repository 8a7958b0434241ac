"""Cards as poker software writes them: ``As``, ``Td``, ``9c``; ``Jk``; ``??``.

The notation is that of the Poker Hand History format (PHH), with ``Jk`` for a
joker, which has no rank and no suit.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"


class Card(Enum):
    """One card's identity; two physical cards may share one (a fouled deck)."""

    C2, C3, C4, C5, C6 = "2c", "3c", "4c", "5c", "6c"
    C7, C8, C9, CT, CJ = "7c", "8c", "9c", "Tc", "Jc"
    CQ, CK, CA = "Qc", "Kc", "Ac"
    D2, D3, D4, D5, D6 = "2d", "3d", "4d", "5d", "6d"
    D7, D8, D9, DT, DJ = "7d", "8d", "9d", "Td", "Jd"
    DQ, DK, DA = "Qd", "Kd", "Ad"
    H2, H3, H4, H5, H6 = "2h", "3h", "4h", "5h", "6h"
    H7, H8, H9, HT, HJ = "7h", "8h", "9h", "Th", "Jh"
    HQ, HK, HA = "Qh", "Kh", "Ah"
    S2, S3, S4, S5, S6 = "2s", "3s", "4s", "5s", "6s"
    S7, S8, S9, ST, SJ = "7s", "8s", "9s", "Ts", "Js"
    SQ, SK, SA = "Qs", "Ks", "As"
    JOKER = "Jk"
    UNKNOWN = "??"

    def __str__(self) -> str:
        """The notation, such as ``As``."""
        return self.value

    @property
    def is_known(self) -> bool:
        """Whether the face has been read."""
        return self is not Card.UNKNOWN

    @property
    def rank(self) -> str:
        """One of ``23456789TJQKA``; empty for a joker or an unknown card."""
        return "" if self in (Card.JOKER, Card.UNKNOWN) else self.value[0]

    @property
    def suit(self) -> str:
        """One of ``cdhs``; empty for a joker or an unknown card."""
        return "" if self in (Card.JOKER, Card.UNKNOWN) else self.value[1]


FULL_DECK: Final[tuple[Card, ...]] = tuple(Card(r + s) for s in SUITS for r in RANKS)
"""The 52 cards, clubs to spades, two to ace."""
