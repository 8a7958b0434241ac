"""Who wins: the players by the hands they have shown, equal hands together.

The hands are compared by PokerKit, which is loaded when it is first needed, since
loading takes longer than anything else the table does.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, Protocol

from controller.cards import Card
from controller.table.state import TableState


class _Hand(Protocol):
    """A made hand, as it compares."""

    def __lt__(self, other: Any, /) -> bool: ...


def is_shown(state: TableState) -> bool:
    """Whether every player left has shown a whole hand, and the board is complete."""
    game = state.rules_of_game
    complete = len(state.board) == game.board_size(game.streets[-1])
    return complete and all(
        len(state.hands.get(seat, ())) == game.cards_each
        and all(held.card.is_known for held in state.hands[seat])
        for seat in state.live
    )


def ranking(state: TableState) -> tuple[tuple[int, ...], ...]:
    """The seats left by their hands, the best first; equal hands together.

    Raises:
        ValueError: Not every hand is shown whole, or a card stands twice.
    """
    if not is_shown(state):
        raise ValueError("not every hand is shown")
    made = {
        seat: _made(state.game, tuple(held.card for held in state.hands[seat]), state.board)
        for seat in state.live
    }
    best_first = sorted(made, key=lambda seat: made[seat], reverse=True)
    return tuple(
        tuple(sorted(equal)) for _, equal in groupby(best_first, key=lambda seat: made[seat])
    )


def _made(game: str, hole: tuple[Card, ...], board: tuple[Card, ...]) -> _Hand:
    from pokerkit import OmahaHoldemHand, StandardHighHand  # slow to load

    kind = OmahaHoldemHand if game == "omaha" else StandardHighHand
    hand: _Hand = kind.from_game("".join(map(str, hole)), "".join(map(str, board)))
    return hand
