"""Follow: which step of a ruling an event shows done.

Steps are taken in order; only the first open one can be ticked. A step that
names a goal of the table (a card in the burn pile, the board complete) counts
as done however the dealer got there, also when it was reached before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from controller.cards import Card
from controller.events import (
    ButtonSeen,
    CardBurned,
    CardDealt,
    CardsGathered,
    CardsMoved,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    StepConfirmed,
    Street,
    StubReshuffled,
    TableEvent,
)
from controller.irregularities import Kind
from controller.rulings import Step, StepKind, Verdict
from controller.table import Held, OpenRuling, TableState, close_betting, drop_out, settle

Shows = Callable[[TableState, Step, TableEvent], bool]


def follow(state: TableState, event: TableEvent) -> tuple[TableState, tuple[str, ...]]:
    """Tick what an event shows done.

    Args:
        state: The table after the event.
        event: What happened.

    Returns:
        The table with the steps ticked and finished rulings gone, and the ids ticked.
    """
    if not state.open:
        return state, ()
    ticked: list[str] = []
    if isinstance(event, FloorDecided) and event.decision == "overruled":
        kept = tuple(o for o in state.open if o.ruling.id != event.ruling)
        return settle(replace(state, open=kept)), ()
    for opened in state.open:
        state, done = _follow_one(state, opened, event)
        ticked.extend(done)
    kept = tuple(o for o in state.open if not o.is_done and not _is_moot(state, o))
    return replace(state, open=kept), tuple(ticked)


def _is_moot(state: TableState, opened: OpenRuling) -> bool:
    """Nobody waits for its cards: all others have folded, or the player of an exposed one has."""
    fault, kinds = opened.ruling.irregularity, [step.kind for step in opened.ruling.steps]
    won = state.street is Street.SHOWDOWN and len(state.live) == 1
    folded = fault.kind is Kind.EXPOSED_CARD and fault.seat not in state.live
    waits = StepKind.DEAL_TO_SEAT in kinds[len(opened.done) :]
    return (won and fault.kind in _OF_CARDS_TO_COME) or (folded and waits)


_OF_CARDS_TO_COME: Final = frozenset(
    {
        Kind.MISSING_BURN,
        Kind.EXTRA_BURN,
        Kind.PREMATURE_FLOP,
        Kind.PREMATURE_TURN,
        Kind.PREMATURE_RIVER,
        Kind.FOUR_CARD_FLOP,
        Kind.STUB_DROPPED,
    }
)


def _follow_one(
    state: TableState, opened: OpenRuling, event: TableEvent
) -> tuple[TableState, list[str]]:
    ticked: list[str] = []
    fresh = True
    for step in opened.ruling.steps:
        if step.id in opened.done:
            continue
        by_event = fresh and _is_shown(state, step, event)
        if not by_event and not _is_reached(state, step, after_event=bool(ticked)):
            break
        state = _effect(state, opened, step, event)
        ticked.append(step.id)
        # The card that finishes the deal is nobody's replacement, also for the last seat.
        fresh = fresh and not by_event and step.kind is not StepKind.FINISH_DEAL
    if ticked:
        new = replace(opened, done=(*opened.done, *ticked))
        state = replace(
            state,
            open=tuple(new if o.ruling.id == new.ruling.id else o for o in state.open),
        )
    return state, ticked


def _is_shown(state: TableState, step: Step, event: TableEvent) -> bool:
    """Whether this very event shows the step done."""
    if isinstance(event, StepConfirmed):
        return event.step == step.id
    shows = _SHOWN.get(step.kind)
    return bool(shows and shows(state, step, event))


def _is_reached(state: TableState, step: Step, *, after_event: bool) -> bool:
    """Whether the table stands as the step wants it, whoever brought that about."""
    match step.kind:
        case StepKind.FINISH_HAND:
            return not state.cards_out
        case StepKind.FINISH_DEAL:
            return state.street is not Street.DEAL
        case StepKind.COMPLETE_BETTING:
            return _is_past_betting(state, Street(step.street))
        case StepKind.MOVE_TO_BURN:
            known = bool(step.cards) and all(card.is_known for card in step.cards)
            return known and all(card in state.burns for card in step.cards)
        case StepKind.SET_ASIDE:
            known = all(card.is_known for card in step.cards)
            return known and all(card in state.aside for card in step.cards)
        case StepKind.DEAL_BOARD:
            return len(state.board) >= step.count and not after_event
        case _:
            return False


def _is_past_betting(state: TableState, street: Street) -> bool:
    """The betting of that street is over; before a street is dealt it is not."""
    if state.street is street:
        return not state.betting_open
    streets = state.rules_of_game.streets
    later = streets[streets.index(street) + 1 :]
    return state.street in later or state.street in (Street.SHOWDOWN, Street.BETWEEN)


def _moved(state: TableState, step: Step, event: TableEvent) -> bool:
    """All cards of the step have gone to its target, with this move the last of them."""
    if not isinstance(event, CardsMoved):
        return False
    if step.target not in (event.target, event.target.split(":")[0]):
        return False
    if step.kind is StepKind.RETURN_TO_STUB:
        return all(card in state.returned for card in step.cards)
    if step.kind in (StepKind.KILL_HAND, StepKind.MOVE_TO_SEAT, StepKind.TOP_OF_STUB):
        return event.origin == step.origin
    return any(card in event.cards or not card.is_known for card in step.cards)


_SHOWN: Final[dict[StepKind, Shows]] = {
    StepKind.CALL_FLOOR: lambda s, step, e: (
        isinstance(e, FloorDecided)
        and e.decision == "confirmed"
        and step.id.startswith(f"{e.ruling}.")
    ),
    StepKind.DEAL_TO_SEAT: lambda s, step, e: (
        isinstance(e, CardDealt) and e.seat == step.seat and not e.boxed
    ),
    StepKind.MOVE_TO_BURN: _moved,
    StepKind.SET_ASIDE: _moved,
    StepKind.RETURN_TO_STUB: _moved,
    StepKind.KILL_HAND: _moved,
    StepKind.MOVE_TO_SEAT: _moved,
    StepKind.MOVE_TO_BOARD: _moved,
    StepKind.TOP_OF_STUB: _moved,
    StepKind.PICK_BURN: _moved,
    StepKind.DISCARD: _moved,
    StepKind.RESHUFFLE_STUB: lambda s, step, e: isinstance(e, StubReshuffled),
    StepKind.BURN: lambda s, step, e: isinstance(e, CardBurned) and not e.boxed,
    StepKind.GATHER_ALL: lambda s, step, e: isinstance(e, CardsGathered),
    StepKind.SHUFFLE: lambda s, step, e: isinstance(e, DeckShuffled),
    StepKind.CUT: lambda s, step, e: isinstance(e, DeckCut) and not e.refused,
    StepKind.RIFFLE: lambda s, step, e: isinstance(e, DeckShuffled),
    StepKind.PLACE_BUTTON: lambda s, step, e: isinstance(e, ButtonSeen) and e.seat == step.seat,
    StepKind.FIND_CARD: lambda s, step, e: isinstance(e, CardsGathered) and e.count == s.deck_count,
    StepKind.REDEAL: lambda s, step, e: isinstance(e, CardDealt),
}


def _effect(state: TableState, opened: OpenRuling, step: Step, event: TableEvent) -> TableState:
    """What a ticked step changes that no event says by itself."""
    match step.kind:
        case StepKind.RETURN_MONEY | StepKind.PAY:
            return _money_gone(state, opened)
        case StepKind.CHANGE_DECK:
            return replace(state, is_shuffled=False, is_cut=False, stub=state.deck_count)
        case StepKind.KILL_HAND:
            return _kill(state, int(step.origin.removeprefix("seat:")))
        case StepKind.SET_ASIDE if isinstance(event, StepConfirmed):
            return _take_out(state, step)
        case StepKind.TOP_OF_STUB:
            left = tuple(card for card in state.returned if card not in step.cards)
            return replace(state, returned=left)
        case StepKind.LEAVE_OUT:
            gone = (Card.UNKNOWN,) * step.count
            return replace(state, stub=state.stub - step.count, muck=(*state.muck, *gone))
        case StepKind.BURN:
            return _burned(state, opened)
        case StepKind.RESHUFFLE_STUB if _is_premature_turn(opened, state):
            return replace(state, burns_now=state.burns_due)
        case StepKind.COMPLETE_BETTING if isinstance(event, StepConfirmed):
            return close_betting(state) if state.betting_open else state
        case _:
            return state


def _money_gone(state: TableState, opened: OpenRuling) -> TableState:
    """The pot is empty; after a misdeal the blinds may still lie there for the new deal."""
    if opened.ruling.verdict is Verdict.FOULED_DECK:
        empty = replace(state, paid={}, blinds={}, antes={}, dead={}, street_bets={}, bet=0)
        return replace(empty, is_cancelled=True)
    returned = {money.seat for step in opened.ruling.steps for money in step.money}
    stays = {s: a for s, a in state.blinds.items() if s not in returned or a < state.paid[s]}
    antes, dead = ({s: a for s, a in d.items() if s in stays} for d in (state.antes, state.dead))
    state = replace(state, paid=stays, blinds=stays, antes=antes, dead=dead)
    return replace(state, street_bets=state.live_blinds)


def _is_premature_turn(opened: OpenRuling, state: TableState) -> bool:
    """The set-aside turn is back in the stub: the river comes without a burn."""
    was_aside = any(
        step.kind is StepKind.RETURN_TO_STUB and step.origin == "aside"
        for step in opened.ruling.steps
    )
    return was_aside and state.street is Street.TURN


def _burned(state: TableState, opened: OpenRuling) -> TableState:
    """A burn that was asked for; with a flop dealt again it is not that of the turn."""
    if opened.ruling.irregularity.kind is Kind.FOUR_CARD_FLOP and state.street is Street.FLOP:
        return replace(state, burns_now=state.burns_now - 1)
    return replace(state, burns_due=max(state.burns_due, state.burns_now))


def _kill(state: TableState, seat: int) -> TableState:
    """The hand goes to the muck and its player is out."""
    cards = tuple(held.card for held in state.hands.get(seat, ()))
    mucked = replace(state, hands={**state.hands, seat: ()}, muck=(*state.muck, *cards))
    return drop_out(mucked, seat)


def _take_out(state: TableState, step: Step) -> TableState:
    """Nobody saw the card go, but the dealer says it is out of play."""
    if not step.origin.startswith("seat:") or step.cards[0] in state.removed:
        return state
    seat = int(step.origin.removeprefix("seat:"))
    hand = list(state.hands.get(seat, ()))
    index = _index_of(hand, step.cards[0])
    if index < 0:
        return state
    del hand[index]
    return replace(
        state,
        hands={**state.hands, seat: tuple(hand)},
        removed=(*state.removed, step.cards[0]),
    )


def _index_of(hand: list[Held], card: Card) -> int:
    """Where the card is in the hand, else the first card nobody has seen; -1 none."""
    for wanted in (card, Card.UNKNOWN):
        for index, held in enumerate(hand):
            if held.card is wanted:
                return index
    return -1
