"""One event at a time: apply, follow, detect, rule, prompt."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from controller.alarms import Alarm
from controller.events import Cause, FirstDealerDrawn, TableEvent
from controller.irregularities import Irregularity, Kind
from controller.rulebook import Rulebook
from controller.rules.alarms import watch
from controller.rules.deciding import rule
from controller.rules.detecting import detect
from controller.rules.follow import follow
from controller.rules.player_dealt import dealing_seat, first_dealer
from controller.rules.prompting import prompts, shown
from controller.rulings import Prompt, Ruling, Verdict
from controller.table import OpenRuling, TableState, apply, settle, start


class Outcome(msgspec.Struct, frozen=True):
    """What one event led to.

    ``done`` are the ids of steps seen done by it, ``closed`` the ids of rulings
    whose last step that was, or which another ruling put out of force.
    ``prompts`` are what the dealer or the floor is told because of it, ``alarms``
    those that it raised.
    """

    state: TableState
    irregularities: tuple[Irregularity, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    done: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    alarms: tuple[Alarm, ...] = ()


def new_table(book: Rulebook) -> TableState:
    """A table before its first hand under a rulebook."""
    return start()


def open_rulings(state: TableState) -> tuple[OpenRuling, ...]:
    """The rulings in force, oldest first, with what was seen done of each."""
    return state.open


def advance_once(state: TableState, event: TableEvent, book: Rulebook) -> Outcome:
    """The table after an event that takes nothing back, with all there is to say about it."""
    before_ids = tuple(o.ruling.id for o in state.open)
    after, done = follow(apply(state, event), event)
    found: list[Irregularity] = []
    rulings: list[Ruling] = []
    for irregularity in detect(state, after, event):
        if _is_known(after, irregularity):
            continue
        after, ruling = _decide(after, irregularity, book)
        if ruling is None:
            continue
        found.append(irregularity)
        rulings.append(ruling)
        if irregularity.kind is Kind.LATE_BURN_ERROR:
            after = apply(_let_stand(state, after, irregularity, book), event)
        after, more = follow(after, event) if not _waits(ruling) else (after, ())
        done = (*done, *more)
    after = settle(after)
    still = {o.ruling.id for o in after.open}
    closed = tuple(i for i in before_ids if i not in still)
    if isinstance(event, FirstDealerDrawn):
        after = replace(after, first_dealer=first_dealer(event, book).seat)
    after, alarms = watch(state, after, event, found, book)
    told = prompts(state, after, event, book)
    if told or state.prompts:
        after = replace(after, prompts=shown(state, event, told))
    return Outcome(after, tuple(found), tuple(rulings), done, closed, told, alarms)


def _let_stand(
    before: TableState, after: TableState, irregularity: Irregularity, book: Rulebook
) -> TableState:
    """The board with its burn error stands; later burns make up for it (faq.burn.2-3)."""
    made_up = book["burn.later_cards"].value == "as_without_the_error"
    stands = replace(
        before,
        open=after.open,
        rulings_made=after.rulings_made,
        burns_now=before.burns_due,
        burn_debt=before.burn_debt + (irregularity.count if made_up else 0),
    )
    return settle(stands)


def _waits(ruling: Ruling) -> bool:
    """A ruling that ends the hand begins with things still to do."""
    return ruling.verdict in (Verdict.MISDEAL, Verdict.FOULED_DECK)


def _is_known(state: TableState, found: Irregularity) -> bool:
    """Whether a ruling in force covers it: the same fault, or a hand that is over anyway."""
    for opened in state.open:
        ruling = opened.ruling
        if ruling.verdict in (Verdict.MISDEAL, Verdict.FOULED_DECK):
            return found.kind not in (Kind.COUNT_SHORT, Kind.COUNT_LONG) or bool(state.cards_out)
        if found.kind is Kind.MISSING_BURN and ruling.irregularity.kind is found.kind:
            return True
        if found.kind is Kind.NOT_SHUFFLED and ruling.irregularity.kind is found.kind:
            return True
        if found.kind in (Kind.DUPLICATE_CARD, Kind.WRONG_BACK) and (
            ruling.irregularity.kind is found.kind
        ):
            return True
    return False


def _decide(
    state: TableState, irregularity: Irregularity, book: Rulebook
) -> tuple[TableState, Ruling | None]:
    ruling = rule(with_counts(state, irregularity), irregularity, book)
    if ruling is None:
        return state, None
    state = with_counts(state, irregularity)
    ends = ruling.verdict in (Verdict.MISDEAL, Verdict.FOULED_DECK)
    kept = () if ends else tuple(o for o in state.open if o.ruling.id != ruling.replaces)
    opened = (OpenRuling(ruling),) if ruling.steps else ()
    state = replace(
        state,
        rulings_made=state.rulings_made + 1,
        open=(*opened, *kept) if irregularity.kind is Kind.STUB_DROPPED else (*kept, *opened),
        betting_open=state.betting_open and not ends,
    )
    if irregularity.kind is Kind.COUNT_SHORT and ruling.verdict is Verdict.PLAY_ON:
        missing = state.stub - irregularity.count if state.cards_out else 0
        state = replace(state, stub=state.stub - missing, deck_count=state.deck_count - missing)
    if ruling.verdict is Verdict.MISDEAL:
        dealer = dealing_seat(state, book)
        misdeals = {**state.misdeals, dealer: state.misdeals.get(dealer, 0) + 1}
        state = replace(state, misdeals=misdeals)
    return state, ruling


def with_counts(state: TableState, irregularity: Irregularity) -> TableState:
    """The table with the irregularity counted: what it and the next of its kind are ruled on."""
    if irregularity.kind is Kind.EXPOSED_CARD and irregularity.by_player:
        # What a player does on purpose is no ground for a misdeal (fr2.2-17.5).
        counts = irregularity.detail == Cause.PLAYER_ACCIDENT.value and not irregularity.off_table
        return replace(state, exposed_by_players=state.exposed_by_players + counts)
    if irregularity.kind is Kind.EXPOSED_CARD:
        return replace(state, exposed=state.exposed + 1)
    if irregularity.kind is Kind.WRONG_SEAT and not irregularity.looked_at:
        return replace(state, misdirected=state.misdirected + 1)
    return state
