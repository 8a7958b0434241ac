"""Players who check, call, bet, raise and fold at random, as the rules let them."""

from __future__ import annotations

import random
from typing import Final

from controller.events import Action, PlayerActed
from controller.table import TableState

FOLD_SHARE: Final = 0.2
"""Share of bets to which a player folds: hands of every length come about."""

RAISE_SHARE: Final = 0.15
"""Share of turns on which a player puts in more than is asked."""

MOST_RAISES: Final = 4
"""A bet and three raises a street: the usual cap of limit games, so that every round ends."""

BET: Final = 10


class Players:
    """Everybody at the table.

    Args:
        rng: Source of their choices.
        keep_in: How many players never fold, so that the hand reaches the board.
    """

    def __init__(self, rng: random.Random, *, keep_in: int) -> None:
        self._rng, self._keep_in = rng, keep_in

    def act(self, state: TableState) -> PlayerActed:
        """The action of the player whose turn it is."""
        seat = state.to_act[0]
        chance = self._rng.random()
        owes = state.bet > state.street_bets.get(seat, 0)
        if chance < RAISE_SHARE and state.bet < BET * MOST_RAISES:
            raised = Action.RAISE if state.bet else Action.BET
            return PlayerActed(seat=seat, action=raised, amount=state.bet + BET)
        if not owes:
            return PlayerActed(seat=seat, action=Action.CHECK)
        if chance > 1 - FOLD_SHARE and len(state.live) > self._keep_in:
            return PlayerActed(seat=seat, action=Action.FOLD)
        return PlayerActed(seat=seat, action=Action.CALL, amount=state.bet)
