"""A hand as one line of a table, for a spreadsheet."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from typing import Final

from controller.events import BoardShown, HandStarted, PlayerActed, PotPushed
from controller.histories.played import RecordedHand


@dataclass(frozen=True, slots=True)
class Summary:
    """One hand; ``rulings`` and ``kinds`` are separated by spaces, in the order they fell."""

    table: str
    hand: int
    started_utc: str
    game: str
    seats: str
    button: int
    board: str
    actions: int
    winners: str
    rulings: str
    kinds: str

    @property
    def cells(self) -> tuple[str | int, ...]:
        """The values in the order of ``COLUMNS``."""
        return astuple(self)


COLUMNS: Final = tuple(f.name for f in fields(Summary))
"""The heads of the columns."""


def summary(hand: RecordedHand) -> Summary:
    """One line; a hand whose start is not recorded has number 0."""
    events = hand.counted
    start = next((e for e in events if isinstance(e, HandStarted)), None)
    board = [c.value for e in events if isinstance(e, BoardShown) for c in e.cards]
    won = [seat for e in events if isinstance(e, PotPushed) for seat in e.seats]
    return Summary(
        table=hand.table_id,
        hand=start.hand if start else 0,
        started_utc=_time(hand.written_ms),
        game=start.game if start else "",
        seats=" ".join(map(str, start.seats)) if start else "",
        button=start.button if start else 0,
        board=" ".join(board),
        actions=sum(isinstance(e, PlayerActed) for e in hand.events),
        winners=" ".join(map(str, won)),
        rulings=" ".join(ruling.id for ruling in hand.rulings),
        kinds=" ".join(ruling.irregularity.kind.value for ruling in hand.rulings),
    )


def _time(written_ms: int) -> str:
    if not written_ms:
        return ""
    return datetime.fromtimestamp(written_ms // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
