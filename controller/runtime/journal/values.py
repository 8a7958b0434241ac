"""What a journal is made of: records in a chain, signed heads, checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from controller.events import TableEvent

EVENT: Final = "event"
RULING: Final = "ruling"
OPENED: Final = "opened"
PICTURE: Final = "picture"

HASH_BYTES: Final = 32
"""Length of a SHA-256 digest (FIPS 180-4)."""

START: Final = bytes(HASH_BYTES)
"""Stands where the first record of a journal has no predecessor's hash."""

Reason = Literal["block", "hand", "ruling", "opened", "picture", "closed"]
"""Why a head was signed; ``docs/journal.md`` explains each."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record belongs: see ``Record`` for the three."""

    event: int = 0
    hand: int = 0
    at_ms: int = 0


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One record of a table's journal.

    ``seq`` counts the records from 1. ``type`` is ``event``, ``ruling``,
    ``picture`` (evidence was put in its folder) or ``opened`` (a program opened the
    journal for writing). ``event`` is the number of the event, from 1; for a ruling
    or a picture, of the event that it followed from; for ``opened``, of the last
    event before it. ``kind`` is the event's name, the ruling's id or the picture's
    name. ``at_ms`` is the table's own clock, ``written_ms`` the computer's
    (Unix time), 0 where it was never noted. ``hash`` covers all of it and the hash
    of the record before.
    """

    table_id: str
    seq: int
    type: str
    event: int
    hand: int
    at_ms: int
    written_ms: int
    kind: str
    body: bytes
    hash: bytes = b""

    @classmethod
    def draft(cls, table_id: str, of_type: str, kind: str, body: bytes, place: Place) -> Record:
        """A record that has no number, time and hash yet."""
        return cls(
            table_id=table_id,
            seq=0,
            type=of_type,
            event=place.event,
            hand=place.hand,
            at_ms=place.at_ms,
            written_ms=0,
            kind=kind,
            body=body,
        )


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A signature over the hash of one record, and so over everything up to it."""

    table_id: str
    seq: int
    hash: bytes
    made_ms: int
    reason: Reason
    key_id: str
    signature: bytes = b""


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Signed at a retention: which record is the first kept, and what stood before it.

    ``previous`` is the hash of the last record removed; ``rulebook`` the one in
    force at the first record kept.
    """

    table_id: str
    first_seq: int
    previous: bytes
    rulebook: str
    made_ms: int
    key_id: str
    signature: bytes = b""


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """The body of an ``opened`` record: what was going to write."""

    rulebook: str
    program: str
    key_id: str


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a ``picture`` record: one picture that is evidence (docs/evidence.md).

    ``rulings`` and ``alarms`` are the ids of what it belongs to, ``taken_ms`` when it was
    taken on the table's own clock. ``sealed_hand`` is the hand during which nobody may see
    it, 0 for none; its file is encrypted then. In a covered picture only the places are left
    that everybody at the table sees. ``sha256`` is that of the JPEG picture, ``file_sha256``
    that of the file as it lies in the folder, both in hexadecimal.
    """

    name: str
    rulings: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    taken_ms: int
    moment: Literal["before", "best", "after"]
    is_covered: bool = False
    sealed_hand: int = 0
    sha256: str
    file_sha256: str


@dataclass(frozen=True, slots=True)
class Entry:
    """The ``seq``-th event of the journal (from 1) and the hand it belongs to.

    ``rulebook`` is the name of the one that was in force when it was written.
    """

    seq: int
    hand: int
    event: TableEvent
    rulebook: str = ""


@dataclass(frozen=True, slots=True)
class RecordedRuling:
    """A ruling as it was stored: canonical JSON, and the number of the event it followed from."""

    event_seq: int
    json: bytes
