"""Which prompts an event brings: by its kind, and by the moment of the hand that it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.events import (
    BackSeen,
    BlindPosted,
    CardBurned,
    CardLookedAt,
    CardsGathered,
    ClockTicked,
    DeckChanged,
    DeckCut,
    DeckPrepared,
    DeckShuffled,
    DeviceReported,
    FirstDealerDrawn,
    HandStarted,
    MachineCounted,
    PlayerActed,
    PlayerLeft,
    PlayingBehind,
    PotPushed,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    Street,
    StubCounted,
    TableEvent,
)
from controller.rulebook import Rulebook
from controller.rules.procedure import next_steps
from controller.rules.prompting import betting, deal, decks, ends, roles
from controller.rules.prompting.asking import Told
from controller.rulings import PromptKind, StepKind, Verdict
from controller.table import TableState

Builder = Callable[[TableState, TableState, Any, Rulebook], Told]

_BY_EVENT: Final[dict[type, Builder]] = {
    FirstDealerDrawn: deal.first_dealer_drawn,
    ProfessionalDealer: deal.professional_dealer,
    SecuredShuffleOrdered: roles.secured_shuffle_ordered,
    HandStarted: deal.hand_started,
    DeckChanged: deal.deck_changed,
    DeckShuffled: deal.deck_shuffled,
    DeckCut: deal.deck_cut,
    BlindPosted: deal.blind_posted,
    PlayerLeft: deal.player_left,
    PlayerActed: betting.player_acted,
    PlayingBehind: betting.playing_behind,
    CardBurned: ends.card_burned,
    PotPushed: ends.pot_pushed,
    CardsGathered: decks.cards_gathered,
    DeckPrepared: decks.deck_prepared,
}

_ENDS: Final = frozenset({Verdict.MISDEAL, Verdict.FOULED_DECK})


def prompts(before: TableState, after: TableState, event: TableEvent, book: Rulebook) -> Told:
    """What the dealer, or the floor, is told because of an event.

    Args:
        before: The table before it.
        after: The table after it, its rulings in force.
        event: What happened.
        book: The rulebook, whose clauses each prompt carries.
    """
    build = _BY_EVENT.get(type(event))
    told = build(before, after, event, book) if build else ()
    moved = after.street is not before.street or after.betting_open is not before.betting_open
    if moved and not _is_cancelled(after):
        told = (*told, *_moment(before, after, book))
    if (moved or before.open or after.open) and _burn_became_next(before, after, book):
        told = (*told, *ends.burn_due(book))
    if after.now_ms != before.now_ms:
        told = (*told, *ends.time_passed(before, after, book))
    if after.misdeals is not before.misdeals:
        told = (*told, *ends.misdealt(before, after, book))
    return told


def _is_cancelled(state: TableState) -> bool:
    """Whether nobody plays on: no hand, or a ruling has ended it and its betting ceased."""
    if state.street in (Street.BETWEEN, Street.DEAL):
        return True
    return any(opened.ruling.verdict in _ENDS for opened in state.open)


def _moment(before: TableState, after: TableState, book: Rulebook) -> Told:
    """A betting round has closed, a street or the showdown begun."""
    told = betting.round_closed(before, after, book) if before.betting_open else ()
    if after.street is before.street:
        return told
    if after.street is not Street.SHOWDOWN:
        told = (*told, *betting.street_opened(after, book))
    if _is_all_dealt(after) and not _is_all_dealt(before):
        told = (*told, *ends.dealing_done(after, book))
    if after.street is Street.SHOWDOWN:
        told = (*told, *ends.showdown(after, book))
    return told


def _is_all_dealt(state: TableState) -> bool:
    """Whether no card of the hand is still to come: the last street lies there, or all folded."""
    last = state.rules_of_game.streets[-1]
    return state.street in (last, Street.SHOWDOWN)


def _burn_became_next(before: TableState, after: TableState, book: Rulebook) -> bool:
    return _is_burn_next(after, book) and not _is_burn_next(before, book)


def _is_burn_next(state: TableState, book: Rulebook) -> bool:
    if state.street is Street.SHOWDOWN and not state.open:
        return False
    steps = next_steps(state, book)
    return bool(steps) and steps[0].kind is StepKind.BURN


def shown(before: TableState, event: TableEvent, told: Told) -> Told:
    """What the page shows after an event: what was told, with what still stands from before.

    Something told passes with the next thing that happens at the table; what a
    sensor or the clock adds does not end it.
    """
    if not before.prompts:
        return told
    ended = type(event)
    if ended in _NOTHING_HAPPENED:
        return (*before.prompts, *told)
    return (
        *(p for p in before.prompts if ended not in _STANDS_UNTIL.get(p.kind, (ended,))),
        *told,
    )


_NOTHING_HAPPENED: Final = frozenset(
    {ClockTicked, DeviceReported, BackSeen, CardLookedAt, MachineCounted, DeckPrepared}
)

_STANDS_UNTIL: Final[dict[PromptKind, tuple[type, ...]]] = {
    PromptKind.COUNT_STUB: (StubCounted, PotPushed),
    PromptKind.OTHER_RULES_APPLY: (HandStarted,),
    PromptKind.REPEATED_MISDEALS: (HandStarted,),
    PromptKind.DECK_WORN: (HandStarted, DeckChanged),
    PromptKind.DECK_READY: (HandStarted, DeckChanged),
}
"""What stands until something of its own ends it; a count still due is asked for again."""
