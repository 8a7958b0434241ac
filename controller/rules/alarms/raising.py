"""An alarm is raised once, grows with the hands dealt under it, and passes on or away."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.alarms import Alarm, AlarmCause, DeckLife, Watch
from controller.cards import Card
from controller.events import AlarmAcknowledged
from controller.rulebook import Rulebook
from controller.table import TableState

_SINCE_CHECK: Final = frozenset(
    {AlarmCause.WRONG_BACK, AlarmCause.DUPLICATE_CARD, AlarmCause.SORTED_ORDER}
)
"""Causes that a count does not show: every hand since the deck was spread may be touched."""

_SINCE_COUNT: Final = frozenset(
    {AlarmCause.COUNT_SHORT, AlarmCause.COUNT_LONG, AlarmCause.COUNTS_DIFFER}
)


def raise_alarm(
    state: TableState,
    cause: AlarmCause,
    *,
    cards: tuple[Card, ...] = (),
    expected: int = 0,
    counted: int = 0,
    detail: str = "",
) -> TableState:
    """The table with the alarm latched; the same cause is latched once only."""
    watch = state.watch
    if any(alarm.cause is cause for alarm in watch.alarms):
        return state
    alarm = Alarm(
        id=f"alarm/{watch.raised + 1}",
        cause=cause,
        hand=state.hand,
        raised_ms=state.now_ms,
        hands=_touched(state, cause),
        deck=state.deck_back,
        cards=cards,
        expected=expected,
        counted=counted,
        detail=detail,
    )
    raised = replace(watch, alarms=(*watch.alarms, alarm), raised=watch.raised + 1)
    return replace(state, watch=raised)


def _touched(state: TableState, cause: AlarmCause) -> tuple[int, ...]:
    """The hands that it may have touched: since the deck was last known to be right."""
    life = state.watch.decks.get(state.deck_back, DeckLife())
    if cause in _SINCE_CHECK:
        return life.since_check
    if cause in _SINCE_COUNT:
        return life.since_count
    return (state.hand,) if state.cards_out else ()


def touch(watch: Watch, hand: int) -> Watch:
    """A hand is dealt although alarms are latched: it is one more that they touch."""
    if not watch.alarms:
        return watch
    grown = tuple(
        alarm if hand in alarm.hands else replace(alarm, hands=(*alarm.hands, hand))
        for alarm in watch.alarms
    )
    return replace(watch, alarms=grown)


def acknowledge(watch: Watch, event: AlarmAcknowledged) -> Watch:
    """The alarm is answered for; a machine that still is in the wrong mode keeps its own."""
    left = tuple(a for a in watch.alarms if a.id != event.alarm or is_standing(watch, a))
    return replace(watch, alarms=left)


def is_standing(watch: Watch, alarm: Alarm) -> bool:
    """Whether its cause is there still, so that no word of anybody ends it."""
    return alarm.cause is AlarmCause.WRONG_MODE and watch.is_wrong_mode


def escalate(state: TableState, book: Rulebook) -> TableState:
    """Alarms that nobody has answered for in time go to the floor."""
    late = [a.id for a in state.watch.alarms if 0 <= due_ms(a, book) <= state.now_ms]
    if not late:
        return state
    alarms = tuple(replace(a, is_escalated=True) if a.id in late else a for a in state.watch.alarms)
    return replace(state, watch=replace(state.watch, alarms=alarms))


def due_ms(alarm: Alarm, book: Rulebook) -> int:
    """When it goes to the floor; -1 when it has, or never does."""
    limit_s = book["alarm.escalate_s"].number
    if alarm.is_escalated or not limit_s:
        return -1
    return alarm.raised_ms + limit_s * 1000


def escalates_at_ms(state: TableState, book: Rulebook) -> int:
    """When the next alarm goes to the floor, on the table's clock; -1 for none."""
    due = [at for alarm in state.watch.alarms if (at := due_ms(alarm, book)) >= 0]
    return min(due, default=-1)


def blocking(state: TableState) -> Alarm | None:
    """The alarm to be answered for before another card is dealt; None when dealing may go on."""
    alarms = state.watch.alarms
    if not alarms:
        return None
    at_once = next((alarm for alarm in alarms if alarm.stops_at_once), None)
    return at_once or (None if state.cards_out else alarms[0])
