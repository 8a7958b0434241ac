"""The ends that a hand can come to, and what several decisions share."""

from __future__ import annotations

from collections.abc import Callable

from controller.cards import Card
from controller.events import Street
from controller.irregularities import Kind
from controller.rulebook import Answer
from controller.rules import draft, house
from controller.rules.draft import Draft
from controller.rules.window import is_window_open
from controller.rulings import Ruling, StepKind, Verdict
from controller.table import TableState

Decide = Callable[[Draft], Ruling | None]
"""A decision; None where the rulebook finds nothing wrong."""


def start_again(d: Draft, *, change_deck: bool) -> None:
    """Everything back, shuffled, cut and dealt anew (ck.misdeal.remedy, fr1.misdeal.remedy)."""
    wash = d.book["misdeal.wash"]
    if d.state.cards_out:
        d.rest_on(wash)
        if wash.value is True:
            d.add(draft.simple(StepKind.WASH))
        d.add(draft.simple(StepKind.GATHER_ALL))
    if change_deck:
        d.add(draft.simple(StepKind.CHECK_DECK))
        d.add(draft.simple(StepKind.CHANGE_DECK))
    d.add(draft.shuffle())
    d.add(draft.simple(StepKind.CUT))
    d.add(draft.simple(StepKind.REDEAL))


def give_back_bets(d: Draft) -> None:
    """The bets of a deal that does not count go back, the blinds as the house has it."""
    back = house.bets_back(d.state, d.book).money
    if back:
        d.add(draft.return_money(back))


def misdeal(d: Draft, *answers: Answer | str, change_deck: bool = False) -> Ruling:
    """The deal does not count."""
    d.rest_on(*answers, d.book["misdeal.window"])
    give_back_bets(d)
    start_again(d, change_deck=change_deck)
    return d.finish(Verdict.MISDEAL, replaces=open_of(d.state, Kind.EXPOSED_CARD, Kind.BOXED_CARD))


def misdeal_in_time(d: Draft, *answers: Answer | str) -> Ruling:
    """A misdeal while it can be called; afterwards the hand stands as the house has it."""
    borrowed = any(answer.floor for answer in answers if isinstance(answer, Answer))
    if is_window_open(d.state, d.book, borrowed=borrowed):
        return misdeal(d, *answers)
    d.call_floor = d.call_floor or borrowed
    return too_late(d, d.irregularity.seat)


def too_late(d: Draft, *affected: int) -> Ruling:
    """The faulty deal was found after the window (ck.misdeal.closed, fr2.2-20, faq.window.2)."""
    answer = d.book["misdeal.after_window"]
    d.rest_on(d.book["misdeal.window"], answer)
    hands = [seat for seat in affected if d.state.hands.get(seat)]
    if answer.value == "floor":
        return floor_decides(d)
    if answer.value == "without_affected_hands" and hands:
        for seat in hands:
            d.add(draft.kill(seat))
        return d.finish(Verdict.HAND_DEAD)
    return d.finish(Verdict.PLAY_ON)


def fouled(d: Draft, *answers: Answer | str) -> Ruling:
    """Betting ceases, the money goes back, the deck is changed (ck.fouled.2, .6)."""
    d.rest_on(*answers)
    if _is_after_the_hand(d.state):
        return found_after(d)
    d.rest_on(d.book["fouled.refund_to"], d.book["fouled.next_button"])
    if d.irregularity.cards:
        d.add(draft.announce(d.irregularity.cards))
    back = house.refund(d.state, d.book).money
    if back:
        d.add(draft.return_money(back))
    start_again(d, change_deck=True)
    return d.finish(Verdict.FOULED_DECK, replaces=open_of(d.state))


def _is_after_the_hand(state: TableState) -> bool:
    """The pot is awarded, or the cards are all back."""
    return state.is_over or (not state.live and state.street is Street.SHOWDOWN)


def found_after(d: Draft) -> Ruling:
    """What was found once the pot was awarded (faq.back.2, faq.missing.1, faq.deck.1)."""
    answer = d.book["fouled.found_after_the_hand"]
    d.rest_on(answer, d.book["deck.cards"])
    d.add(draft.simple(StepKind.CHECK_DECK))
    d.add(draft.simple(StepKind.CHANGE_DECK))
    return d.finish(Verdict.PLAY_ON if answer.value == "result_stands" else Verdict.FLOOR_DECIDES)


def open_of(state: TableState, *kinds: Kind) -> str:
    """The id of the ruling in force on one of these kinds; of any kind when none is named."""
    for opened in state.open:
        if not kinds or opened.ruling.irregularity.kind in kinds:
            return opened.ruling.id
    return ""


def floor_decides(d: Draft, *answers: Answer | str) -> Ruling:
    """The rulebook leaves it to the floor."""
    d.rest_on(*answers)
    d.call_floor = True
    return d.finish(Verdict.FLOOR_DECIDES)


def hand_dead(d: Draft, seat: int, *answers: Answer | str) -> Ruling:
    """The hand of a seat goes to the muck; the others play on.

    A card that was still to be replaced in it is dead with it.
    """
    d.rest_on(*answers)
    d.add(draft.kill(seat))
    return d.finish(Verdict.HAND_DEAD, replaces=_open_on_card_of(d.state, seat))


def _open_on_card_of(state: TableState, seat: int) -> str:
    for opened in state.open:
        fault = opened.ruling.irregularity
        if fault.kind in (Kind.EXPOSED_CARD, Kind.JOKER) and fault.seat == seat:
            return opened.ruling.id
    return ""


def return_and_shuffle(d: Draft, cards: tuple[Card, ...], origin: str = "board") -> None:
    """These cards, and no discard and no burn, go back into the stub (ck.reshuffle.1)."""
    d.add(draft.move(StepKind.RETURN_TO_STUB, cards, origin, "stub"))
    reshuffle(d, d.state.stub + len(cards))


def reshuffle(d: Draft, count: int) -> None:
    """The stub is shuffled, and cut where the house cuts after a reshuffle."""
    d.add(draft.reshuffle(count))
    cut = d.book["cut.after_reshuffle"]
    if cut.value is True:
        d.rest_on(cut)
        d.add(draft.simple(StepKind.CUT))
