"""Who gets which money back from a fouled deck and from a misdeal."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rulings import Money
from controller.table.pots import Sharing, Stake, by_seat
from controller.table.refunds import (
    Forfeited,
    ForfeitTo,
    FouledRule,
    MisdealBlinds,
    Refund,
    RefundTo,
    fouled_deck_refund,
    misdeal_refund,
)

CK: Final = FouledRule()
WHOLE_POT: Final = FouledRule(forfeited=Forfeited.WHOLE_POT)
FAQ: Final = FouledRule(forfeited=Forfeited.NOTHING)
TO_THE_HAND: Final = FouledRule(refund_to=RefundTo.PLAYERS_IN_THE_HAND)
TO_CONTRIBUTORS: Final = FouledRule(forfeit_to=ForfeitTo.CONTRIBUTORS)
WSOP: Final = FouledRule(forfeit_to=ForfeitTo.NEXT_POT)
EVERY_RULE: Final = [CK, WHOLE_POT, FAQ, TO_THE_HAND, TO_CONTRIBUTORS, WSOP]

SIX: Final = Sharing(by_seat(6, range(1, 7)))
"""Button on seat 6, chips of 1."""


def _in(seat: int, chips: int) -> Stake:
    return Stake(seat, chips)


def _folded(seat: int, chips: int) -> Stake:
    return Stake(seat, chips, has_folded=True)


def _money(**by_seat: int) -> tuple[Money, ...]:
    """Money(seat, amount) written S1=5."""
    return tuple(Money(int(seat[1:]), amount) for seat, amount in by_seat.items())


# Nobody knew.


@pytest.mark.scenario("SC-076")
@pytest.mark.clause("ck.fouled.2")
@pytest.mark.clause("ck.joker.4")
def test_blinds_and_bets_go_back_to_those_who_put_them_in() -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _in(3, 100), _in(4, 100)]

    refund = fouled_deck_refund(stakes, CK, SIX)

    assert refund == Refund(_money(S1=5, S2=10, S3=100, S4=100))


@pytest.mark.scenario("SC-077")
@pytest.mark.clause("ck.fouled.1")
@pytest.mark.clause("ck.fouled.2")
def test_a_player_who_folded_gets_his_money_back_too() -> None:
    stakes = [_folded(1, 5), _in(3, 100), _in(4, 100)]

    assert fouled_deck_refund(stakes, CK, SIX).money == _money(S1=5, S3=100, S4=100)


@pytest.mark.clause("ck.fouled.2")
def test_the_other_reading_leaves_the_money_of_the_folded_to_the_players_in_the_hand() -> None:
    stakes = [_folded(1, 5), _in(3, 100), _in(4, 100)]

    assert fouled_deck_refund(stakes, TO_THE_HAND, SIX).money == _money(S3=103, S4=102)


@pytest.mark.scenario("SC-109")
@pytest.mark.scenario("SC-110")
@pytest.mark.clause("faq.back.1")
@pytest.mark.clause("faq.dup.1")
def test_the_chips_go_back_to_their_bettors() -> None:
    stakes = [_folded(1, 5), _in(2, 60), _in(3, 60)]

    assert fouled_deck_refund(stakes, FAQ, SIX) == Refund(_money(S1=5, S2=60, S3=60))


@pytest.mark.scenario("SC-109")
@pytest.mark.clause("faq.back.2")
@pytest.mark.clause("faq.missing.1")
def test_nothing_goes_back_once_the_pot_has_been_pushed() -> None:
    assert fouled_deck_refund([], FAQ, SIX) == Refund()


# One player knew and bet to win.


@pytest.mark.scenario("SC-078")
@pytest.mark.clause("ck.fouled.3")
@pytest.mark.clause("ck.fouled.5")
def test_who_knew_loses_his_chips_to_the_active_players_in_equal_shares() -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _in(3, 100), _in(4, 100), _in(5, 100)]

    refund = fouled_deck_refund(stakes, CK, SIX, knew=4)

    assert refund == Refund(_money(S1=5, S2=10, S3=150, S5=150))


@pytest.mark.clause("ck.fouled.5")
def test_shares_do_not_depend_on_what_each_had_put_in() -> None:
    stakes = [Stake(3, 20, is_all_in=True), _in(4, 100), _in(5, 100)]

    refund = fouled_deck_refund(stakes, CK, SIX, knew=4)

    assert refund.money == _money(S3=70, S5=150)


@pytest.mark.clause("ck.fouled.3")
def test_an_active_player_who_has_put_nothing_in_shares_too() -> None:
    refund = fouled_deck_refund([_in(4, 60), _in(5, 0), _in(6, 20)], CK, SIX, knew=4)

    assert refund.money == _money(S5=30, S6=50)


@pytest.mark.scenario("SC-078")
@pytest.mark.clause("ck.fouled.3")
def test_the_other_reading_shares_the_whole_pot_among_the_active_players() -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _in(3, 100), _in(4, 100), _in(5, 100)]

    refund = fouled_deck_refund(stakes, WHOLE_POT, SIX, knew=4)

    assert refund == Refund(_money(S3=158, S5=157))


@pytest.mark.scenario("SC-079")
@pytest.mark.clause("ck.fouled.4")
@pytest.mark.clause("ck.fouled.5")
def test_when_everybody_folded_all_who_put_money_in_share() -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _folded(3, 90), _in(4, 90)]

    refund = fouled_deck_refund(stakes, CK, SIX, knew=4)

    assert refund == Refund(_money(S1=35, S2=40, S3=120))


@pytest.mark.scenario("SC-079")
@pytest.mark.clause("ck.fouled.4")
def test_when_everybody_folded_the_other_reading_shares_the_whole_pot() -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _folded(3, 90), _in(4, 90)]

    refund = fouled_deck_refund(stakes, WHOLE_POT, SIX, knew=4)

    assert refund == Refund(_money(S1=65, S2=65, S3=65))


@pytest.mark.parametrize("rule", [CK, TO_THE_HAND])
def test_when_everybody_folded_there_is_no_player_in_the_hand_to_prefer(rule: FouledRule) -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _folded(3, 90), _in(4, 90)]

    assert fouled_deck_refund(stakes, rule, SIX, knew=4).money == _money(S1=35, S2=40, S3=120)


@pytest.mark.clause("ck.fouled.4")
def test_a_house_may_share_among_all_contributors_though_players_are_active() -> None:
    stakes = [_folded(1, 5), _folded(2, 10), _in(3, 90), _in(4, 90)]

    refund = fouled_deck_refund(stakes, TO_CONTRIBUTORS, SIX, knew=4)

    assert refund.money == _money(S1=35, S2=40, S3=120)


def test_a_house_may_leave_the_forfeited_chips_for_the_next_pot() -> None:
    """WSOP live-action rule 113."""
    refund = fouled_deck_refund([_in(3, 100), _in(4, 100)], WSOP, SIX, knew=4)

    assert refund == Refund(_money(S3=100), stays=100)


def test_a_house_without_the_rule_refunds_the_player_who_knew() -> None:
    refund = fouled_deck_refund([_in(3, 100), _in(4, 100)], FAQ, SIX, knew=4)

    assert refund == Refund(_money(S3=100, S4=100))


def test_with_nobody_to_share_it_the_money_waits_for_the_floor() -> None:
    assert fouled_deck_refund([_in(4, 100), _folded(5, 0)], CK, SIX, knew=4) == Refund((), 100)


def test_odd_chips_of_forfeited_money_go_as_in_a_split_pot() -> None:
    stakes = [_in(1, 50), _in(2, 50), _in(5, 50)]
    sharing = Sharing(by_seat(1, range(1, 7)), smallest_chip=25)

    refund = fouled_deck_refund([*stakes, _in(4, 50)], CK, sharing, knew=4)

    assert refund.money == _money(S1=50, S2=75, S5=75)


@given(
    chips=st.lists(st.integers(0, 300), min_size=6, max_size=6),
    folded=st.sets(st.integers(1, 6)),
    knew=st.integers(0, 6),
    rule=st.sampled_from(EVERY_RULE),
)
@settings(max_examples=150, deadline=None)
def test_every_chip_goes_to_a_player_or_stays(
    chips: list[int], folded: set[int], knew: int, rule: FouledRule
) -> None:
    stakes = [Stake(n, amount, n in folded) for n, amount in enumerate(chips, 1)]

    refund = fouled_deck_refund(stakes, rule, SIX, knew)

    assert sum(money.amount for money in refund.money) + refund.stays == sum(chips)
    assert all(money.amount > 0 for money in refund.money)
    if knew and rule.forfeited is not Forfeited.NOTHING:
        assert knew not in {money.seat for money in refund.money}
    if rule.forfeit_to is not ForfeitTo.NEXT_POT and sum(map(bool, chips)) > 1:
        assert refund.stays == 0


# Misdeals.


def test_a_misdeal_gives_the_bets_back_and_keeps_the_blinds_for_the_new_deal() -> None:
    stakes = [_in(1, 5), _in(2, 10), _in(3, 10), _folded(4, 0), _in(5, 30)]

    refund = misdeal_refund(stakes, _money(S1=5, S2=10), MisdealBlinds.STAY_POSTED, is_in_time=True)

    assert refund == Refund(_money(S3=10, S5=30), stays=15)


def test_a_blind_gets_back_only_what_he_added() -> None:
    refund = misdeal_refund(
        [_in(2, 40), _in(1, 40)], _money(S1=5, S2=10), MisdealBlinds.STAY_POSTED, is_in_time=True
    )

    assert refund == Refund(_money(S1=35, S2=30), stays=15)


def test_a_blind_and_an_ante_of_one_player_both_stay() -> None:
    forced = (*_money(S2=10), *_money(S2=4))

    refund = misdeal_refund([_in(2, 14)], forced, MisdealBlinds.STAY_POSTED, is_in_time=True)

    assert refund == Refund(stays=14)


def test_a_house_may_give_the_blinds_back_as_well() -> None:
    refund = misdeal_refund(
        [_in(1, 5), _in(2, 10)], _money(S1=5, S2=10), MisdealBlinds.RETURNED, is_in_time=True
    )

    assert refund == Refund(_money(S1=5, S2=10))


@pytest.mark.scenario("SC-103")
@pytest.mark.clause("faq.window.2")
@pytest.mark.clause("faq.window.3")
@pytest.mark.clause("ck.misdeal.closed")
@pytest.mark.parametrize("blinds", MisdealBlinds)
def test_a_misdeal_called_too_late_gives_nothing_back(blinds: MisdealBlinds) -> None:
    stakes = [_in(1, 5), _in(2, 10), _folded(3, 0), _in(4, 10)]

    refund = misdeal_refund(stakes, _money(S1=5, S2=10), blinds, is_in_time=False)

    assert refund == Refund(stays=25)
