from __future__ import annotations

import numpy as np
import pytest

from vision.corners import CornerIndex
from vision.evidence import of_face, of_index, weighed
from vision.values import CARD_LABELS, RANKS, SUITS


def index(card: str, sure: float = 0.99, none: float = 0.0) -> CornerIndex:
    ranks = np.full(14, (1 - sure) / 12 * (1 - none))
    ranks[RANKS.index(card[0])] = sure * (1 - none)
    ranks[-1] = none
    suits = np.full(4, (1 - sure) / 3)
    suits[SUITS.index(card[1])] = sure
    return CornerIndex(50, 50, 0.0, 20, 0.9, ranks / ranks.sum(), suits)


def whole(card: str, sure: float) -> np.ndarray:
    shares = np.full(55, (1 - sure) / 54)
    shares[CARD_LABELS.index(card)] = sure
    return shares


def likeliest(shares: np.ndarray) -> str:
    return CARD_LABELS[int(shares.argmax())]


def test_evidence_is_a_distribution_over_the_faces() -> None:
    for shares in (of_index(index("As")), of_face(whole("As", 0.9))):
        assert shares.shape == (53,)
        assert shares.sum() == pytest.approx(1)
        assert shares.min() > 0


def test_two_that_agree_are_surer_than_either() -> None:
    one, other = of_index(index("7d", 0.9)), of_face(whole("7d", 0.8))

    both = weighed([one, other])

    assert likeliest(both) == "7d"
    assert both.max() > max(one.max(), other.max())


def test_two_that_contradict_each_other_leave_the_card_open() -> None:
    both = weighed([of_index(index("7d")), of_index(index("9s"))])

    assert both.max() < 0.6


def test_one_net_alone_is_never_quite_sure() -> None:
    assert of_face(whole("Kc", 1.0)).max() < 0.99
    assert of_index(index("Kc", 1.0)).max() < 0.995


def test_what_is_probably_no_index_says_little() -> None:
    doubtful, sure = of_index(index("Kc", 0.99, none=0.95)), of_face(whole("2h", 0.9))

    assert likeliest(weighed([doubtful, sure])) == "2h"
