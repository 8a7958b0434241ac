"""The deck: counts, backs, shuffle and cut, damage and requests."""

from __future__ import annotations

from controller.cards import Card
from controller.events import (
    BackSeen,
    CardMarred,
    CardsGathered,
    DeckCut,
    DeckRequested,
    DeckShuffled,
    FouledDeckKnown,
    HandShown,
    StubCounted,
    StubDropped,
    StubReshuffled,
)
from controller.irregularities import Irregularity, Kind
from controller.rules.detecting import facts
from controller.rules.detecting.facts import Found
from controller.table import TableState


def hand_shown(before: TableState, after: TableState, event: HandShown) -> Found:
    """A joker or a double among the cards shown."""
    jokers = (facts.joker(before, seat=event.seat),)
    found = jokers if Card.JOKER in event.cards else ()
    return (*found, *facts.duplicates(after, event.cards, before.street))


def back_seen(before: TableState, after: TableState, event: BackSeen) -> Found:
    """A back that is not this deck's."""
    if not before.deck_back or event.back == before.deck_back:
        return ()
    return (
        Irregularity(
            kind=Kind.WRONG_BACK, street=before.street, zone=event.zone, detail=event.back
        ),
    )


def _counted(before: TableState, count: int, expected: int) -> Found:
    if count < 0 or count == expected:
        return ()
    kind = Kind.COUNT_SHORT if count < expected else Kind.COUNT_LONG
    return (Irregularity(kind=kind, street=before.street, count=count, zone="stub"),)


def deck_shuffled(before: TableState, after: TableState, event: DeckShuffled) -> Found:
    """The count of the deck, and the order of a shuffle by hand."""
    found = _counted(before, event.count, before.deck_count)
    if not event.sequence:
        return found
    done = Irregularity(kind=Kind.SHUFFLE_SEQUENCE, street=before.street, detail=event.sequence)
    return (*found, done)


def deck_cut(before: TableState, after: TableState, event: DeckCut) -> Found:
    """A cut that was refused, or whose thinner pile was measured."""
    if event.refused:
        return (
            Irregularity(
                kind=Kind.BAD_CUT, street=before.street, seat=event.seat, detail="refused"
            ),
        )
    if event.smaller_pile < 0:
        return ()
    return (
        Irregularity(
            kind=Kind.BAD_CUT, street=before.street, seat=event.seat, count=event.smaller_pile
        ),
    )


def stub_counted(before: TableState, after: TableState, event: StubCounted) -> Found:
    """The stub does not have the cards that are not out."""
    return _counted(before, event.count, before.stub)


def stub_reshuffled(before: TableState, after: TableState, event: StubReshuffled) -> Found:
    """The machine counted other than what went in."""
    return _counted(before, event.count, before.stub)


def cards_gathered(before: TableState, after: TableState, event: CardsGathered) -> Found:
    """Not all cards came back."""
    return _counted(before, event.count, before.deck_count)


def stub_dropped(before: TableState, after: TableState, event: StubDropped) -> Found:
    """The stub fell."""
    known = event.top_known and not event.questioned and not event.doubtful
    return (
        Irregularity(
            kind=Kind.STUB_DROPPED,
            street=before.street,
            count=event.doubtful,
            order_known=known,
            zone="stub",
        ),
    )


def card_marred(before: TableState, after: TableState, event: CardMarred) -> Found:
    """A bent, torn or marked card."""
    return (Irregularity(kind=Kind.MARRED_CARD, street=before.street, cards=(event.card,)),)


def deck_requested(before: TableState, after: TableState, event: DeckRequested) -> Found:
    """Somebody wants another deck; the facts on which the house decides."""
    minutes = (event.at_ms - before.set_up_ms) // 60_000
    return (
        Irregularity(
            kind=Kind.DECK_REQUESTED,
            street=before.street,
            seat=event.seat,
            nth=before.hands_on_deck // max(1, len(before.seats)),
            count=minutes,
            detail=event.what,
        ),
    )


def fouled_deck_known(before: TableState, after: TableState, event: FouledDeckKnown) -> Found:
    """One player alone knew that the deck was fouled and tried to win the pot."""
    return (Irregularity(kind=Kind.KNEW_OF_FOULED_DECK, street=before.street, seat=event.seat),)
