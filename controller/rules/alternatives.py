"""What other rulebooks would say to the same thing."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.irregularities import Irregularity
from controller.rulebook import Rulebook
from controller.rules.deciding import rule
from controller.rulings import Ruling, StepKind, Verdict
from controller.table import TableState


class Alternative(msgspec.Struct, frozen=True):
    """The ruling of another rulebook, in short; no verdict where it finds nothing wrong."""

    rulebook: str
    verdict: Verdict | None
    steps: tuple[StepKind, ...] = ()
    clauses: tuple[str, ...] = ()
    call_floor: bool = False


def alternatives(
    state: TableState, irregularity: Irregularity, books: Iterable[Rulebook]
) -> tuple[Alternative, ...]:
    """Rule on an irregularity by other books.

    Args:
        state: The table with the irregularity on it, before anything was ruled.
        irregularity: What was found.
        books: The other rulebooks.
    """
    return tuple(_of(rule(state, irregularity, book), book) for book in books)


def _of(ruling: Ruling | None, book: Rulebook) -> Alternative:
    if ruling is None:
        return Alternative(book.name, None)
    return Alternative(
        book.name,
        ruling.verdict,
        tuple(step.kind for step in ruling.steps),
        ruling.clauses,
        ruling.call_floor,
    )
