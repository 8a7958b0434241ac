"""The deck between two hands: worn out, and the other one that lies ready."""

from __future__ import annotations

from typing import Final

from controller.alarms import DeckLife
from controller.events import CardsGathered, DeckPrepared
from controller.rulebook import Rulebook
from controller.rules.prompting import ends
from controller.rules.prompting.asking import Told
from controller.rulings import Prompt, PromptKind
from controller.table import TableState

LIMITS: Final = {
    "hands": "deck.most_hands",
    "shuffles": "deck.most_shuffles",
    "days": "deck.most_days",
    "jams": "deck.most_jams",
}
"""What of a deck is counted, and the question that limits it."""


def cards_gathered(
    before: TableState, after: TableState, event: CardsGathered, book: Rulebook
) -> Told:
    """The hand is over: the deck may have to go."""
    told = ends.cards_gathered(before, after, event, book)
    return (*told, *_worn(after, book)) if after.is_over else told


def _worn(state: TableState, book: Rulebook) -> Told:
    """The change of a deck at the first of the house's limits that it has reached."""
    life = state.watch.decks.get(state.deck_back, DeckLife())
    for name, question in LIMITS.items():
        answer, count = book[question], getattr(life, name)
        if 0 < answer.number <= count:
            kind, clauses = PromptKind.DECK_WORN, answer.clauses
            return (Prompt(kind=kind, count=count, detail=name, clauses=clauses),)
    return ()


def deck_prepared(
    before: TableState, after: TableState, event: DeckPrepared, book: Rulebook
) -> Told:
    """The other deck lies ready while this one is in play."""
    if event.back not in after.watch.ready:
        return ()
    clauses = book["deck.two_decks"].clauses
    return (Prompt(kind=PromptKind.DECK_READY, detail=event.back, clauses=clauses),)
