"""Until when a misdeal may be called, as each rulebook counts it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.events import Action, Street
from controller.rulebook import Rulebook
from controller.table import Act, TableState

_BEFORE: Final = frozenset({Street.BETWEEN, Street.DEAL})
_PASSIVE: Final = frozenset({Action.FOLD, Action.CHECK})
_FOLDS_OR_CHECKS_ALIKE: Final = 3


def is_window_open(state: TableState, book: Rulebook, *, borrowed: bool = False) -> bool:
    """Whether a misdeal may still be called (ck.misdeal.0, fr1.window.1, fr2.2-20, faq.window.1).

    Forced bets are no acts: a blind has acted once its player acted in turn.

    Args:
        state: The table.
        book: The rulebook.
        borrowed: The ground is borrowed from another rulebook because this one is silent
            on it; where this one states no limit either, the lender's holds (ck.misdeal.0).
    """
    if state.street in _BEFORE:
        return True
    limit = book["misdeal.window"].value
    if limit == "never_closes" and borrowed:
        limit = "substantial_action"
    if limit == "never_closes":
        return state.street is not Street.SHOWDOWN
    if state.street is not state.rules_of_game.first_street or _went_unseen(state):
        return False
    if limit == "substantial_action":
        return not is_action_substantial(state.acts, book)
    return not _CLOSED[str(limit)](state)


def _went_unseen(state: TableState) -> bool:
    """The round is over and nobody entered what the players did: they have acted."""
    acted = {act.seat for act in state.acts} | set(state.all_in)
    return not state.betting_open and not set(state.live) <= acted


def _two_players_bet(state: TableState) -> bool:
    """Two players after the blinds have put chips in (fr2.2-20)."""
    bettors = {a.seat for a in state.acts if a.brings_chips}
    return len(bettors - {state.small_blind, state.big_blind}) >= 2


def _two_players_acted(state: TableState) -> bool:
    return len({act.seat for act in state.acts}) >= 2


def _blinds_acted(state: TableState) -> bool:
    """Every blind that there is has played its hand (fr1.window.1)."""
    blinds = {state.small_blind, state.big_blind} - {0}
    return bool(blinds) and blinds <= {act.seat for act in state.acts}


_CLOSED: Final[dict[str, Callable[[TableState], bool]]] = {
    "two_players_bet": _two_players_bet,
    "two_players_acted": _two_players_acted,
    "blinds_acted": _blinds_acted,
    "action_started": lambda state: bool(state.acts),
}


def is_action_substantial(acts: tuple[Act, ...], book: Rulebook) -> bool:
    """Whether the acts of the first betting round are substantial action as the house has it."""
    return _SUBSTANTIAL[str(book["misdeal.substantial_action"].value)](acts)


def _two_with_chips_or_three(acts: tuple[Act, ...]) -> bool:
    """Any two acts with chips in one of them, or any three (TDA rule 36)."""
    return (len(acts) >= 2 and any(a.brings_chips for a in acts)) or len(acts) >= 3


def _two_unless_alike_passive(acts: tuple[Act, ...]) -> bool:
    """Two acts that are not two folds or two checks, or three of either (WSOP live rule 105)."""
    if len(acts) >= _FOLDS_OR_CHECKS_ALIKE:
        return True
    if len(acts) < 2:
        return False
    first, second = (act.action for act in acts)
    return not (first is second and first in _PASSIVE)


_SUBSTANTIAL: Final[dict[str, Callable[[tuple[Act, ...]], bool]]] = {
    "two_with_chips_or_three_any": _two_with_chips_or_three,
    "two_unless_alike_passive_or_three_alike": _two_unless_alike_passive,
    "two_any": lambda acts: len(acts) >= 2,
}
