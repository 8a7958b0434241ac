"""Who deals, shuffles and cuts when the players deal, as the house has it.

A house dealer or a professional makes all of these roles void (ck.cut.1, fr2.2-1.3).
"""

from __future__ import annotations

from typing import Final

from controller.events import FirstDealerDrawn
from controller.rulebook import Rulebook
from controller.table import TableState
from controller.table.button import right_of
from controller.table.first_dealer import (
    CutBy,
    Draw,
    FirstDealer,
    Roles,
    RolesRule,
    ShuffleBy,
    Tie,
    by_high_card,
    deck_in_use,
    roles,
)

TWO_DECKS: Final = 2
"""Decks, one shuffled while the other is dealt (ck.player-dealt.3, fr1.shuffle.5)."""


def first_dealer(event: FirstDealerDrawn, book: Rulebook) -> FirstDealer:
    """Who deals first, or who draws again (fr1.first-dealer.1 to .3, fr2.2-2).

    Without cards the seat named is the one that software drew or that sat down first.
    A draw in which nobody has a card, or a player two, decides nothing.
    """
    if not event.seats or len(set(event.seats)) < len(event.seats):
        return FirstDealer()
    if len(event.cards) != len(event.seats):
        return FirstDealer(event.seats[0])
    draws = tuple(Draw(s, card) for s, card in zip(event.seats, event.cards, strict=True))
    return by_high_card(draws, Tie(book["first_dealer.tie"].value))


def players_deal(state: TableState, book: Rulebook) -> bool:
    """Whether the players deal: the house has it so, or this hand names its dealer."""
    if state.professional:
        return False
    return state.dealer != 0 or book["deal.by"].value == "players"


def dealing_seat(state: TableState, book: Rulebook) -> int:
    """The player who deals; 0 for a house dealer.

    A button at an empty seat leaves the deal with the player before it.
    """
    if not players_deal(state, book):
        return 0
    seat = state.dealer or state.button
    return seat if seat in state.seats or not state.seats else right_of(seat, state.seats)


def live_deck(state: TableState, book: Rulebook) -> int:
    """Which of two decks the hand is dealt with, from 1; 0 at a table with one deck."""
    when = book["deck.two_decks"].value
    has_two = (when == "with_a_machine" and state.machine_shuffles) or (
        when == "when_players_deal" and players_deal(state, book)
    )
    return deck_in_use(state.hand, TWO_DECKS) if has_two else 0


def is_secured(state: TableState, book: Rulebook) -> bool:
    """Whether the floor's slower shuffle is in force, where the house has one (fr2.2-3.5)."""
    return state.secured and book["shuffle.secured"].value == "small_blind_shuffles_cutoff_cuts"


def roles_now(state: TableState, book: Rulebook) -> Roles | None:
    """The roles of this hand; None where the players do not deal."""
    dealer = dealing_seat(state, book)
    if not dealer or len(state.seats) < 2:
        return None
    return roles(dealer, state.seats, _rule(state, book), state.small_blind)


def _rule(state: TableState, book: Rulebook) -> RolesRule:
    if is_secured(state, book):
        return RolesRule(shuffle_by=ShuffleBy.SMALL_BLIND, cut_by=CutBy.RIGHT_OF_DEALER)
    return RolesRule(
        shuffle_by=ShuffleBy(book["shuffle.by"].value),
        cut_by=CutBy(book["cut.by"].value),
        decks=TWO_DECKS if live_deck(state, book) else 1,
    )
