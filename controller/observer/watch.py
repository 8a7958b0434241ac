"""One input at a time: what does it tell about the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from controller.cards import Card
from controller.events import (
    BackSeen,
    CardExposed,
    CardsMoved,
    DeckShuffled,
    HandShown,
    MachineCounted,
    Street,
    StubReshuffled,
    TableEvent,
    Witness,
)
from controller.observer.changes import Turn, compare
from controller.observer.joining import join, returned, stub_card
from controller.observer.values import (
    CardLeftShoe,
    CardsEnteredShoe,
    Input,
    Loose,
    LyingCard,
    MachineShuffled,
    Memory,
    Situation,
    TableCleared,
    TimePassed,
    ZoneContent,
    is_board,
    seat_of,
)

UNREAD_HOLD_MS: Final = 700
"""How long a zone with a face-up card that is not read yet waits for a better look."""
_UNWATCHED: Final = frozenset({"shoe", "pot"})

Seen = tuple[Memory, tuple[TableEvent, ...]]


def observe(memory: Memory, situation: Situation, told: Input) -> Seen:
    """Join one input with what is remembered.

    Args:
        memory: What the last call returned, ``Memory(shoe=..., camera=...)`` at first.
        situation: How the hand stands before this input.
        told: The input; an input that repeats what is known changes nothing.

    Returns:
        The new memory and the events found, in the order they happened.
    """
    match told:
        case ZoneContent():
            return _on_zone(memory, situation, told)
        case CardLeftShoe():
            return _on_out(memory, situation, told)
        case CardsEnteredShoe():
            return _on_entered(memory, situation, told)
        case MachineShuffled():
            return _on_shuffled(memory, situation, told)
        case TableCleared():
            return _clear(memory), ()
        case TimePassed(at_ms=now_ms):
            return _on_time(memory, situation, now_ms)


def _clear(memory: Memory) -> Memory:
    stale = frozenset(zone for zone, cards in memory.zones.items() if cards)
    return Memory(
        shoe=memory.shoe,
        camera=memory.camera,
        zones=memory.zones,
        stale=stale,
        in_shoe=memory.in_shoe,
    )


def _on_time(memory: Memory, situation: Situation, now_ms: int) -> Seen:
    found: list[TableEvent] = []
    for content in memory.unread:
        if now_ms - content.at_ms >= UNREAD_HOLD_MS:
            memory = _forget_unread(memory, content.zone)
            memory, events = _take_in(memory, situation, content)
            found.extend(events)
    memory, events = join(memory, situation, now_ms)
    return memory, (*found, *events)


def _on_out(memory: Memory, situation: Situation, out: CardLeftShoe) -> Seen:
    in_shoe = memory.in_shoe - 1 if memory.in_shoe > 0 else memory.in_shoe
    is_gap = memory.given >= 0 and out.number > memory.number + 1
    memory = _given(replace(memory, in_shoe=in_shoe), out)
    if not memory.camera:
        dealt = _unwatched(situation, out)
        ledger = counted(memory, out.at_ms) if is_gap else None  # nobody saw the cards between
        return memory, (*dealt, ledger) if ledger else dealt
    return join(replace(memory, outs=(*memory.outs, out)), situation, out.at_ms)


def _given(memory: Memory, out: CardLeftShoe) -> Memory:
    """Count by the shoe's own numbers, so that a fact that was lost is counted too."""
    more = out.number - memory.number if out.number > memory.number else 1
    given = memory.given + more if memory.given >= 0 else -1
    return replace(memory, given=given, number=out.number)


def counted(memory: Memory, at_ms: int) -> MachineCounted | None:
    """The machine's side of the ledger now; None when it is not known."""
    if memory.given < 0:
        return None
    return MachineCounted(at_ms=at_ms, by=Witness.MACHINE, given=memory.given)


def _unwatched(situation: Situation, out: CardLeftShoe) -> tuple[TableEvent, ...]:
    """With no camera a card of the shoe goes where it is due."""
    if not situation.due:
        return ()
    card = Loose(LyingCard(Card.UNKNOWN, up=False), situation.due, out.at_ms)
    return stub_card(card, situation, boxed=out.boxed, by=Witness.MACHINE)


def _on_entered(memory: Memory, situation: Situation, told: CardsEnteredShoe) -> Seen:
    known = memory.in_shoe >= 0
    wanted = max(0, told.count - memory.in_shoe) if known else len(memory.gone)
    memory = replace(memory, in_shoe=told.count)
    if not situation.cards_out:
        return memory, ()
    if memory.given >= 0:
        memory = replace(memory, given=memory.given - wanted if known else -1)
    memory, events = returned(memory, wanted, told.at_ms)
    moved = sum(len(event.cards) for event in events if isinstance(event, CardsMoved))
    return replace(memory, entering=max(0, wanted - moved)), events


def _on_shuffled(memory: Memory, situation: Situation, told: MachineShuffled) -> Seen:
    entered = memory.in_shoe
    memory = replace(memory, in_shoe=told.count, outs=(), number=0)
    machine = Witness.MACHINE
    if situation.cards_out:
        return memory, (StubReshuffled(at_ms=told.at_ms, by=machine, count=told.count),)
    done = DeckShuffled(at_ms=told.at_ms, by=machine, count=told.count, boxed=told.boxed)
    memory = replace(memory, given=0)
    if entered in (-1, told.count):
        return memory, (done,)
    # Two counters of one machine disagree: what went in, and what was shuffled.
    return memory, (
        MachineCounted(at_ms=told.at_ms, by=machine, given=0, inside=entered),
        done,
    )


def _on_zone(memory: Memory, situation: Situation, content: ZoneContent) -> Seen:
    if content.zone in _UNWATCHED:
        return memory, ()
    memory = _forget_unread(memory, content.zone)
    if any(lying.up and not lying.card.is_known for lying in content.cards):
        return replace(memory, unread=(*memory.unread, content)), ()
    return _take_in(memory, situation, content)


def _forget_unread(memory: Memory, zone: str) -> Memory:
    return replace(memory, unread=tuple(c for c in memory.unread if c.zone != zone))


def _take_in(memory: Memory, situation: Situation, content: ZoneContent) -> Seen:
    zone, now_ms = content.zone, content.at_ms
    cards = content.cards
    if is_board(zone):
        cards = tuple(lying for lying in cards if lying.up)
    old = memory.zones.get(zone, ())
    change = compare(old, cards)
    memory = replace(memory, zones={**memory.zones, zone: cards})
    events = list(_turned(zone, old, cards, change.turned, situation, now_ms))
    if zone in memory.stale:
        if not cards:
            memory = replace(memory, stale=memory.stale - {zone})
    else:
        memory = replace(memory, gone=(*memory.gone, *_loose(change.vanished, zone, now_ms)))
    memory, sent = _into_shoe(memory, now_ms)
    memory = replace(memory, come=(*memory.come, *_loose(change.appeared, zone, now_ms)))
    memory, joined = join(memory, situation, now_ms)
    memory, backs = _backs(memory, situation, zone, cards, now_ms)
    return memory, (*events, *sent, *joined, *backs)


def _into_shoe(memory: Memory, now_ms: int) -> Seen:
    """Cards that the shoe counted in before the camera missed them."""
    if not memory.entering:
        return memory, ()
    before = len(memory.gone)
    memory, events = returned(memory, memory.entering, now_ms)
    return replace(memory, entering=memory.entering - before + len(memory.gone)), events


def _loose(cards: Sequence[LyingCard], zone: str, at_ms: int) -> tuple[Loose, ...]:
    return tuple(Loose(card, zone, at_ms, together=len(cards)) for card in cards)


def _turned(
    zone: str,
    old: Sequence[LyingCard],
    cards: Sequence[LyingCard],
    turned: Sequence[Turn],
    situation: Situation,
    at_ms: int,
) -> tuple[TableEvent, ...]:
    """Cards of a seat that turned face up: a showdown, or exposed."""
    seat = seat_of(zone)
    if not seat or not turned:
        return ()
    camera = Witness.CAMERA
    if situation.street is Street.SHOWDOWN:
        up = tuple(lying.card for lying in cards if lying.up)
        return (HandShown(at_ms=at_ms, by=camera, seat=seat, cards=up),)
    nth = 1 if len(old) == 1 else 0
    return tuple(
        CardExposed(at_ms=at_ms, by=camera, seat=seat, card=_face(turn), nth=nth) for turn in turned
    )


def _face(turn: Turn) -> Card:
    return turn.card.card


def _backs(
    memory: Memory, situation: Situation, zone: str, cards: Sequence[LyingCard], at_ms: int
) -> Seen:
    """Say once that a card in this zone has a back that is not the deck's."""
    if not situation.deck_back:
        return memory, ()
    strange = {(zone, c.back) for c in cards if c.back and c.back != situation.deck_back}
    new = sorted(strange - memory.backs_said)
    events = tuple(
        BackSeen(at_ms=at_ms, by=Witness.CAMERA, zone=place, back=back) for place, back in new
    )
    return replace(memory, backs_said=memory.backs_said | strange), events
