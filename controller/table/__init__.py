"""The table as the engine knows it: a pure state, and how each event changes it."""

from controller.table.apply import apply
from controller.table.errors import EventRefusedError
from controller.table.games import GAMES, Game, Round
from controller.table.rounds import close_betting, drop_out, settle
from controller.table.state import Act, Held, OpenRuling, Past, TableState, start

__all__ = [
    "GAMES",
    "Act",
    "EventRefusedError",
    "Game",
    "Held",
    "OpenRuling",
    "Past",
    "Round",
    "TableState",
    "apply",
    "close_betting",
    "drop_out",
    "settle",
    "start",
]
