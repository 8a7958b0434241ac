"""What a person may report that no sensor sees, moment by moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from controller.events import (
    ButtonSeen,
    CardLookedAt,
    CardMarred,
    ChangeTaken,
    CutCardChecked,
    Danger,
    DeckChanged,
    DeckPrepared,
    DeckRequested,
    DoubtReported,
    FouledDeckKnown,
    HandCounted,
    HandEndangered,
    JokerReported,
    MisdealClaimed,
    Objected,
    PlayerLeft,
    PlayerOut,
    PlayerSeated,
    PlayingBehind,
    PotSplashed,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    Street,
    StubCounted,
    StubDropped,
    TableEvent,
)
from controller.irregularities import Kind
from controller.rulebook import Rulebook
from controller.rules.player_dealt import players_deal
from controller.rulings import Verdict
from controller.table import TableState
from controller.table.button import left_of, right_of

Taps = Iterator[TableEvent]

_MISPLACED: Final = frozenset({Kind.WRONG_SEAT, Kind.EXTRA_CARD})
_ALONE: Final = tuple(
    danger for danger in Danger if danger not in (Danger.FORWARD_MOTION, Danger.INTO_OTHER_HAND)
)
"""Dangers that concern no second player."""


def reports(state: TableState, book: Rulebook) -> tuple[TableEvent, ...]:
    """The reports that fit now, those of one seat together."""
    if not state.seats:
        return ()
    if state.street is Street.BETWEEN:
        moment: tuple[Callable[[TableState, Rulebook], Taps], ...] = (_players, _house)
    elif state.street is Street.SHOWDOWN:
        moment = (_deck, _players)
    else:
        moment = (_hands, _players, _deck, _doubts, _house)
    return tuple(tap for taps in moment for tap in taps(state, book))


def _hands(state: TableState, book: Rulebook) -> Taps:
    """What can happen to each player's hand, and what he may say or do."""
    wanted = state.rules_of_game.hole_cards
    for seat in state.seats:
        if seat in state.live and state.hands.get(seat):
            yield JokerReported(seat=seat)
            yield from _dangers(state, seat)
            yield from _looks(state, seat)
        for count in range(wanted + 2):
            yield HandCounted(seat=seat, count=count)
        yield MisdealClaimed(seat=seat)
        if state.open:
            yield Objected(seat=seat)
        if state.betting_open and seat in state.live:
            yield PotSplashed(seat=seat)
            yield ChangeTaken(seat=seat)
            yield PlayingBehind(seat=seat)
    yield from (HandCounted(seat=s, count=0) for s in state.asked if s not in state.seats)


def _dangers(state: TableState, seat: int) -> Taps:
    """What may kill a hand; cards fly forward to who acts next, or into a neighbour's hand."""
    yield from (HandEndangered(seat=seat, danger=danger) for danger in _ALONE)
    others = [s for s in state.live if s != seat]
    if not others:
        return
    behind = left_of(seat, others)
    yield HandEndangered(seat=seat, danger=Danger.FORWARD_MOTION, other=behind)
    for other in dict.fromkeys((behind, right_of(seat, others))):
        yield HandEndangered(seat=seat, danger=Danger.INTO_OTHER_HAND, other=other)


def _looks(state: TableState, seat: int) -> Taps:
    """Whether a card that is to be moved was looked at decides on it (ck.misdeal.c1, .e2)."""
    faults = (opened.ruling.irregularity for opened in state.open)
    if any(f.kind in _MISPLACED and f.seat == seat and not f.looked_at for f in faults):
        yield CardLookedAt(seat=seat)


def _players(state: TableState, book: Rulebook) -> Taps:
    """Who goes, comes back, or is out of the game."""
    for seat in state.seats:
        yield PlayerSeated(seat=seat) if seat in state.absent else PlayerLeft(seat=seat)
        if state.street in (Street.BETWEEN, Street.SHOWDOWN) and seat not in state.out:
            yield PlayerOut(seat=seat)
        if state.street is Street.DEAL and seat != state.button:
            yield ButtonSeen(seat=seat)


def _deck(state: TableState, book: Rulebook) -> Taps:
    """The deck and the stub."""
    if state.is_shuffled and not state.dealt and book["cut.card"].value != "none":
        yield CutCardChecked(is_there=False)
    yield CardMarred()
    yield DeckRequested()
    yield DeckRequested(what="set_up")
    if _has_two_decks(state, book):
        yield DeckPrepared()
    if state.stub and state.is_shuffled:
        yield StubDropped()
        yield StubDropped(top_known=False)
        yield StubCounted(count=state.stub)
    if any(opened.ruling.verdict is Verdict.FOULED_DECK for opened in state.open):
        yield from (FouledDeckKnown(seat=seat) for seat in state.seats)


def _has_two_decks(state: TableState, book: Rulebook) -> bool:
    """Whether a second deck is made ready while one is in play (ck.player-dealt.3)."""
    when = book["deck.two_decks"].value
    if when == "with_a_machine":
        return state.machine_shuffles
    return when == "when_players_deal" and players_deal(state, book)


def _doubts(state: TableState, book: Rulebook) -> Taps:
    """Places of which nobody can say what happened there (ck.floor.3)."""
    lying = {"board": state.board, "burn": state.burns, "muck": state.muck}
    yield DoubtReported(zone="pot")
    yield DoubtReported(zone="stub")
    yield from (DoubtReported(zone=zone) for zone, cards in lying.items() if cards)


def _house(state: TableState, book: Rulebook) -> Taps:
    """What the floor orders between two hands.

    Once the deck is shuffled the hand must be dealt (ck.start.3); what can end it then
    is a misdeal or a matter for the floor, and both are rulings (ck.start.4).
    """
    if state.street is Street.BETWEEN:
        yield DeckChanged()
    elif state.street is not Street.DEAL or state.is_shuffled:
        return
    if not players_deal(state, book):
        return
    yield ProfessionalDealer()
    if book["shuffle.secured"].value != "no_rule":
        yield SecuredShuffleOrdered(on=not state.secured)
