"""Several looks make one decision, as independent chances of error multiply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.tracks import SURE_MARGIN, Tracks, recalled
from vision.values import UNKNOWN, Face, SeenCard

AXIS = (1.0, 0.0)


def seen(card: str, confidence: float, x: float = 0.0, face: Face = Face.UP) -> SeenCard:
    quad = ((x, 0.0), (x + 50, 0.0), (x + 50, 70.0), (x, 70.0))
    return SeenCard(card, face, quad, confidence, "red" if face is Face.DOWN else "")


def decided(*looks: tuple[SeenCard, ...]) -> list[str]:
    tracks = Tracks()
    for look in looks:
        tracks.add(look)
    return [card.card for card in tracks.decided(AXIS)]


@pytest.mark.parametrize(
    ("confidences", "name"),
    [
        ([0.97], "As"),  # 3 % to be wrong
        ([0.7], UNKNOWN),
        ([0.7, 0.7], UNKNOWN),  # 9 %
        ([0.7, 0.7, 0.7], "As"),  # 2.7 %
    ],
)
def test_a_name_is_decided_below_five_percent_of_doubt(confidences: list[float], name: str) -> None:
    assert decided(*((seen("As", c),) for c in confidences)) == [name]


def test_looks_that_disagree_decide_nothing() -> None:
    assert decided((seen("As", 0.98),), (seen("4s", 0.98),)) == [UNKNOWN]


def test_a_card_seen_in_few_looks_is_not_there() -> None:
    assert decided((seen("As", 0.99),), (), ()) == []


def test_two_cards_side_by_side_stay_two() -> None:
    look = (seen("Kd", 0.99, x=54), seen("As", 0.99, x=0))

    assert decided(look, look[::-1], look) == ["As", "Kd"]


def test_two_alike_cards_are_two() -> None:
    look = (seen("As", 0.99), seen("As", 0.99, x=54))

    assert decided(look, look) == ["As", "As"]


@given(st.lists(st.tuples(st.sampled_from(["As", "4s", UNKNOWN]), st.floats(0, 1)), min_size=1))
def test_whatever_the_looks_the_verdict_is_a_name_that_leads(
    looks: list[tuple[str, float]],
) -> None:
    tracks = Tracks()
    for name, confidence in looks:
        tracks.add((seen(name, confidence),))
    (card,) = tracks.decided(AXIS)

    assert card.card in {UNKNOWN, *(name for name, _ in looks)}
    assert 0.0 <= card.confidence <= 1.0
    assert (card.card == UNKNOWN) is (card.confidence < 1 - 2.718281828**-SURE_MARGIN)


BACK = seen(UNKNOWN, 0.99, x=0.0, face=Face.DOWN)
NEXT_BACK = seen(UNKNOWN, 0.99, x=54.0, face=Face.DOWN)


def test_a_card_that_lies_unchanged_is_known_where_it_cannot_be_read() -> None:
    known = seen("As", 0.99)

    assert recalled((seen(UNKNOWN, 0.4),), (known,)) == (known,)
    assert recalled((), (known,)) == (known,)


def test_one_outline_around_two_unchanged_cards_is_no_third() -> None:
    around = seen(UNKNOWN, 0.99, x=27.0, face=Face.DOWN)

    assert recalled((around,), (BACK, NEXT_BACK)) == (BACK, NEXT_BACK)


def test_a_new_card_beside_an_unchanged_one_is_new() -> None:
    assert set(recalled((BACK, NEXT_BACK), (BACK,))) == {BACK, NEXT_BACK}


def test_a_card_read_under_another_name_is_believed() -> None:
    assert recalled((seen("Kd", 0.99),), (seen("As", 0.99),)) == (seen("Kd", 0.99),)


def test_a_nameless_face_is_not_worth_keeping() -> None:
    assert recalled((), (seen(UNKNOWN, 0.4),)) == ()
