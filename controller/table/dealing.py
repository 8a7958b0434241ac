"""Cards that leave the stub: the deal, burns, the board, drawn cards."""

from __future__ import annotations

from msgspec.structs import replace

from controller.cards import Card
from controller.events import (
    BoardShown,
    CardBurned,
    CardDealt,
    DealCompleted,
    HandCounted,
    PlayerDrew,
    Shown,
    Street,
)
from controller.table.rounds import close_betting, open_betting, settle
from controller.table.state import Held, TableState


def card_dealt(state: TableState, event: CardDealt) -> TableState:
    """The top card went to a seat (fr1.deal.4); the deal is over when everybody has all cards."""
    state = replace(state, stub=state.stub - 1)
    if event.boxed:
        return replace(state, removed=(*state.removed, event.card), boxed=state.boxed + 1)
    in_deal = state.street is Street.DEAL and event.seat in state.seats
    index = state.dealt + 1 if in_deal else 0
    up = event.shown is not Shown.DOWN or event.landed == "off_table"
    face = event.card if up else Card.UNKNOWN  # a card face down is nobody's to know
    held = Held(face, index, up, event.landed == "off_table")
    hand = (*state.hands.get(event.seat, ()), held)
    state = replace(state, hands={**state.hands, event.seat: hand})
    if not in_deal:
        return settle(state)
    state = replace(state, dealt=index)
    return (
        open_betting(state, state.rules_of_game.first_street)
        if index >= state.cards_to_deal
        else state
    )


def card_burned(state: TableState, event: CardBurned) -> TableState:
    """The top card became a burn."""
    state = replace(state, stub=state.stub - 1)
    if event.boxed:
        return replace(state, removed=(*state.removed, event.card), boxed=state.boxed + 1)
    return replace(state, burns=(*state.burns, Card.UNKNOWN), burns_now=state.burns_now + 1)


def board_shown(state: TableState, event: BoardShown) -> TableState:
    """Cards came onto the board."""
    state = replace(state, stub=state.stub - len(event.cards))
    if event.boxed:
        removed = (*state.removed, *event.cards)
        return replace(state, removed=removed, boxed=state.boxed + len(event.cards))
    return settle(replace(state, board=(*state.board, *event.cards)))


def deal_completed(state: TableState, event: DealCompleted) -> TableState:
    """Everybody has the cards that are due; which they are, nobody saw."""
    while state.seat_due:
        state = card_dealt(state, CardDealt(seat=state.seat_due))
    return state


def player_drew(state: TableState, event: PlayerDrew) -> TableState:
    """Cards are thrown away; as many are due to the player once all have drawn."""
    hand = state.hands.get(event.seat, ())
    kept = hand[: max(0, len(hand) - event.count)]
    thrown = tuple(held.card for held in hand[len(kept) :])
    return settle(
        replace(
            state,
            hands={**state.hands, event.seat: kept},
            muck=(*state.muck, *thrown),
            to_draw=tuple(s for s in state.to_draw if s != event.seat),
        )
    )


def hand_counted(state: TableState, event: HandCounted) -> TableState:
    """What was counted lies there: the rest never left the stub, or came from it."""
    hand = state.hands.get(event.seat, ())
    counted = hand[: event.count] + (Held(),) * (event.count - len(hand))
    state = replace(
        state,
        hands={**state.hands, event.seat: counted},
        stub=state.stub + len(hand) - len(counted),
    )
    return state if counted or state.street is Street.DEAL else _out_of_hand(state, event.seat)


def _out_of_hand(state: TableState, seat: int) -> TableState:
    """A player without cards is not in the hand and has nothing to say in it."""
    state = replace(
        state,
        live=tuple(s for s in state.live if s != seat),
        to_act=tuple(s for s in state.to_act if s != seat),
    )
    return close_betting(state) if state.betting_open and not state.to_act else state
