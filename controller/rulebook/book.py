"""A rulebook in memory: answers with the clauses they rest on."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.rulebook.parameters import Value

FLOOR: Final = "floor"
"""The answer of a rulebook that leaves the matter to the floor."""


class Answer(msgspec.Struct, frozen=True):
    """What a rulebook says to one question.

    ``floor`` is true where the text is silent: the floor decides, and the
    fallback's answer is only proposed.
    """

    value: Value
    clauses: tuple[str, ...] = ()
    floor: bool = False

    def __contains__(self, number: object) -> bool:
        """Whether a list of numbers holds this one."""
        return isinstance(self.value, tuple) and number in self.value

    @property
    def number(self) -> int:
        """The value of a number parameter."""
        return self.value if isinstance(self.value, int) else 0


class Rulebook(msgspec.Struct, frozen=True):
    """A house's rules, every fallback resolved.

    Attributes:
        name: Short name, as ``--rulebook`` takes it.
        title: For people.
        source: The rule text it comes from.
        answers: Answer by dotted parameter name; complete.
    """

    name: str
    title: str
    edition: str
    source: str
    answers: dict[str, Answer]

    def __getitem__(self, parameter: str) -> Answer:
        """The answer to a question of PARAMETERS."""
        return self.answers[parameter]
