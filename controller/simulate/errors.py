"""What can go wrong with a simulation.

* SimulationError: base of all
    * UnknownFaultError: a fault that is not on the list was asked for
    * TableSizeError: fewer or more players than a table seats
"""

from __future__ import annotations

from collections.abc import Sequence


class SimulationError(Exception):
    """Base of what this package raises."""


class UnknownFaultError(SimulationError):
    """A fault of this name cannot be injected.

    Args:
        name: What was asked for.
        known: The names there are.
    """

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no fault is called {name!r}; there are {', '.join(known)}")
        self.name = name


class TableSizeError(SimulationError):
    """A number of players that no hand is simulated for.

    Args:
        least: Fewest players asked for.
        most: Most players asked for.
    """

    def __init__(self, least: int, most: int) -> None:
        super().__init__(f"{least} to {most} players cannot be seated; give 3 to 10, fewest first")
        self.least, self.most = least, most
