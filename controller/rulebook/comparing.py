"""Where two rulebooks answer differently."""

from __future__ import annotations

import msgspec

from controller.rulebook.book import Answer, Rulebook


class Difference(msgspec.Struct, frozen=True):
    """One question that two rulebooks answer differently."""

    key: str
    first: Answer
    second: Answer


def differences(first: Rulebook, second: Rulebook) -> tuple[Difference, ...]:
    """Every question whose answers differ in value, or in who decides."""
    return tuple(
        Difference(key, answer, second[key])
        for key, answer in first.answers.items()
        if (answer.value, answer.floor) != (second[key].value, second[key].floor)
    )
