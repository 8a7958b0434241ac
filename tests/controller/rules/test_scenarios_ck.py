"""The worked scenarios of Caro and Cooke's dealing rules, played to their end."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.cards import Card
from controller.events import (
    Action,
    BackSeen,
    CardExposed,
    Cause,
    DeckShuffled,
    HandShown,
    HandStarted,
    JokerReported,
    PlayerActed,
    Shown,
    StepConfirmed,
    Street,
    StubCounted,
)
from controller.irregularities import Kind
from controller.rulebook import Answer
from controller.rulings import Money, StepKind, Verdict
from tests.controller.rules.playing import DECK, Play, cards


@pytest.fixture
def play() -> Play:
    return Play("ck")


def _assert_redealt(play: Play) -> None:
    play.carry_out()
    play.deal_all()
    assert (play.state.button, play.state.hand) == (6, 1)
    assert play.board == play.burns == []
    assert len(play.stub) == 40
    assert all(len(hand) == 2 for hand in play.hands.values())


def _with_joker() -> tuple[Card, ...]:
    return (*DECK[:8], Card.JOKER, *DECK[8:])


@pytest.mark.scenario("SC-064")
@pytest.mark.clause("ck.exposed.1")
@pytest.mark.clause("ck.exposed.6")
@pytest.mark.clause("ck.floor.2")
def test_a_flashed_card_is_replaced_after_the_deal_and_becomes_the_burn(play: Play) -> None:
    play.deal_until(9)
    play.deal(shown=Shown.UP)
    assert not play.ruling.call_floor
    assert StepKind.ANNOUNCE in play.asked()
    play.to_street(Street.FLOP)
    assert play.hands[3] == list(cards("5d 4c"))
    assert play.hands[6] == list(cards("2h 4h"))
    assert play.burns == list(cards("Jc"))
    assert play.board == list(cards("3h Td Js"))
    assert play.stub == list(DECK[16:])


@pytest.mark.scenario("SC-065")
@pytest.mark.clause("ck.exposed.6")
@pytest.mark.clause("ck.exposed.7")
def test_the_last_card_may_be_followed_by_another_to_the_same_player(play: Play) -> None:
    play.deal_until(12)
    play.deal(shown=Shown.UP)
    play.to_street(Street.FLOP)
    assert play.hands[6] == list(cards("2h 4c"))
    assert play.burns == list(cards("4h"))
    assert play.board == list(cards("3h Td Js"))
    assert len(play.rulings) == 1


@pytest.mark.scenario("SC-066")
@pytest.mark.clause("ck.exposed.7")
@pytest.mark.clause("ck.floor.3")
def test_the_buttons_first_card_is_for_the_floor(play: Play) -> None:
    play.deal_until(6)
    play.deal(shown=Shown.UP)
    assert play.ruling.call_floor
    assert play.asked()[0] is StepKind.CALL_FLOOR
    play.carry_out()
    assert set(play.hands[6]) == set(cards("4c 4h"))
    assert play.burns == list(cards("2h"))
    assert play.stub == list(DECK[13:])


@pytest.mark.scenario("SC-067")
@pytest.mark.clause("ck.exposed.3")
def test_a_card_the_player_turned_is_not_replaced(play: Play) -> None:
    play.deal_until(5)
    play.tell(CardExposed(seat=4, card=Card("Ks"), cause=Cause.PLAYER_DELIBERATE, nth=1))
    assert [ruling.verdict for ruling in play.rulings] == [Verdict.PLAY_ON]
    assert play.asked() == [StepKind.ANNOUNCE]
    # It does not count among the exposed cards that make a misdeal.
    play.deal_until(9)
    play.deal(shown=Shown.UP)
    assert play.rulings[1].verdict is Verdict.CONTINUE


@pytest.mark.scenario("SC-067")
@pytest.mark.clause("ck.exposed.6")
def test_a_card_that_struck_the_players_hand_is_the_dealers(play: Play) -> None:
    play.deal_until(5)
    play.tell(CardExposed(seat=4, card=Card("Ks"), cause=Cause.STRUCK_PLAYER, nth=1))
    play.carry_out()
    assert set(play.hands[4]) == set(cards("4c 2c"))
    assert play.burns == list(cards("Ks"))
    assert play.stub == list(DECK[13:])


@pytest.mark.scenario("SC-068")
@pytest.mark.clause("ck.exposed.1")
@pytest.mark.clause("ck.misdeal.h")
@pytest.mark.clause("ck.misdeal.remedy")
def test_a_fallen_card_and_a_suspected_one_are_two_exposed_cards(play: Play) -> None:
    play.deal_until(9)
    play.deal(landed="off_table")
    play.deal_until(11)
    play.deal(shown=Shown.SUSPECTED)
    assert play.ruling.verdict is Verdict.MISDEAL
    assert play.asked()[0] is StepKind.WASH
    _assert_redealt(play)


@pytest.mark.scenario("SC-069")
@pytest.mark.clause("ck.misdeal.g")
@pytest.mark.clause("ck.misdeal.0")
@pytest.mark.parametrize("position", [1, 2])
def test_one_of_the_first_two_cards_flashed_is_a_misdeal(play: Play, position: int) -> None:
    play.deal_until(position)
    play.deal(shown=Shown.UP)
    assert play.ruling.verdict is Verdict.MISDEAL
    _assert_redealt(play)


@pytest.mark.scenario("SC-070")
@pytest.mark.clause("ck.exposed.3")
def test_a_card_shown_in_discarding_is_announced_and_no_more(play: Play) -> None:
    play.deal_all()
    play.tell(CardExposed(seat=5, card=Card("Jd"), cause=Cause.DISCARD, nth=1))
    assert play.asked() == [StepKind.ANNOUNCE]
    assert play.step(StepKind.ANNOUNCE).cards == cards("Jd")


@pytest.mark.scenario("SC-071")
@pytest.mark.clause("ck.boxed.1")
def test_a_boxed_card_is_as_if_it_were_not_there() -> None:
    play = Play("ck", boxed=(9,))
    play.to_street(Street.FLOP)
    assert play.hands[3] == list(cards("5d 2c"))
    assert play.hands[4] == list(cards("Ks 8c"))
    assert play.hands[5] == list(cards("Jd 4h"))
    assert play.hands[6] == list(cards("2h 4c"))
    assert play.burns == list(cards("3h"))
    assert play.board == list(cards("Td Js 7h"))
    assert play.aside == list(cards("Jc"))
    assert play.stub == list(DECK[17:])


@pytest.mark.scenario("SC-072")
@pytest.mark.clause("ck.boxed.2")
@pytest.mark.clause("ck.misdeal.i")
@pytest.mark.clause("ck.fouled.2")
def test_two_boxed_cards_before_the_action_foul_the_deck() -> None:
    play = Play("ck", boxed=(4, 11))
    while len(play.rulings) < 2:
        play.deal()
    assert play.ruling.verdict is Verdict.FOULED_DECK
    assert play.step(StepKind.RETURN_MONEY).money == (Money(1, 5), Money(2, 10))
    assert StepKind.CHANGE_DECK in play.asked()
    _assert_redealt(play)


@pytest.mark.scenario("SC-073")
@pytest.mark.clause("ck.boxed.1")
def test_a_second_boxed_card_on_the_turn_is_passed_over_too() -> None:
    play = Play("ck", boxed=(4, 18))
    play.to_street(Street.FLOP)
    play.close_betting()
    play.burn()
    assert play.ruling.verdict is Verdict.CONTINUE
    play.to_street(Street.TURN)
    assert play.hands[4] == list(cards("Jd 8c"))
    assert play.hands[6] == list(cards("6s 4c"))
    assert play.board == list(cards("Td Js 7h As"))
    assert play.burns == list(cards("3h 7s"))
    assert play.aside == list(cards("Ks Ts"))
    assert play.stub == list(DECK[20:])


@pytest.mark.scenario("SC-074")
@pytest.mark.clause("ck.joker.1")
@pytest.mark.clause("ck.joker.3")
def test_a_joker_dealt_face_down_is_replaced_after_the_deal() -> None:
    play = Play("ck", deck=_with_joker())
    play.deal_until(10)
    play.tell(JokerReported(seat=3))
    play.to_street(Street.FLOP)
    assert play.hands[3] == list(cards("5d 4h"))
    assert play.hands[4] == list(cards("Ks Jc"))
    assert play.hands[6] == list(cards("2h 8c"))
    assert play.aside == [Card.JOKER]
    assert play.burns == list(cards("4c"))
    assert play.board == list(cards("3h Td Js"))


@pytest.mark.scenario("SC-075")
@pytest.mark.clause("ck.joker.2")
def test_a_joker_that_comes_face_up_is_replaced_at_once() -> None:
    play = Play("ck", deck=_with_joker(), boxed=(9,))
    play.to_street(Street.FLOP)
    assert play.hands == {seat: [DECK[seat - 1], DECK[seat + 5]] for seat in range(1, 7)}
    assert play.burns == list(cards("4c"))
    assert play.board == list(cards("3h Td Js"))


@pytest.mark.scenario("SC-076")
@pytest.mark.clause("ck.fouled.2")
def test_under_the_alternate_rule_a_joker_fouls_the_deck() -> None:
    play = Play("ck", deck=_with_joker())
    fouled = {**play.book.answers, "joker.policy": Answer("fouled_deck", ("ck.joker.4",))}
    play.book = replace(play.book, answers=fouled)
    play.deal_all()
    for seat in (3, 4):
        play.tell(PlayerActed(seat=seat, action=Action.CALL, amount=100))
    play.tell(JokerReported(seat=3))
    assert play.ruling.verdict is Verdict.FOULED_DECK
    money = play.step(StepKind.RETURN_MONEY).money
    assert money == (Money(1, 5), Money(2, 10), Money(3, 100), Money(4, 100))


@pytest.mark.scenario("SC-077")
@pytest.mark.clause("ck.fouled.1")
@pytest.mark.clause("ck.fouled.2")
def test_a_second_copy_on_the_turn_gives_everybody_his_chips_back() -> None:
    deck = list(DECK)
    deck[17] = Card("5d")
    play = Play("ck", deck=tuple(deck))
    play.deal_all()
    for seat in (3, 4):
        play.tell(PlayerActed(seat=seat, action=Action.CALL, amount=100))
    play.tell(PlayerActed(seat=1, action=Action.FOLD))
    play.to_street(Street.TURN)
    play.tell(HandShown(seat=3, cards=cards("5d Jc")))
    assert play.ruling.irregularity.kind is Kind.DUPLICATE_CARD
    assert play.ruling.verdict is Verdict.FOULED_DECK
    money = play.step(StepKind.RETURN_MONEY).money
    assert money == (Money(1, 5), Money(2, 10), Money(3, 100), Money(4, 100))
    assert not play.state.betting_open
    _assert_redealt(play)


@pytest.mark.clause("ck.fouled.1")
def test_a_card_with_another_back_fouls_the_deck(play: Play) -> None:
    play.tell(HandStarted(hand=2, seats=(1, 2), button=2, deck_back="red"))
    play.tell(BackSeen(zone="stub", back="red"))
    assert play.rulings == []
    play.tell(BackSeen(zone="stub", back="blue"))
    assert play.ruling.verdict is Verdict.FOULED_DECK


@pytest.mark.clause("ck.fouled.1")
def test_a_card_too_many_fouls_the_deck(play: Play) -> None:
    play.deal_all()
    play.tell(StubCounted(count=40))
    assert play.rulings == []
    play.tell(StubCounted(count=41))
    assert play.ruling.verdict is Verdict.FOULED_DECK


@pytest.mark.scenario("SC-080")
@pytest.mark.clause("ck.misdeal.j")
def test_a_missing_card_in_time_is_a_misdeal(play: Play) -> None:
    play.deal_until(8)
    play.tell(StubCounted(count=44))
    assert play.ruling.verdict is Verdict.MISDEAL
    assert StepKind.CHANGE_DECK in play.asked()
    _assert_redealt(play)


@pytest.mark.scenario("SC-080")
@pytest.mark.clause("ck.fouled.1")
def test_a_missing_card_on_the_river_fouls_the_deck(play: Play) -> None:
    play.to_street(Street.RIVER)
    play.tell(StubCounted(count=31))
    assert play.ruling.verdict is Verdict.FOULED_DECK
    assert play.step(StepKind.RETURN_MONEY).money == (Money(1, 5), Money(2, 10))


@pytest.mark.scenario("SC-081")
@pytest.mark.clause("ck.early.1")
@pytest.mark.clause("ck.early.flop")
@pytest.mark.clause("ck.floor.1")
def test_a_premature_flop_waits_for_the_betting_then_goes_back(play: Play) -> None:
    play.deal_all()
    play.burn()
    play.show(3)
    assert play.asked() == [
        StepKind.CALL_FLOOR,
        StepKind.COMPLETE_BETTING,
        StepKind.RETURN_TO_STUB,
        StepKind.RESHUFFLE_STUB,
        StepKind.CUT,
        StepKind.DEAL_BOARD,
    ]
    assert play.step(StepKind.RESHUFFLE_STUB).count == 39
    play.carry_out()
    assert play.burns == list(cards("4c"))
    assert {*play.stub, *play.board} == set(DECK[13:])
    assert (play.state.street, len(play.board)) == (Street.FLOP, 3)


@pytest.mark.scenario("SC-082")
@pytest.mark.clause("ck.early.turn")
@pytest.mark.clause("ck.early.turn-2")
@pytest.mark.clause("ck.floor.1")
def test_a_premature_turn_goes_back_after_the_turn_betting(play: Play) -> None:
    play.to_street(Street.FLOP)
    play.burn()
    play.show(1)
    assert play.ruling.call_floor
    assert play.step(StepKind.RESHUFFLE_STUB).count == 33
    play.carry_out()
    assert play.board[:4] == list(cards("3h Td Js As"))
    assert play.burns == list(cards("4c 7h 7s"))
    assert {*play.stub, play.board[4]} == {Card("Ts"), *DECK[20:]}
    assert play.state.street is Street.RIVER


@pytest.mark.scenario("SC-083")
@pytest.mark.clause("ck.early.river")
@pytest.mark.clause("ck.floor.1")
def test_a_premature_river_goes_back_after_the_turn_betting(play: Play) -> None:
    play.to_street(Street.TURN)
    play.burn()
    play.show(1)
    assert play.asked()[:3] == [
        StepKind.CALL_FLOOR,
        StepKind.COMPLETE_BETTING,
        StepKind.RETURN_TO_STUB,
    ]
    assert play.step(StepKind.RESHUFFLE_STUB).count == 33
    play.carry_out()
    assert play.burns == list(cards("4c 7h 7s"))
    assert {*play.stub, play.board[4]} == set(DECK[19:])


def test_a_count_after_a_shuffle_is_held_against_the_whole_deck() -> None:
    play = Play("ck")
    play.tell(HandStarted(hand=2, seats=(1, 2), button=2))
    outcome = play.tell(StepConfirmed(step="1/1.1"))
    assert outcome.done == ()
    play.stub.pop()
    play.tell(DeckShuffled(count=51))
    assert play.ruling.irregularity.kind is Kind.COUNT_SHORT
