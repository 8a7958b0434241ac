"""Plays a journal again and compares the rulings, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest

from controller.rulebook import Rulebook
from controller.rules import advance, new_table
from controller.rulings import Ruling
from controller.runtime.journal import Journal, canonical


@dataclass(frozen=True, slots=True)
class Difference:
    """A ruling that came out differently; an empty side means that there was none."""

    event_seq: int
    stored: bytes
    computed: bytes


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of playing a journal again."""

    events: int
    rulings: tuple[Ruling, ...]
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        """Whether every stored ruling came out again, and no other."""
        return not self.differences


def replay(journal: Journal, book: Rulebook) -> Replay:
    """Play the events of a journal under a rulebook.

    Raises:
        JournalError: The journal is damaged.
    """
    state = new_table(book)
    rulings: list[Ruling] = []
    computed: dict[int, list[bytes]] = {}
    count = 0
    for entry in journal.read():
        outcome = advance(state, entry.event, book)
        state = outcome.state
        count += 1
        if outcome.rulings:
            rulings.extend(outcome.rulings)
            computed[entry.seq] = [canonical(ruling) for ruling in outcome.rulings]
    stored: dict[int, list[bytes]] = {}
    for recorded in journal.rulings():
        stored.setdefault(recorded.event_seq, []).append(recorded.json)
    differences = tuple(
        Difference(seq, before, after)
        for seq in sorted(stored.keys() | computed.keys())
        for before, after in zip_longest(
            sorted(stored.get(seq, [])), sorted(computed.get(seq, [])), fillvalue=b""
        )
        if before != after
    )
    return Replay(count, tuple(rulings), differences)
