"""The house's answers about button, blinds and money, as the table's modules take them."""

from __future__ import annotations

from controller.rulebook import Rulebook
from controller.rulings import Money
from controller.table import TableState
from controller.table.button import (
    ButtonRule,
    EmptySeat,
    NoBlinds,
    Positions,
    Rotation,
    next_positions,
)
from controller.table.pots import OddChip, Sharing, Stake, by_seat
from controller.table.refunds import (
    Forfeited,
    ForfeitTo,
    FouledRule,
    MisdealBlinds,
    Refund,
    RefundTo,
    fouled_deck_refund,
    misdeal_refund,
)


def button_rule(book: Rulebook) -> ButtonRule:
    """How button and blinds move on."""
    return ButtonRule(
        rotation=Rotation(book["button.rule"].value),
        empty_seat=EmptySeat(book["button.empty_seat"].value),
        big_blind_may_be_missing=book["button.big_blind_may_be_missing"].value is True,
        no_blinds=NoBlinds(book["button.no_blinds"].value),
    )


def next_hand(state: TableState, book: Rulebook) -> Positions:
    """Who has button and blinds in the next hand.

    A hand cancelled for a fouled deck is followed by one with the same (ck.fouled.6).

    Raises:
        ValueError: Fewer than two players are left.
    """
    players = tuple(s for s in state.positions.seats if s not in state.out)
    if state.is_cancelled and book["fouled.next_button"].value == "same":
        return state.positions
    return next_positions(state.positions, players, button_rule(book))


def stakes(state: TableState) -> tuple[Stake, ...]:
    """What every player has put into the pot of this hand."""
    return tuple(
        Stake(
            seat=seat,
            chips=state.paid.get(seat, 0),
            has_folded=seat not in state.live,
            is_all_in=seat in state.all_in,
        )
        for seat in state.seats
    )


def sharing(state: TableState, book: Rulebook) -> Sharing:
    """How shares are made; in stud, where hands decide, see ``controller.rules.award``."""
    assert OddChip(book["pot.odd_chip"].value)
    return Sharing(by_seat(state.button, state.seats), book["pot.smallest_chip"].number)


def refund(state: TableState, book: Rulebook, knew: int = 0) -> Refund:
    """The money of a fouled deck; ``knew`` is the seat that alone knew of it."""
    rule = FouledRule(
        refund_to=RefundTo(book["fouled.refund_to"].value),
        forfeited=Forfeited(book["fouled.forfeited"].value),
        forfeit_to=ForfeitTo(book["fouled.forfeit_to"].value),
    )
    return fouled_deck_refund(stakes(state), rule, sharing(state, book), knew)


def bets_back(state: TableState, book: Rulebook) -> Refund:
    """The bets of a deal that does not count; blinds as the house has it."""
    blinds = MisdealBlinds(book["misdeal.blinds"].value)
    forced = tuple(Money(seat, amount) for seat, amount in sorted(state.blinds.items()))
    return misdeal_refund(stakes(state), forced, blinds, is_in_time=True)
