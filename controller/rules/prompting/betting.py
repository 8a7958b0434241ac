"""Betting rounds: as they open, while they go on, and as they close."""

from __future__ import annotations

from typing import Final

from controller.events import Action, PlayerActed, PlayingBehind, Street
from controller.rulebook import Rulebook
from controller.rules.award import pots_now
from controller.rules.prompting.asking import Told, asked
from controller.rulings import Money, Prompt, PromptKind
from controller.table import TableState
from controller.table.upcards import opener

_CHIPS_IN: Final = (Action.BET, Action.RAISE, Action.ALL_IN)


def player_acted(before: TableState, after: TableState, event: PlayerActed, book: Rulebook) -> Told:
    """What an act asks for: turns, announcements, cards to gather, the blind's option."""
    return (
        *_out_of_turn(before, event, book),
        *_announced(before, after, event, book),
        *_first_bet(before, after, book),
        *_folded(before, event, book),
        *_option(before, after, book),
    )


def _out_of_turn(before: TableState, event: PlayerActed, book: Rulebook) -> Told:
    """Players are prompted to act in turn (ck.duties.3)."""
    if not before.betting_open or not before.to_act or before.to_act[0] == event.seat:
        return ()
    return asked(book, Prompt(kind=PromptKind.TELL_TURN, seat=before.to_act[0]))


def _announced(before: TableState, after: TableState, event: PlayerActed, book: Rulebook) -> Told:
    """Raises and all-in bets are announced (ck.announce.c, ck.announce.e)."""
    if event.action not in _CHIPS_IN:
        return ()
    told: Told = ()
    if event.action is Action.ALL_IN:
        told = _of(PromptKind.TELL_ALL_IN, event, book)
    if event.action is Action.RAISE or after.bet > before.bet > 0:
        told = (*told, *_of(PromptKind.TELL_RAISE, event, book))
    return told


def _of(kind: PromptKind, event: PlayerActed | PlayingBehind, book: Rulebook) -> Told:
    return asked(book, Prompt(kind=kind, seat=event.seat, amount=event.amount))


def _first_bet(before: TableState, after: TableState, book: Rulebook) -> Told:
    """The first chips of a later round stay before their player (ck.scoop.1)."""
    if before.bet or not after.bet or _is_first(before):
        return ()
    return asked(book, Prompt(kind=PromptKind.BETS_STAY_IN_FRONT))


def _folded(before: TableState, event: PlayerActed, book: Rulebook) -> Told:
    """Folded cards are gathered (fr1.duties.2)."""
    if event.action is not Action.FOLD or not before.hands.get(event.seat):
        return ()
    return asked(book, Prompt(kind=PromptKind.GATHER_FOLDED, seat=event.seat))


def _option(before: TableState, after: TableState, book: Rulebook) -> Told:
    """A live blind that nobody raised is asked before the round ends (ck.blinds.1)."""
    if not _is_first(after) or not after.to_act or before.to_act == after.to_act:
        return ()
    seat = after.to_act[0]
    is_blind = seat == after.big_blind or seat in after.blinds
    owes = after.bet > after.street_bets.get(seat, 0)
    if not is_blind or owes or any(act.seat == seat for act in after.acts):
        return ()
    return asked(book, Prompt(kind=PromptKind.ASK_OPTION, seat=seat))


def playing_behind(
    before: TableState, after: TableState, event: PlayingBehind, book: Rulebook
) -> Told:
    """It is announced when a player plays behind (ck.announce.a)."""
    return _of(PromptKind.TELL_PLAYING_BEHIND, event, book)


def street_opened(after: TableState, book: Rulebook) -> Told:
    """A street begins: how many are in, and where things lie (ck.duties.4, ck.announce.f)."""
    count = len(after.live)
    left = Prompt(kind=PromptKind.TELL_PLAYERS_LEFT, count=count, street=after.street.value)
    return (
        *asked(book, left),
        *(_all_dealt_in(after, book) if _is_first(after) else _high_hand(after, book)),
        *(asked(book, _PLACE_FLOP) if after.street is Street.FLOP else ()),
    )


_PLACE_FLOP: Final = Prompt(kind=PromptKind.PLACE_FLOP)
"""The flop lies in the centre, the pot beside it (ck.layout.1)."""


def _is_first(state: TableState) -> bool:
    return state.street is state.rules_of_game.first_street


def _all_dealt_in(after: TableState, book: Rulebook) -> Told:
    """The cards are dealt: hands are protected, blinds stay, or are gathered (fr1.pot.1).

    Where chips are not entered nobody sees the turn come to the blind: its option is named now.
    """
    blinds = Prompt(kind=PromptKind.GATHER_BLINDS, amount=sum(after.paid.values()))
    has_blinds = after.small_blind or after.big_blind or after.blinds
    option = Prompt(kind=PromptKind.ASK_OPTION, seat=after.big_blind)
    return (
        *asked(book, Prompt(kind=PromptKind.PROTECT_HANDS)),
        *asked(book, Prompt(kind=PromptKind.BETS_STAY_IN_FRONT)),
        *(asked(book, blinds) if has_blinds else ()),
        *(asked(book, option) if after.big_blind and not after.blinds else ()),
    )


def _high_hand(after: TableState, book: Rulebook) -> Told:
    """In stud the hand that opens the betting is announced (ck.announce.g)."""
    if after.rules_of_game.has_button:
        return ()
    seat = opener(after, after.street)
    return asked(book, Prompt(kind=PromptKind.TELL_HIGH_HAND, seat=seat)) if seat else ()


def round_closed(before: TableState, after: TableState, book: Rulebook) -> Told:
    """The bets are verified and scooped, each pot to its place (ck.scoop.5, ck.duties.5)."""
    bets = after.street_bets if after.street in (before.street, Street.SHOWDOWN) else {}
    money = tuple(Money(s, amount) for s, amount in sorted(bets.items()) if amount)
    last_down = _last_down_card(after, book)
    if before.street_actions and not before.bet and not money:
        return last_down  # everybody checked
    scoop = Prompt(kind=PromptKind.VERIFY_AND_SCOOP, money=money)
    return (*asked(book, scoop), *(_side_pots(after, book) if money else ()), *last_down)


def _side_pots(after: TableState, book: Rulebook) -> Told:
    """Each side pot by itself, near the players who can win it (fr1.pot.2, ck.layout.2)."""
    if not after.all_in or len(after.live) < 2:
        return ()
    side = pots_now(after)[1:]
    kind = PromptKind.SIDE_POT_APART
    return tuple(
        told
        for n, pot in enumerate(side, start=1)
        for told in asked(book, Prompt(kind=kind, count=n, amount=pot.chips, seats=pot.seats))
    )


def _last_down_card(after: TableState, book: Rulebook) -> Told:
    """In stud, before the last down card: it is dealt apart from the others (ck.pitch.3)."""
    game = after.rules_of_game
    coming = game.round_of(game.next_street(after.street))
    if not coming.each or coming.is_up:
        return ()
    return asked(book, Prompt(kind=PromptKind.LAST_DOWN_CARD_APART))
