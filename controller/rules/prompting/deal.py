"""From the draw for the first dealer to the last card of the deal."""

from __future__ import annotations

from typing import Final

from controller.events import (
    BlindPosted,
    DeckChanged,
    DeckCut,
    DeckShuffled,
    FirstDealerDrawn,
    HandStarted,
    PlayerLeft,
    ProfessionalDealer,
    Street,
)
from controller.rulebook import Rulebook
from controller.rules.player_dealt import first_dealer
from controller.rules.prompting import roles
from controller.rules.prompting.asking import Told, asked, cited, is_asked
from controller.rulings import Prompt, PromptKind
from controller.table import TableState


def first_dealer_drawn(
    before: TableState, after: TableState, event: FirstDealerDrawn, book: Rulebook
) -> Told:
    """Who deals first, or who draws again (fr1.first-dealer.1 to .3, fr2.2-2)."""
    found, kind = first_dealer(event, book), PromptKind.TELL_FIRST_DEALER
    by_tie = (book["first_dealer.tie"],) if found.tied else ()
    clauses = cited((book["first_dealer.by"], *by_tie))
    if found.call_floor:
        return (Prompt(kind=kind, seats=found.tied, detail="tie", clauses=clauses, for_floor=True),)
    if found.draw_again:
        return (Prompt(kind=kind, seats=found.draw_again, detail="again", clauses=clauses),)
    return (Prompt(kind=kind, seat=found.seat, clauses=clauses),) if found.seat else ()


def hand_started(before: TableState, after: TableState, event: HandStarted, book: Rulebook) -> Told:
    """Before the shuffle: who deals and shuffles which deck, and whose chips to watch."""
    return (
        *_wash_first(before, book),
        *roles.who_deals(after, book),
        *roles.which_deck(after, book),
        *roles.who_shuffles(after, book),
        *(told for seat in after.absent for told in _watch_chips(seat, book)),
    )


def _wash_first(before: TableState, book: Rulebook) -> Told:
    """The wash, unless the scramble that ended the hand before was it (ck.start.1)."""
    if before.is_over and is_asked(book, PromptKind.SCRAMBLE):
        return ()
    return asked(book, Prompt(kind=PromptKind.WASH))


def deck_changed(before: TableState, after: TableState, event: DeckChanged, book: Rulebook) -> Told:
    """The other deck is washed before it is shuffled (ck.shuffle.1); a new one by its ruling."""
    return () if event.is_new else asked(book, Prompt(kind=PromptKind.WASH))


def player_left(before: TableState, after: TableState, event: PlayerLeft, book: Rulebook) -> Told:
    """The dealer watches the chips of a player who is away (ck.chips.1)."""
    return _watch_chips(event.seat, book)


def _watch_chips(seat: int, book: Rulebook) -> Told:
    return asked(book, Prompt(kind=PromptKind.WATCH_ABSENT_CHIPS, seat=seat))


def deck_shuffled(
    before: TableState, after: TableState, event: DeckShuffled, book: Rulebook
) -> Told:
    """Who cuts, and onto what (ck.cut.1, fr2.2-3.5)."""
    if after.street is not Street.DEAL:
        return ()
    return (*roles.who_cuts(after, book), *roles.cut_card(after, book, "cut_onto"))


def deck_cut(before: TableState, after: TableState, event: DeckCut, book: Rulebook) -> Told:
    """Between the cut and the first card (fr1.cut.1, ck.scoop.3); a shoe hides the bottom card."""
    if event.refused or after.street is not Street.DEAL:
        return ()
    return (
        *(() if after.machine_shuffles else roles.cut_card(after, book, "under_the_deck")),
        *(told for seat, dead in after.dead.items() for told in _to_centre(seat, dead, book)),
    )


def _to_centre(seat: int, amount: int, book: Rulebook) -> Told:
    kind = PromptKind.DEAD_BLIND_TO_CENTRE
    return asked(book, Prompt(kind=kind, seat=seat, amount=amount))


def blind_posted(before: TableState, after: TableState, event: BlindPosted, book: Rulebook) -> Told:
    """A blind made up is announced, its dead part moved once the deck is cut (ck.announce.d)."""
    announced = _ANNOUNCED.get(event.kind)
    told: Told = ()
    if announced is not None:
        told = asked(book, Prompt(kind=announced, seat=event.seat, amount=event.amount))
    if event.dead and after.is_cut and not after.dealt:
        told = (*told, *_to_centre(event.seat, event.dead, book))
    return told


_ANNOUNCED: Final = {
    "make_up": PromptKind.TELL_MAKE_UP_BLIND,
    "bring_in": PromptKind.TELL_BRING_IN,
}
"""Forced bets that are announced (ck.announce.d, ck.announce.g)."""


def professional_dealer(
    before: TableState, after: TableState, event: ProfessionalDealer, book: Rulebook
) -> Told:
    """With a professional dealer another rule set applies: the floor is told (fr2.2-1.3)."""
    answer = book["floor.professional_dealer"]
    if answer.value != "other_rules_apply":
        return ()
    kind = PromptKind.OTHER_RULES_APPLY
    return (Prompt(kind=kind, clauses=answer.clauses, for_floor=True),)
