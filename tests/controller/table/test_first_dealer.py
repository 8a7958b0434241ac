"""The draw for the first deal, and who deals, shuffles and cuts when the players deal."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.cards import FULL_DECK, Card
from controller.table.button import ButtonRule, first_positions, left_of, next_positions
from controller.table.first_dealer import (
    CutBy,
    Draw,
    FirstDealer,
    Roles,
    RolesRule,
    ShuffleBy,
    Tie,
    by_first_seated,
    by_high_card,
    by_software,
    deck_in_use,
    right_of_house_dealer,
    roles,
)


def _drawn(**cards: str) -> tuple[Draw, ...]:
    """Draws in the order received, written S1="Kd"."""
    return tuple(Draw(int(seat[1:]), Card(card)) for seat, card in cards.items())


TWO_ACES: Final = _drawn(S1="Kd", S2="Ah", S3="9c", S4="As", S5="Qs", S6="2h")


# The first dealer.


@pytest.mark.clause("fr1.first-dealer.1")
@pytest.mark.clause("fr2.2-2")
@pytest.mark.parametrize("tie", Tie)
def test_the_highest_card_deals_first(tie: Tie) -> None:
    draws = _drawn(S1="2s", S2="Td", S3="Kc", S4="9s")

    assert by_high_card(draws, tie) == FirstDealer(3)


@pytest.mark.scenario("SC-001")
@pytest.mark.clause("fr1.first-dealer.2")
def test_of_two_aces_the_first_to_receive_his_deals() -> None:
    assert by_high_card(TWO_ACES, Tie.FIRST_TO_RECEIVE) == FirstDealer(2, tied=(2, 4))


@pytest.mark.clause("fr1.first-dealer.2")
def test_the_order_received_counts_and_not_the_seat() -> None:
    draws = _drawn(S5="As", S6="2h", S1="Kd", S2="Ah")

    assert by_high_card(draws, Tie.FIRST_TO_RECEIVE).seat == 5


def test_a_house_may_let_the_tied_players_draw_again() -> None:
    assert by_high_card(TWO_ACES, Tie.REDRAW) == FirstDealer(tied=(2, 4), draw_again=(2, 4))


def test_a_house_may_let_the_suit_decide() -> None:
    """WSOP live-action rule 146: spades, hearts, diamonds, clubs."""
    assert by_high_card(TWO_ACES, Tie.SUIT) == FirstDealer(4, tied=(2, 4))


def test_the_same_card_twice_is_drawn_again_even_by_suit() -> None:
    draws = _drawn(S1="As", S2="As", S3="Ah")

    assert by_high_card(draws, Tie.SUIT) == FirstDealer(tied=(1, 2), draw_again=(1, 2))


def test_a_house_may_leave_a_tie_to_the_floor() -> None:
    assert by_high_card(TWO_ACES, Tie.FLOOR) == FirstDealer(tied=(2, 4), call_floor=True)


@pytest.mark.parametrize("unread", ["Jk", "??"])
def test_who_drew_no_readable_card_draws_again(unread: str) -> None:
    draws = _drawn(S1="As", S2=unread, S3="2h")

    assert by_high_card(draws, Tie.FIRST_TO_RECEIVE) == FirstDealer(draw_again=(2,))


@pytest.mark.parametrize("draws", [(), _drawn(S1="As") + _drawn(S1="Ks")])
def test_every_player_draws_one_card(draws: tuple[Draw, ...]) -> None:
    with pytest.raises(ValueError, match="every player draws one card"):
        by_high_card(draws, Tie.REDRAW)


@pytest.mark.clause("fr2.2-2")
def test_the_first_dealer_by_software() -> None:
    assert [by_software((8, 2, 5), number).seat for number in range(3)] == [2, 5, 8]


@pytest.mark.parametrize("number", [-1, 3])
def test_software_draws_one_of_the_players(number: int) -> None:
    with pytest.raises(ValueError, match=f"{number} is none of 3 players"):
        by_software((2, 5, 8), number)


@pytest.mark.clause("fr1.first-dealer.3")
def test_the_first_dealer_may_be_who_sat_down_first() -> None:
    assert by_first_seated((6, 1, 3)) == FirstDealer(6)


def test_somebody_must_have_sat_down() -> None:
    with pytest.raises(ValueError, match="nobody has sat down"):
        by_first_seated(())


def test_the_button_may_begin_right_of_the_house_dealer() -> None:
    """WSOP tournament rule 85: the first chip stack on the dealer's right."""
    assert right_of_house_dealer((3, 9, 1)) == FirstDealer(9)


@given(order=st.permutations(FULL_DECK), players=st.integers(2, 10), tie=st.sampled_from(Tie))
@settings(max_examples=60, deadline=None)
def test_nobody_who_may_still_deal_first_holds_less_than_the_highest_card(
    order: list[Card], players: int, tie: Tie
) -> None:
    draws = tuple(Draw(seat, card) for seat, card in enumerate(order[:players], 1))
    highest = max("23456789TJQKA".index(draw.card.rank) for draw in draws)

    result = by_high_card(draws, tie)

    chosen = {result.seat, *result.tied, *result.draw_again} - {0}
    assert chosen
    for draw in draws:
        if draw.seat in chosen:
            assert "23456789TJQKA".index(draw.card.rank) == highest


# Who shuffles, cuts and deals. Five players at the seats 1 to 5, seat 3 deals, seat 4 has
# the small blind.

FIVE: Final = (1, 2, 3, 4, 5)
FR1: Final = RolesRule(
    shuffle_by=ShuffleBy.RIGHT_OF_DEALER, cut_by=CutBy.LEFT_OF_DEALER, dealer_may_shuffle=True
)
FR2: Final = RolesRule(shuffle_by=ShuffleBy.DEALER, cut_by=CutBy.RIGHT_OF_DEALER)
FR2_SECURE: Final = RolesRule(shuffle_by=ShuffleBy.SMALL_BLIND, cut_by=CutBy.RIGHT_OF_DEALER)
CK: Final = RolesRule(
    shuffle_by=ShuffleBy.TWO_RIGHT_OF_DEALER, cut_by=CutBy.LEFT_OF_DEALER, decks=2
)
BY_MACHINE: Final = RolesRule(shuffle_by=ShuffleBy.MACHINE, cut_by=CutBy.LEFT_OF_DEALER, decks=2)


@pytest.mark.clause("fr1.roles.1")
@pytest.mark.clause("fr1.roles.2")
@pytest.mark.clause("fr1.roles.3")
def test_the_right_neighbour_shuffles_or_the_dealer_and_the_left_one_cuts() -> None:
    assert roles(3, FIVE, FR1) == Roles(dealer=3, shuffler=2, cutter=4, also_may_shuffle=3)


@pytest.mark.clause("fr2.2-3.2")
def test_the_dealer_shuffles_and_the_cut_off_cuts() -> None:
    assert roles(3, FIVE, FR2) == Roles(dealer=3, shuffler=3, cutter=2)


@pytest.mark.clause("fr2.2-3.5")
def test_in_the_secure_mode_the_small_blind_shuffles_and_the_cut_off_cuts() -> None:
    assert roles(3, FIVE, FR2_SECURE, small_blind=4) == Roles(dealer=3, shuffler=4, cutter=2)


@pytest.mark.parametrize(("small_blind", "shuffler"), [(5, 5), (0, 4), (3, 4), (9, 4)])
def test_the_left_neighbour_shuffles_for_a_small_blind_that_is_missing_or_deals(
    small_blind: int, shuffler: int
) -> None:
    assert roles(3, FIVE, FR2_SECURE, small_blind).shuffler == shuffler


@pytest.mark.clause("ck.player-dealt.4")
@pytest.mark.clause("ck.player-dealt.5")
@pytest.mark.clause("ck.player-dealt.6")
def test_with_two_decks_the_right_neighbour_shuffles_the_deck_just_dealt() -> None:
    assert roles(3, FIVE, CK) == Roles(dealer=3, shuffler=1, cutter=4, next_shuffler=2)


@pytest.mark.clause("fr1.shuffle.5")
def test_where_a_machine_shuffles_no_player_does() -> None:
    assert roles(3, FIVE, BY_MACHINE) == Roles(dealer=3, shuffler=0, cutter=4)


def test_a_house_dealer_s_own_cut_can_be_a_house_rule_for_players_too() -> None:
    rule = RolesRule(shuffle_by=ShuffleBy.RIGHT_OF_DEALER, cut_by=CutBy.DEALER)

    assert roles(3, FIVE, rule).cutter == 3


@pytest.mark.clause("ck.player-dealt.6")
@pytest.mark.clause("fr1.cut.3")
@pytest.mark.parametrize(
    ("rule", "players", "expected"),
    [
        (FR1, (1, 2, 3), True),
        (FR1, (1, 2), False),
        (FR2, FIVE, False),
        (FR2_SECURE, (1, 2, 3), True),
        (CK, (1, 2, 3, 4), True),
        (CK, (1, 2, 3), False),  # two to the right is the left neighbour, who cuts
        (BY_MACHINE, FIVE, False),
    ],
)
def test_whether_three_people_shuffle_cut_and_deal(
    rule: RolesRule, players: tuple[int, ...], expected: bool
) -> None:
    assert roles(2, players, rule, small_blind=left_of(2, players)).are_three_people is expected


@pytest.mark.parametrize(("dealer", "players"), [(7, FIVE), (1, (1,))])
def test_the_dealer_is_one_of_several_players(dealer: int, players: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=f"seat {dealer} cannot deal"):
        roles(dealer, players, FR1)


@pytest.mark.clause("fr1.cut.3")
@given(
    players=st.sets(st.integers(1, 10), min_size=2),
    rule=st.sampled_from([FR1, FR2, FR2_SECURE, CK]),
)
@settings(max_examples=60, deadline=None)
def test_another_player_always_cuts(players: set[int], rule: RolesRule) -> None:
    for dealer in players:
        assert roles(dealer, players, rule).cutter in players - {dealer}


@pytest.mark.clause("fr1.rotate.1")
@pytest.mark.clause("ck.player-dealt.2")
@pytest.mark.clause("ck.player-dealt.5")
@pytest.mark.clause("ck.player-dealt.6")
def test_who_shuffles_a_deck_in_one_hand_has_shuffled_the_deck_of_the_next() -> None:
    now = first_positions(FIVE, 3)
    dealers = []
    for _ in range(6):
        following = next_positions(now, FIVE, ButtonRule())
        before, after = (roles(hand.dealer, FIVE, CK) for hand in (now, following))
        assert before.next_shuffler == after.shuffler
        dealers.append(now.dealer)
        now = following

    assert dealers == [3, 4, 5, 1, 2, 3]


@pytest.mark.clause("ck.player-dealt.3")
def test_two_decks_take_turns() -> None:
    assert [deck_in_use(hand, 2) for hand in range(1, 6)] == [1, 2, 1, 2, 1]


def test_one_deck_is_always_the_same() -> None:
    assert {deck_in_use(hand, 1) for hand in range(5)} == {1}
