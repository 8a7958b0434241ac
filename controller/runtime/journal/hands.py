"""The hands of a journal, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from controller.events import HandStarted, TableEvent
from controller.histories import RecordedHand
from controller.rulings import Ruling
from controller.runtime.errors import JournalError
from controller.runtime.journal.decoding import UNREADABLE
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.values import EVENT, RULING, Record

_EVENTS: Final = msgspec.json.Decoder(TableEvent)
_RULINGS: Final = msgspec.json.Decoder(Ruling)


@dataclass
class _Collected:
    """A hand as far as it has been read."""

    written_ms: int
    events: list[TableEvent] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)

    def hand(self, table_id: str) -> RecordedHand:
        return RecordedHand(tuple(self.events), tuple(self.rulings), table_id, self.written_ms)


def recorded_hands(journal: Journal, hand: int = 0) -> Iterator[RecordedHand]:
    """The hands in order; what lies before the first start of a hand belongs to none.

    Args:
        journal: Open.
        hand: Only hands of this number; 0 for all.

    Raises:
        JournalError: The journal is damaged, or a record is none of this version.
    """
    current: _Collected | None = None
    for record in journal.records():
        value = _decoded(journal, record)
        if isinstance(value, HandStarted):
            if current is not None:
                yield current.hand(journal.table_id)
            is_wanted = hand in (0, value.hand)
            current = _Collected(record.written_ms) if is_wanted else None
        if current is None or value is None:
            continue
        if isinstance(value, Ruling):
            current.rulings.append(value)
        else:
            current.events.append(value)
    if current is not None:
        yield current.hand(journal.table_id)


def _decoded(journal: Journal, record: Record) -> TableEvent | Ruling | None:
    try:
        if record.type == EVENT:
            return _EVENTS.decode(record.body)
        return _RULINGS.decode(record.body) if record.type == RULING else None
    except UNREADABLE as error:
        raise JournalError(
            journal.path, f"record {record.seq} cannot be read ({error}); restore it from a copy"
        ) from error
