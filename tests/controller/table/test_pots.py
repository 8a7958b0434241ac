"""Main pot, side pots, shares and odd chips; checked against PokerKit on random hands."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pokerkit import Automation, NoLimitTexasHoldem, State

from controller.cards import Card
from controller.rulings import Money
from controller.table.pots import (
    Award,
    Pot,
    Sharing,
    Stake,
    award,
    by_highest_card,
    by_seat,
    owing,
    pots,
    split,
    totals,
    uncalled,
)


def _in(seat: int, chips: int) -> Stake:
    return Stake(seat, chips)


def _folded(seat: int, chips: int) -> Stake:
    return Stake(seat, chips, has_folded=True)


def _all_in(seat: int, chips: int) -> Stake:
    return Stake(seat, chips, is_all_in=True)


# The pots.


def test_without_an_all_in_there_is_one_pot() -> None:
    assert pots([_in(1, 100), _in(2, 100), _folded(3, 40)]) == (Pot(240, (1, 2)),)


@pytest.mark.clause("fr1.pot.2")
@pytest.mark.clause("ck.layout.2")
def test_each_all_in_closes_a_pot() -> None:
    stakes = [_all_in(1, 30), _all_in(2, 80), _in(3, 200), _in(4, 200), _folded(5, 50)]

    assert pots(stakes) == (
        Pot(30 * 5, (1, 2, 3, 4)),
        Pot(50 * 3 + 20, (2, 3, 4)),
        Pot(120 * 2, (3, 4)),
    )


def test_equal_all_ins_make_one_pot() -> None:
    assert pots([_all_in(1, 50), _all_in(2, 50), _in(3, 50)]) == (Pot(150, (1, 2, 3)),)


def test_a_folded_player_makes_no_pot_of_his_own() -> None:
    assert pots([_folded(1, 20), _in(2, 60), _in(3, 60)]) == (Pot(140, (2, 3)),)


def test_chips_of_folded_players_above_the_last_all_in_stay_in_the_last_pot() -> None:
    """Two fold to a third's bet that he then folds as well: nobody is left above the all-in."""
    stakes = [_all_in(1, 50), _folded(2, 90), _folded(3, 90)]

    assert pots(stakes) == (Pot(230, (1,)),)


def test_the_last_player_with_chips_wins_alone_what_the_folded_bet_above_the_all_ins() -> None:
    stakes = [_all_in(1, 50), _folded(2, 90), _in(3, 90)]

    assert pots(stakes) == (Pot(150, (1, 3)), Pot(80, (3,)))


def test_an_uncalled_bet_goes_back_and_is_in_no_pot() -> None:
    stakes = [_all_in(1, 300), _all_in(2, 120), _folded(3, 10)]

    assert uncalled(stakes) == (Money(1, 180),)
    assert pots(stakes) == (Pot(250, (1, 2)),)


@pytest.mark.parametrize(
    "stakes",
    [[], [_in(1, 10)], [_in(1, 10), _in(2, 10)], [_folded(1, 30), _in(2, 10)]],
)
def test_nothing_goes_back_when_every_bet_was_called_or_its_player_folded(
    stakes: list[Stake],
) -> None:
    assert uncalled(stakes) == ()


@pytest.mark.clause("ck.scoop.3")
def test_the_dead_part_of_a_made_up_blind_is_in_the_main_pot_and_need_not_be_matched() -> None:
    stakes = [_in(1, 10), _in(2, 10), _all_in(3, 4)]

    assert uncalled(stakes) == ()
    assert pots(stakes, dead=5) == (Pot(5 + 12, (1, 2, 3)), Pot(12, (1, 2)))


def test_who_is_all_in_on_a_dead_ante_can_win_that_alone() -> None:
    assert pots([_all_in(1, 0), _in(2, 10), _in(3, 10)], dead=6) == (
        Pot(6, (1, 2, 3)),
        Pot(20, (2, 3)),
    )


def test_while_the_betting_runs_a_player_behind_can_still_win_every_pot() -> None:
    assert pots([_in(1, 10), _in(2, 40), _in(3, 40)]) == (Pot(90, (1, 2, 3)),)


def test_there_is_no_pot_before_anybody_has_bet() -> None:
    assert pots([_in(1, 0), _in(2, 0)]) == ()


def test_somebody_must_be_left_to_win() -> None:
    with pytest.raises(ValueError, match="nobody is left to win"):
        pots([_folded(1, 5), _folded(2, 10)])


@pytest.mark.clause("ck.scoop.5")
@pytest.mark.clause("ck.duties.5")
def test_who_has_not_put_in_the_proper_amount() -> None:
    stakes = [_in(1, 40), _in(2, 25), _folded(3, 5), _all_in(4, 12), _in(5, 0)]

    assert owing(stakes) == (Money(2, 15), Money(5, 40))


# Shares.


@pytest.mark.clause("fr1.pot.3")
def test_equal_hands_share_equally() -> None:
    assert split(300, (2, 5, 6)) == (Money(2, 100), Money(5, 100), Money(6, 100))


@pytest.mark.parametrize(
    ("chips", "smallest_chip", "shares"),
    [
        (301, 1, [101, 100, 100]),
        (302, 1, [101, 101, 100]),
        (310, 5, [105, 105, 100]),
        (320, 25, [120, 100, 100]),  # 12 chips of 25 are shared, 20 cannot be
        (10, 25, [10, 0, 0]),
    ],
)
def test_odd_chips_go_round_one_at_a_time(
    chips: int, smallest_chip: int, shares: list[int]
) -> None:
    assert [share.amount for share in split(chips, (4, 1, 2), smallest_chip)] == shares


@pytest.mark.parametrize(("seats", "smallest_chip"), [((), 1), ((1, 2), 0)])
def test_shares_need_seats_and_a_chip(seats: tuple[int, ...], smallest_chip: int) -> None:
    with pytest.raises(ValueError, match="cannot share 10"):
        split(10, seats, smallest_chip)


def test_the_first_seat_left_of_the_button_takes_the_odd_chip() -> None:
    """WSOP live-action rule 149, tournament rule 73."""
    awards = award((Pot(25, (1, 3, 5)),), ((5, 1), (3,)), Sharing(by_seat(4, (1, 3, 5))))

    assert awards == (Award(0, (Money(5, 13), Money(1, 12))),)


def test_in_stud_the_highest_card_by_suit_takes_the_odd_chip() -> None:
    """WSOP live-action rules 146 and 149: spades, hearts, diamonds, clubs."""
    hands = {
        1: (Card.HA, Card.DK, Card.C9, Card.C5, Card.C2),
        2: (Card.SA, Card.CK, Card.D9, Card.D5, Card.D2),
        3: (Card.SK, Card.SQ, Card.SJ, Card.ST, Card.H8),
    }

    assert by_highest_card(hands) == (2, 1, 3)


def test_a_joker_is_no_high_card() -> None:
    assert by_highest_card({1: (Card.JOKER,), 2: (Card.C2,)}) == (2, 1)


def test_every_seat_that_shares_needs_a_place_in_the_order_of_odd_chips() -> None:
    with pytest.raises(ValueError, match=r"seats \[2, 9\] are not in the order \(1, 3\)"):
        Sharing((1, 3)).split(10, (9, 1, 2))


# Awards.


def test_the_last_side_pot_is_awarded_first_and_each_to_the_best_hand_in_it() -> None:
    formed = (Pot(150, (1, 2, 3)), Pot(80, (2, 3)))

    awards = award(formed, ((1,), (3,), (2,)), Sharing(by_seat(3, (1, 2, 3))))

    assert awards == (Award(1, (Money(3, 80),)), Award(0, (Money(1, 150),)))


def test_each_pot_is_split_by_itself() -> None:
    """Two odd chips of two pots are not put together (WSOP live-action rule 149)."""
    formed = (Pot(15, (1, 2, 3)), Pot(25, (2, 3)))

    awards = award(formed, ((2, 3), (1,)), Sharing(by_seat(1, (1, 2, 3))))

    assert totals(awards) == (Money(2, 8 + 13), Money(3, 7 + 12))


def test_a_single_player_wins_without_showing_a_hand() -> None:
    assert award((Pot(40, (6,)),), (), Sharing((6,))) == (Award(0, (Money(6, 40),)),)


def test_a_pot_of_several_players_needs_a_hand() -> None:
    with pytest.raises(ValueError, match=r"no hand was ranked for the pot of the seats \(2, 3\)"):
        award((Pot(40, (2, 3)),), ((1,),), Sharing((1, 2, 3)))


# What always holds.


@st.composite
def _stakes(draw: st.DrawFn) -> list[Stake]:
    """Bets of a finished round: the callers have the highest bet, the all-ins at most that."""
    seats = draw(st.lists(st.integers(1, 10), min_size=2, max_size=10, unique=True))
    bet = draw(st.integers(1, 200))
    below = st.integers(0, bet)
    kinds = st.sampled_from([_in, _folded, _all_in])
    rest = [draw(kinds)(seat, draw(below)) for seat in seats[1:]]
    called = [s if s.has_folded or s.is_all_in else Stake(s.seat, bet) for s in rest]
    return [_in(seats[0], bet), *called]


@given(
    stakes=_stakes(), dead=st.integers(0, 50), chip=st.sampled_from([1, 5, 25]), seed=st.randoms()
)
@settings(max_examples=100, deadline=None)
def test_no_chip_is_lost_or_made(stakes: list[Stake], dead: int, chip: int, seed: Random) -> None:
    formed = pots(stakes, dead)
    seats = [s.seat for s in stakes]
    seed.shuffle(seats)
    ranking = tuple((seat,) for seat in seats[2:])
    paid = totals(award(formed, (*ranking, tuple(seats[:2])), Sharing(by_seat(1, seats), chip)))

    put_in = sum(s.chips for s in stakes) + dead
    back = sum(money.amount for money in uncalled(stakes))
    assert sum(pot.chips for pot in formed) + back == put_in
    assert sum(money.amount for money in paid) + back == put_in


@given(stakes=_stakes())
@settings(max_examples=100, deadline=None)
def test_a_side_pot_has_fewer_players_than_the_pot_before_and_no_folded_ones(
    stakes: list[Stake],
) -> None:
    formed = pots(stakes)
    folded = {s.seat for s in stakes if s.has_folded}

    assert not folded & {seat for pot in formed for seat in pot.seats}
    for before, side in pairwise(formed):
        assert set(side.seats) < set(before.seats)


@given(stakes=_stakes())
@settings(max_examples=100, deadline=None)
def test_nobody_wins_more_from_another_than_he_put_in_himself(stakes: list[Stake]) -> None:
    for winner in stakes:
        if winner.has_folded:
            continue
        most = sum(min(winner.chips, s.chips) for s in stakes)
        assert sum(pot.chips for pot in pots(stakes) if winner.seat in pot.seats) <= most


@given(chips=st.integers(0, 5000), count=st.integers(1, 10), chip=st.sampled_from([1, 5, 25, 100]))
@settings(max_examples=100, deadline=None)
def test_shares_differ_by_less_than_two_of_the_smallest_chip(
    chips: int, count: int, chip: int
) -> None:
    shares = [share.amount for share in split(chips, tuple(range(1, count + 1)), chip)]

    assert sum(shares) == chips
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] < 2 * chip


# PokerKit's pots. A seat is the index of its player plus 1; the last player has the button.

_UNIT: Final = 840
"""All amounts are multiples of it, so that up to eight winners share without an odd chip."""

_BY_THEMSELVES: Final = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.CHIPS_PULLING,
)


def _act(hand: State, chance: Random) -> None:
    """One player folds, bets or raises the least or all he has, or calls."""
    wish = chance.random()
    if wish < 0.2 and hand.can_fold():
        hand.fold()
    elif wish < 0.5 and hand.can_complete_bet_or_raise_to():
        least = hand.min_completion_betting_or_raising_to_amount
        most = hand.max_completion_betting_or_raising_to_amount
        assert least is not None
        assert most is not None
        hand.complete_bet_or_raise_to(chance.choice([least, most]))
    else:
        hand.check_or_call()


def _bet_out(stacks: list[int], chance: Random) -> tuple[State, list[Stake]]:
    """A hand up to the showdown, and what each had bet before the last bets were collected."""
    hand = NoLimitTexasHoldem.create_state(
        _BY_THEMSELVES, True, 0, (_UNIT, 2 * _UNIT), 2 * _UNIT, tuple(stacks), len(stacks)
    )
    left = list(hand.stacks)
    while hand.actor_index is not None or hand.can_collect_bets():
        if hand.actor_index is not None:
            _act(hand, chance)
            continue
        left = list(hand.stacks)
        hand.collect_bets()
    stakes = [
        Stake(n + 1, stack - left[n], not hand.statuses[n], left[n] == 0)
        for n, stack in enumerate(stacks)
    ]
    return hand, stakes


def _show_down(hand: State) -> tuple[tuple[int, ...], ...]:
    """Show every hand and push the pots; the seats by their hands, the best first."""
    while hand.can_show_or_muck_hole_cards():
        hand.show_or_muck_hole_cards(True)
    shown = {n + 1: hand.get_hand(n, 0, 0) for n in hand.player_indices if hand.statuses[n]}
    while hand.can_kill_hand():
        hand.kill_hand()
    while hand.can_push_chips():
        hand.push_chips()
    values = sorted({value for value in shown.values() if value is not None}, reverse=True)
    return tuple(tuple(s for s, v in shown.items() if v == value) for value in values)


_STACKS: Final = st.lists(st.integers(1, 40).map(_UNIT.__mul__), min_size=2, max_size=8)
_CHANCE: Final = st.integers(0, 2**32).map(Random)


@given(stacks=_STACKS, chance=_CHANCE)
@settings(max_examples=60, deadline=None)
def test_pots_at_the_showdown_are_those_of_pokerkit(stacks: list[int], chance: Random) -> None:
    hand, stakes = _bet_out(stacks, chance)
    assume(sum(not stake.has_folded for stake in stakes) > 1)
    theirs = tuple(Pot(pot.amount, tuple(n + 1 for n in pot.player_indices)) for pot in hand.pots)

    assert pots(stakes) == theirs


@given(stacks=_STACKS, chance=_CHANCE)
@settings(max_examples=60, deadline=None)
def test_every_player_ends_with_the_chips_that_pokerkit_gives_him(
    stacks: list[int], chance: Random
) -> None:
    hand, stakes = _bet_out(stacks, chance)
    ranking = _show_down(hand)

    awards = award(pots(stakes), ranking, Sharing(tuple(stake.seat for stake in stakes)))
    got = {stake.seat: stack - stake.chips for stake, stack in zip(stakes, stacks, strict=True)}
    for money in (*uncalled(stakes), *totals(awards)):
        got[money.seat] += money.amount
    assert list(got.values()) == hand.stacks
