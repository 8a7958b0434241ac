"""What one simulated hand led to."""

from __future__ import annotations

import msgspec

from controller.rulings import Ruling
from controller.runtime import Journal


class RulingLine(msgspec.Struct, frozen=True):
    """One ruling of the hand, in short."""

    irregularity: str
    verdict: str
    clauses: tuple[str, ...]


class HandReport(msgspec.Struct, frozen=True, kw_only=True):
    """The line that ``cutcard demo --json`` prints for a hand.

    ``injected`` names the mistakes made, ``missed`` the irregularities they
    should have led to and did not, ``false`` those that nothing led to.
    ``consistent``: at the end every card lay where the engine believed it, and
    every player in the hand held the right number; ``problems`` says what was not so.
    """

    hand: int
    injected: tuple[str, ...]
    rulings: tuple[RulingLine, ...]
    missed: tuple[str, ...]
    false: tuple[str, ...]
    consistent: bool
    problems: tuple[str, ...] = ()
    ms: int = 0

    @property
    def is_good(self) -> bool:
        """Whether everything injected was found, nothing else, and the table ended consistent."""
        return self.consistent and not self.missed and not self.false


def lines_of(journal: Journal, hand: int) -> tuple[RulingLine, ...]:
    """The rulings that a journal holds of one hand, in short."""
    rulings = (msgspec.json.decode(recorded.json, type=Ruling) for recorded in journal.rulings())
    return tuple(
        RulingLine(r.irregularity.kind.value, r.verdict.value, r.clauses)
        for r in rulings
        if r.id.startswith(f"{hand}/")
    )
