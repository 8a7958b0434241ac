"""The worked scenarios of the tournament dealt by its players, played to their end."""

from __future__ import annotations

import pytest

from controller.cards import Card
from controller.events import Action, CardExposed, Cause, PlayerActed, Shown, Street
from controller.rulings import StepKind, Verdict
from tests.controller.rules.playing import DECK, Play, cards


@pytest.fixture
def play() -> Play:
    return Play("fr2")


def _dealt() -> dict[int, list[Card]]:
    return {seat: [DECK[seat - 1], DECK[seat + 5]] for seat in range(1, 7)}


def _assert_redealt(play: Play) -> None:
    assert play.ruling.verdict is Verdict.MISDEAL
    play.carry_out()
    play.deal_all()
    assert (play.state.button, play.state.hand) == (6, 1)
    assert play.board == play.burns == []
    assert len(play.stub) == 40
    assert all(len(hand) == 2 for hand in play.hands.values())


@pytest.mark.scenario("SC-032")
@pytest.mark.clause("fr2.2-4.1")
def test_a_card_turned_by_the_dealer_is_replaced_and_becomes_the_burn(play: Play) -> None:
    play.deal_until(3)
    play.deal(shown=Shown.UP)
    assert play.ruling.verdict is Verdict.CONTINUE
    assert not play.ruling.call_floor
    play.to_street(Street.FLOP)
    assert set(play.hands[3]) == set(cards("4c Jc"))
    assert play.board == list(cards("3h Td Js"))
    assert play.burns == list(cards("5d"))
    assert play.stub == list(DECK[16:])


@pytest.mark.scenario("SC-033")
@pytest.mark.clause("fr2.2-4.2")
@pytest.mark.clause("fr2.2-14.3")
@pytest.mark.clause("fr2.2-1.1")
def test_the_dealer_keeps_his_own_turned_card_and_shows_it(play: Play) -> None:
    play.deal_until(12)
    play.deal(shown=Shown.UP)
    assert play.asked() == [StepKind.ANNOUNCE]
    play.to_street(Street.FLOP)
    assert play.hands == _dealt()
    assert play.board == list(cards("3h Td Js"))
    assert play.burns == list(cards("4c"))


@pytest.mark.scenario("SC-034")
@pytest.mark.clause("fr2.2-5.known")
def test_of_a_flop_without_burn_the_first_card_is_the_burn(play: Play) -> None:
    play.deal_all()
    play.close_betting()
    play.show(3)
    play.carry_out()
    assert play.burns == list(cards("4c"))
    assert play.board == list(cards("3h Td Js"))
    assert play.stub == list(DECK[16:])
    assert play.state.street is Street.FLOP


@pytest.mark.scenario("SC-035")
@pytest.mark.clause("fr2.2-5.unknown")
def test_a_flop_without_burn_in_a_pile_goes_back_and_a_burn_is_taken(play: Play) -> None:
    play.deal_all()
    play.close_betting()
    play.show(3, order_known=False)
    assert play.asked() == [
        StepKind.RETURN_TO_STUB,
        StepKind.RESHUFFLE_STUB,
        StepKind.BURN,
        StepKind.DEAL_BOARD,
    ]
    assert play.step(StepKind.RESHUFFLE_STUB).count == 40
    play.carry_out()
    assert (len(play.burns), len(play.board), len(play.stub)) == (1, 3, 36)


@pytest.mark.scenario("SC-038")
@pytest.mark.clause("fr2.2-7.known")
def test_the_fourth_flop_card_is_the_burn_of_the_turn(play: Play) -> None:
    play.deal_all()
    play.close_betting()
    play.burn()
    play.show(4)
    play.to_street(Street.TURN)
    assert play.board == list(cards("3h Td Js Ts"))
    assert play.burns == list(cards("4c 7h"))


@pytest.mark.scenario("SC-039")
@pytest.mark.clause("fr2.2-7.unknown")
def test_four_flop_cards_in_a_pile_go_back_without_a_new_burn(play: Play) -> None:
    play.deal_all()
    play.close_betting()
    play.burn()
    play.show(4, order_known=False)
    assert play.step(StepKind.RESHUFFLE_STUB).count == 39
    assert StepKind.BURN not in play.asked()
    play.carry_out()
    assert play.burns == list(cards("4c"))
    assert (len(play.board), len(play.stub)) == (3, 36)


@pytest.mark.scenario("SC-040")
@pytest.mark.clause("fr2.2-8")
def test_a_turn_and_a_river_without_burn_are_burned_themselves(play: Play) -> None:
    play.to_street(Street.FLOP)
    play.close_betting()
    play.show(1)
    play.to_street(Street.TURN)
    play.close_betting()
    play.show(1)
    play.to_street(Street.RIVER)
    assert play.board == list(cards("3h Td Js Ts As"))
    assert play.burns == list(cards("4c 7h 7s"))
    assert play.stub == list(DECK[20:])


@pytest.mark.scenario("SC-041")
@pytest.mark.clause("fr2.2-10")
@pytest.mark.clause("fr2.2-13")
def test_a_premature_flop_goes_back_at_once_whatever_the_last_player_does(play: Play) -> None:
    play.deal_all()
    play.burn()
    play.show(3)
    assert play.asked()[:2] == [StepKind.RETURN_TO_STUB, StepKind.RESHUFFLE_STUB]
    assert play.step(StepKind.RESHUFFLE_STUB).count == 39
    assert StepKind.BURN not in play.asked()
    play.tell(PlayerActed(seat=3, action=Action.FOLD))
    play.carry_out()
    assert play.burns == list(cards("4c"))
    assert (len(play.board), len(play.stub)) == (3, 36)


@pytest.mark.scenario("SC-042")
@pytest.mark.clause("fr2.2-11")
@pytest.mark.clause("fr2.2-13")
def test_a_premature_turn_lies_aside_and_goes_back_before_the_river(play: Play) -> None:
    play.to_street(Street.FLOP)
    play.burn()
    play.show(1)
    assert play.step(StepKind.RESHUFFLE_STUB).count == 33
    play.carry_out()
    assert play.board[:4] == list(cards("3h Td Js As"))
    assert play.burns == list(cards("4c 7h 7s"))
    assert {*play.stub, play.board[4]} == {Card("Ts"), *DECK[20:]}


@pytest.mark.scenario("SC-043")
@pytest.mark.clause("fr2.2-12")
@pytest.mark.clause("fr2.2-13")
def test_a_premature_river_goes_back_and_comes_without_burn(play: Play) -> None:
    play.to_street(Street.TURN)
    play.burn()
    play.show(1)
    assert play.step(StepKind.RESHUFFLE_STUB).count == 33
    play.carry_out()
    assert play.burns == list(cards("4c 7h 7s"))
    assert {*play.stub, play.board[4]} == set(DECK[19:])


@pytest.mark.scenario("SC-044")
@pytest.mark.clause("fr2.2-14.2")
def test_a_card_turned_by_accident_is_replaced(play: Play) -> None:
    play.deal_until(5)
    play.tell(CardExposed(seat=4, card=Card("Ks"), cause=Cause.PLAYER_ACCIDENT, nth=1))
    play.carry_out()
    assert set(play.hands[4]) == set(cards("4c 2c"))
    assert play.burns == list(cards("Ks"))
    assert play.stub == list(DECK[13:])


@pytest.mark.scenario("SC-044")
@pytest.mark.clause("fr2.2-17.5")
def test_a_card_turned_on_purpose_puts_the_player_out(play: Play) -> None:
    play.deal_all()
    play.tell(CardExposed(seat=4, card=Card("Ks"), cause=Cause.PLAYER_DELIBERATE, nth=1))
    assert play.ruling.verdict is Verdict.HAND_DEAD
    play.carry_out()
    assert play.state.live == (1, 2, 3, 5, 6)
    assert set(play.muck) == set(cards("Ks 2c"))


@pytest.mark.scenario("SC-045")
@pytest.mark.clause("fr2.2-15.1")
def test_a_card_that_fell_off_the_table_unseen_counts_as_turned(play: Play) -> None:
    play.deal_until(9)
    play.fallen = Card("Jc")
    play.deal(landed="off_table")
    play.carry_out()
    assert play.hands[3] == list(cards("5d 4c"))
    assert play.burns == list(cards("Jc"))
    assert play.stub == list(DECK[13:])


@pytest.mark.scenario("SC-045")
@pytest.mark.clause("fr2.2-15.2")
def test_a_card_the_player_dropped_must_be_played(play: Play) -> None:
    play.deal_until(10)
    fell = CardExposed(seat=3, cause=Cause.PLAYER_ACCIDENT, nth=2, landed="off_table")
    play.tell(fell)
    assert play.ruling.verdict is Verdict.PLAY_ON
    assert play.asked() == []


@pytest.mark.scenario("SC-046")
@pytest.mark.clause("fr2.2-15.1")
@pytest.mark.clause("fr2.2-17.1")
@pytest.mark.clause("fr2.2-3.1")
@pytest.mark.parametrize("position", [1, 2])
def test_one_of_the_first_two_cards_off_the_table_is_a_misdeal(play: Play, position: int) -> None:
    play.deal_until(position)
    play.deal(landed="off_table")
    assert StepKind.WASH not in play.asked()
    _assert_redealt(play)


@pytest.mark.scenario("SC-048")
@pytest.mark.clause("fr2.2-17.1")
@pytest.mark.clause("fr2.2-20")
@pytest.mark.parametrize("position", [1, 2])
def test_one_of_the_first_two_cards_turned_is_a_misdeal(play: Play, position: int) -> None:
    play.deal_until(position)
    play.deal(shown=Shown.UP)
    _assert_redealt(play)


@pytest.mark.scenario("SC-048")
@pytest.mark.clause("fr2.2-17.2")
def test_a_second_turned_card_is_a_misdeal_and_ends_the_first_ruling(play: Play) -> None:
    play.deal_until(5)
    play.deal(shown=Shown.UP)
    play.deal_until(10)
    play.deal(shown=Shown.UP)
    first, second = play.rulings
    assert second.replaces == first.id
    assert [o.ruling.id for o in play.state.open] == [second.id]
    _assert_redealt(play)
