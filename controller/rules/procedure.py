"""What the table waits for: the open step of a ruling, else the next move of the hand."""

from __future__ import annotations

from enum import Enum
from typing import Final

from controller.events import (
    Action,
    BettingClosed,
    CardsGathered,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    JokerReported,
    PlayerActed,
    PotPushed,
    StepConfirmed,
    Street,
    TableEvent,
)
from controller.rulebook import Rulebook
from controller.rulings import Doer, Step, StepKind
from controller.table import TableState

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
_HANDS_OFF: Final = frozenset({StepKind.SHUFFLE, StepKind.RESHUFFLE_STUB, StepKind.CUT})


def next_steps(state: TableState, book: Rulebook) -> tuple[Step, ...]:
    """The steps to do now, the first one first.

    With a ruling in force its open steps, where a step that leads back into the
    ordinary procedure (finish the deal, complete the betting, redeal) is
    preceded by the move that does it.
    """
    for opened in state.open:
        steps = tuple(s for s in opened.ruling.steps if s.id not in opened.done)
        if steps:
            return (*_way_to(state, steps[0]), *steps)
    return _ordinary(state)


def _way_to(state: TableState, step: Step) -> tuple[Step, ...]:
    match step.kind:
        case StepKind.FINISH_DEAL | StepKind.REDEAL if state.seat_due:
            return _ordinary(state)
        case StepKind.COMPLETE_BETTING if state.street is Street.DEAL and state.seat_due:
            return _ordinary(state)
        case _:
            return ()


def _ordinary(state: TableState) -> tuple[Step, ...]:
    """The next move of a hand in which nothing is wrong."""
    match state.street:
        case Street.BETWEEN:
            return ()
        case Street.DEAL:
            return (_deal_step(state),)
        case Street.SHOWDOWN:
            kind = StepKind.AWARD_POT if state.live else StepKind.GATHER_ALL
            return (Step(id=NEXT, kind=kind),)
        case _:
            return (_street_step(state),)


def _deal_step(state: TableState) -> Step:
    if not state.is_shuffled:
        return Step(id=NEXT, kind=StepKind.SHUFFLE, doer=Doer.MACHINE, seen_by=("machine",))
    if not state.is_cut:
        return Step(id=NEXT, kind=StepKind.CUT)
    return Step(id=NEXT, kind=StepKind.DEAL_TO_SEAT, seat=state.seat_due, seen_by=("camera",))


def _street_step(state: TableState) -> Step:
    if state.betting_open:
        seat = state.to_act[0] if state.to_act else 0
        street = state.street.value
        return Step(id=NEXT, kind=StepKind.COMPLETE_BETTING, street=street, seat=seat)
    if not state.burn_taken:
        return Step(id=NEXT, kind=StepKind.BURN, target="burn", seen_by=("camera",))
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
    if steps:
        taps.extend(_taps_for(state, steps[0]))
    if state.street not in (Street.BETWEEN, Street.SHOWDOWN):
        taps.extend(JokerReported(seat=s) for s in state.live if state.hands.get(s))
    return tuple(taps)


def _taps_for(state: TableState, step: Step) -> tuple[TableEvent, ...]:
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
            return (DeckCut(),)
        case StepKind.SHUFFLE:
            return (DeckShuffled(),)
        case StepKind.GATHER_ALL:
            return (CardsGathered(),)
        case StepKind.AWARD_POT:
            return (PotPushed(),)
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
