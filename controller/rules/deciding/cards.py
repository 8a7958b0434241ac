"""Exposed cards, boxed cards, jokers."""

from __future__ import annotations

from controller.events import Street
from controller.rules import draft
from controller.rules.deciding import ends
from controller.rules.draft import Draft
from controller.rules.window import is_window_open
from controller.rulings import Ruling, StepKind, Verdict


def exposed(d: Draft) -> Ruling:
    """A card of the deal was seen (ck.exposed, fr1.exposed.1, fr2.2-4, fr3.exposed)."""
    facts, book = d.irregularity, d.book
    if facts.by_player:
        return _exposed_by_player(d)
    if facts.off_table:
        d.rest_on(book["off_table.by_dealer"])
    if facts.detail == "suspected":
        d.rest_on(book["exposed.suspicion_counts"])
    if not is_window_open(d.state, book) or _is_deal_long_over(d):
        return ends.floor_decides(d, book["misdeal.window"])
    if not d.state.rules_of_game.replaces_exposed:
        return ends.floor_decides(d)  # in stud another article says (ck.exposed.5)
    return _misdeal_of_exposed(d) or _kept_or_replaced(d)


def _is_deal_long_over(d: Draft) -> bool:
    """A text without a limit speaks of cards turned in the deal (fr3.exposed.4), not after it."""
    state, has_limit = d.state, d.book["misdeal.window"].value != "never_closes"
    in_deal = state.street in (Street.DEAL, state.rules_of_game.first_street)
    untouched = state.street is Street.DEAL or (state.betting_open and not state.acts)
    return not has_limit and not (in_deal and untouched)


def _misdeal_of_exposed(d: Draft) -> Ruling | None:
    facts, book = d.irregularity, d.book
    if facts.deal_index in book["exposed.misdeal_positions"]:
        return ends.misdeal(d, book["exposed.misdeal_positions"])
    if _are_too_many_exposed(d):
        return ends.misdeal(d, book["exposed.misdeal_count"], book["exposed.counted"])
    if facts.seat != d.state.button:
        return None
    lap = len(d.state.seats)
    first, last = book["exposed.buttons_first_card"], book["exposed.buttons_last_card"]
    if facts.deal_index == lap and first.value == "misdeal":
        return ends.misdeal(d, first)
    if facts.deal_index == d.state.cards_to_deal and last.value == "misdeal":
        return ends.misdeal(d, last)
    return None


def _are_too_many_exposed(d: Draft) -> bool:
    counted = d.state.exposed
    if d.book["exposed.counted"].value == "any":
        counted += d.state.exposed_by_players
    return counted >= d.book["exposed.misdeal_count"].number


def _kept_or_replaced(d: Draft) -> Ruling:
    facts, book = d.irregularity, d.book
    own = book["exposed.dealers_own_card"]
    if own.value == "keep_and_show" and facts.seat == (d.state.dealer or d.state.button):
        d.rest_on(own)
        d.add(draft.announce(facts.cards, facts.seat))
        return d.finish(Verdict.CONTINUE)
    first = book["exposed.buttons_first_card"]
    if facts.seat == d.state.button and facts.deal_index == len(d.state.seats):
        d.rest_on(first)
        d.call_floor = d.call_floor or first.value == "floor"
    if facts.seat == d.state.button and facts.deal_index == d.state.cards_to_deal:
        d.rest_on(book["exposed.buttons_last_card"])
    return _replace(d)


def _replace(d: Draft) -> Ruling:
    """The deal is finished, then the card is replaced and becomes the burn (ck.exposed.6).

    Under fr3.exposed.3 it goes back on top of the stub first, and is burned from there.
    """
    facts, fate = d.irregularity, d.book["exposed.fate"]
    if facts.zone and facts.zone != f"seat:{facts.seat}":  # it lies before another player
        d.rest_on(d.book["deal.card_to_wrong_seat"])
    d.rest_on(d.book["exposed.replacement"], fate)
    origin = "off_table" if facts.off_table else facts.zone or f"seat:{facts.seat}"
    burned = d.state.burn_taken
    d.add(draft.finish_deal())
    if burned:  # "the burn card shall replace the exposed card" (ck.exposed.6, fr1.flashed.1)
        d.add(draft.move(StepKind.MOVE_TO_SEAT, (draft.UNSEEN,), "burn", f"seat:{facts.seat}"))
    else:
        d.add(draft.deal_to(facts.seat))
    d.add(draft.announce(facts.cards, facts.seat, target="burn"))
    if fate.value == "on_top_then_burn" and not burned:
        d.add(draft.move(StepKind.TOP_OF_STUB, facts.cards, origin, "stub"))
    else:
        d.add(draft.move(StepKind.MOVE_TO_BURN, facts.cards, origin, "burn"))
    return d.finish(Verdict.CONTINUE)


def _exposed_by_player(d: Draft) -> Ruling:
    facts, book = d.irregularity, d.book
    if facts.off_table:
        dropped = book["off_table.by_player"]
        d.rest_on(dropped)
        if dropped.value == "must_be_played":
            return d.finish(Verdict.PLAY_ON)
    elif facts.detail == "player_deliberate":
        turned = book["exposed.by_player_on_purpose"]
        if turned.value == "hand_dead":
            return ends.hand_dead(d, facts.seat, turned)
        d.rest_on(turned)
    elif facts.detail == "player_accident":
        return _exposed_by_accident(d)
    else:
        _rest_on_discard(d)
    d.add(draft.announce(facts.cards, facts.seat))
    return d.finish(Verdict.PLAY_ON)


def _rest_on_discard(d: Draft) -> None:
    """Shown while discarding: what is said of any card a player turns (ck.exposed.2-3)."""
    turned = d.book["exposed.by_players_accident"]
    if turned.value == "not_replaced" and not turned.floor:
        d.rest_on(turned)


def _exposed_by_accident(d: Draft) -> Ruling:
    """Replaced or not; it counts with the dealer's where all count (fr2.2-14.2, fr3.exposed.4)."""
    facts, book, turned = d.irregularity, d.book, d.book["exposed.by_players_accident"]
    in_deal = facts.street is Street.DEAL
    if in_deal and book["exposed.counted"].value == "any" and _are_too_many_exposed(d):
        return ends.misdeal(d, book["exposed.misdeal_count"], book["exposed.counted"])
    if turned.value == "replaced" and facts.deal_index:
        if not is_window_open(d.state, book):
            return ends.floor_decides(d, turned, book["misdeal.window"])
        d.rest_on(turned)
        return _misdeal_of_exposed(d) or _replace(d)
    d.rest_on(turned)
    d.add(draft.announce(facts.cards, facts.seat))
    return d.finish(Verdict.PLAY_ON)


def boxed(d: Draft) -> Ruling:
    """A piece of tissue paper; two of them spoil the deal while the window is open (ck.boxed)."""
    facts, limit = d.irregularity, d.book["boxed.misdeal_count"]
    in_time = is_window_open(d.state, d.book, borrowed=limit.floor)
    if facts.nth >= limit.number and in_time:
        consequence = d.book["boxed.too_many"]
        if consequence.value == "misdeal":
            return ends.misdeal(d, limit, consequence)
        return ends.fouled(d, limit, consequence)
    d.rest_on(d.book["boxed.single"])
    return _next_card_instead(d)


def _next_card_instead(d: Draft) -> Ruling:
    facts = d.irregularity
    d.add(draft.move(StepKind.SET_ASIDE, facts.cards, facts.zone, "aside"))
    return d.finish(Verdict.CONTINUE)


def joker(d: Draft) -> Ruling:
    """Tissue paper too, or a fouled deck (ck.joker, alternate ck.joker.4)."""
    facts, policy = d.irregularity, d.book["joker.policy"]
    if policy.value == "fouled_deck":
        return ends.fouled(d, policy)
    if policy.value == "misdeal" and is_window_open(d.state, d.book):
        return ends.misdeal(d, policy, change_deck=True)
    d.rest_on(policy)
    if facts.detail == "boxed":
        return _next_card_instead(d)
    d.add(draft.finish_deal())
    d.add(draft.deal_to(facts.seat))
    return _next_card_instead(d)
