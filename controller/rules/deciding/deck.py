"""The deck: fouled, short, marred, dropped, badly shuffled or cut, asked for."""

from __future__ import annotations

import re

from controller.rules import draft, house
from controller.rules.deciding import ends
from controller.rules.deciding.ends import Decide
from controller.rules.draft import Draft
from controller.rules.window import is_window_open
from controller.rulings import Ruling, StepKind, Verdict

_SOUND = re.compile(r"R(?!.*BB).*B.*R")
"""Begins and ends with a riffle, has a box, never two in a row (ck.shuffle.3)."""


def fouled_by(parameter: str) -> Decide:
    """A fouled deck on the answer to one question."""
    return lambda d: ends.fouled(d, d.book[parameter])


def count_short(d: Draft) -> Ruling:
    """Cards are missing (ck.misdeal.j, ck.fouled.1, faq.missing.1)."""
    answer = d.book["fouled.missing"]
    if answer.value == "play_on" and not d.state.cards_out and not d.state.is_over:
        return _other_deck(d)
    if answer.value == "play_on":
        d.rest_on(answer, d.book["deck.cards"])
        return ends.found_after(d) if d.state.is_over else _other_deck_after(d)
    if d.state.is_over:
        return _find_card(d)
    in_time = is_window_open(d.state, d.book, borrowed=answer.floor)
    if answer.value == "misdeal_then_fouled_deck" and in_time:
        return ends.misdeal(d, answer, change_deck=True)
    return ends.fouled(d, answer)


def _other_deck_after(d: Draft) -> Ruling:
    """The hand is played out; the next one has a complete deck (faq.missing.1, faq.deck.1)."""
    for kind in (StepKind.FINISH_HAND, StepKind.CHECK_DECK, StepKind.CHANGE_DECK):
        d.add(draft.simple(kind))
    return d.finish(Verdict.PLAY_ON)


def _other_deck(d: Draft) -> Ruling:
    """Nothing is dealt yet: the hand is played with a complete deck (faq.deck.1)."""
    d.rest_on(d.book["deck.cards"])
    for kind in (StepKind.CHECK_DECK, StepKind.CHANGE_DECK):
        d.add(draft.simple(kind))
    d.add(draft.shuffle())
    d.add(draft.simple(StepKind.CUT))
    return d.finish(Verdict.CONTINUE)


def _find_card(d: Draft) -> Ruling:
    """Fewer cards came back than went out: found before the next hand (ck.end.5)."""
    d.rest_on(d.book["deck.returned_cards"])
    d.add(draft.simple(StepKind.FIND_CARD))
    return d.finish(Verdict.CONTINUE)


def knew_of_fouled_deck(d: Draft) -> Ruling:
    """The player who alone knew forfeits what he put in (ck.fouled.3-5)."""
    lost, shared = d.book["fouled.forfeited"], d.book["fouled.forfeit_to"]
    d.rest_on(lost, shared)
    money = house.refund(d.state, d.book, knew=d.irregularity.seat)
    d.call_floor = d.call_floor or money.stays > 0
    d.add(draft.pay(money.money))
    ends.start_again(d, change_deck=True)
    return d.finish(Verdict.FOULED_DECK, replaces=ends.open_of(d.state))


def shuffle_sequence(d: Draft) -> Ruling | None:
    """A shuffle by hand in an order the house does not know (ck.shuffle.2-3)."""
    allowed, longer = d.book["shuffle.sequences"], d.book["shuffle.longer_sequences"]
    done = d.irregularity.detail.replace("W", "").rstrip("C")
    named = allowed.value if isinstance(allowed.value, tuple) else ()
    if not named or done in named or (longer.value is True and _is_longer(done)):
        return None
    d.rest_on(allowed, longer)
    d.add(draft.shuffle())
    d.add(draft.simple(StepKind.CUT))
    return d.finish(Verdict.CONTINUE)


def _is_longer(done: str) -> bool:
    return done.count("R") >= 3 and bool(_SOUND.fullmatch(done))


def bad_cut(d: Draft) -> Ruling | None:
    """Too few cards in a pile, or a cut refused (fr2.2-3.3, fr2.2-3.4)."""
    facts = d.irregularity
    least, refused = d.book["cut.least_pile"], d.book["cut.may_be_refused"]
    if facts.detail == "refused":
        if refused.value is True:
            return None
        d.rest_on(refused)
    elif facts.count >= least.number:
        return None
    else:
        d.rest_on(least)
    d.add(draft.simple(StepKind.CUT))
    return d.finish(Verdict.CONTINUE)


def marred_card(d: Draft) -> Ruling:
    """A marred card: other deck at once, and a set-up (ck.deck.1-2)."""
    answer = d.book["deck.marred_card"]
    if answer.value == "floor":
        return ends.floor_decides(d, answer)
    d.rest_on(answer)
    _bring_deck(d)
    return d.finish(Verdict.CONTINUE)


def _bring_deck(d: Draft) -> None:
    """A new deck is spread, checked, washed twice and shuffled (ck.deck.2)."""
    riffles = d.book["deck.new_deck_shuffles"]
    d.rest_on(riffles)
    if d.state.cards_out:
        d.add(draft.finish_hand())
    for kind in (
        StepKind.CHANGE_DECK,
        StepKind.SPREAD_FACE_UP,
        StepKind.CHECK_DECK,
        StepKind.WASH_FACE_UP,
        StepKind.WASH_FACE_DOWN,
    ):
        d.add(draft.simple(kind))
    if riffles.number:
        d.add(draft.riffles(riffles.number))


def deck_requested(d: Draft) -> Ruling:
    """A player asks for another deck or a set-up (ck.deck.3-6, fr2.2-19)."""
    facts, book = d.irregularity, d.book
    if facts.detail == "change":
        answer, limit, since = book["deck.change_on_request"], book["deck.change_laps"], facts.nth
    else:
        answer, limit, since = (
            book["deck.set_up_on_request"],
            book["deck.set_up_minutes"],
            facts.count,
        )
    d.rest_on(answer)
    has_limit = answer.value in ("after_laps", "after_minutes")
    if has_limit:
        d.rest_on(limit)
    if answer.value != "any_time" and not (has_limit and since >= limit.number):
        d.add(draft.refuse(facts.seat))
        return d.finish(Verdict.PLAY_ON)
    _bring_deck(d)
    return d.finish(Verdict.CONTINUE)


def stub_dropped(d: Draft) -> Ruling:
    """Picked up where its top is known; in doubt, reshuffled by the floor (ck.drop.1-5)."""
    facts, book = d.irregularity, d.book
    if facts.order_known:
        d.rest_on(book["stub.dropped_top_known"])
        d.add(draft.simple(StepKind.PICK_UP_STUB))
        return d.finish(Verdict.CONTINUE)
    answer = book["stub.dropped_in_doubt"]
    d.rest_on(answer)
    d.call_floor = True
    left = d.state.stub
    if facts.count and answer.value == "reshuffle_without_doubtful":
        d.add(draft.leave_out(facts.count))
        left -= facts.count
    ends.reshuffle(d, left)
    return d.finish(Verdict.CONTINUE)
