"""The journal: every event of a table, on disk before anything acts on it.

When ``append`` returns, the event survives a power cut. Records are only ever
added; each carries a hash over itself and the one before, and the chain is signed
in blocks (``docs/journal.md``). The rulings that followed from an event are stored
behind it as evidence; they can be computed again from the events
(``controller.runtime.replay``).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Final, Protocol

import msgspec
from sqlalchemy import Engine

from controller.events import TableEvent
from controller.rulings import Ruling
from controller.runtime.errors import JournalError
from controller.runtime.journal.database import connect
from controller.runtime.journal.decoding import UNREADABLE, rulebook_of
from controller.runtime.journal.keys import KeyFiles, Signer, load_public_keys, load_signer
from controller.runtime.journal.ledger import Ledger, chosen_table, table_ids
from controller.runtime.journal.location import Location
from controller.runtime.journal.schema import prepare
from controller.runtime.journal.values import (
    EVENT,
    OPENED,
    PICTURE,
    RULING,
    Entry,
    Head,
    Opening,
    Picture,
    Place,
    Record,
    RecordedRuling,
)
from controller.runtime.journal.writing import Writer, find_tail

_LOGGER = logging.getLogger(__name__)

DEFAULT_TABLE: Final = "table"
"""The name in a new journal that was given none."""

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(TableEvent)


def wall_ms() -> int:
    """The computer's clock: Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


class Meter(Protocol):
    """Counts and times what is written."""

    def wrote(self, kind: str, took_s: float, /) -> None:
        """An event is on disk."""
        ...

    def ruled(self, kind: str, /) -> None:
        """A ruling is on disk."""
        ...


class Journal:
    """The journal of one table; open it with ``Journal.open``.

    Attributes:
        path: Where it is, as it may be printed.
        table_id: The table.
        rulebook: The rulebook in force at its end.
        last_seq: The number of the last event.
        meter: Told of every write; None for nobody.
    """

    meter: Meter | None = None

    def __init__(self, ledger: Ledger, rulebook: str, writer: Writer | None) -> None:
        self._ledger, self._writer, self.rulebook = ledger, writer, rulebook
        self._signer = writer.signer if writer else None
        self._turn = threading.Lock()
        last = ledger.last(of_type=EVENT)
        self.last_seq, self._hand = (last.event, last.hand) if last else (0, 0)

    @property
    def path(self) -> str:
        """Where it is, as it may be printed."""
        return self._ledger.location.shown

    @property
    def table_id(self) -> str:
        """The table."""
        return self._ledger.table_id

    @property
    def location(self) -> Location:
        """Where it is kept, for what lies beside it."""
        return self._ledger.location

    @property
    def signer(self) -> Signer:
        """What signs it.

        Raises:
            JournalError: It was opened to be read only.
        """
        if self._signer is None:
            raise JournalError(self.path, "it is read-only; it was not opened for writing")
        return self._signer

    @classmethod
    def open(
        cls,
        place: Path | str,
        *,
        table_id: str = "",
        rulebook: str = "",
        read_only: bool = False,
        key: Path | None = None,
        clock: Callable[[], int] = wall_ms,
    ) -> Journal:
        """Open a journal, creating it when there is none.

        Args:
            place: A file, whose folder must exist, or the URL of a PostgreSQL database.
            table_id: Name of the table. A file holds one table and keeps its name; in a
                database that holds one it may be left out.
            rulebook: Name of the rulebook in force from now on.
            read_only: Refuse to create or write.
            key: The private key that signs; without it, one beside the file or in the
                user's data folder. It is made at first use.
            clock: The computer's clock, Unix time in milliseconds.

        Raises:
            JournalError: No such folder, no permission, not a journal, a newer schema,
                or its newest records are not those that were written.
        """
        if read_only:
            return cls._open_to_read(place, table_id)
        location = Location.of(place)
        if location.is_file and not location.path.parent.is_dir():
            raise JournalError(location.shown, f"make the folder {location.path.parent} first")
        with _opening(location, read_only=False) as engine:
            held = table_ids(engine, location)
            if held and (location.is_file or not table_id):
                table_id = chosen_table(location, held, "")
            ledger = Ledger(engine, location, table_id or DEFAULT_TABLE)
            files = KeyFiles.named(key) if key else location.keys(ledger.table_id)
            signer, known = load_signer(files), load_public_keys([files.public])
            writer = Writer(ledger, signer, clock, find_tail(ledger, known))
            journal = cls(ledger, rulebook or ledger.rulebook(), writer)
            journal._note_opening(signer)
        return journal

    @classmethod
    def _open_to_read(cls, place: Path | str, table_id: str) -> Journal:
        ledger = open_ledger(place, table_id)
        try:
            return cls(ledger, ledger.rulebook(), None)
        except JournalError:
            ledger.engine.dispose()
            raise

    def append(self, happened: TableEvent, *, hand: int = 0) -> int:
        """Write one event; returns its number once it is safe on disk.

        Raises:
            JournalError: The disk is full, the file cannot be written or is damaged.
        """
        with self._turn:
            draft = self._draft(
                EVENT,
                str(type(happened).__struct_config__.tag),
                _ENCODER.encode(happened),
                Place(self.last_seq + 1, hand, happened.at_ms),
            )
            began_s = time.perf_counter()
            self._written().add((draft,), "hand" if hand != self._hand else None)
            self.last_seq, self._hand = draft.event, hand
            if self.meter is not None:
                self.meter.wrote(draft.kind, time.perf_counter() - began_s)
            return draft.event

    def record(self, event_seq: int, rulings: tuple[Ruling, ...]) -> None:
        """Store the rulings that followed from an event; those stored before are kept.

        Raises:
            JournalError: As for ``append``.
        """
        if not rulings:
            return
        with self._turn:
            event, stored = self._ledger.of_event(event_seq)
            if stored:
                return
            place = Place(event_seq, event.hand, event.at_ms)
            drafts = [self._draft(RULING, r.id, canonical(r), place) for r in rulings]
            self._written().add(drafts, "ruling")
            if self.meter is not None:
                for ruling in rulings:
                    self.meter.ruled(ruling.irregularity.kind.value)

    def keep(self, event_seq: int, pictures: Sequence[Picture]) -> None:
        """Note pictures that were put in the folder of evidence because of an event.

        Raises:
            JournalError: As for ``append``, or there is no such event.
        """
        if not pictures:
            return
        with self._turn:
            event, _ = self._ledger.of_event(event_seq)
            place = Place(event_seq, event.hand, event.at_ms)
            drafts = [self._draft(PICTURE, p.name, _ENCODER.encode(p), place) for p in pictures]
            self._written().add(drafts, "picture")

    def pictures(self) -> Iterator[Picture]:
        """The pictures noted as evidence, oldest first.

        Raises:
            JournalError: The file is damaged, or a record is none of this version.
        """
        for record in self._ledger.records(self._first(), of_type=PICTURE):
            yield picture_of(record, self.path)

    def read(self) -> Iterator[Entry]:
        """All events in order.

        Raises:
            JournalError: The file is damaged, or a record is no event of this version.
        """
        checkpoint = self._ledger.checkpoint()
        rulebook = checkpoint.rulebook
        for record in self._ledger.records(checkpoint.first_seq):
            if record.type == OPENED:
                rulebook = rulebook_of(record, self.path)
            elif record.type == EVENT:
                yield Entry(record.event, record.hand, self._decode(record), rulebook)

    def rulings(self) -> tuple[RecordedRuling, ...]:
        """The stored rulings in the order they were made.

        Raises:
            JournalError: The file is damaged.
        """
        found = self._ledger.records(self._first(), of_type=RULING)
        return tuple(RecordedRuling(record.event, record.body) for record in found)

    def records(self, first: int = 0) -> Iterator[Record]:
        """Everything in the journal, in order, as it was written.

        Args:
            first: The number of the first one wanted; 0 for all that are kept.

        Raises:
            JournalError: The file is damaged.
        """
        return self._ledger.records(max(first, self._first()))

    def end(self) -> int:
        """The number of the newest record; 0 before the first.

        Raises:
            JournalError: The file is damaged.
        """
        last = self._ledger.last()
        return last.seq if last else 0

    def head(self) -> Head | None:
        """The newest signed head: to be noted elsewhere, against truncation; None without any.

        Raises:
            JournalError: The file is damaged.
        """
        return self._ledger.last_head()

    def heads(self, first: int, last: int) -> tuple[Head, ...]:
        """The signed heads of some records, and the first one that covers them all.

        Args:
            first: The number of the first record.
            last: The number of the last one.

        Raises:
            JournalError: The file is damaged.
        """
        found = [head for head in self._ledger.heads() if head.seq >= first]
        within = [head for head in found if head.seq < last]
        return (*within, *found[len(within) : len(within) + 1])

    def close(self) -> None:
        """Sign what is not signed yet and let go of the database."""
        with self._turn:
            writer, self._writer = self._writer, None
            try:
                if writer is not None:
                    writer.sign_rest()
            except JournalError as error:
                # The end of the program must not hide what went wrong before it.
                _LOGGER.warning("the last records are kept but not signed: %s", error)
            finally:
                self._ledger.engine.dispose()

    def _first(self) -> int:
        """Records before the newest checkpoint wait for their deletion; they do not count."""
        return self._ledger.checkpoint().first_seq

    def _written(self) -> Writer:
        if self._writer is None:
            raise JournalError(self.path, "it is read-only; it was not opened for writing")
        return self._writer

    def _note_opening(self, signer: Signer) -> None:
        opening = Opening(rulebook=self.rulebook, program=version("cutcard"), key_id=signer.key_id)
        draft = self._draft(
            OPENED, OPENED, _ENCODER.encode(opening), Place(self.last_seq, self._hand)
        )
        self._written().add((draft,), "opened")

    def _draft(self, of_type: str, kind: str, body: bytes, place: Place) -> Record:
        return Record.draft(self.table_id, of_type, kind, body, place)

    def _decode(self, record: Record) -> TableEvent:
        try:
            return _DECODER.decode(record.body)
        except UNREADABLE as error:
            raise JournalError(
                self.path,
                f"event {record.event} cannot be read ({error}); restore the file from a copy",
            ) from error


def open_ledger(place: Path | str, table_id: str = "") -> Ledger:
    """The records of a journal that is there, to be read.

    Raises:
        JournalError: There is none, it cannot be read, or it has a newer schema.
    """
    location = Location.of(place)
    if location.is_file and not location.path.is_file():
        raise JournalError(location.shown, "there is no such file; give the path of a journal")
    with _opening(location, read_only=True) as engine:
        chosen = chosen_table(location, table_ids(engine, location), table_id)
        return Ledger(engine, location, chosen)


@contextmanager
def _opening(location: Location, *, read_only: bool) -> Iterator[Engine]:
    """A database with the newest schema; let go of when opening the journal in it fails."""
    engine = connect(location, read_only=read_only)
    try:
        engine = prepare(engine, location, read_only=read_only)
        yield engine
    except BaseException:
        engine.dispose()
        raise


def picture_of(record: Record, shown: str) -> Picture:
    """What a ``picture`` record says.

    Args:
        record: The record.
        shown: The journal, for the message.

    Raises:
        JournalError: It is none of this version.
    """
    try:
        return msgspec.json.decode(record.body, type=Picture)
    except UNREADABLE as error:
        raise JournalError(
            shown, f"record {record.seq} cannot be read ({error}); restore it from a copy"
        ) from error


def canonical(ruling: Ruling) -> bytes:
    """A ruling as the bytes that are stored and compared."""
    return _ENCODER.encode(ruling)
