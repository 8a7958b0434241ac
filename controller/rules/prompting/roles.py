"""Who deals, shuffles and cuts when the players deal, and which deck is in play.

A machine that shuffles makes the shuffler's role void (fr1.roles.1).
"""

from __future__ import annotations

from controller.events import SecuredShuffleOrdered, Street
from controller.rulebook import Answer, Rulebook
from controller.rules.player_dealt import (
    TWO_DECKS,
    dealing_seat,
    is_secured,
    live_deck,
    roles_now,
)
from controller.rules.prompting.asking import Told, asked
from controller.rulings import Prompt, PromptKind
from controller.table import TableState


def who_deals(state: TableState, book: Rulebook) -> Told:
    """The player whose turn it is to deal (fr1.rotate.1, fr2.2-1.1, ck.player-dealt.2)."""
    seat = dealing_seat(state, book)
    if not seat:
        return ()
    return asked(book, Prompt(kind=PromptKind.SAY_WHO_DEALS, seat=seat), book["deal.by"])


def who_shuffles(state: TableState, book: Rulebook) -> Told:
    """The player who shuffles, and which deck.

    Where the deck in play was shuffled two players further (ck.player-dealt.6),
    the player right of the dealer shuffles the other one meanwhile
    (ck.player-dealt.5); only the first hand finds its deck unshuffled.
    """
    seats, now = roles_now(state, book), live_deck(state, book)
    if seats is None or state.machine_shuffles:
        return ()
    kind, answers = PromptKind.SAY_WHO_SHUFFLES, _answers(state, book, "shuffle.by")
    first = asked(book, Prompt(kind=kind, seat=seats.shuffler, count=now), *answers)
    alternate = book["shuffle.by"].value == "two_right_of_dealer" and now
    if not alternate or is_secured(state, book):
        return first
    other = Prompt(kind=kind, seat=seats.next_shuffler, count=TWO_DECKS + 1 - now)
    return (*(first if state.hand <= 1 else ()), *asked(book, other, *answers))


def who_cuts(state: TableState, book: Rulebook) -> Told:
    """The player who cuts (fr1.roles.2, fr2.2-3.2, ck.player-dealt.4)."""
    seats = roles_now(state, book)
    if seats is None:
        return ()
    prompt = Prompt(kind=PromptKind.SAY_WHO_CUTS, seat=seats.cutter)
    return asked(book, prompt, *_answers(state, book, "cut.by"))


def _answers(state: TableState, book: Rulebook, name: str) -> tuple[Answer, ...]:
    """What a role rests on; in the secured shuffle the floor's order comes with it."""
    secured = (book["shuffle.secured"],) if is_secured(state, book) else ()
    return (book[name], *secured)


def which_deck(state: TableState, book: Rulebook) -> Told:
    """Which of two decks is in play (ck.player-dealt.3, fr1.shuffle.5)."""
    deck = live_deck(state, book)
    if not deck:
        return ()
    return asked(book, Prompt(kind=PromptKind.SAY_LIVE_DECK, count=deck), book["deck.two_decks"])


def cut_card(state: TableState, book: Rulebook, place: str) -> Told:
    """The cut card, where the house puts it there; always in the secured shuffle (fr2.2-3.5)."""
    secured = place == "cut_onto" and is_secured(state, book)
    if book["cut.card"].value != place and not secured:
        return ()
    prompt = Prompt(kind=PromptKind.CUT_CARD, detail=place)
    return asked(book, prompt, *_answers(state, book, "cut.card"))


def secured_shuffle_ordered(
    before: TableState, after: TableState, event: SecuredShuffleOrdered, book: Rulebook
) -> Told:
    """The floor changes who shuffles before the deck of this hand is shuffled (fr2.2-3.5)."""
    if after.street is not Street.DEAL or after.is_shuffled:
        return ()
    return who_shuffles(after, book)
