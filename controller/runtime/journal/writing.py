"""Adds records to a journal's chain and signs it in blocks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import DBAPIError

from controller.runtime.errors import JournalDamagedError
from controller.runtime.journal.chain import chained, digest, head_text
from controller.runtime.journal.database import WRITES
from controller.runtime.journal.keys import PublicKeys, Signer
from controller.runtime.journal.ledger import Ledger
from controller.runtime.journal.problems import said
from controller.runtime.journal.signing import BLOCK
from controller.runtime.journal.tables import HEADS, RECORDS
from controller.runtime.journal.values import Checkpoint, Head, Reason, Record

_LOGGER = logging.getLogger(__name__)

CLOCK_SLACK_MS: Final = 2_000
"""A time service moves a clock back by less than this without anybody having set it."""


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a journal ends: its last record's number, hash and time, and what is signed of it."""

    seq: int
    hash: bytes
    written_ms: int
    signed: int


def find_tail(ledger: Ledger, keys: PublicKeys) -> Tail:
    """Where to go on, once the part that the hand is taken up from has been checked.

    That part is the newest hand and whatever is not signed yet. Older damage is for
    ``controller.runtime.journal.verifying`` to find: it does not change this hand.

    Raises:
        JournalDamagedError: Records of that part are missing, changed or not the signed ones.
        JournalError: The database cannot be read.
    """
    checkpoint, head, last = ledger.checkpoint(), ledger.last_head(), ledger.last()
    if last is None or (head is not None and head.seq > last.seq):
        return _checked_empty(ledger, checkpoint, head, last)
    signed = head.seq if head else checkpoint.first_seq
    first = max(min(signed, ledger.start_of_last_hand()), checkpoint.first_seq)
    hashes = _checked_chain(ledger, first, checkpoint)
    if head is not None and first <= head.seq:
        _check_head(ledger, head, hashes.get(head.seq, b""), keys)
    return Tail(last.seq, last.hash, last.written_ms, head.seq if head else 0)


def _checked_empty(
    ledger: Ledger, checkpoint: Checkpoint, head: Head | None, last: Record | None
) -> Tail:
    """The tail of a journal without records; an error where there were some."""
    first = last.seq + 1 if last else checkpoint.first_seq
    if head is not None:
        raise JournalDamagedError(
            ledger.location.shown, f"records {first} to {head.seq} are missing at the end", first
        )
    if checkpoint.made_ms:
        raise JournalDamagedError(ledger.location.shown, "all its records are missing", first)
    return Tail(0, checkpoint.previous, 0, 0)


def _checked_chain(ledger: Ledger, first: int, checkpoint: Checkpoint) -> dict[int, bytes]:
    """The hashes from a record on, each of which follows from the one before."""
    begin = first if first == checkpoint.first_seq else first - 1
    previous = checkpoint.previous if begin == first else b""
    hashes: dict[int, bytes] = {}
    for seq, record in enumerate(ledger.records(begin), start=begin):
        follows = not previous or digest(previous, record) == record.hash
        if record.seq != seq or not follows:
            raise JournalDamagedError(
                ledger.location.shown, f"record {seq} is not the one that was written", seq
            )
        previous = hashes[seq] = record.hash
    return hashes


def _check_head(ledger: Ledger, head: Head, found: bytes, keys: PublicKeys) -> None:
    signed = head.key_id not in keys.ids or keys.has_signed(
        head.key_id, head_text(head), head.signature
    )
    if found != head.hash or not signed:
        raise JournalDamagedError(
            ledger.location.shown, f"the signature at record {head.seq} does not fit", head.seq
        )


class Writer:
    """The only way records come into a journal.

    Args:
        ledger: The table.
        signer: Signs the heads.
        clock: The computer's clock, Unix time in milliseconds.
        tail: Where to go on.
    """

    def __init__(
        self, ledger: Ledger, signer: Signer, clock: Callable[[], int], tail: Tail
    ) -> None:
        self._ledger, self.signer, self._clock, self._tail = ledger, signer, clock, tail
        self._engine: Engine = ledger.engine.execution_options(**{WRITES: True})

    def add(self, drafts: Sequence[Record], sign: Reason | None = None) -> None:
        """Put records at the end of the chain; they are on disk when this returns.

        Args:
            drafts: The records; number, time and hash are filled in.
            sign: Why a head is signed with them; without it one is when a block is full.

        Raises:
            JournalError: They could not be written; none of them is in the journal then.
        """
        tail, records, now_ms = self._tail, [], self._read_clock()
        previous = tail.hash
        for seq, draft in enumerate(drafts, start=tail.seq + 1):
            placed = msgspec.structs.replace(draft, seq=seq, written_ms=now_ms)
            records.append(chained(previous, placed))
            previous = records[-1].hash
        last = tail.seq + len(records)
        reason = sign or ("block" if last - tail.signed >= BLOCK else None)
        head = self._signed(last, previous, now_ms, reason) if reason else None
        with said(self._ledger.location.shown):
            self._commit(records, head)
        self._tail = Tail(last, previous, now_ms, last if head else tail.signed)

    def sign_rest(self) -> None:
        """Sign what is not signed yet: nobody is going to write for a while.

        Raises:
            JournalError: It could not be written.
        """
        tail = self._tail
        if tail.signed < tail.seq:
            head = self._signed(tail.seq, tail.hash, self._read_clock(), "closed")
            with said(self._ledger.location.shown):
                self._commit([], head)
            self._tail = Tail(tail.seq, tail.hash, tail.written_ms, tail.seq)

    def _signed(self, seq: int, digested: bytes, made_ms: int, reason: Reason) -> Head:
        head = Head(
            table_id=self._ledger.table_id,
            seq=seq,
            hash=digested,
            made_ms=made_ms,
            reason=reason,
            key_id=self.signer.key_id,
        )
        return msgspec.structs.replace(head, signature=self.signer.sign(head_text(head)))

    def _commit(self, records: Sequence[Record], head: Head | None) -> None:
        """Write, once more over a new connection when the line to a server was lost.

        The server may have committed before the line broke: then the records are there.
        """
        try:
            self._insert(records, head)
        except (DBAPIError, OSError) as error:
            if isinstance(error, DBAPIError) and not error.connection_invalidated:
                raise
            self._ledger.engine.dispose()
            if not self._is_stored(records, head):
                self._insert(records, head)

    def _insert(self, records: Sequence[Record], head: Head | None) -> None:
        with self._engine.begin() as connection:
            if records:
                connection.execute(insert(RECORDS), [msgspec.structs.asdict(r) for r in records])
            if head is not None:
                connection.execute(insert(HEADS), msgspec.structs.asdict(head))

    def _is_stored(self, records: Sequence[Record], head: Head | None) -> bool:
        table, seq, digested = (
            (RECORDS, records[-1].seq, records[-1].hash)
            if records
            else (HEADS, head.seq if head else 0, head.hash if head else b"")
        )
        with self._ledger.engine.connect() as connection:
            found = connection.scalar(
                select(table.c.hash).where(
                    table.c.table_id == self._ledger.table_id, table.c.seq == seq
                )
            )
        return found == digested

    def _read_clock(self) -> int:
        now_ms = self._clock()
        back_ms = self._tail.written_ms - now_ms
        if back_ms > CLOCK_SLACK_MS:
            _LOGGER.warning(
                "the computer's clock was set back by %.1f s after record %d; "
                "the order of the records is not touched",
                back_ms / 1000,
                self._tail.seq,
            )
        return now_ms
