"""Plays a journal again and compares the rulings, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from controller.rulebook import Rulebook, load_rulebook
from controller.rules import advance, new_table
from controller.rulings import Ruling
from controller.runtime.errors import JournalError
from controller.runtime.journal import Entry, Journal, canonical
from controller.table import TableState


@dataclass(frozen=True, slots=True)
class Difference:
    """A ruling that came out differently; an empty side means that there was none."""

    event_seq: int
    stored: bytes
    computed: bytes


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of playing a journal again; ``rulebooks`` were in force, in their order."""

    events: int
    rulings: tuple[Ruling, ...]
    differences: tuple[Difference, ...]
    rulebooks: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether every stored ruling came out again, and no other."""
        return not self.differences


def replay(journal: Journal, book: Rulebook | None = None) -> Replay:
    """Play the events of a journal again.

    Args:
        journal: Open.
        book: The rulebook to decide by; without one, for each event the one that was in
            force when it was written.

    Raises:
        JournalError: The journal is damaged, or names no rulebook.
        RulebookError: A rulebook that it names cannot be used.
    """
    books = {book.name: book} if book else {}
    state: TableState | None = None
    rulings: list[Ruling] = []
    computed: dict[int, list[bytes]] = {}
    count = 0
    for entry in journal.read():
        in_force = book or _named(journal, entry, books)
        state = new_table(in_force) if state is None else state
        outcome = advance(state, entry.event, in_force)
        state = outcome.state
        count += 1
        if outcome.rulings:
            rulings.extend(outcome.rulings)
            computed[entry.seq] = [canonical(ruling) for ruling in outcome.rulings]
    return Replay(count, tuple(rulings), _differences(journal, computed), tuple(books))


def _named(journal: Journal, entry: Entry, books: dict[str, Rulebook]) -> Rulebook:
    """The rulebook that was in force; loaded once."""
    if not entry.rulebook:
        raise JournalError(journal.path, "it names no rulebook; give one with --rulebook")
    if entry.rulebook not in books:
        books[entry.rulebook] = load_rulebook(entry.rulebook)
    return books[entry.rulebook]


def _differences(journal: Journal, computed: dict[int, list[bytes]]) -> tuple[Difference, ...]:
    stored: dict[int, list[bytes]] = {}
    for recorded in journal.rulings():
        stored.setdefault(recorded.event_seq, []).append(recorded.json)
    return tuple(
        Difference(seq, before, after)
        for seq in sorted(stored.keys() | computed.keys())
        for before, after in zip_longest(
            sorted(stored.get(seq, [])), sorted(computed.get(seq, [])), fillvalue=b""
        )
        if before != after
    )
