from __future__ import annotations

import numpy as np
import pytest

from vision.corners import CornerIndex
from vision.evidence import of_face, of_index, trusted, weighed
from vision.values import CARD_LABELS, JOKER, RANKS, SUITS


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


NOTHING = np.full(55, 1 / 55)


def confidence(*indices: CornerIndex, face: np.ndarray = NOTHING, height_px: float = 120) -> float:
    evidence = [of_index(i) for i in indices]
    return trusted(weighed([of_face(face), *evidence]), face, indices, height_px)


def test_one_sure_index_makes_a_card_sure() -> None:
    assert confidence(index("7d", 0.995)) > 0.9


def test_two_weak_indices_do_not_make_a_sure_card_but_name_it() -> None:
    assert 0.6 < confidence(index("7d", 0.92), index("7d", 0.75)) < 0.9


def test_two_indices_of_which_neither_is_likely_name_no_card() -> None:
    assert confidence(index("7d", 0.8), index("7d", 0.8)) < 0.6


def test_a_weak_index_and_the_whole_face_together_make_a_sure_card() -> None:
    assert confidence(index("7d", 0.92), face=whole("7d", 0.95)) > 0.9


def test_a_whole_face_without_an_index_is_named_with_little_confidence_or_not() -> None:
    assert 0.6 < confidence(face=whole("7d", 0.99)) < 0.9
    assert confidence(face=whole("7d", 0.9)) < 0.6


def test_a_joker_needs_no_index() -> None:
    assert confidence(face=whole(JOKER, 0.97)) > 0.9


def test_a_card_lower_than_what_the_nets_know_is_never_sure() -> None:
    assert confidence(index("7d", 0.999), index("7d", 0.999), height_px=40) < 0.9
