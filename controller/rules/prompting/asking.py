"""Whether the house wants a prompt, and on which clauses it rests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from controller.rulebook import Answer, Rulebook
from controller.rulings import Prompt, PromptKind

Told = tuple[Prompt, ...]
"""What one moment brings; empty when there is nothing to say."""

_UNDER_OTHER_NAMES: Final = {PromptKind.TELL_HIGH_HAND: "prompts.tell_bring_in"}

_ASKED_BY: Final = {
    kind: _UNDER_OTHER_NAMES.get(kind, f"prompts.{kind.value}") for kind in PromptKind
}
"""The question of the rulebook that asks for each kind."""


def is_asked(book: Rulebook, kind: PromptKind) -> bool:
    """Whether the house wants this said or done."""
    return book[_ASKED_BY[kind]].value is True


def asked(book: Rulebook, prompt: Prompt, *rests_on: Answer) -> Told:
    """The prompt with the clauses that ask for it; nothing where the house does not.

    Args:
        book: The rulebook.
        prompt: What would be told.
        rests_on: Further answers that it rests on.
    """
    answer = book[_ASKED_BY[prompt.kind]]
    if answer.value is not True:
        return ()
    clauses = cited((answer, *rests_on)) if rests_on else answer.clauses
    return (replace(prompt, clauses=clauses),)


def cited(answers: Iterable[Answer]) -> tuple[str, ...]:
    """The clauses of several answers, each once."""
    return tuple(dict.fromkeys(clause for answer in answers for clause in answer.clauses))
