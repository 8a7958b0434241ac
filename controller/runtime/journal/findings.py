"""What is wrong with a journal, and where."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum

from controller.runtime.journal.values import Record


class Problem(Enum):
    """The ways in which a journal can be other than it was written."""

    MISSING = "missing"
    CUT = "cut"
    ALTERED = "altered"
    UNREADABLE = "unreadable"
    REWRITTEN = "rewritten"
    UNSIGNED = "unsigned"
    FORGED = "forged"
    UNKNOWN_KEY = "unknown_key"
    GUARDS_OUT = "guards_out"
    DAMAGED = "damaged"


_SENTENCES = {
    Problem.MISSING: "{span} missing",
    Problem.CUT: "{span} missing at the end: a signature says that they were there",
    Problem.ALTERED: (
        "record {first} does not follow from the one before: it was changed, put in or moved, "
        "or the one before was changed together with its hash"
    ),
    Problem.UNREADABLE: "record {first} cannot be read: {detail}",
    Problem.REWRITTEN: (
        "record {first} is not the one that was signed: it or records before it were written anew"
    ),
    Problem.UNSIGNED: "record {first} has lost its signature: {detail}",
    Problem.FORGED: "the signature at record {first} was not made with its key",
    Problem.UNKNOWN_KEY: (
        "from record {first} on it is signed with key {detail}, which is not among those given"
    ),
    Problem.GUARDS_OUT: "the guards against changes were taken out of the database: {detail}",
    Problem.DAMAGED: "the database is damaged after record {first}: {detail}",
}
"""One sentence for each, with what can be told of the place."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        problem: What.
        first: The number of the record where it shows, 0 for the whole journal.
        last: The last of several records, otherwise the same.
        record: The record there, or the next one that is left; None where there is none.
        detail: More, for the sentence.
    """

    problem: Problem
    first: int
    last: int
    record: Record | None = None
    detail: str = ""

    @property
    def sentence(self) -> str:
        """What is wrong and at which record."""
        many = f"records {self.first} to {self.last} are"
        span = many if self.last > self.first else f"record {self.first} is"
        return _SENTENCES[self.problem].format(span=span, first=self.first, detail=self.detail)

    @property
    def where(self) -> str:
        """What stands there and when it was written; empty where nothing is left."""
        return "" if self.record is None else described(self.record)


@dataclass(frozen=True, slots=True)
class ClockSetBack:
    """The computer's clock went back before a record was written: no fault of the journal's."""

    seq: int
    back_ms: int


def described(record: Record) -> str:
    """A record for a person: number, hand, kind and both times."""
    return (
        f"record {record.seq}, hand {record.hand}, {record.type} {record.kind}, "
        f"{written(record.written_ms)}, table clock {record.at_ms / 1000:.3f} s"
    )


def written(written_ms: int) -> str:
    """A time of the computer's clock in UTC; old records have none."""
    if not 0 < written_ms < 32_503_680_000_000:  # the year 3000: beyond it nothing is a date
        return "at a time not noted"
    return datetime.fromtimestamp(written_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
