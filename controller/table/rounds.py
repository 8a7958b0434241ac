"""Betting rounds: when one opens, who acts, when it is over and what is dealt next."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.cards import Card
from controller.events import Action, BettingClosed, BlindPosted, PlayerActed, PotPushed, Street
from controller.rulings import Step, StepKind
from controller.table.state import Act, OpenRuling, TableState
from controller.table.upcards import opener

_CHIPS: Final = frozenset({Action.CALL, Action.BET, Action.RAISE, Action.ALL_IN})


def blind_posted(state: TableState, event: BlindPosted) -> TableState:
    """A forced bet lies before its player, the dead part of it in the pot.

    An ante is dead: it counts towards no bet. A bring-in is its player's first act.
    """
    seat, amount = event.seat, event.amount
    dead, ante = event.dead, amount if event.kind == "ante" else 0
    state = _pay(state, seat, amount - dead - ante)
    return replace(
        state,
        paid=_more(state.paid, seat, dead + ante),
        blinds={**state.blinds, seat: state.blinds.get(seat, 0) + amount},
        antes=_more(state.antes, seat, ante),
        dead=_more(state.dead, seat, dead),
        owes=tuple(s for s in state.owes if s != seat),
        to_act=tuple(s for s in state.to_act if s != seat or event.kind != "bring_in"),
    )


def _more(chips: dict[int, int], seat: int, amount: int) -> dict[int, int]:
    return {**chips, seat: chips.get(seat, 0) + amount} if amount else chips


def _pay(state: TableState, seat: int, bet_to: int) -> TableState:
    before = state.street_bets.get(seat, 0)
    added = max(0, bet_to - before)
    return replace(
        state,
        street_bets={**state.street_bets, seat: before + added},
        paid={**state.paid, seat: state.paid.get(seat, 0) + added},
        bet=max(state.bet, before + added),
    )


def _acts_last(state: TableState, street: Street) -> int:
    """The seat, or the place between seats, right of who acts first."""
    if not state.rules_of_game.has_button and (seat := opener(state, street)):
        return seat - 1
    first = street is state.rules_of_game.first_street
    return state.big_blind if first and state.big_blind else state.button


def open_betting(state: TableState, street: Street) -> TableState:
    """A betting round begins: who acts, in order."""
    first = street is state.rules_of_game.first_street
    after = _acts_last(state, street)
    can_act = [s for s in sorted(state.live) if s not in state.all_in]
    to_act = (*(s for s in can_act if s > after), *(s for s in can_act if s <= after))
    is_open = first or len(to_act) > 1  # nobody bets against players who are all in
    state = replace(
        state,
        street=street,
        to_act=to_act if is_open else (),
        betting_open=is_open,
        street_actions=0,
        bet=state.bet if first else 0,
        street_bets=state.street_bets if first else {},
        burns_now=state.burns_now if first else max(0, state.burns_now - state.burns_due),
        burns_due=max(0, 1 + state.burn_debt),
        is_cancelled=False,
        burn_debt=state.burn_debt if first else min(0, 1 + state.burn_debt),
    )
    return state if is_open else _after_betting(state)


def _after_betting(state: TableState) -> TableState:
    """What a closed round leads to: the showdown, a draw, or the next cards."""
    upcoming = state.rules_of_game.next_street(state.street)
    if upcoming is Street.SHOWDOWN:
        return replace(state, street=upcoming)
    if state.rules_of_game.round_of(upcoming).is_draw:
        return replace(state, to_draw=state.live_in_order)
    return settle(state)


def settle(state: TableState) -> TableState:
    """Open the next betting round when everything dealt for it lies there.

    Not while a ruling still takes cards off the board or has the stub shuffled: a
    premature flop that lies there when the betting ends is not the flop.
    """
    if state.betting_open or not state.burn_taken:
        return state
    game = state.rules_of_game
    if state.street not in game.streets[:-1]:
        return state
    if state.is_reshuffle_due:
        return state
    if any(_takes_off_board(opened, state.board) for opened in state.open):
        return state
    upcoming = game.next_street(state.street)
    if len(state.board) != game.board_size(upcoming):
        return state
    if state.to_draw or state.seat_due:
        return state
    return open_betting(state, upcoming)


def _takes_off_board(opened: OpenRuling, board: tuple[Card, ...]) -> bool:
    return any(
        "board" in (step.origin, step.target)
        and step.kind in _OFF_BOARD
        and step.id not in opened.done
        and not _never_lay_there(step, board)
        for step in opened.ruling.steps
    )


def _never_lay_there(step: Step, board: tuple[Card, ...]) -> bool:
    """A boxed card is no card (ck.boxed.1): laid beside the board, it holds nothing up."""
    return step.kind is StepKind.SET_ASIDE and not any(card in board for card in step.cards)


_OFF_BOARD: Final = frozenset(
    {
        StepKind.RETURN_TO_STUB,
        StepKind.SET_ASIDE,
        StepKind.MOVE_TO_BURN,
        StepKind.PICK_BURN,
        StepKind.DISCARD,
        StepKind.TOP_OF_STUB,
        StepKind.MOVE_TO_BOARD,
    }
)


def player_acted(state: TableState, event: PlayerActed) -> TableState:
    """A player bet, checked or folded; the round may be over with it."""
    bet_before = state.bet
    first = state.street is state.rules_of_game.first_street
    is_all_in = event.action is Action.ALL_IN
    if event.action in _CHIPS:
        state = _pay(state, event.seat, event.amount)
    live = state.live
    if event.action is Action.FOLD:
        live = tuple(s for s in live if s != event.seat)
    to_act = tuple(s for s in state.to_act if s != event.seat)
    if state.bet > bet_before and event.action is not Action.CALL:
        ordered = [s for s in sorted(live) if s != event.seat and s not in state.all_in]
        to_act = (
            *(s for s in ordered if s > event.seat),
            *(s for s in ordered if s < event.seat),
        )
    state = replace(
        state,
        live=live,
        to_act=to_act,
        acts=(*state.acts, Act(event.seat, event.action)) if first else state.acts,
        all_in=state.all_in if not is_all_in else (*state.all_in, event.seat),
        street_actions=state.street_actions + 1,
    )
    if len(live) == 1:
        return replace(state, betting_open=False, to_act=(), street=Street.SHOWDOWN)
    return state if to_act else close_betting(state)


def drop_out(state: TableState, seat: int) -> TableState:
    """A player is out of the hand without having acted; the round may be over with it."""
    state = replace(
        state,
        live=tuple(s for s in state.live if s != seat),
        to_act=tuple(s for s in state.to_act if s != seat),
        to_draw=tuple(s for s in state.to_draw if s != seat),
    )
    if len(state.live) == 1 and state.street is not Street.DEAL:
        return replace(state, betting_open=False, to_act=(), street=Street.SHOWDOWN)
    return close_betting(state) if state.betting_open and not state.to_act else settle(state)


def close_betting(state: TableState) -> TableState:
    """The round is complete."""
    state = replace(state, betting_open=False, to_act=())
    return _after_betting(state)


def betting_closed(state: TableState, event: BettingClosed) -> TableState:
    """The dealer closes the round."""
    return close_betting(state) if state.betting_open else state


def pot_pushed(state: TableState, event: PotPushed) -> TableState:
    """The pot is gone; only the cards are left to gather."""
    return replace(state, street=Street.SHOWDOWN, betting_open=False, to_act=(), paid={}, live=())
