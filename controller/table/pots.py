"""Main and side pots, and how they are divided.

A player wins from every other no more than he put in himself, so each all-in
closes a pot and what is bet above it goes to the next side pot (fr1.pot.2,
ck.layout.2). Equal hands share a pot (fr1.pot.3); the texts do not say who gets
a chip that cannot be divided, so that is the house's choice. Each pot is shared
by itself, the last side pot first (WSOP live-action rule 149, tournament rule 74).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from controller.cards import RANKS, SUITS, Card
from controller.rulings import Money
from controller.table.button import from_left_of


class OddChip(Enum):
    """Who of those who share a pot gets the chip that is over: ``pot.odd_chip``.

    The first is for games with a button, the second for stud.
    """

    FIRST_LEFT_OF_BUTTON = "first_left_of_button"
    HIGHEST_CARD_BY_SUIT = "highest_card_by_suit"


class Stake(msgspec.Struct, frozen=True):
    """What one player has bet in the hand, blinds and every player's antes included."""

    seat: int
    chips: int
    has_folded: bool = False
    is_all_in: bool = False


class Pot(msgspec.Struct, frozen=True):
    """One pot and the seats that may win it."""

    chips: int
    seats: tuple[int, ...]


class Sharing(msgspec.Struct, frozen=True):
    """How equal shares are made: the order in which seats take odd chips, and the smallest chip."""

    odd_chips_to: tuple[int, ...]
    smallest_chip: int = 1

    def split(self, chips: int, seats: Iterable[int]) -> tuple[Money, ...]:
        """Equal shares for some of the seats, in the order in which they take odd chips.

        Raises:
            ValueError: A seat has no place in the order.
        """
        sharing = set(seats)
        missing = sorted(sharing - set(self.odd_chips_to))
        if missing:
            raise ValueError(f"seats {missing} are not in the order {self.odd_chips_to}")
        in_order = tuple(seat for seat in self.odd_chips_to if seat in sharing)
        return split(chips, in_order, self.smallest_chip)


class Award(msgspec.Struct, frozen=True):
    """The shares of one pot; ``pot`` counts from 0, the main pot."""

    pot: int
    shares: tuple[Money, ...]


def owing(stakes: Iterable[Stake]) -> tuple[Money, ...]:
    """What each player still has to put in before the bets are scooped.

    The dealer verifies that every player put in the proper amount (ck.scoop.5,
    ck.duties.5). Folded and all-in players owe nothing.
    """
    stakes = tuple(stakes)
    due = max((s.chips for s in stakes), default=0)
    still_in = (s for s in stakes if not s.has_folded and not s.is_all_in)
    return tuple(Money(s.seat, due - s.chips) for s in still_in if s.chips < due)


def uncalled(stakes: Iterable[Stake]) -> tuple[Money, ...]:
    """The part of the highest bet that nobody called, which goes back; empty when there is none."""
    by_chips = sorted(stakes, key=lambda s: s.chips, reverse=True)
    if len(by_chips) < 2 or by_chips[0].has_folded:
        return ()
    over = by_chips[0].chips - by_chips[1].chips
    return (Money(by_chips[0].seat, over),) if over else ()


def pots(stakes: Iterable[Stake], dead: int = 0) -> tuple[Pot, ...]:
    """The main pot and the side pots in the order in which they were formed.

    An uncalled bet is in none of them.

    Args:
        stakes: Every player who bet, also those who folded.
        dead: Chips of the main pot that nobody needs to match, such as the dead
            part of a made-up blind (ck.scoop.3).

    Raises:
        ValueError: Nobody is left to win the pot.
    """
    called = _called(stakes)
    live = tuple(s for s in called if not s.has_folded)
    if not live:
        raise ValueError("nobody is left to win the pot: every player has folded")
    top = max(s.chips for s in called)
    caps = sorted({0, top, *(s.chips for s in live if s.is_all_in)})
    main = Pot(dead, _may_win(live, 0)) if dead else None
    formed = [main] if main else []
    for floor, cap in pairwise(caps):
        chips = sum(min(s.chips, cap) - min(s.chips, floor) for s in called)
        formed = _add(formed, chips, _may_win(live, cap))
    return tuple(formed)


def _called(stakes: Iterable[Stake]) -> tuple[Stake, ...]:
    stakes = tuple(sorted(stakes, key=lambda s: s.seat))
    back = {money.seat: money.amount for money in uncalled(stakes)}
    return tuple(replace(s, chips=s.chips - back.get(s.seat, 0)) for s in stakes)


def _may_win(live: tuple[Stake, ...], cap: int) -> tuple[int, ...]:
    """Who may win a pot up to ``cap``: who put that much in, or still can."""
    return tuple(s.seat for s in live if s.chips >= cap or not s.is_all_in)


def _add(formed: list[Pot], chips: int, seats: tuple[int, ...]) -> list[Pot]:
    """A further pot, or more chips in the last one when it has no winners of its own."""
    if formed and (not seats or seats == formed[-1].seats):
        return [*formed[:-1], replace(formed[-1], chips=formed[-1].chips + chips)]
    return [*formed, Pot(chips, seats)]


def split(chips: int, seats: tuple[int, ...], smallest_chip: int = 1) -> tuple[Money, ...]:
    """Equal shares in whole chips.

    What cannot be shared equally goes round one chip at a time, in the order of
    ``seats``; less than a whole chip goes to the first.

    Raises:
        ValueError: There is no seat to share among, or the smallest chip is worth nothing.
    """
    if not seats or smallest_chip < 1:
        raise ValueError(f"cannot share {chips} among {seats} in chips of {smallest_chip}")
    whole, less_than_a_chip = divmod(chips, smallest_chip)
    each, odd = divmod(whole, len(seats))
    shares = [(each + (n < odd)) * smallest_chip for n in range(len(seats))]
    shares[0] += less_than_a_chip
    return tuple(Money(seat, share) for seat, share in zip(seats, shares, strict=True))


def award(
    formed: tuple[Pot, ...], ranking: tuple[tuple[int, ...], ...], sharing: Sharing
) -> tuple[Award, ...]:
    """Who gets what, the last side pot first.

    Args:
        formed: The pots, the main pot first.
        ranking: The seats by their hands, the best first; equal hands together.
        sharing: How equal hands share a pot.

    Raises:
        ValueError: A pot that several may win has none of them in the ranking, or a
            winner has no place in the order of odd chips.
    """
    last_first = reversed(list(enumerate(formed)))
    return tuple(
        Award(n, sharing.split(pot.chips, _winners(pot, ranking))) for n, pot in last_first
    )


def _winners(pot: Pot, ranking: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """The best hands among those that may win; a single player wins without showing one."""
    if len(pot.seats) == 1:
        return pot.seats
    for equal in ranking:
        best = tuple(seat for seat in equal if seat in pot.seats)
        if best:
            return best
    raise ValueError(f"no hand was ranked for the pot of the seats {pot.seats}")


def totals(awards: Iterable[Award]) -> tuple[Money, ...]:
    """What each seat gets from all pots together, in the order of the seats."""
    shares = [share for award in awards for share in award.shares]
    return tuple(
        Money(seat, sum(share.amount for share in shares if share.seat == seat))
        for seat in sorted({share.seat for share in shares if share.amount})
    )


def by_seat(button: int, seats: Iterable[int]) -> tuple[int, ...]:
    """The order in which seats take odd chips in a game with a button: the first left of it."""
    return from_left_of(button, seats)


def by_highest_card(hands: Mapping[int, tuple[Card, ...]]) -> tuple[int, ...]:
    """The order in which seats take odd chips in stud: the highest card, then its suit.

    Spades are the highest suit, then hearts, diamonds and clubs (WSOP live-action
    rule 146). ``hands`` are the five cards that make each hand (rule 149).
    """
    return tuple(
        sorted(hands, key=lambda seat: max(map(_by_rank_and_suit, hands[seat])), reverse=True)
    )


def _by_rank_and_suit(card: Card) -> tuple[int, int]:
    """How high a card is; a joker or an unknown card is below them all."""
    return (RANKS.index(card.rank), SUITS.index(card.suit)) if card.rank else (-1, -1)
