"""The table as the engine knows it: a pure state, and how each event changes it."""

from controller.table.apply import apply, close_betting, settle_board
from controller.table.games import GAMES, Game
from controller.table.state import Act, Held, OpenRuling, TableState, start

__all__ = [
    "GAMES",
    "Act",
    "Game",
    "Held",
    "OpenRuling",
    "TableState",
    "apply",
    "close_betting",
    "settle_board",
    "start",
]
