"""What a simulation found."""

from __future__ import annotations

from dataclasses import dataclass

from controller.irregularities import Kind


@dataclass(frozen=True, slots=True)
class KindCount:
    """How one kind of irregularity fared.

    ``detected`` were found by the very event that brought them about, ``missed``
    were not; ``false`` were found where none had been injected.
    """

    injected: int = 0
    detected: int = 0
    false: int = 0

    @property
    def missed(self) -> int:
        """Injected and not found."""
        return self.injected - self.detected


@dataclass(frozen=True, slots=True)
class Report:
    """The result of ``simulate``.

    Attributes:
        hands: Hands played.
        rulebook: Name of the rulebook they were ruled under.
        seed: What the deck, the players and the faults were drawn from.
        kinds: Count by kind, every kind of the engine.
        inconsistent: One sentence for each hand in which the engine's table was
            not the real one, or which did not come to its end.
        events: Events the engine was given.
        elapsed_s: Time it took, in seconds.
    """

    hands: int
    rulebook: str
    seed: int
    kinds: dict[Kind, KindCount]
    inconsistent: tuple[str, ...]
    events: int
    elapsed_s: float

    @property
    def hands_per_s(self) -> float:
        """Hands per second, 0 when no time passed."""
        return self.hands / self.elapsed_s if self.elapsed_s else 0.0

    @property
    def is_faultless(self) -> bool:
        """Everything injected was detected, nothing else, and every table ended consistent."""
        wrong = any(count.missed or count.false for count in self.kinds.values())
        return not wrong and not self.inconsistent
