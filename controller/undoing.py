"""Which tap of a person can be taken back, and what is left of a hand without it.

What sensors saw is a fact and stays. A tap is a person's word and may have been a
mistake: it can be taken back as long as nothing was built on it that somebody
answers for by name, or that begins or ends a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from controller.events import (
    AlarmAcknowledged,
    CardsGathered,
    FloorDecided,
    FouledDeckKnown,
    HandStarted,
    SecuredShuffleOrdered,
    TableEvent,
    TapUndone,
    Witness,
)

KEPT: Final = 40
"""How many events back a tap can lie: two rounds of betting at a full table. What is older
is no slip of the finger that somebody has just noticed."""

_BARRIERS: Final = (
    HandStarted,
    CardsGathered,
    FloorDecided,
    AlarmAcknowledged,
    FouledDeckKnown,
    SecuredShuffleOrdered,
)
"""What is decided by name, and what begins or ends a hand: nothing before it can be taken back."""


def is_barrier(event: TableEvent) -> bool:
    """Whether this event closes the book on everything before it."""
    return isinstance(event, _BARRIERS)


def tag(event: TableEvent) -> str:
    """The name of an event as the event file has it."""
    return str(type(event).__struct_config__.tag)


def undoable(events: Sequence[TableEvent]) -> int:
    """Where the newest tap stands that can be taken back, from 0; -1 for none.

    Args:
        events: Those since the last barrier, oldest first.
    """
    for at in range(len(events) - 1, max(-1, len(events) - 1 - KEPT), -1):
        if events[at].by is Witness.TAP:
            return at
    return -1


def undone(events: Sequence[TableEvent], undo: TapUndone) -> int:
    """Where the tap stands that an undo takes back; -1 when it fits none.

    An undo that names its tap fits only if that is still the newest: two people may
    press at the same moment.
    """
    at = undoable(events)
    if at < 0 or not undo.what:
        return at
    tap = events[at]
    return at if (tag(tap), tap.at_ms) == (undo.what, undo.said_at_ms) else -1


def remaining(events: Iterable[TableEvent]) -> tuple[TableEvent, ...]:
    """The events without the taps that were taken back, and without the undoing."""
    kept: list[TableEvent] = []
    since = 0
    for event in events:
        if isinstance(event, TapUndone):
            if (at := undone(kept[since:], event)) >= 0:
                del kept[since + at]
            continue
        kept.append(event)
        since = len(kept) if is_barrier(event) else since
    return tuple(kept)
