"""Taking a mistaken tap back: the hand is played again without it, from just before it.

Sensors go on seeing while somebody notices a slip, so what came after the tap is applied
anew to the table as it was before. What is found then is ruled on now, under new numbers:
a flop that lies there becomes premature when the tap that closed the betting is taken back.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.events import TableEvent, TapUndone
from controller.rulebook import Rulebook
from controller.rules.engine import Outcome, advance_once
from controller.table import Past, TableState
from controller.undoing import KEPT, is_barrier, tag, undoable, undone


def advance(state: TableState, event: TableEvent, book: Rulebook) -> Outcome:
    """The table after an event, with everything the engine has to say about it.

    An undo that fits no tap changes nothing: another page may have been quicker.

    Raises:
        EventRefusedError: No such game is known.
    """
    if isinstance(event, TapUndone):
        return _take_back(state, event, book)
    outcome = advance_once(state, event, book)
    if is_barrier(event):
        return _with_past(outcome, ())
    return _with_past(outcome, (*state.past, Past(event, replace(state, past=())))[-KEPT:])


def undo_taps(state: TableState) -> tuple[TapUndone, ...]:
    """The tap that takes the newest one back, with its name; none where nothing can be."""
    at = _newest(state)
    if at < 0:
        return ()
    event = state.past[at].event
    return (TapUndone(what=tag(event), said_at_ms=event.at_ms),)


def tap_to_undo(state: TableState) -> TableEvent | None:
    """The tap that ``undo_taps`` takes back."""
    at = _newest(state)
    return state.past[at].event if at >= 0 else None


def _newest(state: TableState) -> int:
    """Alarms latch: a tap that one came after is answered for, not taken back."""
    at = undoable([past.event for past in state.past])
    if at < 0 or state.past[at].before.watch.alarms != state.watch.alarms:
        return -1
    return at


def _take_back(state: TableState, undo: TapUndone, book: Rulebook) -> Outcome:
    at = undone([past.event for past in state.past], undo)
    if at < 0 or at != _newest(state):
        return Outcome(replace(state, now_ms=max(state.now_ms, undo.at_ms)))
    before = state.past[at].before
    watch = replace(before.watch, raised=state.watch.raised)
    outcome = Outcome(
        replace(
            before, past=state.past[:at], watch=watch, rulings_made=state.rulings_made, prompts=()
        )
    )
    for past in state.past[at + 1 :]:
        outcome = _joined(outcome, advance(outcome.state, past.event, book))
    after = replace(outcome.state, now_ms=max(state.now_ms, undo.at_ms))
    still = {opened.ruling.id for opened in after.open}
    gone = tuple(o.ruling.id for o in state.open if o.ruling.id not in still)
    return replace(outcome, state=after, closed=gone)


def _joined(first: Outcome, then: Outcome) -> Outcome:
    """What two events in a row led to."""
    return Outcome(
        then.state,
        (*first.irregularities, *then.irregularities),
        (*first.rulings, *then.rulings),
        (*first.done, *then.done),
        (),
        (*first.prompts, *then.prompts),
        (*first.alarms, *then.alarms),
    )


def _with_past(outcome: Outcome, past: tuple[Past, ...]) -> Outcome:
    return replace(outcome, state=replace(outcome.state, past=past))
