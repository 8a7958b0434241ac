"""Forced bets: which part is a bet, which is dead, and who has acted by posting."""

from __future__ import annotations

from controller.cards import Card
from controller.events import BlindPosted, CardDealt, CardsGathered, HandStarted, Shown
from controller.table import TableState, apply, start


def after(*events: BlindPosted | CardDealt, game: str = "holdem") -> TableState:
    """A hand of three with the button on seat 3."""
    state = apply(start(), HandStarted(hand=1, seats=(1, 2, 3), button=3, game=game))
    for event in events:
        state = apply(state, event)
    return state


def test_an_ante_is_in_the_pot_and_counts_towards_no_bet() -> None:
    state = after(BlindPosted(seat=2, amount=10), BlindPosted(seat=2, amount=4, kind="ante"))

    assert (state.bet, state.street_bets, state.paid) == (10, {2: 10}, {2: 14})
    assert state.blinds == {2: 14}


def test_the_dead_part_of_a_made_up_blind_is_no_bet() -> None:
    state = after(BlindPosted(seat=1, amount=15, dead=5, kind="make_up"))

    assert (state.bet, state.street_bets, state.paid) == (10, {1: 10}, {1: 15})


def test_a_redeal_finds_every_chip_of_the_forced_bets_where_it_was() -> None:
    posted = after(
        BlindPosted(seat=1, amount=15, dead=5, kind="make_up"),
        BlindPosted(seat=2, amount=10),
        BlindPosted(seat=2, amount=4, kind="ante"),
    )

    again = apply(posted, CardsGathered())

    assert (again.paid, again.street_bets, again.bet) == (posted.paid, {1: 10, 2: 10}, 10)
    assert (again.dead, again.antes) == ({1: 5}, {2: 4})


def test_in_stud_the_lowest_card_acts_first_and_has_acted_by_its_bring_in() -> None:
    up = ("9c", "3s", "Ad")
    dealt = [CardDealt(seat=1 + n % 3) for n in range(6)]
    shown = [CardDealt(seat=n, card=Card(c), shown=Shown.UP) for n, c in enumerate(up, start=1)]

    before = after(*dealt, *shown, game="stud")
    state = apply(before, BlindPosted(seat=2, amount=2, kind="bring_in"))

    assert before.to_act == (2, 3, 1)
    assert (state.to_act, state.bet) == ((3, 1), 2)
