"""What of a journal is still to be handed to the broker, in order."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import Final

from controller.fleet.messages import RecordMessage
from controller.fleet.narrating import Narrator
from controller.fleet.position import Position, PositionFile
from controller.rulebook import Rulebook
from controller.runtime.journal import Journal
from controller.runtime.past import PastHand
from controller.table import TableState

CHUNK: Final = 500
"""Records read at a time: about half a megabyte of messages."""

WINDOW: Final = 20
"""Messages under way at once; brokers allow as many by default (mosquitto.conf,
``max_inflight_messages``)."""

_NOTHING: Final = bytes(32)
"""Stands for the hash before the first record."""


class Outbox:
    """Reads a journal behind the position that the broker has acknowledged.

    The journal itself is the store: nothing is kept twice, and nothing that was written
    down can be forgotten here.

    Args:
        table: The table's name in topics.
        book: The rulebook in force.
        journal: Open.
        file: Remembers the position.
        hand: The hand in play, when the table has just read the journal to its end; it
            saves reading it again where all of it was sent.
    """

    def __init__(
        self,
        table: str,
        book: Rulebook,
        journal: Journal,
        file: PositionFile,
        hand: PastHand[TableState] | None = None,
    ) -> None:
        self._table, self._book, self._journal, self._file = table, book, journal, file
        self.position = file.read()
        self._told: deque[RecordMessage] = deque()
        self._restart(self.position)
        if hand is not None and self._is_at_end():
            self.narrator.resume(hand.start, hand.events)
            self._cursor = self.position

    def waiting(self) -> int:
        """How many records the broker has not acknowledged.

        Raises:
            JournalError: The journal cannot be read.
        """
        return max(0, self._journal.end() - self.position.seq)

    def pending(self) -> tuple[RecordMessage, ...]:
        """The next messages, oldest first; none when everything was acknowledged.

        Raises:
            JournalError: The journal cannot be read.
        """
        while len(self._told) < WINDOW and self._read():
            pass
        return tuple(islice(self._told, WINDOW))

    def acknowledge(self, seq: int) -> None:
        """The broker has everything up to this number.

        Raises:
            OSError: The position cannot be remembered.
        """
        while self._told and self._told[0].seq <= seq:
            told = self._told.popleft()
            self.position = Position(seq=told.seq, id=told.id)
        self._file.write(self.position)

    def send_again(self, first: int) -> None:
        """Go back: everything from this number on is to be sent once more."""
        if first <= self.position.seq:
            self._restart(Position(seq=first - 1))
            self.position = Position(seq=first - 1)

    def _restart(self, behind: Position) -> None:
        """Read from the beginning, so that each record is told as it was the first time."""
        self.narrator = Narrator(self._table, self._book)
        self._told.clear()
        self._cursor, self._behind = Position(), behind

    def _is_at_end(self) -> bool:
        newest = list(self._journal.records(self.position.seq)) if self.position.seq else []
        return [record.hash.hex() for record in newest] == [self.position.id]

    def _read(self) -> bool:
        """Take a piece of the journal in; False at its end."""
        records = list(islice(self._journal.records(self._cursor.seq + 1), CHUNK))
        for record in records:
            is_first = self._cursor.seq == 0
            previous = _NOTHING if is_first else bytes.fromhex(self._cursor.id)
            message = self.narrator.tell(record, previous, is_first=is_first)
            self._cursor = Position(seq=message.seq, id=message.id)
            if message.seq > self._behind.seq:
                self._told.append(message)
            elif message.seq == self._behind.seq and self._behind.id not in ("", message.id):
                self.position = Position()  # another journal than the one that was sent
                self._restart(self.position)
                return True
        return bool(records)
