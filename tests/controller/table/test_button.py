"""Button and blinds of the next hand: the texts' own examples first, then what always holds.

The seats A to E of the examples are the seats 1 to 5 here; in the hand before
the example A has the button, B the small blind and C the big blind (fr1 L65).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.table.button import (
    Blind,
    ButtonRule,
    EmptySeat,
    NoBlinds,
    Positions,
    Post,
    Rotation,
    first_positions,
    from_left_of,
    left_of,
    next_positions,
    right_of,
)

A, B, C, D, E = 1, 2, 3, 4, 5
ALL: Final = (A, B, C, D, E)

FR1: Final = ButtonRule(big_blind_may_be_missing=True)
FR1_LITERAL: Final = ButtonRule(big_blind_may_be_missing=True, no_blinds=NoBlinds.PLAYED_WITHOUT)
FAQ_STAYS: Final = ButtonRule(empty_seat=EmptySeat.PREVIOUS_PLAYER)
FAQ_EMPTY: Final = ButtonRule(empty_seat=EmptySeat.EMPTY_SEAT)
MOVING: Final = ButtonRule(rotation=Rotation.MOVING)
ADVANCE: Final = ButtonRule(rotation=Rotation.ADVANCE)
DEAD_RULES: Final = [FR1, FR1_LITERAL, FAQ_STAYS, FAQ_EMPTY]
EVERY_RULE: Final = [*DEAD_RULES, MOVING, ADVANCE]

Hand = tuple[int, int, int]
"""Button, small blind, big blind; 0 where nobody has it."""


def _left(out: Iterable[int], of: Iterable[int] = ALL) -> tuple[int, ...]:
    return tuple(seat for seat in of if seat not in set(out))


def _following(out: Iterable[int], rule: ButtonRule, hands: int) -> list[Positions]:
    """The hands after the one in which ``out`` were eliminated."""
    now = first_positions(ALL, A)
    played = []
    for _ in range(hands):
        now = next_positions(now, _left(out), rule)
        played.append(now)
    return played


def _hand(now: Positions) -> Hand:
    return now.button, now.small_blind, now.big_blind


# The worked examples of fr1, L65 to L73. Hands that the text does not state but
# that follow from "the action goes on normally" are marked derived.


@pytest.mark.scenario("SC-026")
@pytest.mark.clause("fr1.button.1")
@pytest.mark.clause("fr1.button.exB")
def test_the_button_stays_when_the_small_blind_is_out() -> None:
    first, second, third = _following([B], FR1, 3)

    assert _hand(first) == (A, C, D)
    assert _hand(second) == (C, D, E)
    assert _hand(third) == (D, E, A)  # derived


@pytest.mark.scenario("SC-027")
@pytest.mark.clause("fr1.button.1")
@pytest.mark.clause("fr1.button.exC")
def test_there_is_no_small_blind_when_the_big_blind_is_out() -> None:
    first, second, third = _following([C], FR1, 3)

    assert _hand(first) == (B, 0, D)
    assert _hand(second) == (B, D, E)
    assert _hand(third) == (D, E, A)  # derived


@pytest.mark.scenario("SC-028")
@pytest.mark.clause("fr1.button.1")
@pytest.mark.clause("fr1.button.exD")
def test_there_is_no_big_blind_when_the_player_due_for_it_is_out() -> None:
    first, second, third, fourth = _following([D], FR1, 4)

    assert _hand(first) == (B, C, 0)
    assert _hand(second) == (C, 0, E)
    assert _hand(third) == (C, E, A)
    assert _hand(fourth) == (E, A, B)  # derived


@pytest.mark.scenario("SC-029")
@pytest.mark.clause("fr1.button.exAE")
def test_nothing_changes_when_the_button_is_out() -> None:
    assert [_hand(now) for now in _following([A], FR1, 3)] == [(B, C, D), (C, D, E), (D, E, B)]


@pytest.mark.scenario("SC-030")
@pytest.mark.clause("fr1.button.exAE")
def test_nothing_changes_when_the_player_before_the_button_is_out() -> None:
    assert [_hand(now) for now in _following([E], FR1, 3)] == [(B, C, D), (C, D, A), (D, A, B)]


@pytest.mark.clause("fr1.button.0")
@pytest.mark.clause("ck.player-dealt.2")
@pytest.mark.parametrize("rule", EVERY_RULE)
def test_button_and_blinds_pass_to_the_left_when_nobody_is_out(rule: ButtonRule) -> None:
    hands = [_hand(now) for now in _following([], rule, 5)]

    assert hands == [(B, C, D), (C, D, E), (D, E, A), (E, A, B), (A, B, C)]


@pytest.mark.clause("fr1.deal.3")
@pytest.mark.parametrize("out", ALL)
def test_the_button_lies_before_the_player_who_deals(out: int) -> None:
    assert all(now.button == now.dealer for now in _following([out], FR1, 5))


# faq L8: the dead button.


@pytest.mark.clause("faq.button.dead-1")
@pytest.mark.parametrize(("rule", "button"), [(FAQ_STAYS, A), (FAQ_EMPTY, B)])
def test_the_blinds_advance_and_the_button_stays_or_lies_at_the_empty_seat(
    rule: ButtonRule, button: int
) -> None:
    first, second = _following([B], rule, 2)

    assert _hand(first) == (button, C, D)
    assert _hand(second) == (C, D, E)


@pytest.mark.scenario("SC-111")
@pytest.mark.clause("faq.button.dead-2")
@pytest.mark.parametrize(("rule", "second_button"), [(FAQ_STAYS, B), (FAQ_EMPTY, C)])
def test_big_blind_and_button_advance_when_the_big_blind_is_out(
    rule: ButtonRule, second_button: int
) -> None:
    first, second, third = _following([C], rule, 3)

    assert _hand(first) == (B, 0, D)
    assert _hand(second) == (second_button, D, E)
    assert _hand(third) == (D, E, A)


@pytest.mark.clause("faq.button.dead-1")
@pytest.mark.parametrize("rule", [FAQ_STAYS, FAQ_EMPTY])
def test_the_big_blind_goes_to_the_next_player_when_the_one_due_is_out(rule: ButtonRule) -> None:
    first, second, third = _following([D], rule, 3)

    assert _hand(first) == (B, C, E)
    assert _hand(second) == (C, E, A)
    assert _hand(third) == (E, A, B)


@pytest.mark.clause("faq.button.dead-1")
@pytest.mark.parametrize(("out", "dealers"), [(B, [A, C]), (C, [B, B])])
def test_a_player_deals_even_when_the_button_lies_at_an_empty_seat(
    out: int, dealers: list[int]
) -> None:
    assert [now.dealer for now in _following([out], FAQ_EMPTY, 2)] == dealers


# faq L9: the moving button.


@pytest.mark.scenario("SC-111")
@pytest.mark.clause("faq.button.move-1")
@pytest.mark.clause("faq.button.move-2")
@pytest.mark.clause("faq.button.move-3")
@pytest.mark.clause("faq.button.move-4")
@pytest.mark.clause("faq.button.move-5")
def test_the_moving_button_restores_the_turn_in_two_hands() -> None:
    first, second, third = _following([C], MOVING, 3)

    assert (first.button, first.pays(Blind.SMALL), first.pays(Blind.BIG)) == (B, (B,), (D, E))
    assert (second.button, second.pays(Blind.SMALL), second.pays(Blind.BIG)) == (D, (D, E), (A,))
    assert (third.button, third.pays(Blind.SMALL), third.pays(Blind.BIG)) == (E, (A,), (B,))


@pytest.mark.clause("faq.button.move-1")
@pytest.mark.clause("faq.button.move-2")
def test_the_button_moves_to_the_big_blind_who_then_pays_the_small_one_on_it() -> None:
    first, second, third = _following([B], MOVING, 3)

    assert (first.button, first.pays(Blind.SMALL), first.pays(Blind.BIG)) == (C, (C,), (D, E))
    assert (second.button, second.pays(Blind.SMALL), second.pays(Blind.BIG)) == (D, (D, E), (A,))
    assert (third.button, third.pays(Blind.SMALL), third.pays(Blind.BIG)) == (E, (A,), (C,))


@pytest.mark.clause("faq.button.move-1")
@pytest.mark.parametrize(
    ("out", "hands"),
    [(A, [(B, C, D), (C, D, E)]), (D, [(B, C, E), (C, E, A)]), (E, [(B, C, D), (C, D, A)])],
)
def test_the_moving_button_needs_no_repair_when_neither_blind_is_out(
    out: int, hands: list[Hand]
) -> None:
    following = _following([out], MOVING, 2)

    assert [_hand(now) for now in following] == hands
    assert all(len(now.posts) == 2 for now in following)


def test_of_two_players_who_pay_the_big_blind_the_last_is_named() -> None:
    first, second = _following([C], MOVING, 2)

    assert (first.big_blind, second.small_blind) == (E, E)
    assert first.posts == (Post(B, Blind.SMALL), Post(D, Blind.BIG), Post(E, Blind.BIG))


# ck moves the button and says nothing of players who are out.


@pytest.mark.parametrize(
    ("out", "hands"),
    [
        (A, [(B, C, D), (C, D, E)]),
        (B, [(C, D, E), (D, E, A)]),
        (C, [(B, D, E), (D, E, A)]),
        (D, [(B, C, E), (C, E, A)]),
    ],
)
def test_the_advancing_button_goes_to_the_next_players(out: int, hands: list[Hand]) -> None:
    assert [_hand(now) for now in _following([out], ADVANCE, 2)] == hands


# Several players out in one hand, which no text covers: the same turn, with more empty places.


@pytest.mark.parametrize(
    ("rule", "out", "hands"),
    [
        (FR1, [A, B], [(E, C, D), (C, D, E), (D, E, C)]),
        (FR1, [B, C], [(A, 0, D), (A, D, E), (D, E, A)]),
        (FR1, [B, D], [(A, C, 0), (C, 0, E), (C, E, A)]),
        (FR1, [C, D], [(B, 0, E), (B, E, A), (E, A, B)]),
        (FR1_LITERAL, [C, D], [(B, 0, 0), (B, 0, E), (B, E, A), (E, A, B)]),
        (FAQ_EMPTY, [B, C], [(B, 0, D), (C, D, E), (D, E, A)]),
        (FAQ_EMPTY, [C, D], [(B, 0, E), (C, E, A), (E, A, B)]),
        (MOVING, [B, C], [(D, D, A), (E, A, D), (A, D, E)]),
    ],
)
def test_several_players_out_in_one_hand(
    rule: ButtonRule, out: list[int], hands: list[Hand]
) -> None:
    assert [_hand(now) for now in _following(out, rule, len(hands))] == hands


def test_a_player_out_while_an_empty_place_is_still_in_the_turn() -> None:
    now = next_positions(first_positions(ALL, A), _left([D]), FR1)
    now = next_positions(now, (B, C, E), FR1)
    assert _hand(now) == (C, 0, E)

    now = next_positions(now, (B, C, E), FR1)
    assert _hand(now) == (C, E, B)
    assert now.ghosts == (D,)

    now = next_positions(now, (B, C, E), FR1)
    assert _hand(now) == (E, B, C)
    assert now.ghosts == ()


# Two players (TDA 34-B): the button pays the small blind, the big blind changes sides.


@pytest.mark.parametrize("rule", EVERY_RULE)
@pytest.mark.parametrize(
    ("out", "hands"),
    [
        (A, [(C, C, B), (B, B, C)]),  # C had the big blind and does not have it again
        (B, [(C, C, A), (A, A, C)]),
        (C, [(B, B, A), (A, A, B)]),
    ],
)
def test_two_players_left_of_three(rule: ButtonRule, out: int, hands: list[Hand]) -> None:
    now = first_positions((A, B, C), A)
    for hand in hands:
        now = next_positions(now, _left([out], (A, B, C)), rule)
        assert _hand(now) == hand
        assert now.ghosts == ()


def test_the_first_hand_of_two_players() -> None:
    assert _hand(first_positions((3, 8), 8)) == (8, 8, 3)


@pytest.mark.parametrize("rule", EVERY_RULE)
@pytest.mark.parametrize("newcomer", [1, 4, 9])
def test_a_third_player_joins_two(rule: ButtonRule, newcomer: int) -> None:
    now = next_positions(first_positions((3, 8), 3), (3, 8, newcomer), rule)

    assert now.button != now.big_blind
    assert 8 not in now.pays(Blind.BIG)


def test_a_newcomer_who_gets_the_moving_button_does_not_hold_up_the_big_blind() -> None:
    """Both players left of him paid it in the hand before; it goes on to the next one."""
    now = next_positions(first_positions(ALL, A), _left([C]), MOVING)
    assert now.pays(Blind.BIG) == (D, E)

    now = next_positions(now, ALL, MOVING)

    assert (now.button, now.pays(Blind.SMALL), now.pays(Blind.BIG)) == (C, (D, E), (A,))


@pytest.mark.parametrize("rule", [FAQ_STAYS, FAQ_EMPTY])
def test_newcomers_make_a_table_of_the_two_who_are_left(rule: ButtonRule) -> None:
    """1 and 5 are the last of the turn 1, 5, 7; seat 3 sits down between them."""
    now = next_positions(first_positions((1, 5, 7), 7), (1, 3, 5), rule)

    assert _hand(now) == (3, 5, 1)


# Wrong use.


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_hand_needs_two_players(rule: ButtonRule) -> None:
    with pytest.raises(ValueError, match="two players; there are 1"):
        next_positions(first_positions(ALL, A), (C,), rule)


def test_the_first_button_goes_to_a_player() -> None:
    with pytest.raises(ValueError, match="seat 6 cannot have the button"):
        first_positions(ALL, 6)


def test_neighbours_go_round_the_table() -> None:
    assert left_of(9, (2, 5, 9)) == 2
    assert right_of(2, (2, 5, 9)) == 9
    assert left_of(3, (2, 5, 9)) == 5
    assert from_left_of(5, (2, 5, 9)) == (9, 2, 5)


# What holds whatever happens.


@st.composite
def _tables(draw: st.DrawFn, most_out: int = 3) -> list[tuple[int, ...]]:
    """The players of each hand; who is out stays out, and two at least remain."""
    players = draw(st.sets(st.integers(1, 10), min_size=3, max_size=10))
    hands = [tuple(sorted(players))]
    for _ in range(draw(st.integers(1, 20))):
        out = draw(st.sets(st.sampled_from(sorted(players)), max_size=most_out))
        players = players - out if len(players - out) >= 2 else players
        hands.append(tuple(sorted(players)))
    return hands


def _play(hands: list[tuple[int, ...]], rule: ButtonRule) -> list[Positions]:
    played = [first_positions(hands[0], hands[0][0])]
    for players in hands[1:]:
        played.append(next_positions(played[-1], players, rule))
    return played


@given(rule=st.sampled_from(EVERY_RULE), hands=_tables())
@settings(max_examples=100, deadline=None)
def test_only_players_pay_and_deal_and_nobody_pays_twice_in_a_hand(
    rule: ButtonRule, hands: list[tuple[int, ...]]
) -> None:
    for now in _play(hands, rule):
        paying = [post.seat for post in now.posts]
        assert set(paying) <= set(now.seats)
        assert len(paying) == len(set(paying))
        assert now.dealer in now.seats
        assert not set(now.ghosts) & set(now.seats)
        assert now.button in now.seats or rule.empty_seat is EmptySeat.EMPTY_SEAT


def _paid_meanwhile(played: list[Positions], seat: int) -> list[tuple[Positions, set[int]]]:
    """Each hand in which a player pays the big blind again, and who paid it since he last did."""
    paid = [n for n, now in enumerate(played) if seat in now.pays(Blind.BIG)]
    return [
        (played[again], {s for now in played[last : again + 1] for s in now.pays(Blind.BIG)})
        for last, again in pairwise(paid)
    ]


@given(rule=st.sampled_from(DEAD_RULES), hands=_tables())
@settings(max_examples=100, deadline=None)
def test_nobody_pays_the_big_blind_twice_before_everybody_else_has_paid_it(
    rule: ButtonRule, hands: list[tuple[int, ...]]
) -> None:
    played = _play(hands, rule)
    for seat in hands[-1]:
        for again, meanwhile in _paid_meanwhile(played, seat):
            assert set(again.seats) <= meanwhile


@given(hands=_tables(most_out=1))
@settings(max_examples=100, deadline=None)
def test_nor_does_he_with_a_moving_button_when_one_is_out_at_a_time(
    hands: list[tuple[int, ...]],
) -> None:
    """Of two players left who both paid it, one must pay again: not counted."""
    played = _play(hands, MOVING)
    for seat in hands[-1]:
        for again, meanwhile in _paid_meanwhile(played, seat):
            assert set(again.seats) <= meanwhile or len(again.seats) == 2


@given(rule=st.sampled_from([*DEAD_RULES, MOVING]), hands=_tables())
@settings(max_examples=100, deadline=None)
def test_who_paid_the_big_blind_pays_the_small_blind_next(
    rule: ButtonRule, hands: list[tuple[int, ...]]
) -> None:
    played = _play(hands, rule)
    for before, now in pairwise(played):
        owing = set(before.pays(Blind.BIG)) & set(now.seats)
        if len(now.seats) > 2 or len(owing) < 2:
            assert owing <= set(now.pays(Blind.SMALL))


@given(rule=st.sampled_from(DEAD_RULES), hands=_tables())
@settings(max_examples=100, deadline=None)
def test_with_a_dead_button_the_small_blind_has_the_button_next(
    rule: ButtonRule, hands: list[tuple[int, ...]]
) -> None:
    played = _play(hands, rule)
    for before, now in pairwise(played):
        if before.small_blind in now.seats and len(now.seats) > 2:
            assert now.button == before.small_blind


@given(rule=st.sampled_from([FR1, FAQ_STAYS, FAQ_EMPTY, MOVING, ADVANCE]), hands=_tables())
@settings(max_examples=100, deadline=None)
def test_every_hand_has_a_blind_and_the_big_one_unless_it_may_be_missing(
    rule: ButtonRule, hands: list[tuple[int, ...]]
) -> None:
    for now in _play(hands, rule):
        assert now.posts
        assert now.big_blind or rule.big_blind_may_be_missing


@given(rule=st.sampled_from([MOVING, ADVANCE]), hands=_tables())
@settings(max_examples=100, deadline=None)
def test_a_button_that_moves_goes_to_the_next_player(
    rule: ButtonRule, hands: list[tuple[int, ...]]
) -> None:
    played = _play(hands, rule)
    for before, now in pairwise(played):
        if len(now.seats) > 2:
            assert now.button == left_of(before.button, now.seats)


@given(
    rule=st.sampled_from(EVERY_RULE),
    hands=st.lists(st.sets(st.integers(1, 10), min_size=2), min_size=1, max_size=20),
)
@settings(max_examples=100, deadline=None)
def test_players_may_also_sit_down(rule: ButtonRule, hands: list[set[int]]) -> None:
    for now in _play([tuple(sorted(players)) for players in hands], rule):
        assert now.big_blind_turn in (*now.seats, *now.ghosts)
        assert now.dealer in now.seats
        assert set(now.pays(Blind.SMALL)) & set(now.pays(Blind.BIG)) == set()
        assert now.big_blind or rule.big_blind_may_be_missing
