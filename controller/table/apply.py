"""How each event moves cards, chips and the hand along. Total: no event is refused here.

Whether what happened was right is not asked in this module; that is the
engine's second question (``controller.rules.detect``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.cards import Card
from controller.events import (
    Action,
    BettingClosed,
    BlindPosted,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsGathered,
    CardsMoved,
    DealCompleted,
    DeckChanged,
    DeckCut,
    DeckShuffled,
    HandCounted,
    HandShown,
    HandStarted,
    PlayerActed,
    PlayerLeft,
    PlayerOut,
    PlayerSeated,
    PotPushed,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    Shown,
    Street,
    StubCounted,
    StubReshuffled,
    TableEvent,
    Witness,
)
from controller.rulings import StepKind
from controller.table.button import Blind, Positions, Post, left_of
from controller.table.state import Act, Held, OpenRuling, TableState

_CHIPS: Final = frozenset({Action.CALL, Action.BET, Action.RAISE, Action.ALL_IN})


def apply(state: TableState, event: TableEvent) -> TableState:
    """The state after an event; events that move nothing leave it as it is."""
    if event.at_ms > state.now_ms:
        state = replace(state, now_ms=event.at_ms)
    change = _CHANGES.get(type(event))
    return change(state, event) if change else state


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
        **kept,
    )


def _hand_started(state: TableState, event: HandStarted) -> TableState:
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


def _deck_shuffled(state: TableState, event: DeckShuffled) -> TableState:
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


def _deck_cut(state: TableState, event: DeckCut) -> TableState:
    return state if event.refused else replace(state, is_cut=True)


def _blind_posted(state: TableState, event: BlindPosted) -> TableState:
    blinds = {**state.blinds, event.seat: event.amount}
    owes = tuple(s for s in state.owes if s != event.seat)
    state = _pay(replace(state, blinds=blinds, owes=owes), event.seat, event.amount - event.dead)
    if not event.dead:
        return state
    return replace(state, paid={**state.paid, event.seat: state.paid[event.seat] + event.dead})


def _pay(state: TableState, seat: int, bet_to: int) -> TableState:
    before = state.street_bets.get(seat, 0)
    added = max(0, bet_to - before)
    return replace(
        state,
        street_bets={**state.street_bets, seat: before + added},
        paid={**state.paid, seat: state.paid.get(seat, 0) + added},
        bet=max(state.bet, before + added),
    )


def _card_dealt(state: TableState, event: CardDealt) -> TableState:
    state = replace(state, stub=state.stub - 1)
    if event.boxed:
        return replace(state, removed=(*state.removed, event.card), boxed=state.boxed + 1)
    in_deal = state.street is Street.DEAL and event.seat in state.seats
    index = state.dealt + 1 if in_deal else 0
    up = event.shown is not Shown.DOWN or event.landed == "off_table"
    held = Held(event.card, index, up, event.landed == "off_table")
    hand = (*state.hands.get(event.seat, ()), held)
    state = replace(state, hands={**state.hands, event.seat: hand})
    if not in_deal:
        return state
    state = replace(state, dealt=index)
    return _open_betting(state, Street.PREFLOP) if index >= state.cards_to_deal else state


def _open_betting(state: TableState, street: Street) -> TableState:
    """A betting round begins: who acts, in order."""
    first_after = state.big_blind if street is Street.PREFLOP and state.big_blind else state.button
    can_act = [s for s in sorted(state.live) if s not in state.all_in]
    to_act = (*(s for s in can_act if s > first_after), *(s for s in can_act if s <= first_after))
    keep = street is Street.PREFLOP
    is_open = keep or len(to_act) > 1  # nobody bets against players who are all in
    return replace(
        state,
        street=street if is_open or street is not Street.RIVER else Street.SHOWDOWN,
        to_act=to_act if is_open else (),
        betting_open=is_open,
        street_actions=0,
        bet=state.bet if keep else 0,
        street_bets=state.street_bets if keep else {},
        burns_now=state.burns_now if keep else max(0, state.burns_now - state.burns_due),
        burns_due=max(0, 1 + state.burn_debt),
        is_cancelled=False,
        burn_debt=state.burn_debt if keep else min(0, 1 + state.burn_debt),
    )


def _card_exposed(state: TableState, event: CardExposed) -> TableState:
    hand = list(state.hands.get(event.seat, ()))
    index = event.nth - 1 if event.nth else _first_down(hand)
    if 0 <= index < len(hand):
        off = event.landed == "off_table"
        hand[index] = replace(hand[index], card=event.card, is_up=True, off_table=off)
    return replace(state, hands={**state.hands, event.seat: tuple(hand)})


def _first_down(hand: list[Held]) -> int:
    downs = [n for n, held in enumerate(hand) if not held.is_up]
    return downs[-1] if downs else -1


def _card_burned(state: TableState, event: CardBurned) -> TableState:
    state = replace(state, stub=state.stub - 1)
    if event.boxed:
        return replace(state, removed=(*state.removed, event.card), boxed=state.boxed + 1)
    return replace(state, burns=(*state.burns, event.card), burns_now=state.burns_now + 1)


def _board_shown(state: TableState, event: BoardShown) -> TableState:
    state = replace(state, stub=state.stub - len(event.cards))
    if event.boxed:
        removed = (*state.removed, *event.cards)
        return replace(state, removed=removed, boxed=state.boxed + len(event.cards))
    return settle_board(replace(state, board=(*state.board, *event.cards)))


def settle_board(state: TableState) -> TableState:
    """Open the next betting round when the board is as the closed round wants it.

    Not while a ruling still takes cards off the board: a premature flop that
    lies there when the betting ends is not the flop.
    """
    if state.betting_open or state.street not in (Street.PREFLOP, Street.FLOP, Street.TURN):
        return state
    if any(_takes_off_board(opened) for opened in state.open):
        return state
    upcoming = state.rules_of_game.next_street(state.street)
    if len(state.board) == state.rules_of_game.board_size(upcoming) and state.burn_taken:
        return _open_betting(state, upcoming)
    return state


def _takes_off_board(opened: OpenRuling) -> bool:
    return any(
        "board" in (step.origin, step.target)
        and step.kind in _OFF_BOARD
        and step.id not in opened.done
        for step in opened.ruling.steps
    )


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


def _cards_moved(state: TableState, event: CardsMoved) -> TableState:
    for card in event.cards:
        state, taken = _take(state, event.origin, card)
        if taken is not None:
            state = _put(state, event.target, taken)
    return settle_board(state)


def _take(state: TableState, origin: str, card: Card) -> tuple[TableState, Card | None]:
    """Take a card out of a zone; None when it is not there."""
    if card.is_known and card in state.removed and not _holds(state, card):
        # A boxed card or joker is out of play from the start, wherever it was laid down.
        index = state.removed.index(card)
        return replace(state, removed=state.removed[:index] + state.removed[index + 1 :]), card
    if origin.startswith("seat:"):
        return _take_from_hand(state, int(origin[5:]), card)
    if origin == "off_table":
        return _take_fallen(state, card)
    name = _PILES.get(origin.split(":")[0], "")
    pile: tuple[Card, ...] = getattr(state, name, ())
    if card in pile:
        index = pile.index(card)
    elif pile and (not card.is_known or Card.UNKNOWN in pile):
        index = len(pile) - 1 if not card.is_known else pile.index(Card.UNKNOWN)
    else:
        return state, None
    known = card if card.is_known else pile[index]
    rest: dict[str, Any] = {name: pile[:index] + pile[index + 1 :]}
    if name == "burns":
        rest["burns_now"] = max(0, state.burns_now - 1)
    return replace(state, **rest), known


def _holds(state: TableState, card: Card) -> bool:
    """Whether the card is known to be in play on the table."""
    held = any(h.card is card for hand in state.hands.values() for h in hand)
    return held or card in state.board or card in state.burns


def _take_from_hand(state: TableState, seat: int, card: Card) -> tuple[TableState, Card | None]:
    hand = state.hands.get(seat, ())
    fits = [n for n, held in enumerate(hand) if held.card is card]
    fits = fits or [n for n, held in enumerate(hand) if not card.is_known or not held.card.is_known]
    if not fits:
        return state, None
    index = fits[-1]
    known = card if card.is_known else hand[index].card
    rest = hand[:index] + hand[index + 1 :]
    return replace(state, hands={**state.hands, seat: rest}), known


def _take_fallen(state: TableState, card: Card) -> tuple[TableState, Card | None]:
    for seat, hand in state.hands.items():
        if any(held.off_table for held in hand):
            return _take_from_hand(state, seat, card)
    return state, None


_PILES: Final = {"board": "board", "burn": "burns", "muck": "muck", "aside": "aside"}


def _put(state: TableState, target: str, card: Card) -> TableState:
    if target == "stub":
        return replace(state, returned=(*state.returned, card), stub=state.stub + 1)
    if target.startswith("seat:"):
        seat = int(target[5:])
        hand = (*state.hands.get(seat, ()), Held(card, 0, card.is_known))
        return replace(state, hands={**state.hands, seat: hand})
    name = _PILES.get(target.split(":")[0], "removed")
    state = replace(state, **{name: (*getattr(state, name), card)})
    return replace(state, burns_now=state.burns_now + 1) if name == "burns" else state


def _stub_reshuffled(state: TableState, event: StubReshuffled) -> TableState:
    return replace(state, returned=())


def _player_acted(state: TableState, event: PlayerActed) -> TableState:
    bet_before = state.bet
    preflop, is_all_in = state.street is Street.PREFLOP, event.action is Action.ALL_IN
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
        acts=(*state.acts, Act(event.seat, event.action)) if preflop else state.acts,
        all_in=state.all_in if not is_all_in else (*state.all_in, event.seat),
        street_actions=state.street_actions + 1,
    )
    if len(live) == 1:
        return replace(state, betting_open=False, to_act=(), street=Street.SHOWDOWN)
    return state if to_act else close_betting(state)


def close_betting(state: TableState) -> TableState:
    """The round is complete."""
    state = replace(state, betting_open=False, to_act=())
    if state.street is Street.RIVER:
        return replace(state, street=Street.SHOWDOWN)
    return settle_board(state)


def _betting_closed(state: TableState, event: BettingClosed) -> TableState:
    return close_betting(state) if state.betting_open else state


def _hand_shown(state: TableState, event: HandShown) -> TableState:
    hand = state.hands.get(event.seat, ())
    shown = [*event.cards, *(h.card for h in hand[len(event.cards) :])]
    held = tuple(replace(h, card=card, is_up=True) for h, card in zip(hand, shown, strict=False))
    return replace(state, hands={**state.hands, event.seat: held})


def _pot_pushed(state: TableState, event: PotPushed) -> TableState:
    return replace(state, street=Street.SHOWDOWN, betting_open=False, to_act=(), paid={}, live=())


def _cards_gathered(state: TableState, event: CardsGathered) -> TableState:
    """All cards go back: an unfinished hand starts again, a finished one is over."""
    again = state.street is not Street.SHOWDOWN or bool(state.live)
    blinds = dict(state.blinds) if again and state.paid else {}
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
        street_bets=blinds,
        bet=max(blinds.values(), default=0),
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


def _deal_completed(state: TableState, event: DealCompleted) -> TableState:
    """Everybody has the cards that are due; which they are, nobody saw."""
    while state.seat_due:
        state = _card_dealt(state, CardDealt(seat=state.seat_due))
    return state


def _hand_counted(state: TableState, event: HandCounted) -> TableState:
    """What was counted lies there: the rest never left the stub, or came from it."""
    hand = state.hands.get(event.seat, ())
    counted = hand[: event.count] + (Held(),) * (event.count - len(hand))
    return replace(
        state,
        hands={**state.hands, event.seat: counted},
        stub=state.stub + len(hand) - len(counted),
    )


def _player_left(state: TableState, event: PlayerLeft) -> TableState:
    return replace(state, absent=(*(s for s in state.absent if s != event.seat), event.seat))


def _player_seated(state: TableState, event: PlayerSeated) -> TableState:
    return replace(state, absent=tuple(s for s in state.absent if s != event.seat))


def _player_out(state: TableState, event: PlayerOut) -> TableState:
    return replace(state, out=(*(s for s in state.out if s != event.seat), event.seat))


def _stub_counted(state: TableState, event: StubCounted) -> TableState:
    return replace(state, stub_counted_ms=event.at_ms)


def _professional_dealer(state: TableState, event: ProfessionalDealer) -> TableState:
    return replace(state, professional=True, dealer=0)


def _secured_shuffle_ordered(state: TableState, event: SecuredShuffleOrdered) -> TableState:
    return replace(state, secured=event.on)


def _deck_changed(state: TableState, event: DeckChanged) -> TableState:
    set_up = event.at_ms if event.is_new else state.set_up_ms
    return replace(
        state,
        deck_back=event.back or state.deck_back,
        hands_on_deck=0,
        set_up_ms=set_up,
        is_shuffled=False,
        is_cut=False,
    )


_CHANGES: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    HandStarted: _hand_started,
    DeckShuffled: _deck_shuffled,
    DeckCut: _deck_cut,
    BlindPosted: _blind_posted,
    CardDealt: _card_dealt,
    CardExposed: _card_exposed,
    CardBurned: _card_burned,
    BoardShown: _board_shown,
    CardsMoved: _cards_moved,
    StubReshuffled: _stub_reshuffled,
    PlayerActed: _player_acted,
    BettingClosed: _betting_closed,
    HandShown: _hand_shown,
    PotPushed: _pot_pushed,
    CardsGathered: _cards_gathered,
    DealCompleted: _deal_completed,
    HandCounted: _hand_counted,
    PlayerLeft: _player_left,
    PlayerSeated: _player_seated,
    PlayerOut: _player_out,
    StubCounted: _stub_counted,
    DeckChanged: _deck_changed,
    ProfessionalDealer: _professional_dealer,
    SecuredShuffleOrdered: _secured_shuffle_ordered,
}
