"""Whether a record that arrives is the next one, a double, or shows that some are missing.

A receiver takes only the record that follows from the newest it has, by the hash in it.
What it holds of a table is then always the journal without holes, and one number says
from where on it needs the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.fleet.messages import RecordMessage, StateMessage

ASK_AGAIN_S: Final = 5.0
"""Patience with a table that was asked to send again."""


class Arrival(Enum):
    """What an arriving record is to its receiver."""

    NEXT = "next"
    DOUBLE = "double"
    BEHIND_A_GAP = "behind_a_gap"


@dataclass(frozen=True, slots=True)
class Tip:
    """The newest record held of a table: number and id; 0 and empty before the first."""

    seq: int = 0
    id: str = ""


def arrival(tip: Tip, message: RecordMessage, is_held: Callable[[str], bool]) -> Arrival:
    """Judge a record.

    Args:
        tip: The newest record held of its table.
        message: The record.
        is_held: Whether a record of that id is held already.
    """
    if tip.id and message.previous == tip.id and not message.is_first:
        return Arrival.NEXT
    if is_held(message.id):
        return Arrival.DOUBLE
    # New behind an older one: the table went back to a copy of its journal.
    is_branch = message.is_first or is_held(message.previous)
    return Arrival.NEXT if is_branch else Arrival.BEHIND_A_GAP


def lost_between(tip: Tip, message: RecordMessage) -> int:
    """Records that nobody can send any more: the table has removed them from its journal."""
    return max(0, message.seq - tip.seq - 1) if message.is_first and tip.seq else 0


def is_behind(tip: Tip, state: StateMessage, is_held: Callable[[str], bool]) -> bool:
    """Whether the table has sent records before this state that have not arrived."""
    return state.seq > 0 and state.id not in ("", tip.id) and not is_held(state.id)


class Requests:
    """When to ask a table to send again, and from where.

    Args:
        clock: Seconds of any steady clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._asked: dict[str, tuple[Tip, float]] = {}

    def wanted(self, table: str, tip: Tip) -> int:
        """The number to ask for; 0 when the table has just been asked.

        Asked twice in vain, a table keeps another journal than it did: then all of it.
        """
        now_s = self._clock()
        before, at_s = self._asked.get(table, (None, 0.0))
        if before == tip and now_s - at_s < ASK_AGAIN_S:
            return 0
        self._asked[table] = (tip, now_s)
        return 1 if before == tip else tip.seq + 1

    def forget(self) -> None:
        """The line was lost, and what was asked with it."""
        self._asked.clear()
