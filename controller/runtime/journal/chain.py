"""The bytes that are hashed and signed; ``docs/journal.md`` describes them for others."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from controller.runtime.journal.values import Checkpoint, Head, Record

RECORD_FORM: Final = "cutcard record 1"
HEAD_FORM: Final = "cutcard head 1"
CHECKPOINT_FORM: Final = "cutcard checkpoint 1"
"""Each kind of signed or hashed text begins with its name, so that none passes for another."""

_ENCODER: Final = msgspec.json.Encoder()


def record_bytes(record: Record) -> bytes:
    """A record as the bytes that are hashed: one line of JSON, a line feed, the body."""
    line = _ENCODER.encode(
        (
            RECORD_FORM,
            record.table_id,
            record.seq,
            record.type,
            record.event,
            record.hand,
            record.at_ms,
            record.written_ms,
            record.kind,
        )
    )
    return line + b"\n" + record.body


def digest(previous: bytes, record: Record) -> bytes:
    """SHA-256 over the hash of the record before and the record's own bytes."""
    return hashlib.sha256(previous + record_bytes(record)).digest()


def chained(previous: bytes, record: Record) -> Record:
    """The record with its hash."""
    return msgspec.structs.replace(record, hash=digest(previous, record))


def head_text(head: Head) -> bytes:
    """What the signature of a head covers."""
    return _ENCODER.encode(
        (
            HEAD_FORM,
            head.table_id,
            head.seq,
            head.hash.hex(),
            head.made_ms,
            head.reason,
            head.key_id,
        )
    )


def checkpoint_text(checkpoint: Checkpoint) -> bytes:
    """What the signature of a checkpoint covers."""
    return _ENCODER.encode(
        (
            CHECKPOINT_FORM,
            checkpoint.table_id,
            checkpoint.first_seq,
            checkpoint.previous.hex(),
            checkpoint.rulebook,
            checkpoint.made_ms,
            checkpoint.key_id,
        )
    )
