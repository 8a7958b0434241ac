"""Detect: what an event shows to be wrong, the same under every rulebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.cards import Card
from controller.events import (
    BackSeen,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsGathered,
    Cause,
    DeckShuffled,
    HandShown,
    JokerReported,
    Shown,
    Street,
    StubCounted,
    StubReshuffled,
    TableEvent,
)
from controller.irregularities import Irregularity, Kind
from controller.rulings import StepKind
from controller.table import TableState

Found = tuple[Irregularity, ...]

_BY_PLAYER: Final = frozenset({Cause.PLAYER_ACCIDENT, Cause.PLAYER_DELIBERATE, Cause.DISCARD})
_PREMATURE: Final = {
    Street.DEAL: Kind.PREMATURE_FLOP,
    Street.PREFLOP: Kind.PREMATURE_FLOP,
    Street.FLOP: Kind.PREMATURE_TURN,
    Street.TURN: Kind.PREMATURE_RIVER,
}


def detect(before: TableState, after: TableState, event: TableEvent) -> Found:
    """What is wrong about an event.

    Args:
        before: The table before it.
        after: The table after it, steps that it fulfilled ticked.
        event: What happened.
    """
    look = _LOOKS.get(type(event))
    return look(before, after, event) if look else ()


def _card_dealt(before: TableState, after: TableState, event: CardDealt) -> Found:
    index = before.dealt + 1 if before.street is Street.DEAL else 0
    if event.boxed:
        return (_boxed(before, after, event.card, seat=event.seat, index=index),)
    if event.card is Card.JOKER:
        return (_joker(before, seat=event.seat, index=index, boxed=False),)
    wrong_place = _unexpected_deal(before, event)
    if wrong_place:
        return (wrong_place,)
    up = event.shown is not Shown.DOWN or event.landed == "off_table"
    if not up:
        return _duplicates(after, (event.card,), before.street)
    exposed = Irregularity(
        kind=Kind.EXPOSED_CARD,
        street=before.street,
        seat=event.seat,
        cards=(event.card,),
        deal_index=index,
        nth=before.exposed + 1,
        off_table=event.landed == "off_table",
        detail="suspected" if event.shown is Shown.SUSPECTED else "",
    )
    return (exposed, *_duplicates(after, (event.card,), before.street))


def _unexpected_deal(before: TableState, event: CardDealt) -> Irregularity | None:
    """A card that nobody was due, or that went to the wrong seat."""
    if before.street is Street.DEAL:
        if event.seat == before.seat_due or _asked_for(before, event.seat):
            return None
        return _unexpected(before, event.seat, "wrong_seat")
    return None if _asked_for(before, event.seat) else _unexpected(before, event.seat, "extra_card")


def _asked_for(state: TableState, seat: int) -> bool:
    return any(
        step.kind is StepKind.DEAL_TO_SEAT and step.seat == seat
        for opened in state.open
        for step in opened.ruling.steps
        if step.id not in opened.done
    )


def _unexpected(before: TableState, seat: int, what: str) -> Irregularity:
    return Irregularity(
        kind=Kind.UNEXPECTED, street=before.street, seat=seat, zone=f"seat:{seat}", detail=what
    )


def _boxed(
    before: TableState, after: TableState, card: Card, *, seat: int = 0, index: int = 0
) -> Irregularity:
    if card is Card.JOKER:
        return _joker(before, seat=seat, index=index, boxed=True)
    zone = f"seat:{seat}" if seat else "board"
    return Irregularity(
        kind=Kind.BOXED_CARD,
        street=before.street,
        seat=seat,
        cards=(card,),
        deal_index=index,
        nth=after.boxed,
        zone=zone,
    )


def _joker(before: TableState, *, seat: int, index: int, boxed: bool) -> Irregularity:
    return Irregularity(
        kind=Kind.JOKER,
        street=before.street,
        seat=seat,
        cards=(Card.JOKER,),
        deal_index=index,
        zone=f"seat:{seat}" if seat else "board",
        detail="boxed" if boxed else "face_down",
    )


def _card_exposed(before: TableState, after: TableState, event: CardExposed) -> Found:
    if event.card is Card.JOKER:
        return (_joker(before, seat=event.seat, index=0, boxed=False),)
    hand = before.hands.get(event.seat, ())
    downs = [held.deal_index for held in hand if not held.is_up]
    index = hand[event.nth - 1].deal_index if 0 < event.nth <= len(hand) else max(downs, default=0)
    exposed = Irregularity(
        kind=Kind.EXPOSED_CARD,
        street=before.street,
        seat=event.seat,
        cards=(event.card,),
        deal_index=index,
        nth=before.exposed + 1,
        by_player=event.cause in _BY_PLAYER,
        off_table=event.landed == "off_table",
        detail=event.cause.value if event.cause in _BY_PLAYER else "",
    )
    return (exposed, *_duplicates(after, (event.card,), before.street))


def _joker_reported(before: TableState, after: TableState, event: JokerReported) -> Found:
    return (_joker(before, seat=event.seat, index=0, boxed=False),)


def _card_burned(before: TableState, after: TableState, event: CardBurned) -> Found:
    return (_boxed(before, after, event.card),) if event.boxed else ()


def _board_shown(before: TableState, after: TableState, event: BoardShown) -> Found:
    if event.boxed:
        return tuple(_boxed(before, after, card) for card in event.cards)
    jokers = tuple(
        _joker(before, seat=0, index=0, boxed=True) for c in event.cards if c is Card.JOKER
    )
    wrong = _board_fault(before, event)
    return (*jokers, *((wrong,) if wrong else ()), *_duplicates(after, event.cards, before.street))


def _board_fault(before: TableState, event: BoardShown) -> Irregularity | None:
    kind = _board_kind(before, event)
    if kind is None:
        return None
    street_board = before.rules_of_game.board_size(before.street)
    cards = (*before.board[street_board:], *event.cards)
    return Irregularity(
        kind=kind,
        street=before.street,
        cards=cards if kind is not Kind.FOUR_CARD_FLOP else (*before.board, *event.cards),
        count=len(before.board) + len(event.cards),
        order_known=event.order_known,
        zone="board",
    )


def _board_kind(before: TableState, event: BoardShown) -> Kind | None:
    """Premature while the round is open, too many, or without its burn."""
    in_betting = before.betting_open or before.street is Street.DEAL
    if in_betting:
        fresh_flop = (
            before.street is Street.FLOP and not before.burn_taken and not before.street_actions
        )
        if fresh_flop and len(before.board) == 3:
            return Kind.FOUR_CARD_FLOP
        return _PREMATURE.get(before.street, Kind.UNEXPECTED)
    if before.street is Street.PREFLOP and len(before.board) + len(event.cards) > 3:
        return Kind.FOUR_CARD_FLOP
    if not before.burn_taken and before.street in _PREMATURE:
        return Kind.MISSING_BURN
    return None if before.board_due >= len(event.cards) else Kind.UNEXPECTED


def _duplicates(after: TableState, shown: tuple[Card, ...], street: Street) -> Found:
    """Cards just seen of which another one lies in sight already."""
    return tuple(
        Irregularity(kind=Kind.DUPLICATE_CARD, street=street, cards=(card,), count=2)
        for card in dict.fromkeys(shown)
        if card.is_known and card is not Card.JOKER and _in_sight(after, card) > 1
    )


def _in_sight(state: TableState, card: Card) -> int:
    piles = (state.board, state.burns, state.muck, state.aside, state.removed)
    held = sum(h.card is card for hand in state.hands.values() for h in hand)
    return sum(pile.count(card) for pile in piles) + held


def _hand_shown(before: TableState, after: TableState, event: HandShown) -> Found:
    jokers = (_joker(before, seat=event.seat, index=0, boxed=False),)
    found = jokers if Card.JOKER in event.cards else ()
    return (*found, *_duplicates(after, event.cards, before.street))


def _back_seen(before: TableState, after: TableState, event: BackSeen) -> Found:
    if not before.deck_back or event.back == before.deck_back:
        return ()
    return (
        Irregularity(
            kind=Kind.WRONG_BACK, street=before.street, zone=event.zone, detail=event.back
        ),
    )


def _counted(before: TableState, count: int, expected: int) -> Found:
    if count < 0 or count == expected:
        return ()
    kind = Kind.COUNT_SHORT if count < expected else Kind.COUNT_LONG
    return (Irregularity(kind=kind, street=before.street, count=count, zone="stub"),)


def _deck_shuffled(before: TableState, after: TableState, event: DeckShuffled) -> Found:
    return _counted(before, event.count, before.deck_count)


def _stub_counted(before: TableState, after: TableState, event: StubCounted) -> Found:
    return _counted(before, event.count, before.stub)


def _stub_reshuffled(before: TableState, after: TableState, event: StubReshuffled) -> Found:
    return _counted(before, event.count, before.stub)


def _cards_gathered(before: TableState, after: TableState, event: CardsGathered) -> Found:
    return _counted(before, event.count, before.deck_count)


_LOOKS: Final[dict[type, Callable[[TableState, TableState, Any], Found]]] = {
    CardDealt: _card_dealt,
    CardExposed: _card_exposed,
    JokerReported: _joker_reported,
    CardBurned: _card_burned,
    BoardShown: _board_shown,
    HandShown: _hand_shown,
    BackSeen: _back_seen,
    DeckShuffled: _deck_shuffled,
    StubCounted: _stub_counted,
    StubReshuffled: _stub_reshuffled,
    CardsGathered: _cards_gathered,
}
