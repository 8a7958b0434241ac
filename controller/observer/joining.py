"""Joins loose ends: where a card that appeared came from, where one that vanished went.

Sources of a card that appears, in order of trust: the same face that vanished
elsewhere; a card that left the shoe; any card that vanished. Facts may come in
either order, so an end that matches nothing waits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.cards import Card
from controller.events import (
    BoardShown,
    CardBurned,
    CardDealt,
    CardsMoved,
    Shown,
    TableEvent,
    Witness,
)
from controller.observer.values import Loose, Memory, Situation, is_board, seat_of

COME_HOLD_MS: Final = 1500
"""How long a card that appeared waits for its source: longer than a replay of missed shoe facts."""
OUT_HOLD_MS: Final = 3000
"""How long a card may be in the dealer's hand between shoe and table before it counts as unseen."""
ORDER_HOLD_MS: Final = 600
"""How long a card of the deal that seems to have come before its turn waits for the one before
it: one frame can show two cards, and the camera's zones are told one after another."""
BURN_HOLD_MS: Final = 1200
"""How long a burn that is not due waits for the cards that are: less than a loose end is kept."""
LOOSE_LIMIT: Final = 60
"""More loose ends than a deck has cards would only be noise; the oldest are dropped."""

_DISCARD_ZONES: Final = frozenset({"muck", "aside", "stub"})
"""Where cards of the stub do not go by themselves."""


def join(
    memory: Memory, situation: Situation, now_ms: int
) -> tuple[Memory, tuple[TableEvent, ...]]:
    """Resolve what can be resolved now.

    Returns:
        The memory without the resolved ends, and their events in the order the
        cards appeared.
    """
    events: list[TableEvent] = []
    memory = _without_late_burn(memory, situation)
    memory = _muck_folded(memory, situation, now_ms, events)
    waiting: list[Loose] = []
    queue = list(memory.come)
    while queue:
        end = queue.pop(_next_in_deal(queue, situation, events))
        taken, memory = _take_gone(memory, end, sure=True)
        if not taken and _wants_stub_card(memory, end):
            if _is_early(end, situation, events, now_ms):
                flickered, memory = _take_flicker(memory, end)
                waiting.extend(() if flickered else (end,))
                continue
            memory = _deal(memory, situation, end, events)
            continue
        if not taken:
            taken, memory = _take_gone(memory, end, sure=False)
        if taken:
            _move(taken, end, events)
            queue = _absorb(queue, end, len(taken) - 1)
        elif now_ms - end.at_ms < COME_HOLD_MS:
            waiting.append(end)
        elif not memory.shoe and end.zone not in _DISCARD_ZONES:
            memory = _deal(memory, situation, end, events)
    memory = replace(memory, come=tuple(waiting[-LOOSE_LIMIT:]), gone=memory.gone[-LOOSE_LIMIT:])
    memory = _expire_outs(memory, situation, now_ms, events)
    return memory, tuple(events)


def _without_late_burn(memory: Memory, situation: Situation) -> Memory:
    """A burn seen only after it was taken for one is no second burn."""
    if not memory.assumed:
        return memory
    if situation.due == "burn":  # that of the next street
        return replace(memory, assumed=False)
    late = next((end for end in memory.come if end.zone == "burn"), None)
    if late is None:
        return memory
    return replace(memory, come=tuple(end for end in memory.come if end is not late), assumed=False)


def _seat_next(situation: Situation, events: list[TableEvent]) -> int:
    """The seat due now, the cards dealt in this call counted; 0 outside the deal."""
    if not situation.order:
        return 0
    dealt = sum(isinstance(event, CardDealt) and not event.boxed for event in events)
    return situation.order[dealt % len(situation.order)]


def _next_in_deal(queue: list[Loose], situation: Situation, events: list[TableEvent]) -> int:
    """The place in the queue of the card that is due next; else of the first."""
    due = _seat_next(situation, events)
    return next((n for n, end in enumerate(queue) if due and seat_of(end.zone) == due), 0)


def _is_early(end: Loose, situation: Situation, events: list[TableEvent], now_ms: int) -> bool:
    """A card at a seat that is not due: the one that is due may still be on its way.

    Also when the shoe gave one card alone: a hand that lies on top of itself can look for
    a moment as if it had a card more.
    """
    if end.zone == "burn":
        return is_board(situation.due) and now_ms - end.at_ms < BURN_HOLD_MS
    due, seat = _seat_next(situation, events), seat_of(end.zone)
    return bool(due and seat) and seat != due and now_ms - end.at_ms < ORDER_HOLD_MS


def _take_flicker(memory: Memory, end: Loose) -> tuple[bool, Memory]:
    """A card that came and went in one place was never there."""
    same = next((gone for gone in memory.gone if gone.zone == end.zone), None)
    if same is None:
        return False, memory
    return True, replace(memory, gone=tuple(gone for gone in memory.gone if gone is not same))


def _muck_folded(
    memory: Memory, situation: Situation, now_ms: int, events: list[TableEvent]
) -> Memory:
    """Cards that left a seat which has folded are in the muck, seen there or not."""
    mucked = [g for g in memory.gone if seat_of(g.zone) in situation.folded]
    for loose in mucked:
        _move((loose,), Loose(loose.card, "muck", now_ms), events)
    heap = [c for c in memory.come if c.zone == "muck"] if mucked else []
    return replace(
        memory,
        gone=tuple(g for g in memory.gone if not any(g is m for m in mucked)),
        come=tuple(c for c in memory.come if not any(c is h for h in heap)),
    )


def returned(memory: Memory, count: int, now_ms: int) -> tuple[Memory, tuple[TableEvent, ...]]:
    """Vanished cards went into the shoe, the latest ``count`` of them (-1: all)."""
    if count == 0 or not memory.gone:
        return memory, ()
    entered = memory.gone if count < 0 else memory.gone[-count:]
    events: list[TableEvent] = []
    for loose in entered:
        _move((loose,), Loose(loose.card, "stub", now_ms), events)
    return replace(memory, gone=memory.gone[: -len(entered)]), tuple(events)


def stub_card(
    end: Loose, situation: Situation, *, boxed: bool, by: Witness
) -> tuple[TableEvent, ...]:
    """The events of a card of the stub that came to lie in a zone."""
    zone, card, at_ms = end.zone, end.card.card, end.at_ms
    if is_board(zone):
        return (BoardShown(at_ms=at_ms, by=by, cards=(card,), boxed=boxed),)
    if zone == "burn":
        return (CardBurned(at_ms=at_ms, by=by, card=card, boxed=boxed),)
    seat = seat_of(zone) or situation.due_seat
    if not seat:
        return ()
    dealt = CardDealt(
        at_ms=at_ms,
        by=by,
        seat=seat,
        card=card,
        shown=Shown.UP if card.is_known else Shown.DOWN,
        boxed=boxed,
        landed="off_table" if zone == "off_table" else "seat",
    )
    if zone not in _DISCARD_ZONES:
        return (dealt,)
    origin = f"seat:{seat}"
    return (dealt, CardsMoved(at_ms=at_ms, by=by, cards=(card,), origin=origin, target=zone))


def _wants_stub_card(memory: Memory, end: Loose) -> bool:
    """Whether the card that appeared can be taken for one of the stub now."""
    if end.zone == "muck":
        return False
    if memory.shoe:
        return bool(memory.outs) and not (end.zone in _DISCARD_ZONES and memory.gone)
    lies_elsewhere = end.card.card.is_known and any(
        lying.up and lying.card is end.card.card
        for zone, cards in memory.zones.items()
        if zone != end.zone
        for lying in cards
    )
    return end.zone not in _DISCARD_ZONES and not memory.gone and not lies_elsewhere


def _take_gone(memory: Memory, end: Loose, *, sure: bool) -> tuple[tuple[Loose, ...], Memory]:
    """The vanished cards that this one is: by its face when ``sure``, else the latest possible.

    A hand that is thrown in lands as one heap, so the rest of its cards that
    vanished go with the first one to the muck.
    """
    fits = [g for g in memory.gone if (_same_face if sure else _may_be)(g, end)]
    if not fits:
        return (), memory
    chosen = max(fits, key=lambda g: (g.zone == end.zone, g.at_ms))
    taken: tuple[Loose, ...] = (chosen,)
    if end.zone == "muck" and chosen.zone != end.zone:
        taken = tuple(g for g in memory.gone if g.zone == chosen.zone)
    left = tuple(g for g in memory.gone if not any(g is t for t in taken))
    return taken, replace(memory, gone=left)


def _same_face(gone: Loose, end: Loose) -> bool:
    return end.card.card.is_known and gone.card.card is end.card.card


def _may_be(gone: Loose, end: Loose) -> bool:
    return not (gone.card.card.is_known and end.card.card.is_known)


def _absorb(queue: list[Loose], end: Loose, count: int) -> list[Loose]:
    """Drop from the queue the cards of the same heap that were moved along already."""
    kept = []
    for other in queue:
        if count > 0 and other.zone == end.zone and other.at_ms == end.at_ms:
            count -= 1
        else:
            kept.append(other)
    return kept


def _deal(memory: Memory, situation: Situation, end: Loose, events: list[TableEvent]) -> Memory:
    out = memory.outs[0] if memory.outs else None
    boxed = out is not None and out.boxed
    found = stub_card(end, situation, boxed=boxed, by=Witness.CAMERA)
    if is_board(end.zone):
        board = [event for event in found if isinstance(event, BoardShown)]
        found = _board(memory, end, board[0], events)
        memory = replace(memory, board_at_ms=end.at_ms)
    events.extend(found)
    return replace(memory, outs=memory.outs[1:])


def _board(
    memory: Memory, end: Loose, shown: BoardShown, events: list[TableEvent]
) -> tuple[TableEvent, ...]:
    """One heap is one event whose order nobody saw; the shoe's count tells single cards apart."""
    last = events[-1] if events else None
    counted = memory.shoe and end.zone == "board" and len(memory.outs) >= end.together
    if end.together > 1 and not counted:
        if isinstance(last, BoardShown) and not last.order_known and last.at_ms == end.at_ms:
            events.pop()
            cards = last.cards + shown.cards
            boxed = last.boxed or shown.boxed
            return (replace_board(last, cards, boxed=boxed),)
        return (replace_board(shown, shown.cards, boxed=shown.boxed),)
    if not memory.shoe and memory.board_at_ms == end.at_ms:
        return (replace_board(shown, shown.cards, boxed=shown.boxed),)
    return (shown,)


def replace_board(event: BoardShown, cards: tuple[Card, ...], *, boxed: bool) -> BoardShown:
    """The same fact with these cards, of which nobody knows the order."""
    return BoardShown(at_ms=event.at_ms, by=event.by, cards=cards, order_known=False, boxed=boxed)


def _move(taken: tuple[Loose, ...], end: Loose, events: list[TableEvent]) -> None:
    """Say the move, together with one before it that goes the same way at the same time."""
    for loose in taken:
        if loose.zone == end.zone:
            continue
        card = end.card.card if end.card.card.is_known else loose.card.card
        last = events[-1] if events else None
        cards: tuple[Card, ...] = (card,)
        if isinstance(last, CardsMoved) and (last.origin, last.target, last.at_ms) == (
            loose.zone,
            end.zone,
            end.at_ms,
        ):
            events.pop()
            cards = last.cards + cards
        events.append(
            CardsMoved(
                at_ms=end.at_ms,
                by=Witness.CAMERA,
                cards=cards,
                origin=loose.zone,
                target=end.zone,
            )
        )


def _expire_outs(
    memory: Memory, situation: Situation, now_ms: int, events: list[TableEvent]
) -> Memory:
    """A card of the shoe that nobody saw land lies on the burn pile when a burn was due."""
    fresh = tuple(o for o in memory.outs if now_ms - o.at_ms < OUT_HOLD_MS)
    if len(fresh) < len(memory.outs) and situation.due == "burn" and memory.camera:
        old = memory.outs[0]
        events.append(CardBurned(at_ms=now_ms, by=Witness.MACHINE, boxed=old.boxed))
        memory = replace(memory, assumed=True)
    return replace(memory, outs=fresh[-LOOSE_LIMIT:])
