"""The next step of a hand: blinds before the first card, and the taps that fit each step."""

from __future__ import annotations

import pytest

from controller.events import (
    BlindPosted,
    CardDealt,
    CardsGathered,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    PlayerDrew,
    Street,
    TableEvent,
)
from controller.rules import Gate, gate, legal_taps, next_steps
from controller.rulings import Step, StepKind

from .prompted import Told, house


def at_the_blinds(book: str = "ck", **start: object) -> Told:
    """The deck is shuffled and cut, and the blinds are reported at this table."""
    table = Told(book, **{"must_post": True, **start})
    table.tell(DeckShuffled(), DeckCut())
    return table


def first(table: Told) -> Step:
    return next_steps(table.state, table.book)[0]


def taps(table: Told) -> tuple[TableEvent, ...]:
    return legal_taps(table.state, table.book)


@pytest.mark.clause("ck.duties.2")
@pytest.mark.clause("fr1.deal.1")
@pytest.mark.parametrize(("book", "clause"), [("ck", "ck.duties.2"), ("fr1", "fr1.deal.1")])
def test_no_card_is_dealt_before_the_blinds_are_on_the_table(book: str, clause: str) -> None:
    table = at_the_blinds(book)
    assert (first(table).kind, first(table).seat) == (StepKind.POST_BLIND, 1)
    assert clause in first(table).clauses

    table.tell(BlindPosted(seat=1, amount=5, kind="small"))
    assert (first(table).kind, first(table).seat) == (StepKind.POST_BLIND, 2)
    table.tell(BlindPosted(seat=2, amount=10))

    assert (first(table).kind, first(table).seat) == (StepKind.DEAL_TO_SEAT, 1)


@pytest.mark.clause("ck.duties.2")
def test_the_shoe_is_held_until_the_blinds_are_there() -> None:
    table = at_the_blinds()
    held = gate(table.state, table.book)

    table.tell(BlindPosted(seat=1, amount=5, kind="small"), BlindPosted(seat=2, amount=10))

    assert (held, gate(table.state, table.book)) == (Gate.HELD, Gate.OPEN)


def test_who_owes_a_blind_and_is_dealt_in_posts_it_too() -> None:
    table = at_the_blinds(owes=(4, 9))
    table.tell(BlindPosted(seat=1, amount=5, kind="small"), BlindPosted(seat=2, amount=10))
    assert (first(table).kind, first(table).seat) == (StepKind.POST_BLIND, 4)

    table.tell(BlindPosted(seat=4, amount=15, dead=5, kind="make_up"))

    assert first(table).kind is StepKind.DEAL_TO_SEAT


def test_the_tap_for_a_missing_blind_says_which_it_is() -> None:
    table = at_the_blinds()
    assert taps(table)[0] == BlindPosted(seat=1, amount=0, kind="small")

    table.tell(BlindPosted(seat=1, amount=5, kind="small"))

    assert taps(table)[0] == BlindPosted(seat=2, amount=0, kind="big")


def test_a_table_that_reports_no_blinds_does_not_wait_for_them() -> None:
    assert first(at_the_blinds(must_post=False)).kind is StepKind.DEAL_TO_SEAT


def test_a_house_may_deal_before_the_blinds_are_there() -> None:
    table = Told(house("ck", deal__blinds_first=False), must_post=True)
    table.tell(DeckShuffled(), DeckCut())

    assert first(table).kind is StepKind.DEAL_TO_SEAT


def test_once_a_card_is_dealt_a_missing_blind_holds_nothing_up() -> None:
    table = at_the_blinds()

    table.tell(CardDealt(seat=1))

    assert first(table).kind is StepKind.DEAL_TO_SEAT


def test_the_whole_deal_can_be_reported_at_once() -> None:
    table = Told("ck")
    table.tell(DeckShuffled(), DeckCut())
    assert DealCompleted() in taps(table)

    table.tell(DealCompleted())

    assert table.state.street is Street.PREFLOP
    assert DealCompleted() not in taps(table)


def test_only_a_player_can_decline_to_cut() -> None:
    players, house_dealer = Told("fr2"), Told("ck")
    for table in (players, house_dealer):
        table.tell(DeckShuffled())

    assert DeckCut(refused=True) in taps(players)
    assert DeckCut(refused=True) not in taps(house_dealer)


def test_in_draw_each_player_takes_as_many_cards_as_he_throws_away() -> None:
    table = Told("ck", game="draw")
    table.deal()
    while table.state.to_act:
        table.check_round()

    offered = [tap for tap in taps(table) if isinstance(tap, PlayerDrew)]

    assert offered == [PlayerDrew(seat=1, count=n) for n in range(6)]


def test_a_finished_hand_waits_for_its_cards() -> None:
    table = Told("ck")
    table.deal()
    table.tell(CardsGathered())

    assert first(table).kind is StepKind.SHUFFLE
