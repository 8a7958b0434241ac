"""Simulated hands: every injected fault is found, nothing else, and no card goes astray."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import FULL_DECK, Card
from controller.events import BoardShown, CardBurned, CardDealt, HandStarted
from controller.irregularities import Kind
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import advance, new_table
from controller.simulate import FAULTS, TableSizeError, UnknownFaultError, simulate
from controller.simulate import hand as hand_module
from controller.simulate.felt import Felt
from controller.simulate.hand import Hand
from controller.simulate.mistakes import HandPlan, Mistake, plan_hand
from controller.table import TableState

CK, FR2 = load_rulebook("ck"), load_rulebook("fr2")
BOOKS = [load_rulebook(name) for name in ("ck", "fr1", "fr2", "fr3", "faq")]

# The names of the faults, and the irregularity that each is in the words of the rule texts.
KIND_OF_FAULT = {
    "exposed_first": Kind.EXPOSED_CARD,
    "exposed_later": Kind.EXPOSED_CARD,
    "exposed_two": Kind.EXPOSED_CARD,
    "boxed_in_deal": Kind.BOXED_CARD,
    "boxed_on_board": Kind.BOXED_CARD,
    "joker_reported": Kind.JOKER,
    "joker_boxed": Kind.JOKER,
    "duplicate_on_board": Kind.DUPLICATE_CARD,
    "wrong_back": Kind.WRONG_BACK,
    "deck_short": Kind.COUNT_SHORT,
    "deck_long": Kind.COUNT_LONG,
    "no_burn_flop": Kind.MISSING_BURN,
    "no_burn_turn": Kind.MISSING_BURN,
    "no_burn_river": Kind.MISSING_BURN,
    "flop_early": Kind.PREMATURE_FLOP,
    "turn_early": Kind.PREMATURE_TURN,
    "river_early": Kind.PREMATURE_RIVER,
    "four_card_flop": Kind.FOUR_CARD_FLOP,
    "bad_shuffle": Kind.SHUFFLE_SEQUENCE,
    "thin_cut": Kind.BAD_CUT,
    "uncut": Kind.NOT_SHUFFLED,
    "wrong_seat": Kind.WRONG_SEAT,
    "empty_seat": Kind.EMPTY_SEAT,
    "sitting_out": Kind.UNENTITLED_PLAYER,
    "owing": Kind.UNPOSTED_PLAYER,
    "absent": Kind.ABSENT_PLAYER,
    "short_hand": Kind.SHORT_HAND,
    "no_cards": Kind.NO_CARDS,
    "extra_card": Kind.EXTRA_CARD,
    "wrong_button": Kind.WRONG_BUTTON,
    "extra_burn": Kind.EXTRA_BURN,
    "late_burn_error": Kind.LATE_BURN_ERROR,
    "muck_contact": Kind.ENDANGERED_HAND,
    "out_of_turn": Kind.OUT_OF_TURN,
    "pot_splashed": Kind.POT_SPLASHED,
    "own_change": Kind.CHANGE_TAKEN,
    "stub_dropped": Kind.STUB_DROPPED,
    "stub_in_doubt": Kind.STUB_DROPPED,
    "marred_card": Kind.MARRED_CARD,
    "deck_requested": Kind.DECK_REQUESTED,
    "fouled_known": Kind.KNEW_OF_FOULED_DECK,
    "objection": Kind.OBJECTION,
    "claim": Kind.CLAIM,
    "doubt": Kind.DOUBT,
}


def test_the_faults_are_those_listed_here() -> None:
    assert set(FAULTS) == set(KIND_OF_FAULT)


NOT_MINDED = {
    # Any method of shuffling is right (fr1.shuffle.2), or none is named.
    ("fr1", "bad_shuffle"),
    ("fr2", "bad_shuffle"),
    # Only the players' tournament takes the cards of a player who is away (fr2.2-18.1).
    ("ck", "absent"),
    ("fr1", "absent"),
    ("fr3", "absent"),
    ("faq", "absent"),
}
"""What is no fault under a rulebook."""


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
@pytest.mark.parametrize("fault", KIND_OF_FAULT)
def test_a_fault_is_detected_as_its_kind_and_the_table_ends_as_it_lies(
    fault: str, book: Rulebook
) -> None:
    report = simulate(10, seed=3, book=book, faults=(fault,))

    kinds = {kind for kind, count in report.kinds.items() if count.injected}
    assert kinds == _kinds_expected(fault, book)
    assert [kind for kind, count in report.kinds.items() if count.missed] == []
    assert [kind for kind, count in report.kinds.items() if count.false] == []
    assert report.inconsistent == ()
    assert report.is_faultless


def _kinds_expected(fault: str, book: Rulebook) -> set[Kind]:
    if (book.name, fault) in NOT_MINDED:
        return set()
    if fault == "late_burn_error":
        # The missing burn is found first; that it is then too late only faq.burn.2 says.
        late = {Kind.LATE_BURN_ERROR} if book.name == "faq" else set()
        return {Kind.MISSING_BURN} | late
    return {KIND_OF_FAULT[fault]}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_hands_without_fault_give_no_irregularity(book: Rulebook) -> None:
    report = simulate(25, seed=8, book=book)

    assert all(c.injected == c.detected == c.false == 0 for c in report.kinds.values())
    assert report.inconsistent == ()


@given(seed=st.integers(0, 2**32 - 1), players=st.integers(3, 10), book=st.sampled_from(BOOKS))
@settings(max_examples=25, deadline=None)
def test_any_hand_ends_with_all_cards_together_and_every_fault_found(
    seed: int, players: int, book: Rulebook
) -> None:
    report = simulate(1, seed=seed, book=book, faults=("all",), players=(players, players))

    assert report.is_faultless, report


def test_the_same_seed_gives_the_same_hands() -> None:
    once, again = (simulate(15, seed=5, book=CK, faults=("all",)) for _ in range(2))
    other = simulate(15, seed=6, book=CK, faults=("all",))

    assert replace(once, elapsed_s=0.0) == replace(again, elapsed_s=0.0)
    assert once.events != other.events


def test_three_hands_in_four_get_a_fault() -> None:
    rng = random.Random(1)
    every = [mistake for mistake in Mistake if mistake is not Mistake.NONE]
    plans = Counter(plan_hand(rng, 6, among=every).mistake for _ in range(4000))

    assert plans[Mistake.NONE] == pytest.approx(1000, abs=100)
    assert len(plans) == len(FAULTS) + 1


def test_a_name_that_is_no_fault_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownFaultError, match=r"'boxd'; there are exposed_first, .*four_card"):
        simulate(1, seed=1, book=CK, faults=("boxd",))


@pytest.mark.parametrize("players", [(2, 5), (3, 11), (6, 4)])
def test_players_that_no_table_seats_are_refused(players: tuple[int, int]) -> None:
    with pytest.raises(TableSizeError, match="give 3 to 10"):
        simulate(1, seed=1, book=CK, players=players)


# What follows holds the measuring itself to account: an engine that errs must be seen to err.


def test_an_engine_that_sees_nothing_is_reported_as_missing_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def blind(state: TableState, event: msgspec.Struct, book: Rulebook) -> object:
        outcome = advance(state, event, book)  # type: ignore[arg-type]  # any event
        calm = msgspec.structs.replace(outcome.state, open=())
        return msgspec.structs.replace(outcome, state=calm, irregularities=(), rulings=())

    monkeypatch.setattr(hand_module, "advance", blind)

    report = simulate(4, seed=2, book=CK, faults=("exposed_later",))

    count = report.kinds[Kind.EXPOSED_CARD]
    assert count.injected == count.missed > 0
    assert not report.is_faultless


def test_an_engine_that_sees_what_is_not_there_is_reported_as_false(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nervous(state: TableState, event: msgspec.Struct, book: Rulebook) -> object:
        if isinstance(event, CardDealt) and state.dealt == 1:
            event = msgspec.structs.replace(event, seat=event.seat, landed="off_table")
        return advance(state, event, book)  # type: ignore[arg-type]  # any event

    monkeypatch.setattr(hand_module, "advance", nervous)

    report = simulate(1, seed=2, book=CK)

    assert report.kinds[Kind.EXPOSED_CARD].false > 0
    assert not report.is_faultless


def test_an_engine_that_loses_a_card_is_reported_with_hand_and_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forgetful(state: TableState, event: msgspec.Struct, book: Rulebook) -> object:
        outcome = advance(state, event, book)  # type: ignore[arg-type]  # any event
        short = msgspec.structs.replace(outcome.state, burns=())
        return msgspec.structs.replace(outcome, state=short)

    monkeypatch.setattr(hand_module, "advance", forgetful)

    report = simulate(1, seed=2, book=CK, faults=("no_burn_turn",))

    assert report.inconsistent[0].startswith("hand 1 (")
    assert "burn: 1 cards there, 0 believed" in report.inconsistent[0]


def test_a_hand_starts_with_the_52_cards_and_ends_with_them() -> None:
    hand = Hand(HandPlan(Mistake.NONE), (1, 4, 7), new_table(CK), CK, random.Random(4))
    hand.play(1)

    felt = hand.felt
    assert Counter(piece.face for piece in felt.stub) == Counter(FULL_DECK)
    assert felt.zones == {}
    assert hand.state.stub == 52


def test_the_faces_of_down_cards_are_never_told_to_the_engine() -> None:
    hand = Hand(HandPlan(Mistake.NONE), (1, 2, 3), new_table(CK), CK, random.Random(4))
    hand.play(1)

    dealt = [event.card for event in hand.events if isinstance(event, CardDealt)]
    assert dealt == [Card.UNKNOWN] * 6


def test_the_felt_says_where_belief_and_cards_differ() -> None:
    started = HandStarted(hand=1, seats=(1, 2, 3), button=1)
    state = advance(new_table(CK), started, CK).state
    felt = Felt()

    assert felt.differences(state) == ()

    felt.lay(felt.draw(), "board", is_public=True)

    assert "stub: 51 cards there, 52 believed" in felt.differences(state)
    assert "board: 2c there,  believed" in felt.differences(state)


@pytest.mark.clause("ck.exposed.6")
@pytest.mark.parametrize("index", [4, 8])
def test_the_last_seat_of_the_deal_gets_its_replacement_after_the_card_that_was_due(
    index: int,
) -> None:
    """The card that finishes the deal is not the replacement of an exposed one."""
    plan = HandPlan(Mistake.EXPOSED_LATER, (index,))
    hand = Hand(plan, (1, 2, 3, 4), new_table(CK), CK, random.Random(1))
    # The button of hand 3 is seat 4, which gets cards 4 and 8 of the deal.
    hand.play(3)

    dealt = [event.seat for event in hand.events if isinstance(event, CardDealt)]
    assert dealt == [1, 2, 3, 4, 1, 2, 3, 4, 4]
    assert hand.problems == ()


@pytest.mark.clause("fr2.2-7.known")
def test_the_fourth_card_of_a_flop_is_the_burn_of_the_turn() -> None:
    plan = HandPlan(Mistake.FOUR_CARD_FLOP)
    burns = set()
    for seed in range(8):
        hand = Hand(plan, (1, 2, 3), new_table(FR2), FR2, random.Random(seed))
        hand.play(1)
        (flop, *_) = [event for event in hand.events if isinstance(event, BoardShown)]
        burned = sum(isinstance(event, CardBurned) for event in hand.events)
        burns.add((flop.order_known, burned))
        assert hand.problems == ()

    # Order known: the fourth card stands for one of the three burns of the hand.
    assert burns == {(True, 2), (False, 3)}


def test_a_hand_that_comes_to_the_showdown_with_a_card_too_few_is_told() -> None:
    state = msgspec.structs.replace(new_table(CK), live=(1, 2))
    felt = Felt()
    for zone, count in {"seat:1": 2, "seat:2": 1, "board": 5, "burn": 3}.items():
        for _ in range(count):
            felt.lay(felt.draw(), zone)

    assert felt.faults_at_showdown(state) == ("seat:2: 1 cards at the showdown instead of 2",)
