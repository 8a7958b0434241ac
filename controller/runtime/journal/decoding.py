"""Reads the bodies of records; one that cannot be read is told of with its number."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.runtime.errors import JournalError
from controller.runtime.journal.values import Record

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What a decoder raises on a body that is none: nested without end it is the last of them."""


class _Naming(msgspec.Struct, frozen=True):
    """The part of an ``opened`` record that names the rulebook."""

    rulebook: str


def rulebook_of(record: Record, shown: str) -> str:
    """The rulebook that an ``opened`` record names.

    Args:
        record: The record.
        shown: The journal, for the message.

    Raises:
        JournalError: The record cannot be read.
    """
    try:
        return msgspec.json.decode(record.body, type=_Naming).rulebook
    except UNREADABLE as error:
        raise JournalError(
            shown, f"record {record.seq} cannot be read ({error}); restore it from a copy"
        ) from error
