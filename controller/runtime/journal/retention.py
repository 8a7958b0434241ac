"""Takes old hands out of a journal so that what is left still verifies.

A signed checkpoint says which record is the first kept and what the hash before it
was; then the records before it are deleted, a few at a time, so that a table that is
playing need not wait. Only whole hands go, and the newest always stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import delete, insert

from controller.runtime.errors import JournalDamagedError
from controller.runtime.journal.chain import checkpoint_text
from controller.runtime.journal.database import WRITES, connect
from controller.runtime.journal.journal import open_ledger
from controller.runtime.journal.keys import KeyFiles, Signer, load_public_keys, load_signer
from controller.runtime.journal.ledger import Ledger
from controller.runtime.journal.problems import said
from controller.runtime.journal.tables import CHECKPOINTS, HEADS, RECORDS
from controller.runtime.journal.values import EVENT, OPENED, Checkpoint, Opening, Record
from controller.runtime.journal.verifying import verify

TURN: Final = 500
"""Records deleted at a time: some milliseconds, for which a playing table waits at most."""


FIRST_TIME_MS: Final = 1_767_225_600_000
"""2026-01-01: this program wrote nothing before, so that an earlier time is that of a clock
which was never set."""


@dataclass(frozen=True, slots=True)
class Retention:
    """What a retention did, or would do.

    Attributes:
        table_id: The table.
        removed: How many records go.
        first_seq: The first record that stays.
    """

    table_id: str
    removed: int
    first_seq: int


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where the journal will begin: that record, what stood before it, how many go."""

    first_seq: int
    previous: bytes
    rulebook: str
    removed: int


def retain(
    place: Path | str,
    *,
    before_ms: int,
    now_ms: int,
    table_id: str = "",
    key: Path | None = None,
    is_trial: bool = False,
) -> Retention:
    """Remove the hands whose records were all written before a time.

    Args:
        place: A file or the URL of a PostgreSQL database.
        before_ms: Unix time; older hands go.
        now_ms: Unix time, for the checkpoint.
        table_id: The table, where a database holds several.
        key: The private key, where it is not in its usual place.
        is_trial: Only say what would be done.

    Raises:
        JournalDamagedError: Something is wrong with the journal; nothing was removed,
            as evidence would be lost.
        JournalError: It cannot be opened or written.
    """
    ledger = open_ledger(place, table_id)
    try:
        files = KeyFiles.named(key) if key else ledger.location.keys(ledger.table_id)
        signer = load_signer(files)
        _check(place, ledger, files)
        cut = _find_cut(ledger, before_ms)
        if cut.removed and not is_trial:
            _carry_out(ledger, cut, signer, now_ms)
        return Retention(ledger.table_id, cut.removed, cut.first_seq)
    finally:
        ledger.engine.dispose()


def _check(place: Path | str, ledger: Ledger, files: KeyFiles) -> None:
    found = verify(place, load_public_keys([files.public]), table_id=ledger.table_id)
    for finding in found.findings:
        raise JournalDamagedError(
            ledger.location.shown, f"nothing was removed, as {finding.sentence}", finding.first
        )


def _find_cut(ledger: Ledger, before_ms: int) -> _Cut:
    """The start of the first hand that stays."""
    kept = ledger.checkpoint()
    waiting = sum(1 for _ in takewhile(lambda r: r.seq < kept.first_seq, ledger.records()))
    search = _Search(_Cut(kept.first_seq, kept.previous, kept.rulebook, waiting))
    for record in ledger.records(kept.first_seq):
        if not search.passes(record, before_ms):
            break
    return search.cut


class _Search:
    """Goes along the records as long as they are old.

    A record without a time counts as written when the next one with a time was; a
    clock that was set back makes no record older than those before it. So an
    uncertain time keeps records and never takes them away.
    """

    def __init__(self, start: _Cut) -> None:
        self.cut = start
        self._here, self._candidate = start, start
        self._hand: int | None = None
        self._newest_ms, self._is_known_old = 0, True

    def passes(self, record: Record, before_ms: int) -> bool:
        """Take the next record; False when it and all that follow stay."""
        if record.type == EVENT:
            if self._hand is not None and record.hand != self._hand:
                self._candidate = self._here
                if self._is_known_old:
                    self.cut = self._here
            self._hand = record.hand
        if record.written_ms >= FIRST_TIME_MS:
            self._newest_ms = max(self._newest_ms, record.written_ms)
            if self._newest_ms >= before_ms:
                return False
            self._is_known_old, self.cut = True, self._candidate
        else:
            self._is_known_old = False
        self._here = _Cut(
            record.seq + 1, record.hash, self._rulebook(record), self._here.removed + 1
        )
        return True

    def _rulebook(self, record: Record) -> str:
        if record.type != OPENED:
            return self._here.rulebook
        return msgspec.json.decode(record.body, type=Opening).rulebook


def _carry_out(ledger: Ledger, cut: _Cut, signer: Signer, now_ms: int) -> None:
    """Sign the checkpoint, then delete; cut short, the next retention deletes the rest."""
    engine = connect(ledger.location, read_only=False).execution_options(**{WRITES: True})
    try:
        with said(ledger.location.shown):
            if cut.first_seq > ledger.checkpoint().first_seq:
                with engine.begin() as connection:
                    row = msgspec.structs.asdict(_signed(ledger, cut, signer, now_ms))
                    connection.execute(insert(CHECKPOINTS), row)
            for end in _turns(ledger, cut.first_seq):
                with engine.begin() as connection:
                    for table in (RECORDS, HEADS):
                        is_mine = table.c.table_id == ledger.table_id
                        connection.execute(delete(table).where(is_mine, table.c.seq < end))
    finally:
        engine.dispose()


def _turns(ledger: Ledger, first_seq: int) -> tuple[int, ...]:
    """The ends of the pieces in which the records before a number are deleted."""
    oldest = next((record.seq for record in ledger.records()), first_seq)
    return (*range(oldest + TURN, first_seq, TURN), first_seq)


def _signed(ledger: Ledger, cut: _Cut, signer: Signer, now_ms: int) -> Checkpoint:
    checkpoint = Checkpoint(
        table_id=ledger.table_id,
        first_seq=cut.first_seq,
        previous=cut.previous,
        rulebook=cut.rulebook,
        made_ms=now_ms,
        key_id=signer.key_id,
    )
    signature = signer.sign(checkpoint_text(checkpoint))
    return msgspec.structs.replace(checkpoint, signature=signature)
