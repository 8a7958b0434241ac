"""Who deals first, and who deals, shuffles and cuts when the players deal.

The first dealer is drawn by the highest card (fr1.first-dealer.1, fr2.2-2), by
software (fr2.2-2) or is the player who sat down first (fr1.first-dealer.3). From
then on the button says who deals (fr1.rotate.1, ck.player-dealt.2; see
``controller.table.button``) and the house's rule who shuffles and cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

import msgspec

from controller.cards import RANKS, SUITS, Card
from controller.table.button import left_of, right_of


class FirstDealerBy(Enum):
    """How the first dealer is found: ``first_dealer.method``.

    With a house dealer the button may also begin at the last seat, on the
    dealer's right (WSOP tournament rule 85).
    """

    HIGH_CARD = "high_card"
    SOFTWARE = "software"
    FIRST_SEATED = "first_seated"
    RIGHT_OF_HOUSE_DEALER = "right_of_house_dealer"


class Tie(Enum):
    """Who wins a draw of equal cards: ``first_dealer.tie``.

    The first to receive his card is fr1's (fr1.first-dealer.2); fr2 does not say;
    suits are those of WSOP live-action rule 146.
    """

    FIRST_TO_RECEIVE = "first_to_receive"
    REDRAW = "redraw"
    SUIT = "suit"
    FLOOR = "floor"


class ShuffleBy(Enum):
    """Who shuffles the deck that is dealt: ``shuffle.by``."""

    DEALER = "dealer"
    RIGHT_OF_DEALER = "right_of_dealer"
    TWO_RIGHT_OF_DEALER = "two_right_of_dealer"
    SMALL_BLIND = "small_blind"
    MACHINE = "machine"


class CutBy(Enum):
    """Who cuts: ``cut.by``."""

    LEFT_OF_DEALER = "left_of_dealer"
    RIGHT_OF_DEALER = "right_of_dealer"
    DEALER = "dealer"


class Draw(msgspec.Struct, frozen=True):
    """A card drawn for the first deal."""

    seat: int
    card: Card


class FirstDealer(msgspec.Struct, frozen=True):
    """Who deals first; ``seat`` is 0 while that is open.

    ``tied`` had equal highest cards. ``draw_again`` must draw once more, and
    only they; ``call_floor`` leaves it to the floor.
    """

    seat: int = 0
    tied: tuple[int, ...] = ()
    draw_again: tuple[int, ...] = ()
    call_floor: bool = False


class RolesRule(msgspec.Struct, frozen=True, kw_only=True):
    """The house's answers when the players deal.

    ``dealer_may_shuffle``: the dealer may shuffle himself instead (fr1.roles.3).
    ``decks``: with two, one is shuffled while the other is dealt.
    """

    shuffle_by: ShuffleBy
    cut_by: CutBy
    dealer_may_shuffle: bool = False
    decks: int = 1


class Roles(msgspec.Struct, frozen=True, kw_only=True):
    """Who does what in one hand; 0 where no player does it.

    ``shuffler`` shuffles, or has shuffled, the deck that is dealt;
    ``next_shuffler`` shuffles the deck just dealt while this hand is played, for
    the next one. ``also_may_shuffle`` is the dealer where he may.
    """

    dealer: int
    shuffler: int
    cutter: int
    next_shuffler: int = 0
    also_may_shuffle: int = 0

    @property
    def are_three_people(self) -> bool:
        """Whether shuffling, cutting and dealing are with three players (ck.player-dealt.6)."""
        return len({self.dealer, self.shuffler, self.cutter} - {0}) == 3


def by_high_card(draws: tuple[Draw, ...], tie: Tie) -> FirstDealer:
    """The first dealer by a draw, one card each, in the order in which they were received.

    Aces are high. Who got a joker or a card that cannot be read draws again.

    Raises:
        ValueError: Nobody drew, or a seat drew twice.
    """
    seats = [draw.seat for draw in draws]
    if not seats or len(set(seats)) < len(seats):
        raise ValueError(f"every player draws one card; the cards went to the seats {seats}")
    unread = tuple(draw.seat for draw in draws if not draw.card.rank)
    if unread:
        return FirstDealer(draw_again=unread)
    best = max(_rank(draw) for draw in draws)
    highest = tuple(draw for draw in draws if _rank(draw) == best)
    if len(highest) == 1:
        return FirstDealer(highest[0].seat)
    return _TIES[tie](highest)


def _rank(draw: Draw) -> int:
    return RANKS.index(draw.card.rank)


def _first_to_receive(highest: tuple[Draw, ...]) -> FirstDealer:
    return FirstDealer(highest[0].seat, tied=_seats(highest))


def _redraw(highest: tuple[Draw, ...]) -> FirstDealer:
    return FirstDealer(tied=_seats(highest), draw_again=_seats(highest))


def _by_suit(highest: tuple[Draw, ...]) -> FirstDealer:
    best = max(SUITS.index(draw.card.suit) for draw in highest)
    seats = _seats(tuple(d for d in highest if SUITS.index(d.card.suit) == best))
    if len(seats) > 1:  # two decks, or a fouled one
        return FirstDealer(tied=seats, draw_again=seats)
    return FirstDealer(seats[0], tied=_seats(highest))


def _floor(highest: tuple[Draw, ...]) -> FirstDealer:
    return FirstDealer(tied=_seats(highest), call_floor=True)


def _seats(draws: tuple[Draw, ...]) -> tuple[int, ...]:
    return tuple(draw.seat for draw in draws)


_TIES: Final[dict[Tie, Callable[[tuple[Draw, ...]], FirstDealer]]] = {
    Tie.FIRST_TO_RECEIVE: _first_to_receive,
    Tie.REDRAW: _redraw,
    Tie.SUIT: _by_suit,
    Tie.FLOOR: _floor,
}


def by_software(players: Iterable[int], number: int) -> FirstDealer:
    """The first dealer by a number that the software drew: which of the players, from 0.

    Raises:
        ValueError: There is no such player.
    """
    seats = sorted(players)
    if not 0 <= number < len(seats):
        raise ValueError(f"{number} is none of {len(seats)} players, counted from 0")
    return FirstDealer(seats[number])


def by_first_seated(seating: tuple[int, ...]) -> FirstDealer:
    """The player who sat down first; ``seating`` is in the order in which they sat down.

    Raises:
        ValueError: Nobody has sat down.
    """
    if not seating:
        raise ValueError("nobody has sat down yet")
    return FirstDealer(seating[0])


def right_of_house_dealer(players: Iterable[int]) -> FirstDealer:
    """The last seat, since seats are counted from the house dealer's left.

    Raises:
        ValueError: There is no player.
    """
    return FirstDealer(max(players))


def roles(dealer: int, players: Iterable[int], rule: RolesRule, small_blind: int = 0) -> Roles:
    """Who shuffles, cuts and deals a hand that the players deal.

    Args:
        dealer: The player who deals.
        players: The players at the table.
        rule: The house's answers.
        small_blind: Who has the small blind, 0 when nobody has; where the small blind
            shuffles, the player left of the dealer stands in for a missing one and for
            one who deals himself.

    Raises:
        ValueError: The dealer is not one of two or more players.
    """
    seats = tuple(players)
    if dealer not in seats or len(seats) < 2:
        raise ValueError(f"seat {dealer} cannot deal: the players sit at {sorted(seats)}")
    second = small_blind if small_blind in seats and small_blind != dealer else 0
    return Roles(
        dealer=dealer,
        shuffler=_SHUFFLERS[rule.shuffle_by](dealer, seats, second or left_of(dealer, seats)),
        cutter=_CUTTERS[rule.cut_by](dealer, seats),
        next_shuffler=_next_shuffler(dealer, seats, rule),
        also_may_shuffle=dealer if rule.dealer_may_shuffle else 0,
    )


def _next_shuffler(dealer: int, seats: tuple[int, ...], rule: RolesRule) -> int:
    """Who shuffles the deck just dealt: the player right of the dealer (ck.player-dealt.5)."""
    if rule.decks < 2 or rule.shuffle_by is ShuffleBy.MACHINE:
        return 0
    return right_of(dealer, seats)


_SHUFFLERS: Final[dict[ShuffleBy, Callable[[int, tuple[int, ...], int], int]]] = {
    ShuffleBy.DEALER: lambda dealer, seats, blind: dealer,  # fr1.roles.3, fr2.2-3.2
    ShuffleBy.RIGHT_OF_DEALER: lambda dealer, seats, blind: right_of(dealer, seats),  # fr1.roles.1
    ShuffleBy.TWO_RIGHT_OF_DEALER: lambda dealer, seats, blind: right_of(
        right_of(dealer, seats), seats
    ),  # ck.player-dealt.6
    ShuffleBy.SMALL_BLIND: lambda dealer, seats, blind: blind,  # fr2.2-3.5
    ShuffleBy.MACHINE: lambda dealer, seats, blind: 0,  # fr1.shuffle.5
}

_CUTTERS: Final[dict[CutBy, Callable[[int, tuple[int, ...]], int]]] = {
    CutBy.LEFT_OF_DEALER: left_of,  # fr1.roles.2, ck.player-dealt.4
    CutBy.RIGHT_OF_DEALER: right_of,  # fr2.2-3.2, fr2.2-3.5
    CutBy.DEALER: lambda dealer, seats: dealer,  # ck.cut.1, with a house dealer
}


def deck_in_use(hand: int, decks: int) -> int:
    """Which deck a hand is dealt with, from 1: two decks take turns (ck.player-dealt.3)."""
    return (hand - 1) % decks + 1
