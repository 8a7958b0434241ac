"""Which events the alarms look at, and what each of them means for machine and deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec.structs import replace

from controller.alarms import Alarm, AlarmCause
from controller.events import (
    AlarmAcknowledged,
    BoardShown,
    CardDealt,
    CardExposed,
    CardsGathered,
    CardsMoved,
    CutCardChecked,
    DealCompleted,
    DeckChanged,
    DeckPrepared,
    DeckShuffled,
    DeviceReported,
    HandCounted,
    HandShown,
    HandStarted,
    MachineCounted,
    StepConfirmed,
    StubCounted,
    StubDropped,
    StubReshuffled,
    TableEvent,
    Witness,
)
from controller.irregularities import Irregularity, Kind
from controller.rulebook import Rulebook
from controller.rules.alarms import decks, seeing
from controller.rules.alarms.raising import acknowledge, escalate, raise_alarm, touch
from controller.rulings import StepKind
from controller.table import TableState

Look = Callable[[TableState, TableState, Any, Rulebook], TableState]


def watch(
    before: TableState,
    after: TableState,
    event: TableEvent,
    found: Sequence[Irregularity],
    book: Rulebook,
) -> tuple[TableState, tuple[Alarm, ...]]:
    """What an event means for the alarms.

    Args:
        before: The table before it.
        after: The table after it, its irregularities ruled on.
        event: What happened.
        found: The irregularities that it showed.
        book: The rulebook in force.

    Returns:
        The table with its alarms, and those that are new.
    """
    for fault in found:
        cause = _BY_KIND.get(fault.kind)
        if cause is not None:
            after = _deck_alarm(before, after, cause, fault)
    look = _LOOKS.get(type(event))
    if look is not None:
        after = look(before, after, event, book)
    if not after.watch.alarms:
        return after, ()
    new = tuple(a for a in after.watch.alarms if int(a.id[6:]) > before.watch.raised)
    return escalate(after, book), new


_BY_KIND: Final = {
    Kind.COUNT_SHORT: AlarmCause.COUNT_SHORT,
    Kind.COUNT_LONG: AlarmCause.COUNT_LONG,
    Kind.WRONG_BACK: AlarmCause.WRONG_BACK,
    Kind.DUPLICATE_CARD: AlarmCause.DUPLICATE_CARD,
}


def _deck_alarm(
    before: TableState, after: TableState, cause: AlarmCause, fault: Irregularity
) -> TableState:
    # before.cards_out: with cards out it was the stub that was counted
    expected = before.stub if before.cards_out and fault.zone == "stub" else before.deck_count
    counting = cause in (AlarmCause.COUNT_SHORT, AlarmCause.COUNT_LONG)
    return raise_alarm(
        after,
        cause,
        cards=fault.cards,
        expected=expected if counting else 0,
        counted=fault.count if counting else 0,
        detail=fault.detail,
    )


def _hand_started(b: TableState, a: TableState, e: HandStarted, book: Rulebook) -> TableState:
    return seeing.new_deal(replace(a, watch=decks.started(a.watch, e)))


def _dealt(b: TableState, a: TableState, e: TableEvent, book: Rulebook) -> TableState:
    if not b.cards_out and a.cards_out:
        life = decks.dealt(a.watch, a.deck_back, a.hand)
        a = replace(a, watch=touch(life, a.hand))
    return seeing.card_dealt(b, a, e) if isinstance(e, CardDealt) else a


def _deck_shuffled(b: TableState, a: TableState, e: DeckShuffled, book: Rulebook) -> TableState:
    a = seeing.new_deal(a)
    complete = e.count == b.deck_count
    counted = a.watch.is_made_ready and e.by is Witness.MACHINE
    watched = decks.shuffled(a.watch, a.deck_back, is_complete=complete, is_counted=counted)
    a = replace(a, watch=watched)
    return raise_alarm(a, AlarmCause.BOXED_DECK, counted=e.boxed) if e.boxed else a


def _gathered(b: TableState, a: TableState, e: CardsGathered, book: Rulebook) -> TableState:
    a = seeing.new_deal(a)
    return _complete(a) if e.count == b.deck_count else a


def _stub_counted(b: TableState, a: TableState, e: StubCounted, book: Rulebook) -> TableState:
    return _complete(a) if e.count == b.stub else a


def _complete(state: TableState) -> TableState:
    return replace(state, watch=decks.counted_complete(state.watch, state.deck_back))


def _deck_changed(b: TableState, a: TableState, e: DeckChanged, book: Rulebook) -> TableState:
    return replace(a, watch=decks.changed(a.watch, a.deck_back, e))


def _step_confirmed(b: TableState, a: TableState, e: StepConfirmed, book: Rulebook) -> TableState:
    """A step of a ruling that changed the deck, which no event tells otherwise."""
    kinds = (s.kind for o in b.open for s in o.ruling.steps if s.id == e.step)
    if StepKind.CHANGE_DECK not in kinds:
        return a
    return replace(a, watch=decks.changed(a.watch, a.deck_back, DeckChanged(is_new=True)))


def _deck_prepared(b: TableState, a: TableState, e: DeckPrepared, book: Rulebook) -> TableState:
    wanted = book["deck.cards"].number
    if e.count in (-1, wanted):
        return replace(a, watch=decks.prepared(a.watch, e))
    cause = AlarmCause.COUNT_SHORT if e.count < wanted else AlarmCause.COUNT_LONG
    other = raise_alarm(replace(a, deck_back=e.back), cause, expected=wanted, counted=e.count)
    return replace(a, watch=other.watch)


def _cut_card(b: TableState, a: TableState, e: CutCardChecked, book: Rulebook) -> TableState:
    if e.is_there or book["cut.card"].value == "none":
        return a
    return raise_alarm(a, AlarmCause.NO_CUT_CARD)


def _machine_counted(b: TableState, a: TableState, e: MachineCounted, book: Rulebook) -> TableState:
    """The ledger: what left the machine lies on the table, and the rest of the deck is inside."""
    out = b.cards_out
    if e.given != out:
        return raise_alarm(a, AlarmCause.COUNTS_DIFFER, expected=e.given, counted=out, detail="out")
    if e.inside >= 0 and e.inside != b.deck_count - out:
        expected = b.deck_count - out
        return raise_alarm(
            a, AlarmCause.COUNTS_DIFFER, expected=expected, counted=e.inside, detail="inside"
        )
    return a


def _device(b: TableState, a: TableState, e: DeviceReported, book: Rulebook) -> TableState:
    if e.device != "shuffler":
        return a
    if e.health == "ready":
        return replace(a, watch=replace(a.watch, is_wrong_mode=False))
    cause = _BY_CODE.get(e.code)
    if cause is AlarmCause.WRONG_MODE:
        a = replace(a, watch=replace(a.watch, is_wrong_mode=True))
    if e.code == "jam":
        a = replace(a, watch=decks.jammed(a.watch, a.deck_back))
    if cause is None and e.health != "fault":
        return a
    return raise_alarm(a, cause or AlarmCause.MACHINE_FAULT, detail=e.code or e.detail)


_BY_CODE: Final = {
    "stranger": AlarmCause.STRANGER,
    "wrong_mode": AlarmCause.WRONG_MODE,
    "count_differs": AlarmCause.COUNTS_DIFFER,
    "unknown_shuffle": AlarmCause.MACHINE_FAULT,
}


def _acknowledged(b: TableState, a: TableState, e: AlarmAcknowledged, book: Rulebook) -> TableState:
    return replace(a, watch=acknowledge(a.watch, e))


_LOOKS: Final[dict[type, Look]] = {
    HandStarted: _hand_started,
    CardDealt: _dealt,
    DealCompleted: _dealt,
    DeckShuffled: _deck_shuffled,
    CardsGathered: _gathered,
    StubCounted: _stub_counted,
    DeckChanged: _deck_changed,
    StepConfirmed: _step_confirmed,
    DeckPrepared: _deck_prepared,
    CutCardChecked: _cut_card,
    MachineCounted: _machine_counted,
    DeviceReported: _device,
    AlarmAcknowledged: _acknowledged,
    BoardShown: lambda b, a, e, book: seeing.board_shown(b, a, e),
    CardExposed: lambda b, a, e, book: seeing.card_exposed(b, a, e),
    HandShown: lambda b, a, e, book: seeing.hand_shown(b, a, e),
    CardsMoved: lambda b, a, e, book: seeing.cards_moved(b, a, e),
    StubReshuffled: lambda b, a, e, book: seeing.reordered(a),
    StubDropped: lambda b, a, e, book: seeing.reordered(a),
    HandCounted: lambda b, a, e, book: seeing.reordered(a),
}
