"""Cards that everybody has seen in this deal: their order, and whether one comes back."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from controller.alarms import AlarmCause, Packet
from controller.cards import FULL_DECK, Card
from controller.events import (
    BoardShown,
    CardDealt,
    CardExposed,
    CardsMoved,
    HandShown,
    Shown,
    Street,
)
from controller.rules.alarms import order
from controller.rules.alarms.raising import raise_alarm
from controller.table import TableState

_FACES: Final = frozenset(FULL_DECK)
_OVER: Final = frozenset({Street.BETWEEN, Street.SHOWDOWN})
_DEAD: Final = frozenset({"muck"})


def new_deal(state: TableState) -> TableState:
    """The deck is made up: nothing of this deal has been seen."""
    return replace(state, watch=replace(state.watch, seen=(), shown=(), is_reordered=False))


def reordered(state: TableState) -> TableState:
    """The stub is no longer as it was shuffled: the places of its cards tell nothing."""
    return replace(state, watch=replace(state.watch, seen=(), is_reordered=True))


def board_shown(before: TableState, after: TableState, event: BoardShown) -> TableState:
    """Board cards came off the stub."""
    first = before.deck_count - before.stub + 1
    places = tuple(range(first, first + len(event.cards)))
    after = _come(before, after, event.cards)
    return _in_order(after, Packet(places, event.cards, is_board=True))


def card_dealt(before: TableState, after: TableState, event: CardDealt) -> TableState:
    """A card was dealt that everybody can see."""
    if event.shown is Shown.DOWN and not event.boxed and event.landed == "seat":
        return after
    place = before.deck_count - before.stub + 1
    after = _come(before, after, (event.card,))
    return _in_order(after, Packet((place,), (event.card,)))


def card_exposed(before: TableState, after: TableState, event: CardExposed) -> TableState:
    """A card of a hand was turned up; its place is that in the deal."""
    after = _come(before, after, (event.card,))
    index = next((h.deal_index for h in after.hands.get(event.seat, ()) if h.card is event.card), 0)
    if not index or after.boxed:
        return after
    return _in_order(after, Packet((index,), (event.card,)))


def hand_shown(before: TableState, after: TableState, event: HandShown) -> TableState:
    """A hand is shown; which of its cards came first is not known."""
    after = _come(before, after, event.cards)
    places = tuple(h.deal_index for h in before.hands.get(event.seat, ()))
    known = any(h.is_up for h in before.hands.get(event.seat, ()))
    if known or after.boxed or not all(places) or len(places) != len(event.cards):
        return after
    return _in_order(after, Packet(places, event.cards))


def _in_order(after: TableState, packet: Packet) -> TableState:
    """Look at the order once more with the cards of this packet."""
    watch = after.watch
    if watch.is_reordered or not packet.cards or not _FACES.issuperset(packet.cards):
        return after
    seen = (*watch.seen, packet)
    after = replace(after, watch=replace(watch, seen=seen))
    count = sum(len(p.cards) for p in seen)
    if count < order.HAND_CARDS:
        return after
    if not order.is_in_order(seen):
        return _order_told(after)
    row = (*(n for n in watch.ordered_hands if n != after.hand), after.hand)
    after = replace(after, watch=replace(after.watch, ordered_hands=row[-order.HANDS_IN_A_ROW :]))
    if not order.is_enough(seen) and len(row) < order.HANDS_IN_A_ROW:
        return after
    cards = tuple(card for p in seen for card in p.cards)
    return _order_told(raise_alarm(after, AlarmCause.SORTED_ORDER, cards=cards, counted=count))


def _order_told(state: TableState) -> TableState:
    """What there is to say of the order of this deal is said."""
    return reordered(replace(state, watch=replace(state.watch, ordered_hands=())))


def _come(before: TableState, after: TableState, cards: tuple[Card, ...]) -> TableState:
    """Cards that everybody has seen; one seen before in this hand cannot come from the deck."""
    known = tuple(card for card in cards if card in _FACES)
    back = tuple(card for card in known if card in before.watch.shown and not _lies(before, card))
    watch = after.watch
    after = replace(after, watch=replace(watch, shown=(*watch.shown, *known)))
    return raise_alarm(after, AlarmCause.CARD_CAME_BACK, cards=back) if back else after


def _lies(state: TableState, card: Card) -> bool:
    """Whether the card lies in sight, so that a second one is a double."""
    piles = (state.board, state.burns, state.muck, state.aside, state.removed)
    held = any(h.card is card for hand in state.hands.values() for h in hand)
    return held or any(card in pile for pile in piles)


def cards_moved(before: TableState, after: TableState, event: CardsMoved) -> TableState:
    """Cards went elsewhere; what a ruling returns may come again, a dead card may not."""
    if event.target in ("stub", "shoe"):
        after = reordered(after)
        left = tuple(c for c in after.watch.shown if c not in event.cards or not before.open)
        after = replace(after, watch=replace(after.watch, shown=left))
    elif event.target in _DEAD:
        known = tuple(c for c in event.cards if c in _FACES and c not in after.watch.shown)
        after = replace(after, watch=replace(after.watch, shown=(*after.watch.shown, *known)))
    if before.open or before.street in _OVER or event.origin not in _DEAD:
        return after
    if event.target.split(":")[0] not in ("board", "seat", "burn", "stub"):
        return after
    return raise_alarm(after, AlarmCause.CARD_CAME_BACK, cards=event.cards, detail=event.target)
