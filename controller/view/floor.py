"""The open rulings as the floor sees them: facts, verdict, steps, clauses, other houses."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.events import FloorDecided, TableEvent
from controller.rulebook import Rulebook, find_clause
from controller.rules import advance, alternatives
from controller.rules.alternatives import Alternative
from controller.rulings import Doer, Ruling, StepKind
from controller.table import OpenRuling, TableState
from controller.view.kinds import kind_name
from controller.view.latched import latched_alarms
from controller.view.texts import text
from controller.view.values import AlarmView, StepView, Surroundings
from controller.wording import judge_words, say, why


class ClauseView(msgspec.Struct, frozen=True):
    """A clause: where it stands in its source, and what it says in short."""

    id: str
    place: str = ""
    says: str = ""


class OtherView(msgspec.Struct, frozen=True, kw_only=True):
    """What another rulebook says to the same irregularity."""

    rulebook: str
    verdict: str
    is_same: bool
    steps: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()


class RulingView(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling in force.

    ``awaits_floor`` is true until the step that calls the floor is done;
    ``sent_back`` is what the dealer was last asked to look at again.
    """

    id: str
    kind: str
    observed: str
    verdict: str
    rulebook: str
    street: str
    steps: tuple[StepView, ...] = ()
    clauses: tuple[ClauseView, ...] = ()
    awaits_floor: bool = False
    sent_back: str = ""


class FloorView(msgspec.Struct, frozen=True, kw_only=True):
    """The floor's page in one language, without the history."""

    lang: str
    name: str
    hand: int = 0
    street: str = ""
    stopped: str = ""
    alarms: tuple[AlarmView, ...] = ()
    rulings: tuple[RulingView, ...] = ()


def floor_view(
    state: TableState,
    book: Rulebook,
    lang: str,
    around: Surroundings,
    events: Iterable[TableEvent] = (),
) -> FloorView:
    """The latched alarms and the open rulings of a table.

    Args:
        state: The table.
        book: The rulebook in force.
        lang: ``en`` or ``fr``.
        around: What is not in the state.
        events: Those of the hand, for what was sent back.
    """
    asked = sent_back(state, events)
    return FloorView(
        lang=lang,
        name=around.name,
        hand=state.hand,
        street=text(f"street.{state.street.value}", lang),
        stopped=around.stopped,
        alarms=latched_alarms(state, book, lang),
        rulings=tuple(ruling_view(o, lang, asked.get(o.ruling.id, "")) for o in state.open),
    )


def sent_back(state: TableState, events: Iterable[TableEvent]) -> dict[str, str]:
    """By open ruling, what the floor last wanted looked at again; a confirmation ends that."""
    in_force = {opened.ruling.id for opened in state.open}
    asked: dict[str, str] = {}
    for event in events:
        if isinstance(event, FloorDecided) and event.ruling in in_force:
            asked.pop(event.ruling, None)
            if event.decision == "sent_back":
                asked[event.ruling] = event.reason
    return asked


def ruling_view(opened: OpenRuling, lang: str, asked: str = "") -> RulingView:
    """One ruling with what was seen done of it."""
    ruling = opened.ruling
    waiting = [step.id for step in ruling.steps if step.id not in opened.done]
    return RulingView(
        id=ruling.id,
        kind=kind_name(ruling.irregularity.kind, lang),
        observed=why(ruling.irregularity, lang),
        verdict=judge_words(ruling.verdict, lang),
        rulebook=ruling.rulebook,
        street=text(f"street.{ruling.irregularity.street.value}", lang),
        steps=tuple(
            StepView(
                id=step.id,
                text=say(step, lang),
                done=step.id in opened.done,
                present=step.id == (waiting or [""])[0],
                doer="" if step.doer is Doer.DEALER else text(f"doer.{step.doer.value}", lang),
            )
            for step in ruling.steps
        ),
        clauses=tuple(clause_view(name, lang) for name in _cited(ruling)),
        awaits_floor=awaits_floor(opened),
        sent_back=asked,
    )


def awaits_floor(opened: OpenRuling) -> bool:
    """Whether the ruling calls the floor and the step that does so is still to be done."""
    calls = [s.id for s in opened.ruling.steps if s.kind is StepKind.CALL_FLOOR]
    return opened.ruling.call_floor and (not calls or any(c not in opened.done for c in calls))


def _cited(ruling: Ruling) -> tuple[str, ...]:
    """Every clause of the ruling and of its steps, once."""
    of_steps = (clause for step in ruling.steps for clause in step.clauses)
    return tuple(dict.fromkeys((*ruling.clauses, *of_steps)))


def clause_view(clause_id: str, lang: str) -> ClauseView:
    """A clause with its place; only its id where it is one of the house's own text."""
    clause = find_clause(clause_id)
    if clause is None:
        return ClauseView(clause_id)
    lines = ", ".join(map(str, clause.lines))
    return ClauseView(
        clause_id, text("place", lang, heading=clause.heading, lines=lines), clause.says
    )


def other_views(
    ruling_id: str,
    start: TableState,
    events: Iterable[TableEvent],
    books: tuple[Rulebook, ...],
    lang: str,
) -> tuple[OtherView, ...]:
    """What other rulebooks say to what a ruling of this hand was made on.

    Args:
        ruling_id: The ruling.
        start: The table before the hand.
        events: Those of the hand.
        books: The rulebook in force, then the others.
        lang: ``en`` or ``fr``.

    Returns:
        One for each of the others; none when the hand holds no such ruling.
    """
    state = start
    for event in events:
        outcome = advance(state, event, books[0])
        for ruling in outcome.rulings:
            if ruling.id == ruling_id:
                found = alternatives(state, event, ruling.irregularity, books[1:])
                titles = {book.name: book.title for book in books}
                return tuple(_other(a, ruling, titles, lang) for a in found)
        state = outcome.state
    return ()


def _other(found: Alternative, ruling: Ruling, titles: dict[str, str], lang: str) -> OtherView:
    same_steps = [s.kind for s in found.steps] == [s.kind for s in ruling.steps]
    return OtherView(
        rulebook=titles.get(found.rulebook, found.rulebook),
        verdict=judge_words(found.verdict, lang) if found.verdict else text("no_fault", lang),
        is_same=found.verdict is ruling.verdict and same_steps,
        steps=tuple(say(step, lang) for step in found.steps),
        clauses=found.clauses,
    )
