"""Cards that go from one zone to another."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from controller.cards import Card
from controller.events import CardExposed, CardsMoved, HandShown, StubReshuffled
from controller.table.rounds import settle
from controller.table.state import Held, TableState


def card_exposed(state: TableState, event: CardExposed) -> TableState:
    """A card of a hand lies face up."""
    hand = list(state.hands.get(event.seat, ()))
    index = event.nth - 1 if event.nth else _first_down(hand)
    if 0 <= index < len(hand):
        off = event.landed == "off_table"
        hand[index] = replace(hand[index], card=event.card, is_up=True, off_table=off)
    return replace(state, hands={**state.hands, event.seat: tuple(hand)})


def _first_down(hand: list[Held]) -> int:
    downs = [n for n, held in enumerate(hand) if not held.is_up]
    return downs[-1] if downs else -1


def cards_moved(state: TableState, event: CardsMoved) -> TableState:
    """Each card leaves its zone for the target; one that is not there stays away."""
    for card in event.cards:
        state, taken = _take(state, event.origin, card)
        if taken is not None:
            state = _put(state, event.target, taken)
    return settle(state)


def _take(state: TableState, origin: str, card: Card) -> tuple[TableState, Card | None]:
    """Take a card out of a zone; None when it is not there."""
    if card.is_known and card in state.removed and not _holds(state, card):
        # A boxed card or joker is out of play from the start, wherever it was laid down.
        index = state.removed.index(card)
        return replace(state, removed=state.removed[:index] + state.removed[index + 1 :]), card
    if origin.startswith("seat:"):
        return _take_from_hand(state, int(origin[5:]), card)
    if origin == "off_table":
        return _take_fallen(state, card)
    name = _PILES.get(origin.split(":")[0], "")
    pile: tuple[Card, ...] = getattr(state, name, ())
    if card in pile:
        index = pile.index(card)
    elif pile and (not card.is_known or Card.UNKNOWN in pile):
        index = len(pile) - 1 if not card.is_known else pile.index(Card.UNKNOWN)
    else:
        return state, None
    known = card if card.is_known else pile[index]
    rest: dict[str, Any] = {name: pile[:index] + pile[index + 1 :]}
    if name == "burns":
        rest["burns_now"] = max(0, state.burns_now - 1)
    return replace(state, **rest), known


def _holds(state: TableState, card: Card) -> bool:
    """Whether the card is known to be in play on the table."""
    held = any(h.card is card for hand in state.hands.values() for h in hand)
    return held or card in state.board or card in state.burns


def _take_from_hand(state: TableState, seat: int, card: Card) -> tuple[TableState, Card | None]:
    hand = state.hands.get(seat, ())
    fits = [n for n, held in enumerate(hand) if held.card is card]
    fits = fits or [n for n, held in enumerate(hand) if not card.is_known or not held.card.is_known]
    if not fits:
        return state, None
    index = fits[-1]
    known = card if card.is_known else hand[index].card
    rest = hand[:index] + hand[index + 1 :]
    return replace(state, hands={**state.hands, seat: rest}), known


def _take_fallen(state: TableState, card: Card) -> tuple[TableState, Card | None]:
    for seat, hand in state.hands.items():
        if any(held.off_table for held in hand):
            return _take_from_hand(state, seat, card)
    return state, None


_PILES: Final = {"board": "board", "burn": "burns", "muck": "muck", "aside": "aside"}


def _put(state: TableState, target: str, card: Card) -> TableState:
    if target == "stub":
        return replace(state, returned=(*state.returned, card), stub=state.stub + 1)
    if target.startswith("seat:"):
        seat = int(target[5:])
        hand = (*state.hands.get(seat, ()), Held(card, 0, card.is_known))
        return replace(state, hands={**state.hands, seat: hand})
    name = _PILES.get(target.split(":")[0], "removed")
    state = replace(state, **{name: (*getattr(state, name), card)})
    return replace(state, burns_now=state.burns_now + 1) if name == "burns" else state


def stub_reshuffled(state: TableState, event: StubReshuffled) -> TableState:
    """What was returned is part of the stub again."""
    return replace(state, returned=())


def hand_shown(state: TableState, event: HandShown) -> TableState:
    """The cards of a hand are known to all."""
    hand = state.hands.get(event.seat, ())
    shown = [*event.cards, *(h.card for h in hand[len(event.cards) :])]
    held = tuple(replace(h, card=card, is_up=True) for h, card in zip(hand, shown, strict=False))
    return replace(state, hands={**state.hands, event.seat: held})
