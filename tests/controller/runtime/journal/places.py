"""A place for a journal, and what a forger with full rights on it could do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, text

from controller.cards import Card
from controller.events import BoardShown, CardDealt, DeckShuffled, HandStarted, Street, TableEvent
from controller.irregularities import Irregularity, Kind
from controller.rulings import Ruling, Verdict
from controller.runtime.journal import Journal, guards
from controller.runtime.journal.database import WRITES, connect
from controller.runtime.journal.location import Location

EVENTS: tuple[TableEvent, ...] = (
    DeckShuffled(at_ms=5, count=52),
    CardDealt(at_ms=9, seat=3),
    BoardShown(at_ms=12, cards=(Card.SA, Card.DT, Card.C9)),
)

NOON_MS = 1_767_268_800_000
"""2026-01-01 12:00 UTC."""


def ruling(n: int, hand: int = 1) -> Ruling:
    """Some ruling."""
    return Ruling(
        id=f"{hand}/{n}",
        rulebook="ck",
        verdict=Verdict.CONTINUE,
        irregularity=Irregularity(kind=Kind.BOXED_CARD, street=Street.DEAL),
        steps=(),
        clauses=("ck.boxed.1",),
    )


class Clock:
    """A computer's clock that stands until it is set."""

    def __init__(self, now_ms: int = NOON_MS) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


@dataclass(frozen=True)
class Place:
    """Where a journal is or will be, and the key that signs it."""

    where: str
    key: Path

    @property
    def is_file(self) -> bool:
        return "://" not in self.where

    @property
    def public(self) -> Path:
        return self.key.with_suffix(".pub")

    def open(self, clock: Callable[[], int] = Clock(), rulebook: str = "ck") -> Journal:  # noqa: B008
        """The journal of table T1, for writing."""
        return Journal.open(self.where, table_id="T1", rulebook=rulebook, key=self.key, clock=clock)

    def read(self) -> Journal:
        """The journal, to be read."""
        return Journal.open(self.where, read_only=True)

    def engine(self) -> Engine:
        """The database, past the program."""
        engine = connect(Location.of(self.where), read_only=False)
        return engine.execution_options(**{WRITES: True})

    def execute(self, sql: str, **values: object) -> None:
        """Run a statement as the database takes it, guards and all."""
        engine = self.engine()
        try:
            with engine.begin() as connection:
                connection.execute(text(sql), values)
        finally:
            engine.dispose()

    def tamper(self, *statements: str, **values: object) -> None:
        """Change what is written, as somebody who takes the guards out and puts them back."""
        engine = self.engine()
        with engine.begin() as connection:
            self._guard(connection, off=True)
            for sql in statements:
                connection.execute(text(sql), values)
            self._guard(connection, off=False)
        engine.dispose()

    def _guard(self, connection: Connection, *, off: bool) -> None:
        if self.is_file and not off:
            guards.install(connection)
        for name in guards.GUARDS if self.is_file and off else ():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        for name in () if self.is_file else ("records", "heads", "checkpoints"):
            word = "DISABLE" if off else "ENABLE"
            connection.exec_driver_sql(f"ALTER TABLE journal_{name} {word} TRIGGER ALL")


def play_hands(journal: Journal, hands: int, cards: int = 6) -> None:
    """Hands of a few events, each with a ruling behind its third event."""
    for hand in range(1, hands + 1):
        start = HandStarted(at_ms=hand * 1000, hand=hand, seats=(1, 2), button=1)
        journal.append(start, hand=hand)
        for n in range(1, cards):
            seq = journal.append(CardDealt(at_ms=hand * 1000 + n, seat=1 + n % 2), hand=hand)
            if n == 2:
                journal.record(seq, (ruling(1, hand),))
