"""A hand begins and ends; players come and go; the deck is shuffled, cut and changed."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from controller.events import (
    CardsGathered,
    DeckChanged,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PlayerLeft,
    PlayerOut,
    PlayerSeated,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    Street,
    StubCounted,
    Witness,
)
from controller.table.button import Blind, Positions, Post, left_of
from controller.table.errors import EventRefusedError
from controller.table.games import GAMES
from controller.table.state import TableState


def _fresh(state: TableState, **kept: Any) -> TableState:
    """A table with nothing on it but what outlives a hand."""
    return TableState(
        now_ms=state.now_ms,
        misdeals=state.misdeals,
        hands_on_deck=state.hands_on_deck,
        set_up_ms=state.set_up_ms,
        stub_counted_ms=state.stub_counted_ms,
        secured=state.secured,
        professional=state.professional,
        machine_shuffles=state.machine_shuffles,
        watch=state.watch,
        **kept,
    )


def hand_started(state: TableState, event: HandStarted) -> TableState:
    """A fresh table, but for what outlives a hand."""
    if event.game not in GAMES:
        raise EventRefusedError(f"no game is called {event.game!r}; there are {', '.join(GAMES)}")
    state = replace(state, hands_on_deck=state.hands_on_deck + 1)
    return _fresh(
        state,
        hand=event.hand,
        game=event.game,
        street=Street.DEAL,
        seats=tuple(sorted(event.seats)),
        live=tuple(sorted(event.seats)),
        button=event.button,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        dealer=event.dealer,
        deck_count=event.deck_count,
        deck_back=event.deck_back,
        stub=event.deck_count,
        absent=event.absent,
        asked=event.asked,
        sitting_out=event.sitting_out,
        owes=event.owes,
        must_post=event.must_post,
        positions=_positions(event),
    )


def _positions(event: HandStarted) -> Positions:
    """Button and blinds of the hand, from which those of the next follow."""
    small = event.small_blinds or ((event.small_blind,) if event.small_blind else ())
    big = event.big_blinds or ((event.big_blind,) if event.big_blind else ())
    turn = event.big_blind_turn or event.big_blind
    return Positions(
        seats=tuple(sorted(event.seats)),
        button=event.button,
        small_blind=event.small_blind,
        big_blind=event.big_blind,
        dealer=event.dealer or event.button,
        ghosts=event.ghosts,
        posts=(*(Post(s, Blind.SMALL) for s in small), *(Post(s, Blind.BIG) for s in big)),
        big_blind_turn=turn or left_of(left_of(event.button, event.seats), event.seats),
    )


def deck_shuffled(state: TableState, event: DeckShuffled) -> TableState:
    """The deck is made up, and not cut yet; the hand has begun (ck.start.2)."""
    stub = event.count if event.count >= 0 else state.stub
    by_machine = event.by is Witness.MACHINE
    counted = event.at_ms if by_machine and event.count >= 0 else state.stub_counted_ms
    return replace(
        state,
        is_shuffled=True,
        is_cut=False,
        stub=stub,
        stub_counted_ms=counted,
        machine_shuffles=by_machine,
    )


def deck_cut(state: TableState, event: DeckCut) -> TableState:
    """The deck is ready to be dealt."""
    return state if event.refused else replace(state, is_cut=True)


def cards_gathered(state: TableState, event: CardsGathered) -> TableState:
    """All cards go back: an unfinished hand starts again, a finished one is over."""
    unfinished = state.street is not Street.SHOWDOWN or bool(state.live)
    again = unfinished and state.street is not Street.BETWEEN
    blinds = dict(state.blinds) if again and state.paid else {}
    live = state.live_blinds if blinds else {}
    return _fresh(
        state,
        hand=state.hand,
        game=state.game,
        street=Street.DEAL if again else Street.BETWEEN,
        seats=state.seats,
        live=state.seats if again else (),
        button=state.button,
        small_blind=state.small_blind,
        big_blind=state.big_blind,
        dealer=state.dealer,
        deck_count=state.deck_count,
        deck_back=state.deck_back,
        stub=state.deck_count,
        blinds=state.blinds if again else {},
        paid=blinds,
        antes=state.antes if again else {},
        dead=state.dead if again else {},
        street_bets=live,
        bet=max(live.values(), default=0),
        rulings_made=state.rulings_made,
        open=state.open,
        absent=state.absent,
        asked=state.asked,
        sitting_out=state.sitting_out,
        owes=state.owes,
        must_post=state.must_post,
        out=state.out,
        is_over=not again,
        is_cancelled=state.is_cancelled,
        positions=state.positions,
    )


def player_left(state: TableState, event: PlayerLeft) -> TableState:
    """A player is away."""
    return replace(state, absent=(*(s for s in state.absent if s != event.seat), event.seat))


def player_seated(state: TableState, event: PlayerSeated) -> TableState:
    """A player is back."""
    return replace(state, absent=tuple(s for s in state.absent if s != event.seat))


def player_out(state: TableState, event: PlayerOut) -> TableState:
    """A player takes no part in the next hands."""
    return replace(state, out=(*(s for s in state.out if s != event.seat), event.seat))


def stub_counted(state: TableState, event: StubCounted) -> TableState:
    """The stub was counted now."""
    return replace(state, stub_counted_ms=event.at_ms)


def professional_dealer(state: TableState, event: ProfessionalDealer) -> TableState:
    """No player deals any more (fr2.2-1.3)."""
    return replace(state, professional=True, dealer=0)


def secured_shuffle_ordered(state: TableState, event: SecuredShuffleOrdered) -> TableState:
    """The slower shuffle is in force, or no longer (fr2.2-3.5)."""
    return replace(state, secured=event.on)


def deck_changed(state: TableState, event: DeckChanged) -> TableState:
    """Another deck lies there, unshuffled."""
    set_up = event.at_ms if event.is_new else state.set_up_ms
    return replace(
        state,
        deck_back=event.back or state.deck_back,
        hands_on_deck=0,
        set_up_ms=set_up,
        is_shuffled=False,
        is_cut=False,
    )
