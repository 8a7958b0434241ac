"""What other rulebooks would say to the same thing."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.events import TableEvent
from controller.irregularities import Irregularity
from controller.rulebook import Rulebook
from controller.rules.deciding import rule
from controller.rules.engine import with_counts
from controller.rules.follow import follow
from controller.rulings import Ruling, Step, Verdict
from controller.table import TableState, apply


class Alternative(msgspec.Struct, frozen=True):
    """The ruling of another rulebook, in short; no verdict where it finds nothing wrong."""

    rulebook: str
    verdict: Verdict | None
    steps: tuple[Step, ...] = ()
    clauses: tuple[str, ...] = ()
    call_floor: bool = False


def alternatives(
    before: TableState, event: TableEvent, irregularity: Irregularity, books: Iterable[Rulebook]
) -> tuple[Alternative, ...]:
    """Rule on an irregularity by other books.

    Args:
        before: The table before the event.
        event: The event that brought the irregularity.
        irregularity: What was found.
        books: The other rulebooks.
    """
    after, _ = follow(apply(before, event), event)
    found_on = with_counts(after, irregularity)
    return tuple(_of(rule(found_on, irregularity, book), book) for book in books)


def _of(ruling: Ruling | None, book: Rulebook) -> Alternative:
    if ruling is None:
        return Alternative(book.name, None)
    return Alternative(book.name, ruling.verdict, ruling.steps, ruling.clauses, ruling.call_floor)
