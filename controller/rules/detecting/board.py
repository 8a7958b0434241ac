"""Burns and board: too early, too many, too few, or in doubt."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.cards import Card
from controller.events import BoardShown, CardBurned, PlayerActed, Street
from controller.irregularities import Irregularity, Kind
from controller.rules.detecting import facts
from controller.rules.detecting.facts import Found
from controller.table import TableState

_PREMATURE: Final = {
    Street.DEAL: Kind.PREMATURE_FLOP,
    Street.PREFLOP: Kind.PREMATURE_FLOP,
    Street.FLOP: Kind.PREMATURE_TURN,
    Street.TURN: Kind.PREMATURE_RIVER,
}
_BURN_FAULTS: Final = frozenset({Kind.MISSING_BURN, Kind.EXTRA_BURN})


def card_burned(before: TableState, after: TableState, event: CardBurned) -> Found:
    """A boxed burn, one in the deal (fr1.burn.1), or one more than the street has (ck.burn.1)."""
    if event.boxed:
        return (replace(facts.boxed(before, after, event.card), zone="burn"),)
    if before.street is Street.DEAL:
        return (facts.unexpected(before, 0, "burn_in_deal"),)
    spent = facts.last_card(before, after)
    if after.burns_now <= after.burns_due or facts.is_burn_asked_for(before):
        return spent
    return (_extra_burn(before, after, cards=()), *spent)


def _extra_burn(
    before: TableState, after: TableState, *, cards: tuple[Card, ...], order_known: bool = True
) -> Irregularity:
    return Irregularity(
        kind=Kind.EXTRA_BURN,
        street=before.street,
        cards=cards,
        count=after.burns_now,
        nth=after.burns_now - after.burns_due,
        order_known=order_known,
        zone="board" if cards else "burn",
    )


def board_shown(before: TableState, after: TableState, event: BoardShown) -> Found:
    """Cards on the board that should not lie there, or not yet, or not these."""
    if event.boxed:
        return tuple(facts.boxed(before, after, card) for card in event.cards)
    jokers = tuple(facts.joker(before, boxed=True) for c in event.cards if c is Card.JOKER)
    wrong = _board_fault(before, after, event)
    return (
        *jokers,
        *((wrong,) if wrong else ()),
        *facts.duplicates(after, event.cards, before.street),
        *facts.last_card(before, after),
    )


def _board_fault(before: TableState, after: TableState, event: BoardShown) -> Irregularity | None:
    kind = _board_kind(before, event)
    if kind is None:
        return None
    if kind is Kind.EXTRA_BURN:
        return _extra_burn(before, before, cards=event.cards, order_known=event.order_known)
    street_board = before.rules_of_game.board_size(before.street)
    cards = (*before.board[street_board:], *event.cards)
    return Irregularity(
        kind=kind,
        street=before.street,
        cards=cards if kind is not Kind.FOUR_CARD_FLOP else (*before.board, *event.cards),
        count=len(before.board) + len(event.cards),
        order_known=event.order_known,
        zone="board",
        detail="logged" if event.order_logged and not event.order_known else "",
    )


def _board_kind(before: TableState, event: BoardShown) -> Kind | None:
    """Premature while the round is open, too many, or with the wrong number of burns."""
    if len(before.board) + len(event.cards) <= before.rules_of_game.board_size(before.street):
        return None  # the street's own cards, dealt again
    if before.betting_open or before.street is Street.DEAL:
        fresh_flop = (
            before.street is Street.FLOP and not before.burns_now and not before.street_actions
        )
        if fresh_flop and len(before.board) == 3 and before.burns_due:
            return Kind.FOUR_CARD_FLOP
        return _PREMATURE.get(before.street, Kind.UNEXPECTED)
    if before.street is Street.PREFLOP and len(before.board) + len(event.cards) > 3:
        return Kind.FOUR_CARD_FLOP
    if before.is_reshuffle_due:  # ck.early.flop, fr3.turn.3
        return _PREMATURE.get(before.street, Kind.UNEXPECTED)
    if not before.burn_taken and before.street in _PREMATURE:
        return Kind.MISSING_BURN
    if before.burns_now > before.burns_due and before.street in _PREMATURE:
        return Kind.EXTRA_BURN
    return None if before.board_due >= len(event.cards) else Kind.UNEXPECTED


def player_acted(before: TableState, after: TableState, event: PlayerActed) -> Found:
    """Action on a street whose burn error is not corrected yet (faq.burn.2)."""
    if before.betting_open:
        return ()
    upcoming = before.rules_of_game.next_street(before.street)
    if len(before.board) < before.rules_of_game.board_size(upcoming):
        return ()
    for opened in before.open:
        fault = opened.ruling.irregularity
        if fault.kind in _BURN_FAULTS and fault.street is before.street:
            return (
                Irregularity(
                    kind=Kind.LATE_BURN_ERROR,
                    street=before.street,
                    count=before.burns_due - before.burns_now,
                    seat=event.seat,
                    detail=fault.kind.value,
                ),
            )
    return ()
