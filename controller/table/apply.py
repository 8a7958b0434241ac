"""How each event moves cards, chips and the hand along. Total: no event is refused here.

Whether what happened was right is not asked in this package; that is the
engine's second question (``controller.rules.detecting``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.events import (
    BettingClosed,
    BlindPosted,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsGathered,
    CardsMoved,
    DealCompleted,
    DeckChanged,
    DeckCut,
    DeckShuffled,
    HandCounted,
    HandShown,
    HandStarted,
    PlayerActed,
    PlayerDrew,
    PlayerLeft,
    PlayerOut,
    PlayerSeated,
    PotPushed,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    StubCounted,
    StubReshuffled,
    TableEvent,
)
from controller.table import dealing, hands, moving, rounds
from controller.table.state import TableState


def apply(state: TableState, event: TableEvent) -> TableState:
    """The state after an event; events that move nothing leave it as it is."""
    if event.at_ms > state.now_ms:
        state = replace(state, now_ms=event.at_ms)
    change = _CHANGES.get(type(event))
    return change(state, event) if change else state


_CHANGES: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    HandStarted: hands.hand_started,
    DeckShuffled: hands.deck_shuffled,
    DeckCut: hands.deck_cut,
    BlindPosted: rounds.blind_posted,
    CardDealt: dealing.card_dealt,
    CardExposed: moving.card_exposed,
    CardBurned: dealing.card_burned,
    BoardShown: dealing.board_shown,
    CardsMoved: moving.cards_moved,
    StubReshuffled: moving.stub_reshuffled,
    PlayerActed: rounds.player_acted,
    BettingClosed: rounds.betting_closed,
    HandShown: moving.hand_shown,
    PotPushed: rounds.pot_pushed,
    CardsGathered: hands.cards_gathered,
    DealCompleted: dealing.deal_completed,
    HandCounted: dealing.hand_counted,
    PlayerLeft: hands.player_left,
    PlayerSeated: hands.player_seated,
    PlayerOut: hands.player_out,
    StubCounted: hands.stub_counted,
    DeckChanged: hands.deck_changed,
    ProfessionalDealer: hands.professional_dealer,
    SecuredShuffleOrdered: hands.secured_shuffle_ordered,
    PlayerDrew: dealing.player_drew,
}
