"""The page's buttons: what fits now, with its words and its place."""

from __future__ import annotations

from typing import Final

from controller.cards import Card
from controller.events import (
    Action,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsGathered,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    HandStarted,
    JokerReported,
    PlayerActed,
    PotPushed,
    StepConfirmed,
    Street,
    StubReshuffled,
    TableEvent,
)
from controller.rulebook import Rulebook
from controller.rules import legal_taps, next_steps
from controller.rulings import Step, StepKind
from controller.table import TableState
from controller.view.texts import text
from controller.view.values import Button, Surroundings

_PLAIN: Final[dict[type, tuple[str, str]]] = {
    BettingClosed: ("tap.betting_closed", "action"),
    DeckCut: ("tap.cut", "step"),
    DeckShuffled: ("tap.shuffled", "step"),
    StubReshuffled: ("tap.reshuffled", "step"),
    CardsGathered: ("tap.gathered", "step"),
    PotPushed: ("tap.pushed", "step"),
    CardBurned: ("tap.burned", "step"),
    BoardShown: ("tap.board", "step"),
}
"""Taps whose words need no more than their kind: key of the text, and group."""


def next_hand(state: TableState, around: Surroundings) -> HandStarted:
    """The next hand with the same players; button and blinds move one seat on.

    With two players the button has the small blind.
    """
    seats = state.seats or tuple(range(1, around.seats + 1))
    button = _after(seats, state.button)
    small = button if len(seats) == 2 else _after(seats, button)
    return HandStarted(
        hand=state.hand + 1,
        seats=seats,
        button=button,
        small_blind=small,
        big_blind=_after(seats, small),
        deck_back=around.deck_back,
    )


def _after(seats: tuple[int, ...], seat: int) -> int:
    return next((s for s in seats if s > seat), seats[0])


def buttons(
    state: TableState, book: Rulebook, lang: str, around: Surroundings
) -> tuple[Button, ...]:
    """All buttons of the page, the most needed first; none while the table has stopped."""
    if around.stopped:
        return ()
    taps: list[TableEvent] = list(legal_taps(state, book))
    if state.street is Street.BETWEEN:
        taps.append(next_hand(state, around))
    steps = next_steps(state, book)
    if steps and not _sensed(around):
        taps = [*_by_hand(state, steps[0]), *taps]
    shown = [_button(tap, steps[0] if steps else None, lang, around) for tap in taps]
    return (*shown, *_bets(state, lang), *_unseen(state, lang, around))


def _sensed(around: Surroundings) -> bool:
    """Whether any device still tells of cards."""
    return any(health not in ("absent", "lost") for health in around.devices.values())


def _by_hand(state: TableState, step: Step) -> tuple[TableEvent, ...]:
    """With no device the dealer taps what was dealt."""
    match step.kind:
        case StepKind.DEAL_TO_SEAT:
            return (CardDealt(seat=step.seat),)
        case StepKind.BURN:
            return (CardBurned(),)
        case StepKind.DEAL_BOARD:
            missing = max(1, step.count - len(state.board))
            return (BoardShown(cards=(Card.UNKNOWN,) * missing),)
        case StepKind.RESHUFFLE_STUB:
            return (StubReshuffled(),)
        case _:
            return ()


def _unseen(state: TableState, lang: str, around: Surroundings) -> tuple[Button, ...]:
    """Reports of what a camera would see, for tables that have none now."""
    if around.devices.get("camera") not in ("absent", "lost"):
        return ()
    taps: list[Button] = [
        Button(label=text("tap.exposed", lang, seat=seat), event=CardExposed(seat=seat))
        for seat, hand in sorted(state.hands.items())
        if any(not held.is_up for held in hand)
    ]
    if state.seat_due:
        boxed = CardDealt(seat=state.seat_due, boxed=True)
        taps.append(Button(label=text("tap.boxed", lang, seat=state.seat_due), event=boxed))
    return tuple(taps)


def _bets(state: TableState, lang: str) -> tuple[Button, ...]:
    """Bets and raises, whose amount the person enters."""
    if not (state.betting_open and state.to_act):
        return ()
    seat = state.to_act[0]
    kinds = (Action.RAISE if state.bet else Action.BET, Action.ALL_IN)
    return tuple(
        Button(
            label=text(f"action.{kind.value}", lang),
            event=PlayerActed(seat=seat, action=kind),
            group="action",
            asks_amount=True,
        )
        for kind in kinds
    )


def _button(tap: TableEvent, step: Step | None, lang: str, around: Surroundings) -> Button:
    plain = _PLAIN.get(type(tap))
    if plain is not None:
        key, group = plain
        return Button(label=text(key, lang), event=tap, group=group)
    match tap:
        case StepConfirmed():
            return _confirm(tap, step, lang, around)
        case FloorDecided(decision=decision):
            key = "tap.floor_confirm" if decision == "confirmed" else "tap.floor_overrule"
            group = "step" if decision == "confirmed" else "action"
            return Button(label=text(key, lang), event=tap, group=group)
        case PlayerActed(action=action):
            return Button(label=text(f"action.{action.value}", lang), event=tap, group="action")
        case HandStarted(hand=hand):
            return Button(label=text("tap.start", lang, n=hand), event=tap, group="step")
        case JokerReported(seat=seat):
            return Button(label=text("tap.joker", lang, seat=seat), event=tap)
        case CardDealt(seat=seat):
            return Button(label=text("tap.dealt", lang, seat=seat), event=tap, group="step")
        case _:
            return Button(label=text("tap.done", lang), event=tap)


def _confirm(tap: StepConfirmed, step: Step | None, lang: str, around: Surroundings) -> Button:
    """Big when no sensor can see the step done; a small way out when one should have."""
    devices = {"camera": "camera", "machine": "shuffler"}
    sensed = step is not None and any(
        around.devices.get(devices.get(witness, ""), "absent") in ("ready", "degraded")
        for witness in step.seen_by
    )
    if sensed:
        return Button(label=text("tap.unseen", lang), event=tap, group="action")
    return Button(label=text("tap.done", lang), event=tap, group="step")
