"""A journal as lines of JSON, for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.runtime.errors import JournalError
from controller.runtime.journal.findings import Finding
from controller.runtime.journal.journal import Journal
from controller.runtime.journal.values import EVENT, Head, Reason, Record


class RecordLine(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it is exported: the body as JSON inside it, the hash in hexadecimal."""

    table_id: str
    seq: int
    type: str
    event: int
    hand: int
    at_ms: int
    written_ms: int
    kind: str
    body: msgspec.Raw
    hash: str


class HeadLine(msgspec.Struct, frozen=True, kw_only=True):
    """A signed head as it is noted elsewhere: hash and signature in hexadecimal."""

    table_id: str
    seq: int
    hash: str
    made_ms: int
    reason: Reason
    key_id: str
    signature: str


_ENCODER: Final = msgspec.json.Encoder()


def event_lines(journal: Journal, hand: int = 0) -> Iterator[bytes]:
    """The events as they were written, one a line: an event file (``docs/events.md``).

    Args:
        journal: Open.
        hand: Only this one; 0 for all.

    Raises:
        JournalError: The journal is damaged.
    """
    for record in journal.records():
        if record.type == EVENT and hand in (0, record.hand):
            yield record.body


def record_lines(journal: Journal, hand: int = 0) -> Iterator[bytes]:
    """Everything, with numbers, times and hashes (``docs/journal.md``).

    Args:
        journal: Open.
        hand: Only this one; 0 for all.

    Raises:
        JournalError: The journal is damaged.
    """
    for record in journal.records():
        if hand in (0, record.hand):
            yield record_line(record)


def record_line(record: Record) -> bytes:
    """A record with number, times and hash."""
    return _ENCODER.encode(_line(record))


def read_record(line: bytes) -> Record:
    """A record from its line.

    Raises:
        ValueError: It is none (``msgspec.DecodeError`` is one).
    """
    read = msgspec.json.decode(line, type=RecordLine)
    return Record(
        table_id=read.table_id,
        seq=read.seq,
        type=read.type,
        event=read.event,
        hand=read.hand,
        at_ms=read.at_ms,
        written_ms=read.written_ms,
        kind=read.kind,
        body=bytes(read.body),
        hash=bytes.fromhex(read.hash),
    )


def head_line(head: Head) -> bytes:
    """A head, to be noted elsewhere."""
    return _ENCODER.encode(
        HeadLine(
            table_id=head.table_id,
            seq=head.seq,
            hash=head.hash.hex(),
            made_ms=head.made_ms,
            reason=head.reason,
            key_id=head.key_id,
            signature=head.signature.hex(),
        )
    )


def read_head(line: bytes, shown: str) -> Head:
    """A head that was noted elsewhere.

    Args:
        line: What ``head_line`` gave.
        shown: Where it comes from, for the message.

    Raises:
        JournalError: It is none.
    """
    try:
        noted = msgspec.json.decode(line, type=HeadLine)
        return Head(
            table_id=noted.table_id,
            seq=noted.seq,
            hash=bytes.fromhex(noted.hash),
            made_ms=noted.made_ms,
            reason=noted.reason,
            key_id=noted.key_id,
            signature=bytes.fromhex(noted.signature),
        )
    except (ValueError, RecursionError) as error:  # msgspec.DecodeError is a ValueError
        raise JournalError(
            shown, f"it holds no head ({error}); give what cutcard journal head printed"
        ) from error


class FindingLine(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as JSON; times are -1 where no record is left to have one."""

    problem: str
    first: int
    last: int
    hand: int
    kind: str
    at_ms: int
    written_ms: int
    sentence: str


def finding_line(finding: Finding) -> bytes:
    """A finding, for ``--json``."""
    record = finding.record
    return _ENCODER.encode(
        FindingLine(
            problem=finding.problem.value,
            first=finding.first,
            last=finding.last,
            hand=record.hand if record else 0,
            kind=record.kind if record else "",
            at_ms=record.at_ms if record else -1,
            written_ms=record.written_ms if record else -1,
            sentence=finding.sentence,
        )
    )


def _line(record: Record) -> RecordLine:
    return RecordLine(
        table_id=record.table_id,
        seq=record.seq,
        type=record.type,
        event=record.event,
        hand=record.hand,
        at_ms=record.at_ms,
        written_ms=record.written_ms,
        kind=record.kind,
        body=msgspec.Raw(record.body),
        hash=record.hash.hex(),
    )
