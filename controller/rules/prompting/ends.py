"""Burns, and everything from the last card dealt to the scramble."""

from __future__ import annotations

from typing import Final

from controller.events import CardBurned, CardsGathered, PotPushed
from controller.rulebook import Rulebook
from controller.rules.prompting.asking import Told, asked
from controller.rulings import Prompt, PromptKind
from controller.table import TableState

_MINUTE_MS: Final = 60_000


def burn_due(book: Rulebook) -> Told:
    """The table is tapped before a burn, so that players can stop it (ck.burn.2)."""
    return asked(book, Prompt(kind=PromptKind.TAP_TABLE))


def card_burned(before: TableState, after: TableState, event: CardBurned, book: Rulebook) -> Told:
    """A burn goes under the earlier ones, under the edge of the pot (ck.burn.3 to .5)."""
    if event.boxed:
        return ()
    return asked(book, Prompt(kind=PromptKind.PLACE_BURN, count=len(after.burns)))


def dealing_done(after: TableState, book: Rulebook) -> Told:
    """No card of the hand is still to be dealt: the stub is dropped spread (ck.end.1).

    What is left in a machine's shoe cannot be dropped.
    """
    if after.machine_shuffles:
        return ()
    return asked(book, Prompt(kind=PromptKind.SPREAD_STUB))


def showdown(after: TableState, book: Rulebook) -> Told:
    """Several players show: should their hands be equal, they share the pot (fr1.pot.3).

    Who gets how much is in the step that awards the pot, once the cards can tell.
    """
    if len(after.live) < 2:
        return ()
    return asked(book, Prompt(kind=PromptKind.SPLIT_POT, seats=after.live))


def pot_pushed(before: TableState, after: TableState, event: PotPushed, book: Rulebook) -> Told:
    """The pot first, then the button; the hand is over; the discards come back (ck.end.2 to .7)."""
    hands = sum(bool(hand) for hand in after.hands.values())
    verify = Prompt(kind=PromptKind.VERIFY_DISCARDS, count=_cards_of_hands(after))
    return (
        *asked(book, Prompt(kind=PromptKind.MOVE_BUTTON)),
        *asked(book, Prompt(kind=PromptKind.CONFIRM_HAND_OVER)),
        *(asked(book, verify) if hands else ()),
        *(_scramble(book) if after.machine_shuffles else _discards(book)),
        *(stub_count_due(after, book) if _is_overdue(before, book) else ()),
    )


def _cards_of_hands(state: TableState) -> int:
    """Cards that the players hold or have discarded."""
    return len(state.muck) + sum(map(len, state.hands.values()))


def _discards(book: Rulebook) -> Told:
    """Discards go into the stub, its top retrievable (ck.end.3) or never (ck.end.4)."""
    answer = book["prompts.top_retrievable"]
    detail = "" if answer.value is True else "never"
    top = Prompt(kind=PromptKind.TOP_RETRIEVABLE, detail=detail, clauses=answer.clauses)
    return (*asked(book, Prompt(kind=PromptKind.DISCARDS_INTO_STUB)), top)


def _scramble(book: Rulebook) -> Told:
    """The scramble is the last act of the hand (ck.start.1)."""
    return asked(book, Prompt(kind=PromptKind.SCRAMBLE))


def cards_gathered(
    before: TableState, after: TableState, event: CardsGathered, book: Rulebook
) -> Told:
    """The cards are together: they are scrambled, unless a machine holds them by now."""
    return _scramble(book) if after.is_over and not after.machine_shuffles else ()


def time_passed(before: TableState, after: TableState, book: Rulebook) -> Told:
    """The stub is counted at least every so many minutes (ck.stub.1)."""
    if not _is_overdue(after, book) or _is_overdue(before, book):
        return ()
    return stub_count_due(after, book)


def stub_count_due(state: TableState, book: Rulebook) -> Told:
    """Asks for the count; the number of minutes is the house's."""
    answer = book["stub.count_minutes"]
    kind = PromptKind.COUNT_STUB
    return (Prompt(kind=kind, count=answer.number, clauses=answer.clauses),)


def _is_overdue(state: TableState, book: Rulebook) -> bool:
    minutes = book["stub.count_minutes"].number
    return bool(minutes) and state.now_ms >= state.stub_counted_ms + minutes * _MINUTE_MS


def misdealt(before: TableState, after: TableState, book: Rulebook) -> Told:
    """One dealer's misdeals are many: the floor is told (fr2.2-9)."""
    answer = book["misdeal.alert_after"]
    if not answer.number:
        return ()
    return tuple(
        Prompt(
            kind=PromptKind.REPEATED_MISDEALS,
            seat=seat,
            count=count,
            clauses=answer.clauses,
            for_floor=True,
        )
        for seat, count in after.misdeals.items()
        if count >= answer.number and count != before.misdeals.get(seat)
    )
