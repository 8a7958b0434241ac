"""What the supervisor asks of whoever knows the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from controller.events import TableEvent
from controller.observer import LyingCard, Situation
from controller.rulings import Ruling
from controller.runtime.effects import Wish
from controller.view import Surroundings, TableView

StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Advanced(Generic[StateT]):
    """The state after an event, and the rulings that the event brought about."""

    state: StateT
    rulings: tuple[Ruling, ...] = ()


class Engine(Protocol[StateT]):
    """The rules of a table over states of its own; pure, so that a replay gives the same."""

    def fresh(self) -> StateT:
        """A table at which nothing has happened."""
        ...

    def advance(self, state: StateT, event: TableEvent) -> Advanced[StateT]:
        """Take one event in."""
        ...

    def hand(self, state: StateT) -> int:
        """The number of the hand, 0 before the first."""
        ...

    def situation(self, state: StateT) -> Situation:
        """What the observer must know to read the next fact."""
        ...

    def wish(self, state: StateT) -> Wish:
        """What the machine should do now."""
        ...

    def wakes_at_ms(self, state: StateT) -> int:
        """When the clock alone changes something, on the table's clock; -1 for never."""
        ...

    def verify(self, state: StateT, tap: TableEvent) -> None:
        """Check that a person can report this now.

        Raises:
            TapRefusedError: It does not fit what the table waits for.
        """
        ...

    def lying(self, state: StateT) -> dict[str, tuple[LyingCard, ...]]:
        """Where the camera will find cards when it looks at this state again."""
        ...

    def view(self, state: StateT, lang: str, around: Surroundings) -> TableView:
        """The dealer's page."""
        ...
