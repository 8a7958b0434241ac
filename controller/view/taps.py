"""The page's buttons: what fits now, with its words and its place."""

from __future__ import annotations

from typing import Final

from controller.cards import Card
from controller.events import (
    Action,
    AlarmAcknowledged,
    BettingClosed,
    BlindPosted,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsGathered,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    FirstDealerDrawn,
    FloorDecided,
    HandStarted,
    PlayerActed,
    PlayerDrew,
    PotPushed,
    StepConfirmed,
    Street,
    StubCounted,
    StubReshuffled,
    TableEvent,
)
from controller.rulebook import Rulebook
from controller.rules import house, legal_taps, next_steps, tap_to_undo, undo_taps
from controller.rules.player_dealt import players_deal
from controller.rulings import Step, StepKind
from controller.table import TableState
from controller.table.button import Blind, Positions, first_positions, left_of
from controller.view.labels import label, topic, undo_label
from controller.view.texts import text
from controller.view.values import Button, Surroundings

_STEP: Final = frozenset(
    {
        DeckCut,
        DeckShuffled,
        StubReshuffled,
        CardsGathered,
        PotPushed,
        CardBurned,
        CardDealt,
        BoardShown,
        HandStarted,
    }
)
"""Taps that say that the present step is done."""

_ACTION: Final = frozenset({BettingClosed, BlindPosted, DealCompleted, PlayerActed, PlayerDrew})
"""Taps of the player who is to act, and what ends a stretch of the hand."""


def next_hand(state: TableState, book: Rulebook, around: Surroundings) -> HandStarted:
    """The next hand with the players who are left, button and blinds as the house moves them.

    A table that has not played yet begins with the first dealer, if one was drawn.

    Raises:
        ValueError: Fewer than two players are left.
    """
    now = _next_positions(state, book, around)
    return HandStarted(
        hand=state.hand + 1,
        seats=now.seats,
        button=now.button,
        small_blind=now.small_blind,
        big_blind=now.big_blind,
        dealer=now.dealer if players_deal(state, book) else 0,
        absent=tuple(s for s in state.absent if s in now.seats),
        small_blinds=now.pays(Blind.SMALL),
        big_blinds=now.pays(Blind.BIG),
        ghosts=now.ghosts,
        big_blind_turn=now.big_blind_turn,
        deck_back=around.deck_back,
    )


def _next_positions(state: TableState, book: Rulebook, around: Surroundings) -> Positions:
    if state.positions.seats:
        return house.next_hand(state, book)
    seats = state.seats or tuple(range(1, around.seats + 1))
    drawn = state.first_dealer if state.first_dealer in seats else 0
    return first_positions(seats, drawn or left_of(state.button, seats))


def _starts(state: TableState, book: Rulebook, around: Surroundings) -> tuple[TableEvent, ...]:
    """The tap that starts the next hand; none while too few players are left."""
    if state.street is not Street.BETWEEN:
        return ()
    try:
        return (next_hand(state, book, around),)
    except ValueError:
        return ()


def buttons(
    state: TableState, book: Rulebook, lang: str, around: Surroundings
) -> tuple[Button, ...]:
    """All buttons of the page, the most needed first; none while the table has stopped."""
    if around.stopped:
        return ()
    steps = next_steps(state, book)
    step = steps[0] if steps else None
    dealt = _by_hand(state, step) if step and not _sensed(around) else ()
    legal = (tap for tap in legal_taps(state, book) if not _is_seen(tap, around))
    taps = (*_starts(state, book, around), *dealt, *legal, *_draws(state, around))
    shown = [_button(tap, step, lang, around) for tap in taps]
    return (
        *shown,
        *_bets(state, lang),
        *_undo(state, lang),
        *_other_count(taps, lang),
        *_unseen(state, lang, around),
    )


def _undo(state: TableState, lang: str) -> tuple[Button, ...]:
    """What takes the newest tap back, saying which one that is."""
    newest = tap_to_undo(state)
    if newest is None:
        return ()
    words = undo_label(newest, lang)
    return tuple(Button(label=words, event=undo, group="action") for undo in undo_taps(state))


def _draws(state: TableState, around: Surroundings) -> tuple[TableEvent, ...]:
    """Before the first hand: who won the draw for the first dealer, whose cards nobody enters."""
    seats = range(1, around.seats + 1) if not state.hand else ()
    return tuple(FirstDealerDrawn(seats=(seat,), cards=()) for seat in seats)


def _is_seen(tap: TableEvent, around: Surroundings) -> bool:
    """Whether a camera sees card by card what the tap would say of the whole deal."""
    has_camera = around.devices.get("camera", "absent") not in ("absent", "lost")
    return isinstance(tap, DealCompleted) and has_camera


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
        Button(
            label=text("tap.exposed", lang, seat=seat),
            event=CardExposed(seat=seat),
            topic=text("seat", lang, seat=seat),
        )
        for seat, hand in sorted(state.hands.items())
        if any(not held.is_up for held in hand)
    ]
    if state.seat_due:
        boxed = CardDealt(seat=state.seat_due, boxed=True)
        words = text("tap.boxed", lang, seat=state.seat_due)
        taps.append(Button(label=words, event=boxed, topic=topic(boxed, lang)))
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
            chips=_chips(state),
        )
        for kind in kinds
    )


_CHIPS: Final = (1, 5, 25, 100, 500, 1000, 5000, 25000)
"""The usual chips of card rooms."""

_CHIPS_SHOWN: Final = 4


def _chips(state: TableState) -> tuple[int, ...]:
    """The chips that are on a table of these blinds, smallest first."""
    small = min((bet for bet in state.blinds.values() if bet), default=1)
    fit = tuple(chip for chip in _CHIPS if 2 * chip >= small)
    return fit[:_CHIPS_SHOWN] or _CHIPS[-_CHIPS_SHOWN:]


def _other_count(taps: tuple[TableEvent, ...], lang: str) -> tuple[Button, ...]:
    """A stub count that is not the expected one, whose number the person enters."""
    return tuple(
        Button(
            label=text("tap.counted_other", lang),
            event=tap,
            asks_amount=True,
            topic=topic(tap, lang),
        )
        for tap in taps
        if isinstance(tap, StubCounted)
    )


def _button(tap: TableEvent, step: Step | None, lang: str, around: Surroundings) -> Button:
    if isinstance(tap, StepConfirmed):
        return _confirm(tap, step, lang, around)
    words, kind = label(tap, lang), type(tap)
    if isinstance(tap, AlarmAcknowledged):
        return Button(label=words, event=tap, group="action", asks_name=True)
    confirms = isinstance(tap, FloorDecided) and tap.decision == "confirmed"
    if (kind in _STEP and not _is_refusal(tap)) or confirms:
        return Button(label=words, event=tap, group="step")
    if kind in _ACTION or isinstance(tap, FloorDecided) or _is_refusal(tap):
        asks = isinstance(tap, BlindPosted)
        chips = _CHIPS[:_CHIPS_SHOWN] if asks else ()
        return Button(label=words, event=tap, group="action", asks_amount=asks, chips=chips)
    return Button(label=words, event=tap, topic=topic(tap, lang))


def _is_refusal(tap: TableEvent) -> bool:
    return isinstance(tap, DeckCut) and tap.refused


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
