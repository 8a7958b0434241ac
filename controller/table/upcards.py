"""Who opens the betting where no button says so: by the cards that lie face up.

The lowest card by rank and suit brings it in; on later streets the high hand
opens, and of equal ones the player who received cards first (WSOP live-action
rule 215; ck.announce.g has the dealer announce both).
"""

from __future__ import annotations

from collections import Counter

from controller.cards import RANKS, SUITS, Card
from controller.events import Street
from controller.table.state import TableState


def opener(state: TableState, street: Street) -> int:
    """The seat that opens the betting of a street; 0 while not every up card is known."""
    shown = {seat: _up(state, seat) for seat in state.live_in_order}
    if not shown or not all(cards and all(c.rank for c in cards) for cards in shown.values()):
        return 0
    if street is state.rules_of_game.first_street:
        return min(shown, key=lambda seat: min(map(_by_suit, shown[seat])))
    return max(shown, key=lambda seat: _strength(shown[seat]))


def _up(state: TableState, seat: int) -> tuple[Card, ...]:
    return tuple(held.card for held in state.hands.get(seat, ()) if held.is_up)


def _by_suit(card: Card) -> tuple[int, int]:
    return RANKS.index(card.rank), SUITS.index(card.suit)


def _strength(cards: tuple[Card, ...]) -> tuple[tuple[int, int], ...]:
    """Pairs, threes and fours before high cards; up to four cards make no straight or flush."""
    counted = Counter(RANKS.index(card.rank) for card in cards)
    return tuple(sorted(((n, rank) for rank, n in counted.items()), reverse=True))
