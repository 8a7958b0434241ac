"""What several detectors ask of the table."""

from __future__ import annotations

from collections.abc import Iterator

from controller.cards import Card
from controller.events import Street
from controller.irregularities import Irregularity, Kind
from controller.rulings import Step, StepKind
from controller.table import TableState

Found = tuple[Irregularity, ...]


def is_card_asked_for(state: TableState, seat: int) -> bool:
    """Whether an open step gives this seat a card."""
    return any(s.kind is StepKind.DEAL_TO_SEAT and s.seat == seat for s in _open_steps(state))


def is_burn_asked_for(state: TableState) -> bool:
    """Whether an open step burns a card."""
    return any(step.kind is StepKind.BURN for step in _open_steps(state))


def _open_steps(state: TableState) -> Iterator[Step]:
    for opened in state.open:
        for step in opened.ruling.steps:
            if step.id not in opened.done:
                yield step


def unexpected(before: TableState, seat: int, what: str) -> Irregularity:
    """A card where none was due and no rule says more."""
    zone = f"seat:{seat}" if seat else "board"
    return Irregularity(
        kind=Kind.UNEXPECTED, street=before.street, seat=seat, zone=zone, detail=what
    )


def joker(
    before: TableState, *, seat: int = 0, index: int = 0, boxed: bool = False
) -> Irregularity:
    """A joker came out of the deck."""
    return Irregularity(
        kind=Kind.JOKER,
        street=before.street,
        seat=seat,
        cards=(Card.JOKER,),
        deal_index=index,
        zone=f"seat:{seat}" if seat else "board",
        detail="boxed" if boxed else "face_down",
    )


def boxed(
    before: TableState, after: TableState, card: Card, *, seat: int = 0, index: int = 0
) -> Irregularity:
    """A card lay face up in the deck."""
    if card is Card.JOKER:
        return joker(before, seat=seat, index=index, boxed=True)
    return Irregularity(
        kind=Kind.BOXED_CARD,
        street=before.street,
        seat=seat,
        cards=(card,),
        deal_index=index,
        nth=after.boxed,
        zone=f"seat:{seat}" if seat else "board",
    )


def duplicates(after: TableState, shown: tuple[Card, ...], street: Street) -> Found:
    """Cards just seen of which another one lies in sight already."""
    return tuple(
        Irregularity(kind=Kind.DUPLICATE_CARD, street=street, cards=(card,), count=2)
        for card in dict.fromkeys(shown)
        if card.is_known and card is not Card.JOKER and _in_sight(after, card) > 1
    )


def _in_sight(state: TableState, card: Card) -> int:
    piles = (state.board, state.burns, state.muck, state.aside, state.removed)
    held = sum(h.card is card for hand in state.hands.values() for h in hand)
    return sum(pile.count(card) for pile in piles) + held


def last_card(before: TableState, after: TableState) -> Found:
    """The last card of the deck left the stub (ck.last.1)."""
    if after.stub > 0 or before.stub <= 0:
        return ()
    return (Irregularity(kind=Kind.LAST_CARD, street=before.street, zone="stub"),)
