"""Checks a journal from its first record to its last, trusting nothing in it.

The chain shows where a record does not follow from the one before. The signatures
show what the chain cannot: records written anew with their hashes, and records
missing at the end. What is signed when is fixed (``controller.runtime.journal.signing``), so that a
signature that was taken away is missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import RowMapping

from controller.runtime.errors import JournalError
from controller.runtime.journal import guards
from controller.runtime.journal.chain import checkpoint_text, digest, head_text
from controller.runtime.journal.database import connect
from controller.runtime.journal.findings import ClockSetBack, Finding, Problem
from controller.runtime.journal.journal import open_ledger
from controller.runtime.journal.keys import PublicKeys
from controller.runtime.journal.ledger import Ledger, as_value
from controller.runtime.journal.location import Location
from controller.runtime.journal.problems import said
from controller.runtime.journal.schema import REVISION, stored_revision
from controller.runtime.journal.signing import SigningRule
from controller.runtime.journal.values import Head, Record
from controller.runtime.journal.writing import CLOCK_SLACK_MS

_LOWEST: Final = -(2**62)
"""Below any number that a forger could give a record."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of checking a journal.

    Attributes:
        table_id: The table.
        first_seq: The first record that must be there; more than 1 after a retention.
        last_seq: The last record.
        records: How many are there.
        signed_seq: Up to which record a signature vouches for them.
        findings: What is wrong, in order.
        clock: Where the computer's clock was set back.
        waiting: Records before the checkpoint whose deletion has not ended.
    """

    table_id: str
    first_seq: int
    last_seq: int
    records: int
    signed_seq: int
    findings: tuple[Finding, ...]
    clock: tuple[ClockSetBack, ...]
    waiting: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def verify(
    place: Path | str, keys: PublicKeys, *, table_id: str = "", noted: Head | None = None
) -> Verification:
    """Check a journal.

    Args:
        place: A file or the URL of a PostgreSQL database.
        keys: The public keys that are trusted.
        table_id: The table, where a database holds several.
        noted: A head that was noted elsewhere: what it covers must still be there.

    Raises:
        JournalError: There is none, it cannot be opened, or it was written before there
            was a chain.
    """
    ledger = open_ledger(place, table_id)
    try:
        check_age(place)
        with ledger.snapshot():
            walk = _Walk(ledger, keys)
            walk.through()
            walk.look_at_heads(noted)
        walk.look_at_guards()
        return walk.outcome()
    finally:
        ledger.engine.dispose()


def check_age(place: Path | str) -> None:
    """Check that the journal was written with a chain: without one there is nothing to check.

    Raises:
        JournalError: It was not, or it cannot be opened.
    """
    location = Location.of(place)
    engine = connect(location, read_only=True)
    try:
        if stored_revision(engine, location) != REVISION:
            raise JournalError(
                location.shown,
                "it was written before journals had a chain, so nothing in it can be checked; "
                f"cutcard journal migrate {location.shown} protects it from now on",
            )
    finally:
        engine.dispose()


class _Walk:
    """One way through a journal, and what was seen on it."""

    def __init__(self, ledger: Ledger, keys: PublicKeys) -> None:
        self._ledger, self._keys = ledger, keys
        self._findings: list[Finding] = []
        self._clock: list[ClockSetBack] = []
        self._records = self._waiting = self._signed = 0
        self._checkpoint = ledger.checkpoint()
        self._heads = {head.seq: head for head in ledger.heads()}
        self._newest_head = max(self._heads, default=0)
        self._rule = SigningRule()
        self._expected, self._previous = self._checkpoint.first_seq, self._checkpoint.previous
        self._last: Record | None = None

    def through(self) -> None:
        """Read every record and hold it against the one before and against its head."""
        self._check_checkpoint()
        try:
            for row in self._ledger.rows(_LOWEST):
                self._step(row)
        except JournalError as error:
            self._find(Problem.DAMAGED, self._expected - 1, detail=error.problem)
        for seq, why in self._rule.ended():
            self._find(Problem.UNSIGNED, seq, record=self._last, detail=why)

    def look_at_heads(self, noted: Head | None) -> None:
        """Check the signatures, and that what they cover is there."""
        strangers = set()
        for head in self._heads.values():
            if head.key_id not in self._keys.ids:
                if head.key_id not in strangers:
                    self._find(Problem.UNKNOWN_KEY, head.seq, detail=head.key_id)
                strangers.add(head.key_id)
            elif not self._keys.has_signed(head.key_id, head_text(head), head.signature):
                self._find(Problem.FORGED, head.seq)
            elif head.seq < self._expected:
                self._signed = max(self._signed, head.seq)
        newest = max(self._newest_head, noted.seq if noted else 0)
        if newest >= self._expected:
            self._find(Problem.CUT, self._expected, newest)
        if noted is not None:
            self._check_noted(noted)

    def look_at_guards(self) -> None:
        """Check that the triggers are in."""
        with said(self._ledger.location.shown), self._ledger.engine.connect() as connection:
            if out := guards.missing(connection):
                self._find(Problem.GUARDS_OUT, 0, detail=", ".join(sorted(out)))

    def outcome(self) -> Verification:
        """What was seen."""
        return Verification(
            table_id=self._ledger.table_id,
            first_seq=self._checkpoint.first_seq,
            last_seq=self._last.seq if self._last else 0,
            records=self._records,
            signed_seq=self._signed,
            findings=tuple(sorted(self._findings, key=lambda found: found.first)),
            clock=tuple(self._clock),
            waiting=self._waiting,
        )

    def _step(self, row: RowMapping) -> None:
        # SQLite lets anything stand in any column.
        seq = row["seq"] if isinstance(row["seq"], int) else self._expected
        if seq < self._checkpoint.first_seq:
            self._waiting += 1
            return
        self._records += 1
        try:
            record = as_value(row, Record)
        except msgspec.ValidationError as error:
            self._find(Problem.UNREADABLE, seq, detail=str(error))
            self._expected, self._previous = seq + 1, b""
            return
        self._check_place(record)
        self._check_signing(record)
        self._check_clock(record)
        self._expected, self._previous, self._last = record.seq + 1, record.hash, record

    def _check_place(self, record: Record) -> None:
        if record.seq > self._expected:
            self._find(Problem.MISSING, self._expected, record.seq - 1, record)
            self._rule.skip(record.hand)
        elif self._previous and digest(self._previous, record) != record.hash:
            self._find(Problem.ALTERED, record.seq, record=record)

    def _check_signing(self, record: Record) -> None:
        head = self._heads.get(record.seq)
        is_covered = record.seq <= self._newest_head
        missed = self._rule.missed(record, is_signed=head is not None, is_covered=is_covered)
        for seq, why in missed:
            self._find(Problem.UNSIGNED, seq, record=record, detail=why)
        if head is not None and head.hash != record.hash:
            self._find(Problem.REWRITTEN, record.seq, record=record)

    def _check_clock(self, record: Record) -> None:
        if self._last is not None:
            back_ms = self._last.written_ms - record.written_ms
            if back_ms > CLOCK_SLACK_MS:
                self._clock.append(ClockSetBack(record.seq, back_ms))

    def _check_checkpoint(self) -> None:
        made = self._checkpoint
        if not made.made_ms:
            return
        if made.key_id not in self._keys.ids:
            self._find(Problem.UNKNOWN_KEY, made.first_seq, detail=made.key_id)
        elif not self._keys.has_signed(made.key_id, checkpoint_text(made), made.signature):
            self._find(Problem.FORGED, made.first_seq)

    def _check_noted(self, noted: Head) -> None:
        if not self._keys.has_signed(noted.key_id, head_text(noted), noted.signature):
            self._find(Problem.FORGED, noted.seq)
        found = self._ledger.numbered(noted.seq)
        if found is not None and found.hash != noted.hash:
            self._find(Problem.REWRITTEN, noted.seq, record=found)

    def _find(
        self,
        problem: Problem,
        first: int,
        last: int = 0,
        record: Record | None = None,
        detail: str = "",
    ) -> None:
        self._findings.append(Finding(problem, first, max(first, last), record, detail))
