"""Who gets which money back when a hand is cancelled.

A fouled deck cancels the hand at any time: the money in the pot goes back
(ck.fouled.2, faq.back.1, faq.dup.1), except that of a player who alone knew and
bet to win (ck.fouled.3 to ck.fouled.5). Once the pot has been pushed there is no
money in it, and the result stands (faq.back.2, faq.missing.1). A misdeal called in
time takes the bets back and leaves the blinds for the new deal; called too late
it changes nothing (faq.window.2, faq.window.3, ck.misdeal.closed).

A stake counts here everything the player put in, the dead part of a made-up blind
included.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import msgspec

from controller.rulings import Money
from controller.table.pots import Sharing, Stake


class RefundTo(Enum):
    """Who gets the money of a fouled deck: ``fouled.refund_to``.

    ck L49 says both: "the players in the hand" and "the players who put it in".
    """

    CONTRIBUTORS = "contributors"
    PLAYERS_IN_THE_HAND = "players_in_the_hand"


class Forfeited(Enum):
    """What a player who knew loses to the others: ``fouled.forfeited``.

    ck L49 says both: "all chips in the pot" are divided, and "the forfeited interest".
    """

    NOTHING = "nothing"
    OWN_CHIPS = "own_chips"
    WHOLE_POT = "whole_pot"


class ForfeitTo(Enum):
    """Who shares what he forfeits: ``fouled.forfeit_to``.

    Active players take it first (ck.fouled.3), and all who put money in when no
    active player is left (ck.fouled.4). WSOP live-action rule 113 lets it stay for
    the next hand.
    """

    ACTIVE_PLAYERS = "active_players"
    CONTRIBUTORS = "contributors"
    NEXT_POT = "next_pot"


class MisdealBlinds(Enum):
    """What becomes of posted blinds when the hand is dealt anew: ``misdeal.blinds``."""

    STAY_POSTED = "stay_posted"
    RETURNED = "returned"


class FouledRule(msgspec.Struct, frozen=True, kw_only=True):
    """The house's answers about the money of a fouled deck."""

    refund_to: RefundTo = RefundTo.CONTRIBUTORS
    forfeited: Forfeited = Forfeited.OWN_CHIPS
    forfeit_to: ForfeitTo = ForfeitTo.ACTIVE_PLAYERS


class Refund(msgspec.Struct, frozen=True):
    """What goes back to whom, in the order of the seats, and what stays in the pot."""

    money: tuple[Money, ...] = ()
    stays: int = 0


def fouled_deck_refund(
    stakes: Iterable[Stake], rule: FouledRule, sharing: Sharing, knew: int = 0
) -> Refund:
    """The money of a hand that a fouled deck cancels.

    Args:
        stakes: Every player dealt in, also those who folded or have put nothing in yet.
        rule: The house's answers.
        sharing: How what is divided is shared.
        knew: The seat that alone knew of the fouled deck and bet to win; 0 when nobody did.

    Raises:
        ValueError: A player who shares has no place in the order of odd chips.
    """
    in_order = tuple(sorted(stakes, key=lambda s: s.seat))
    guilty = knew if rule.forfeited is not Forfeited.NOTHING else 0
    honest = tuple(s for s in in_order if s.seat != guilty)
    whole_pot = bool(guilty) and rule.forfeited is Forfeited.WHOLE_POT
    returned = () if whole_pot else _returned(honest, rule, sharing)
    forfeited = sum(s.chips for s in in_order) - sum(money.amount for money in returned)
    sharers = _sharers(honest, rule)
    if not forfeited or not sharers:
        return Refund(returned, forfeited)
    return Refund(_together(returned, sharing.split(forfeited, sharers)))


def misdeal_refund(
    stakes: Iterable[Stake], forced: tuple[Money, ...], blinds: MisdealBlinds, *, is_in_time: bool
) -> Refund:
    """The money of a misdeal: every bet goes back, blinds and antes as the house says.

    Args:
        stakes: Every player who put money in.
        forced: The blinds and antes among that money.
        blinds: Whether they stay for the new deal, which has the same button.
        is_in_time: Whether the misdeal was called while it could be; later the hand is
            played and no money is returned (faq.window.2, faq.window.3).
    """
    in_order = tuple(sorted(stakes, key=lambda s: s.seat))
    total = sum(s.chips for s in in_order)
    if not is_in_time:
        return Refund(stays=total)
    stay = forced if blinds is MisdealBlinds.STAY_POSTED else ()
    kept = {money.seat: money.amount for money in _together(stay)}
    back = (Money(s.seat, s.chips - kept.get(s.seat, 0)) for s in in_order)
    money = tuple(m for m in back if m.amount)
    return Refund(money, total - sum(m.amount for m in money))


def _returned(honest: tuple[Stake, ...], rule: FouledRule, sharing: Sharing) -> tuple[Money, ...]:
    """The money that goes back without being forfeited."""
    active = tuple(s for s in honest if not s.has_folded)
    if rule.refund_to is RefundTo.CONTRIBUTORS or not active:
        return tuple(Money(s.seat, s.chips) for s in honest if s.chips)
    own = tuple(Money(s.seat, s.chips) for s in active if s.chips)
    left_by_folded = sum(s.chips for s in honest if s.has_folded)
    return _together(own, sharing.split(left_by_folded, (s.seat for s in active)))


def _sharers(honest: tuple[Stake, ...], rule: FouledRule) -> tuple[int, ...]:
    """Who shares equally what is forfeited, whatever each had put in (ck.fouled.5)."""
    contributors = tuple(s.seat for s in honest if s.chips)
    active = tuple(s.seat for s in honest if not s.has_folded)
    return {
        ForfeitTo.ACTIVE_PLAYERS: active or contributors,
        ForfeitTo.CONTRIBUTORS: contributors,
        ForfeitTo.NEXT_POT: (),
    }[rule.forfeit_to]


def _together(*parts: tuple[Money, ...]) -> tuple[Money, ...]:
    """What each seat gets in all, in the order of the seats."""
    amounts: dict[int, int] = {}
    for money in (m for part in parts for m in part):
        amounts[money.seat] = amounts.get(money.seat, 0) + money.amount
    return tuple(Money(seat, amounts[seat]) for seat in sorted(amounts) if amounts[seat])
