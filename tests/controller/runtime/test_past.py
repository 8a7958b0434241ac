"""Hands that were played are kept whole, and only so many."""

from __future__ import annotations

from controller.events import CardDealt, DeckShuffled, HandStarted, Street
from controller.irregularities import Irregularity, Kind
from controller.rulings import Ruling, Verdict
from controller.runtime.past import Past


def start(number: int) -> HandStarted:
    return HandStarted(hand=number, seats=(1, 2), button=1)


def ruling(kind: Kind) -> Ruling:
    found = Irregularity(kind=kind, street=Street.DEAL)
    return Ruling(
        id="1/1", rulebook="ck", verdict=Verdict.CONTINUE, irregularity=found, steps=(), clauses=()
    )


def test_a_hand_is_kept_with_the_table_before_it_and_its_events() -> None:
    past = Past[str]()
    past.note("empty", DeckShuffled(), ())
    past.note("before 1", start(1), ())
    past.note("in 1", CardDealt(seat=1), (ruling(Kind.BOXED_CARD),))
    past.note("before 2", start(2), ())

    first = past.hand(1)

    assert first is not None
    assert (first.start, first.events) == ("before 1", [start(1), CardDealt(seat=1)])
    assert first.kinds == [Kind.BOXED_CARD]
    assert first.verdicts == [Verdict.CONTINUE]
    assert past.present is past.hand(2)
    assert past.hand(3) is None


def test_old_hands_go_and_their_irregularities_stay_counted() -> None:
    past = Past[int](kept=2)
    for number in range(1, 5):
        past.note(number, start(number), (ruling(Kind.JOKER),))

    assert [hand.number for hand in past.hands] == [3, 4]
    assert past.counts == {Kind.JOKER: 4}
    assert past.played == 4


def test_a_number_used_twice_means_the_newer_hand() -> None:
    past = Past[str]()
    past.note("old", start(1), ())
    past.note("new", start(1), ())

    found = past.hand(1)

    assert found is not None
    assert found.start == "new"
