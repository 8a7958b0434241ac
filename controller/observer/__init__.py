"""Joins what the devices report into what happened at the table.

A camera sees cards lie, a shoe counts cards out: neither alone says that a
card was dealt. The observer remembers the last content of every zone and the
cards on their way, and says each thing that happened once. It is pure: time
comes with the inputs.
"""

from controller.observer.values import (
    CardLeftShoe,
    CardsEnteredShoe,
    Input,
    LyingCard,
    MachineShuffled,
    Memory,
    Situation,
    TableCleared,
    TimePassed,
    ZoneContent,
)
from controller.observer.watch import counted, observe

__all__ = [
    "CardLeftShoe",
    "CardsEnteredShoe",
    "Input",
    "LyingCard",
    "MachineShuffled",
    "Memory",
    "Situation",
    "TableCleared",
    "TimePassed",
    "ZoneContent",
    "counted",
    "observe",
]
