"""What the floor is shown of a ruling: facts, steps, clauses with place and gist, other houses."""

from __future__ import annotations

import msgspec
import pytest

from controller.cards import Card
from controller.events import (
    CardDealt,
    DeckCut,
    DeckShuffled,
    DoubtReported,
    FloorDecided,
    HandStarted,
    Shown,
    StepConfirmed,
    TableEvent,
)
from controller.irregularities import Kind
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.table import TableState
from controller.view import (
    LANGUAGES,
    Surroundings,
    floor_view,
    kind_name,
    other_views,
    sent_back,
    table_view,
)
from controller.view.floor import clause_view

CK = load_rulebook("ck")
AROUND = Surroundings(name="T", seats=4, devices={})
START = HandStarted(hand=1, seats=(1, 2, 3, 4), button=4, small_blind=1, big_blind=2)
DEALT = (START, DeckShuffled(count=52), DeckCut(), CardDealt(seat=1), CardDealt(seat=2))
EXPOSED = (*DEALT, CardDealt(seat=3, card=Card.SA, shown=Shown.UP))
SENT_BACK = FloorDecided(ruling="1/1", decision="sent_back", reason="Who saw it?")


def after(*events: TableEvent) -> TableState:
    state = new_table(CK)
    for event in events:
        state = advance(state, event, CK).state
    return state


def test_an_open_ruling_is_shown_with_its_facts_and_its_steps() -> None:
    (ruling,) = floor_view(after(*EXPOSED), CK, "en", AROUND).rulings

    assert (ruling.id, ruling.kind, ruling.rulebook) == ("1/1", "Exposed card", "ck")
    assert "A♠" in ruling.observed
    assert [step.present for step in ruling.steps] == [True, False, False, False]
    assert not ruling.awaits_floor


def test_a_step_seen_done_is_marked() -> None:
    state = after(*EXPOSED, *(CardDealt(seat=seat) for seat in (4, 1, 2, 3, 4)))

    (ruling,) = floor_view(state, CK, "fr", AROUND).rulings

    assert [step.done for step in ruling.steps] == [True, False, False, False]


def test_a_clause_is_shown_with_its_place_and_its_gist() -> None:
    """The article on exposed cards stands in line 37 of its text."""
    clause = clause_view("ck.exposed.6", "fr")

    assert clause.place == "EXPOSED CARDS, ligne 37"
    assert "exposed card becomes the burn" in clause.says


def test_a_clause_of_the_house_itself_is_shown_by_its_id() -> None:
    assert clause_view("house.7", "en").place == ""


def test_other_houses_are_named_with_what_differs() -> None:
    """fr3.exposed.3 puts the card back on the deck, fr1.exposed.1 makes it the burn as ck does."""
    books = (CK, load_rulebook("fr1"), load_rulebook("fr3"))

    fr1, fr3 = other_views("1/1", new_table(CK), EXPOSED, books, "en")

    assert (fr1.rulebook, fr1.is_same) == (books[1].title, True)
    assert (fr3.rulebook, fr3.is_same) == (books[2].title, False)
    assert fr3.clauses == ("fr3.exposed.3",)


def test_of_a_ruling_that_the_hand_does_not_hold_nothing_is_said() -> None:
    assert other_views("9/9", new_table(CK), EXPOSED, (CK, CK), "en") == ()


def test_sent_back_a_ruling_stays_and_the_dealer_is_told_what_to_look_at() -> None:
    state = after(*EXPOSED, SENT_BACK)

    asked = sent_back(state, (*EXPOSED, SENT_BACK))
    around = Surroundings(name="T", seats=4, devices={}, asked=tuple(asked.values()))

    assert asked == {"1/1": "Who saw it?"}
    assert state.open == after(*EXPOSED).open
    assert table_view(state, CK, "en", around).prompts[0] == "Floor: look again: Who saw it?"


@pytest.mark.parametrize("decision", ["confirmed", "overruled"])
def test_a_later_decision_ends_the_looking_again(decision: str) -> None:
    decided = msgspec.structs.replace(SENT_BACK, decision=decision)

    assert sent_back(after(*EXPOSED, decided), (*EXPOSED, SENT_BACK, decided)) == {}


def test_sending_back_does_not_count_as_the_floor_having_come() -> None:
    doubt = (*DEALT, DoubtReported(zone="muck"))

    (before,) = floor_view(after(*doubt), CK, "en", AROUND).rulings
    (ruling,) = floor_view(after(*doubt, SENT_BACK), CK, "en", AROUND).rulings
    confirmed = floor_view(after(*doubt, FloorDecided(ruling="1/1")), CK, "en", AROUND).rulings

    assert before.awaits_floor
    assert ruling.awaits_floor
    assert not any(each.awaits_floor for each in confirmed)


def test_a_confirmed_step_needs_no_floor() -> None:
    state = after(*EXPOSED, StepConfirmed(step="1/1.1"))

    assert floor_view(state, CK, "en", AROUND).rulings[0].steps[0].done


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_irregularity_has_a_short_name(kind: Kind, lang: str) -> None:
    assert 3 < len(kind_name(kind, lang)) <= 40
