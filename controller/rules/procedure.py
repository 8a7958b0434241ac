"""What the table waits for: the open step of a ruling, else the next move of the hand."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal

from msgspec.structs import replace

from controller.alarms import Alarm
from controller.events import (
    Action,
    AlarmAcknowledged,
    BettingClosed,
    BlindPosted,
    CardsGathered,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    PlayerActed,
    PlayerDrew,
    PotPushed,
    StepConfirmed,
    Street,
    TableEvent,
)
from controller.rulebook import Rulebook
from controller.rules.alarms import blocking
from controller.rules.award import award_step
from controller.rules.player_dealt import players_deal
from controller.rules.reporting import reports
from controller.rulings import Doer, Step, StepKind
from controller.table import TableState
from controller.table.button import Blind

NEXT: Final = "next"
"""Id of a step of the ordinary procedure."""


class Gate(Enum):
    """Whether the shoe may give cards."""

    OPEN = "open"
    HELD = "held"


_WANTS_CARDS: Final = frozenset(
    {
        StepKind.FINISH_DEAL,
        StepKind.DEAL_TO_SEAT,
        StepKind.BURN,
        StepKind.DEAL_BOARD,
        StepKind.REDEAL,
    }
)
_HANDS_OFF: Final = frozenset(
    {
        StepKind.SHUFFLE,
        StepKind.RESHUFFLE_STUB,
        StepKind.CUT,
        StepKind.POST_BLIND,
        StepKind.ACKNOWLEDGE,
    }
)


def next_steps(state: TableState, book: Rulebook) -> tuple[Step, ...]:
    """The steps to do now, the first one first.

    With a ruling in force its open steps, where a step that leads back into the
    ordinary procedure (finish the deal, complete the betting, redeal) is
    preceded by the move that does it. An alarm comes before the next deal, and one
    that stops the hand before everything.
    """
    alarm = blocking(state)
    if alarm is not None and alarm.stops_at_once:
        return (_acknowledge(alarm),)
    for opened in state.open:
        steps = tuple(s for s in opened.ruling.steps if s.id not in opened.done)
        if steps:
            steps = (_counted(state, steps[0]), *steps[1:])
            return (*_way_to(state, book, steps[0]), *steps)
    return _ordinary(state, book)


def _counted(state: TableState, step: Step) -> Step:
    """A stub to be shuffled has the cards it has: a boxed one may have left it meanwhile."""
    return replace(step, count=state.stub) if step.kind is StepKind.RESHUFFLE_STUB else step


def _way_to(state: TableState, book: Rulebook, step: Step) -> tuple[Step, ...]:
    match step.kind:
        case StepKind.FINISH_DEAL | StepKind.REDEAL if state.seat_due:
            return _ordinary(state, book)
        case StepKind.FINISH_HAND:
            return _ordinary(state, book)
        case StepKind.COMPLETE_BETTING if state.street is Street.DEAL and state.seat_due:
            return _ordinary(state, book)
        case _:
            return ()


def _ordinary(state: TableState, book: Rulebook) -> tuple[Step, ...]:
    """The next move of a hand in which nothing is wrong.

    A hand whose deck is shuffled has begun, and is dealt whatever else happens
    (ck.start.3); only a ruling comes before it, whose misdeal has it shuffled anew or
    whose floor call is waited for (ck.start.4).
    """
    alarm = blocking(state) if state.street in (Street.BETWEEN, Street.DEAL) else None
    if alarm is not None:
        return (_acknowledge(alarm),)
    match state.street:
        case Street.BETWEEN:
            return ()
        case Street.DEAL:
            return (_deal_step(state, book),)
        case Street.SHOWDOWN:
            gather = Step(id=NEXT, kind=StepKind.GATHER_ALL)
            return (award_step(state, book) if state.live else gather,)
        case _:
            return (_street_step(state),)


def _acknowledge(alarm: Alarm) -> Step:
    """Somebody answers for the alarm before another card is dealt."""
    return Step(
        id=NEXT, kind=StepKind.ACKNOWLEDGE, doer=alarm.who, origin=alarm.id, cards=alarm.cards
    )


def _deal_step(state: TableState, book: Rulebook) -> Step:
    if not state.is_shuffled:
        return Step(id=NEXT, kind=StepKind.SHUFFLE, doer=Doer.MACHINE, seen_by=("machine",))
    if not state.is_cut:
        return Step(id=NEXT, kind=StepKind.CUT)
    missing = _blinds_missing(state, book)
    if missing:
        clauses = book["deal.blinds_first"].clauses
        return Step(id=NEXT, kind=StepKind.POST_BLIND, seat=missing[0].seat, clauses=clauses)
    return Step(id=NEXT, kind=StepKind.DEAL_TO_SEAT, seat=state.seat_due, seen_by=("camera",))


def _blinds_missing(state: TableState, book: Rulebook) -> tuple[BlindPosted, ...]:
    """What is not on the table yet though no card is dealt before (ck.duties.2, fr1.deal.1).

    Where nobody reports the blinds, they are taken as posted; a player who owes is not.
    """
    if state.dealt or book["deal.blinds_first"].value is not True:
        return ()
    posts = state.positions.posts if state.must_post else ()
    due = (
        *(BlindPosted(seat=p.seat, amount=0, kind=_BLINDS[p.blind]) for p in posts),
        *(BlindPosted(seat=s, amount=0, kind="make_up") for s in state.owes if s in state.seats),
    )
    return tuple(tap for tap in due if tap.seat not in state.blinds)


_BLINDS: Final[dict[Blind, Literal["small", "big"]]] = {Blind.SMALL: "small", Blind.BIG: "big"}


def _street_step(state: TableState) -> Step:
    if state.betting_open:
        seat = state.to_act[0] if state.to_act else 0
        street = state.street.value
        return Step(id=NEXT, kind=StepKind.COMPLETE_BETTING, street=street, seat=seat)
    if state.to_draw:
        return Step(id=NEXT, kind=StepKind.DRAW_CARDS, seat=state.to_draw[0])
    if not state.burn_taken:  # ck.burn.1, fr1.burn.2
        return Step(id=NEXT, kind=StepKind.BURN, target="burn", seen_by=("camera",))
    if state.seat_due:
        return Step(id=NEXT, kind=StepKind.DEAL_TO_SEAT, seat=state.seat_due, seen_by=("camera",))
    upcoming = state.rules_of_game.next_street(state.street)
    return Step(
        id=NEXT,
        kind=StepKind.DEAL_BOARD,
        count=state.rules_of_game.board_size(upcoming),
        street=upcoming.value,
        seen_by=("camera",),
    )


def gate(state: TableState, book: Rulebook) -> Gate:
    """Held while a ruling waits for something other than a card, and while the deck is made up."""
    steps = next_steps(state, book)
    if not steps or steps[0].kind in _HANDS_OFF:
        return Gate.HELD
    if state.open:
        return Gate.OPEN if steps[0].kind in _WANTS_CARDS else Gate.HELD
    return Gate.HELD if state.street is Street.SHOWDOWN else Gate.OPEN


def legal_taps(state: TableState, book: Rulebook) -> tuple[TableEvent, ...]:
    """What a person may report now, for the buttons of the page."""
    steps = next_steps(state, book)
    taps: list[TableEvent] = []
    if steps and steps[0].kind is StepKind.ACKNOWLEDGE:
        taps.append(AlarmAcknowledged(alarm=steps[0].origin, by_whom="", reason=""))
    elif steps:
        taps.extend(_taps_for(state, book, steps[0]))
    return (*taps, *reports(state, book))


def _taps_for(state: TableState, book: Rulebook, step: Step) -> tuple[TableEvent, ...]:
    match step.kind:
        case StepKind.COMPLETE_BETTING if state.betting_open:
            return (*_actions(state), BettingClosed())
        case StepKind.CALL_FLOOR:
            ruling = step.id.rsplit(".", 1)[0]
            return (
                FloorDecided(ruling=ruling),
                FloorDecided(ruling=ruling, decision="overruled"),
            )
        case StepKind.CUT:
            return (DeckCut(), DeckCut(refused=True)) if players_deal(state, book) else (DeckCut(),)
        case StepKind.POST_BLIND if step.id == NEXT:
            return _blinds_missing(state, book)[:1]
        case StepKind.DEAL_TO_SEAT if step.id == NEXT:
            return (DealCompleted(),)
        case StepKind.SHUFFLE:
            return (DeckShuffled(),)
        case StepKind.GATHER_ALL:
            return (CardsGathered(),)
        case StepKind.AWARD_POT:
            return (PotPushed(seats=tuple(money.seat for money in step.money)),)
        case StepKind.DRAW_CARDS:
            most = state.rules_of_game.hole_cards
            return tuple(PlayerDrew(seat=step.seat, count=n) for n in range(most + 1))
        case _:
            return () if step.id == NEXT else (StepConfirmed(step=step.id),)


def _actions(state: TableState) -> tuple[TableEvent, ...]:
    """What the player whose turn it is may do, bets aside."""
    if not state.to_act:
        return ()
    seat = state.to_act[0]
    owes = state.bet > state.street_bets.get(seat, 0)
    passive = (
        PlayerActed(seat=seat, action=Action.CALL, amount=state.bet)
        if owes
        else PlayerActed(seat=seat, action=Action.CHECK)
    )
    return (passive, PlayerActed(seat=seat, action=Action.FOLD))
