"""Which detector looks at which event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.events import (
    BackSeen,
    BoardShown,
    ButtonSeen,
    CardBurned,
    CardDealt,
    CardExposed,
    CardLookedAt,
    CardMarred,
    CardsGathered,
    ChangeTaken,
    DealCompleted,
    DeckCut,
    DeckRequested,
    DeckShuffled,
    DoubtReported,
    FouledDeckKnown,
    HandCounted,
    HandEndangered,
    HandShown,
    HandStarted,
    JokerReported,
    MisdealClaimed,
    Objected,
    PlayerActed,
    PotSplashed,
    Street,
    StubCounted,
    StubDropped,
    StubReshuffled,
    TableEvent,
)
from controller.rules.detecting import board, deal, deck, players
from controller.rules.detecting.facts import Found
from controller.table import TableState


def detect(before: TableState, after: TableState, event: TableEvent) -> Found:
    """What is wrong about an event.

    Facts on which rulebooks differ (a cut of a measured size, a request) are
    reported too; a rulebook that finds nothing wrong in them gives no ruling.

    Args:
        before: The table before it.
        after: The table after it, steps that it fulfilled ticked.
        event: What happened.
    """
    look = _LOOKS.get(type(event))
    found = look(before, after, event) if look else ()
    if before.street is Street.DEAL:
        found = (*found, *deal.deal_over(before, after))
    if after.betting_open or after.rules_of_game.is_community:
        return found
    return (*found, *deal.round_began(before, after))


_LOOKS: Final[dict[type, Callable[[TableState, TableState, Any], Found]]] = {
    HandStarted: deal.hand_started,
    CardDealt: deal.card_dealt,
    CardExposed: deal.card_exposed,
    CardLookedAt: deal.card_looked_at,
    JokerReported: deal.joker_reported,
    HandCounted: deal.hand_counted,
    DealCompleted: deal.deal_completed,
    CardBurned: board.card_burned,
    BoardShown: board.board_shown,
    HandShown: deck.hand_shown,
    BackSeen: deck.back_seen,
    DeckShuffled: deck.deck_shuffled,
    DeckCut: deck.deck_cut,
    StubCounted: deck.stub_counted,
    StubReshuffled: deck.stub_reshuffled,
    StubDropped: deck.stub_dropped,
    CardsGathered: deck.cards_gathered,
    CardMarred: deck.card_marred,
    DeckRequested: deck.deck_requested,
    FouledDeckKnown: deck.fouled_deck_known,
    PlayerActed: players.player_acted,
    HandEndangered: players.hand_endangered,
    ButtonSeen: players.button_seen,
    PotSplashed: players.pot_splashed,
    ChangeTaken: players.change_taken,
    Objected: players.objected,
    MisdealClaimed: players.misdeal_claimed,
    DoubtReported: players.doubt_reported,
}
