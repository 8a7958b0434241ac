"""Until when a misdeal may be called, as each rulebook counts it."""

from __future__ import annotations

from typing import Final

from controller.events import Street
from controller.rulebook import Rulebook
from controller.table import TableState

_BEFORE: Final = frozenset({Street.BETWEEN, Street.DEAL})


def is_window_open(state: TableState, book: Rulebook) -> bool:
    """Whether a misdeal may still be called (ck.misdeal.0, fr2.2-20)."""
    if state.street in _BEFORE:
        return True
    if state.street is not Street.PREFLOP:
        return False
    if book["misdeal.window"].value == "two_players_bet":
        return state.chip_actions < 2
    return not is_action_substantial(state, book)


def is_action_substantial(state: TableState, book: Rulebook) -> bool:
    """Two actions with chips among them or any three; or any two, as the house has it."""
    if book["misdeal.substantial_action"].value == "two_any":
        return state.actions >= 2
    return (state.actions >= 2 and state.chip_actions >= 1) or state.actions >= 3
