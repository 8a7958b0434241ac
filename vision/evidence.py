"""Weigh what is known of one card: its whole face and its corner indices.

Each net is taken to be of no use now and then, at a rate measured on
photographs; so one net alone is never quite sure, two that agree are, and two
that contradict each other cancel out and leave the card unread.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.corners import CornerIndex
from vision.values import CARD_LABELS

FACES: Final = len(CARD_LABELS)

_FACE_DOUBT: Final = 0.02
"""How often the whole-card net is sure and wrong: 2 of 272 on photographs, doubled and more."""

_INDEX_DOUBT: Final = 0.01
"""The same of the naming net for corner indices."""

Shares = NDArray[np.float64]
"""Probability of each of CARD_LABELS, shape (53,)."""


def of_face(shares: Shares) -> Shares:
    """What the whole-card net's answer, shape (55,), says of the face."""
    faces = shares[:FACES]
    return np.asarray(_doubted(faces, _FACE_DOUBT), dtype=np.float64)


def of_index(index: CornerIndex) -> Shares:
    """What a corner index says of the face."""
    return np.asarray(_doubted(np.append(index.shares, 0.0), _INDEX_DOUBT), dtype=np.float64)


def weighed(evidence: list[Shares]) -> Shares:
    """All evidence of one card together: a distribution over CARD_LABELS."""
    powers = np.sum([np.log(shares) for shares in evidence], axis=0)
    product = np.exp(powers - powers.max())
    return np.asarray(product / product.sum(), dtype=np.float64)


def _doubted(shares: Shares, doubt: float) -> Shares:
    """Shares of which a part, and all that was given to no face, says nothing at all."""
    kept = shares * (1 - doubt)
    return np.asarray(kept + (1 - kept.sum()) / FACES, dtype=np.float64)
