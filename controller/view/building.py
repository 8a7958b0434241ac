"""From the state of the table to the dealer's page; nothing that is not public passes."""

from __future__ import annotations

from typing import Final

from controller.cards import Card
from controller.events import Street
from controller.rulebook import Rulebook
from controller.rules import gate, next_steps, open_rulings, pots_now
from controller.rulings import Doer, Step, StepKind
from controller.table import OpenRuling, TableState
from controller.view import latched
from controller.view.floor import awaits_floor
from controller.view.taps import buttons
from controller.view.texts import text
from controller.view.values import (
    DeviceView,
    Instruction,
    PileView,
    SeatView,
    StepView,
    Surroundings,
    TableView,
)
from controller.wording import judge_words, say, tell, why

_SIGNS: Final = {
    "ready": "ok",
    "degraded": "warning",
    "unknown_outcome": "warning",
    "lost": "failure",
    "fault": "failure",
    "absent": "absent",
}


def table_view(state: TableState, book: Rulebook, lang: str, around: Surroundings) -> TableView:
    """The page in one language.

    Args:
        state: The table.
        book: The rulebook in force.
        lang: ``en`` or ``fr``.
        around: What is not in the state: name, devices, whether the table stopped.
    """
    return TableView(
        lang=lang,
        name=around.name,
        hand=state.hand,
        street=text(f"street.{state.street.value}", lang),
        instruction=_instruction(state, book, lang, around),
        prompts=(
            *(text("asked", lang, reason=reason) for reason in around.asked),
            *(tell(prompt, lang) for prompt in state.prompts),
        ),
        steps=_steps(state, lang),
        seats=tuple(_seat(state, n, lang) for n in range(1, around.seats + 1)),
        board=tuple(str(card) for card in state.board),
        piles=_piles(state, lang),
        pot=sum(state.paid.values()),
        pots=_pots(state),
        buttons=buttons(state, book, lang, around),
        alarm=_alarm(state, lang, around),
        alarms=latched.latched_alarms(state, book, lang),
        devices=tuple(_device(name, health, lang) for name, health in around.devices.items()),
        gate=_gate(state, book, lang, around),
    )


def _pots(state: TableState) -> tuple[int, ...]:
    """The main pot and the side pots, once somebody is all in and the bets are scooped."""
    if not state.all_in or state.betting_open:
        return ()
    made = tuple(pot.chips for pot in pots_now(state))
    return made if len(made) > 1 else ()


def _present(state: TableState) -> OpenRuling | None:
    """The ruling being carried out: the oldest that has a step open."""
    return next((o for o in open_rulings(state) if not o.is_done), None)


def _instruction(state: TableState, book: Rulebook, lang: str, around: Surroundings) -> Instruction:
    if around.stopped:
        return Instruction(text=text("stopped", lang), why=around.stopped)
    steps = next_steps(state, book)
    if not steps:
        key = "start" if state.street is Street.BETWEEN else "idle"
        return Instruction(text=text(key, lang))
    step, opened = steps[0], _present(state)
    if step.kind is StepKind.ACKNOWLEDGE:
        return latched.instruction(state, step, lang)
    told = Instruction(text=_words(step, lang), zones=_zones(step), waits_for=_waits(step, lang))
    if opened is None:
        return told
    ruling = opened.ruling
    return Instruction(
        text=told.text,
        why=why(ruling.irregularity, lang),
        verdict=judge_words(ruling.verdict, lang),
        clauses=step.clauses or ruling.clauses,
        zones=told.zones,
        waits_for=told.waits_for,
    )


def _words(step: Step, lang: str) -> str:
    if step.id == "next" and step.kind is StepKind.COMPLETE_BETTING:
        return text("betting", lang, seat=step.seat) if step.seat else text("betting_open", lang)
    return say(step, lang)


def _zones(step: Step) -> tuple[str, ...]:
    """The places the step speaks of, a board place as the board."""
    named = [step.origin, step.target, f"seat:{step.seat}" if step.seat else ""]
    if step.kind is StepKind.DEAL_BOARD:
        named.append("board")
    places = ("board" if zone.startswith("board") else zone for zone in named if zone)
    return tuple(dict.fromkeys(places))


def _waits(step: Step, lang: str) -> str:
    if step.id == "next" and step.kind is StepKind.COMPLETE_BETTING:
        return ""
    return text(f"wait.{step.seen_by[0]}", lang) if step.seen_by else ""


def _steps(state: TableState, lang: str) -> tuple[StepView, ...]:
    opened = _present(state)
    if opened is None:
        return ()
    waiting = [step.id for step in opened.ruling.steps if step.id not in opened.done]
    return tuple(
        StepView(
            id=step.id,
            text=say(step, lang),
            done=step.id in opened.done,
            present=step.id == waiting[0],
            doer="" if step.doer is Doer.DEALER else text(f"doer.{step.doer.value}", lang),
        )
        for step in opened.ruling.steps
    )


def _seat(state: TableState, seat: int, lang: str) -> SeatView:
    hand = state.hands.get(seat, ())
    public = tuple(str(held.card) for held in hand if held.is_up and held.card.is_known)
    blind = "small" if seat == state.small_blind else "big" if seat == state.big_blind else ""
    in_hand = seat in state.seats and state.street is not Street.BETWEEN
    return SeatView(
        seat=seat,
        dealt_in=seat in state.seats,
        folded=in_hand and bool(state.live) and seat not in state.live,
        to_act=state.betting_open and state.to_act[:1] == (seat,),
        button=seat == state.button,
        blind=text(f"blind.{blind}", lang) if blind else "",
        bet=state.street_bets.get(seat, 0),
        cards=public,
        down=len(hand) - len(public),
    )


def _piles(state: TableState, lang: str) -> tuple[PileView, ...]:
    aside = (*state.aside, *state.removed)
    shown: tuple[tuple[str, int, tuple[Card, ...]], ...] = (
        ("burn", len(state.burns), state.burns),
        ("muck", len(state.muck), ()),
        ("aside", len(aside), aside),
        ("stub", state.stub, ()),
    )
    return tuple(
        PileView(
            name=text(f"pile.{zone}", lang),
            count=count,
            cards=tuple(str(card) for card in cards if card.is_known),
            zone=zone,
        )
        for zone, count, cards in shown
    )


def _alarm(state: TableState, lang: str, around: Surroundings) -> str:
    """The floor is wanted until the step that calls it is done; else what an alarm says."""
    if around.stopped or any(map(awaits_floor, state.open)):
        return text("floor", lang)
    return latched.band(state, lang)


def _device(name: str, health: str, lang: str) -> DeviceView:
    return DeviceView(
        name=text(f"device.{name}", lang),
        sign=_SIGNS.get(health, "warning"),
        text=text(f"health.{health}", lang),
    )


def _gate(state: TableState, book: Rulebook, lang: str, around: Surroundings) -> str:
    if around.devices.get("shuffler", "absent") == "absent":
        return ""
    return text(f"gate.{gate(state, book).value}", lang)
