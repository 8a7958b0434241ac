"""The hands that were played, so that they can be looked at again without reading the disk.

Each hand is kept as the table before it and its events: the same pure engine that
decided them plays them again. What is kept here is what the journal holds, no more.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from controller.events import HandStarted, TableEvent
from controller.irregularities import Kind
from controller.rulings import Ruling, Verdict

StateT = TypeVar("StateT")

KEPT: Final = 200
"""Hands kept at hand: more than a shift of eight hours at 25 hands an hour. Older ones are
in the journal."""


@dataclass
class PastHand(Generic[StateT]):
    """A hand: the table before it, its events, what was found in it and how that was ruled."""

    number: int
    start: StateT
    events: list[TableEvent] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)


class Past(Generic[StateT]):
    """The last hands, and how often each irregularity was ruled on since the journal began."""

    def __init__(self, kept: int = KEPT) -> None:
        self._hands: deque[PastHand[StateT]] = deque(maxlen=kept)
        self.counts: Counter[Kind] = Counter()
        self.played = 0

    def note(self, before: StateT, event: TableEvent, rulings: Sequence[Ruling]) -> None:
        """Take in one event with the table before it and the rulings that followed."""
        if isinstance(event, HandStarted):
            self._hands.append(PastHand(event.hand, before))
            self.played += 1
        kinds = [ruling.irregularity.kind for ruling in rulings]
        self.counts.update(kinds)
        if self._hands:
            self._hands[-1].events.append(event)
            self._hands[-1].kinds.extend(kinds)
            self._hands[-1].verdicts.extend(ruling.verdict for ruling in rulings)

    @property
    def hands(self) -> tuple[PastHand[StateT], ...]:
        """The hands kept, oldest first."""
        return tuple(self._hands)

    @property
    def present(self) -> PastHand[StateT] | None:
        """The hand that is being played or was the last; None before the first."""
        return self._hands[-1] if self._hands else None

    def hand(self, number: int) -> PastHand[StateT] | None:
        """The newest hand of that number; None when it is not kept."""
        return next((hand for hand in reversed(self._hands) if hand.number == number), None)
