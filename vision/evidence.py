"""Weigh what is known of one card: its whole face and its corner indices.

Each net is taken to be of no use now and then, at a rate measured on
photographs; so one net alone is never quite sure, two that agree are, and two
that contradict each other cancel out and leave the card unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.corners import CornerIndex
from vision.values import CARD_LABELS, JOKER

FACES: Final = len(CARD_LABELS)

_FACE_DOUBT: Final = 0.02
"""How often the whole-card net is sure and wrong: 2 of 272 on photographs, doubled and more."""

_INDEX_DOUBT: Final = 0.01
"""The same of the naming net for corner indices."""

_SURE_INDEX: Final = 0.98
_SURE_PAIR: Final = 0.9
_LIKELY_WHOLE: Final = 0.5
"""A face is sure only if one index is, both are nearly so, or the whole face agrees with one."""

_SMALLEST_SURE_PX: Final = 45.0
"""Nor is a card less high than this: the nets were trained on indices of 10 pixels and more, and
the finding net takes lower ones for such, so that the card's own size must tell."""

_LIKELY_INDEX: Final = 0.7
_WEAK: Final = 0.89
_UNREAD: Final = 0.5
"""Else its confidence is no more than the first of these, and without a likely index the second:
of 106 and 2 such names that had 0.9 on photographs for development, 6 and 1 were wrong."""

_SURE_WHOLE: Final = 0.98
_WHOLE_ALONE: Final = 0.75
_WHOLE_DOUBTED: Final = 0.6
"""What the whole-card net names without an index was right in 10 of 13 cases where it was sure, and
in 9 of 25 where it was not: the one is named with little confidence, the other not at all."""

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


def trusted(
    face: Shares,
    whole: NDArray[np.float64],
    indices: Sequence[CornerIndex],
    height_px: float,
) -> float:
    """Confidence in the likeliest face, as far as what names it may be trusted together.

    Errors of one card's evidence go together: what blurs one index blurs the other. So a
    card is not sure of which no single part is.

    Args:
        face: All evidence together, shape (53,).
        whole: The whole-card net's answer, uniform where it was not asked; shape (55,).
        indices: Those of the card.
        height_px: Of the card in the picture.
    """
    best = int(face.argmax())
    label, share, whole_share = CARD_LABELS[best], float(face[best]), float(whole[best])
    if label == JOKER:  # has no index that the nets know
        return share
    if not indices:
        return share * (_WHOLE_ALONE if whole_share >= _SURE_WHOLE else _WHOLE_DOUBTED)
    named = sorted(index.confidence for index in indices if index.card == label)
    surest = max(named, default=0.0)
    is_agreed = len(named) > 1 and named[0] >= _SURE_PAIR
    is_sure = whole_share >= _LIKELY_WHOLE or is_agreed or surest >= _SURE_INDEX
    if is_sure and height_px >= _SMALLEST_SURE_PX:
        return share
    return min(share, _WEAK if is_sure or surest >= _LIKELY_INDEX else _UNREAD)


def _doubted(shares: Shares, doubt: float) -> Shares:
    """Shares of which a part, and all that was given to no face, says nothing at all."""
    kept = shares * (1 - doubt)
    return np.asarray(kept + (1 - kept.sum()) / FACES, dtype=np.float64)
