"""The deal: cards in the wrong place, too many, too few, players without a right to them."""

from __future__ import annotations

from controller.irregularities import Kind
from controller.rules import draft
from controller.rules.deciding import ends
from controller.rules.draft import Draft
from controller.rules.window import is_window_open
from controller.rulings import Ruling, StepKind, Verdict
from controller.table import TableState


def not_shuffled(d: Draft) -> Ruling | None:
    """Dealing began from a deck that was not shuffled or not cut (ck.misdeal.a)."""
    answer = d.book["shuffle.not_done"]
    if answer.value == "play_on":
        return None
    return ends.misdeal(d, answer)


def wrong_seat(d: Draft) -> Ruling | None:
    """Out of order: a misdeal, or pushed back while nobody looked (ck.misdeal.b-c2).

    A card that everybody saw may be burned instead (fr1.misdeal.list-6, faq.misdeal.6): it
    is ruled on as an exposed card.
    """
    facts, book = d.irregularity, d.book
    first, later = book["deal.first_card_to_wrong_seat"], book["deal.card_to_wrong_seat"]
    if facts.deal_index == 1 and first.value == "misdeal":
        return ends.misdeal_in_time(d, first)
    if later.value == "misdeal_unless_exposed" and facts.looked_at:
        return None
    if later.value != "push_back":
        return ends.misdeal_in_time(d, later)
    most = book["deal.most_pushed_back"]
    if facts.looked_at or facts.nth > most.number:
        return ends.misdeal_in_time(d, later, most)
    d.rest_on(later, most)
    d.add(
        draft.move(
            StepKind.MOVE_TO_SEAT,
            facts.cards or (draft.UNSEEN,),
            f"seat:{facts.seat}",
            f"seat:{facts.due_seat}",
        )
    )
    return d.finish(Verdict.CONTINUE)


def empty_seat(d: Draft) -> Ruling:
    """Nobody sits there (fr1.misdeal.list-9, faq.misdeal.9)."""
    return _misdeal_or_dead(d, "deal.empty_seat")


def unentitled_player(d: Draft) -> Ruling:
    """A player with no right to a hand (ck.misdeal.ineligible, faq.misdeal.9)."""
    return _misdeal_or_dead(d, "deal.unentitled_player")


def unposted_player(d: Draft) -> Ruling:
    """A player who has not anted or posted (ck.misdeal.l, alternate ck.misdeal.l-alt)."""
    return _misdeal_or_dead(d, "deal.unposted_player")


def _misdeal_or_dead(d: Draft, parameter: str) -> Ruling:
    answer = d.book[parameter]
    if answer.value == "misdeal":
        return ends.misdeal_in_time(d, answer)
    d.rest_on(answer)
    d.add(draft.finish_deal())
    d.add(draft.kill(d.irregularity.seat))
    return d.finish(Verdict.HAND_DEAD)


def absent_player(d: Draft) -> Ruling | None:
    """Away when the last card was dealt (fr2.2-18)."""
    answer = d.book["deal.absent_player"]
    if answer.value == "keeps_hand":
        return None
    return ends.hand_dead(d, d.irregularity.seat, answer)


def no_cards(d: Draft) -> Ruling:
    """A player was dealt around (fr1.misdeal.none, ck.misdeal.d-d1, faq.misdeal.10)."""
    facts, book = d.irregularity, d.book
    if facts.seat in d.state.seats:
        answer = book["deal.player_without_cards"]
        if answer.value == "misdeal":
            return ends.misdeal_in_time(d, answer)
        d.rest_on(answer)
        return d.finish(Verdict.PLAY_ON)
    answer = book["deal.asked_absent_left_out"]
    in_time = answer.value == "misdeal" or (
        answer.value == "misdeal_until_others_are_served" and not facts.others_done
    )
    if in_time:
        return ends.misdeal_in_time(d, answer)
    d.rest_on(answer)
    return d.finish(Verdict.PLAY_ON)


def short_hand(d: Draft) -> Ruling:
    """Too few cards; the top card may make it good (ck.misdeal.f, fr1.misdeal.list-5)."""
    facts, answer = d.irregularity, d.book["deal.too_few_cards"]
    in_time = is_window_open(d.state, d.book, borrowed=answer.floor)
    if answer.value == "top_card_if_due" and facts.due_seat == facts.seat and in_time:
        d.rest_on(answer)
        d.add(draft.deal_to(facts.seat))
        return d.finish(Verdict.CONTINUE)
    if in_time:
        return ends.misdeal(d, answer)
    return _wrong_count_too_late(d)


def extra_card(d: Draft) -> Ruling | None:
    """One card too many may be the burn; more are a misdeal (five different conditions)."""
    facts, book = d.irregularity, d.book
    unseen = book["deal.one_card_too_many"].value == "becomes_burn_if_last_dealt_unseen"
    if facts.looked_at and not unseen:
        return None  # already ruled on, and a look changes nothing here
    if not is_window_open(d.state, d.book):
        return _wrong_count_too_late(d)
    limit, single = book["deal.too_many_misdeal_count"], book["deal.one_card_too_many"]
    if facts.nth >= limit.number:
        return ends.misdeal(d, limit)
    if not _may_become_burn(d, str(single.value)):
        if single.value == "becomes_burn_if_first_player":
            return ends.floor_decides(d, single)  # the text is silent on any other player
        return ends.misdeal(d, single)
    d.rest_on(single)
    origin, replaced = f"seat:{facts.seat}", ends.open_of(d.state, Kind.EXTRA_CARD)
    if _is_burn_chosen(d.state):
        d.call_floor = True  # a second burn is not foreseen: the order of the deck is kept
        d.add(draft.move(StepKind.TOP_OF_STUB, (draft.UNSEEN,), origin, "stub"))
    else:
        d.add(draft.move(StepKind.MOVE_TO_BURN, (draft.UNSEEN,), origin, "burn"))
    return d.finish(Verdict.CONTINUE, replaces=replaced)


def _is_burn_chosen(state: TableState) -> bool:
    """The burn lies there, or an exposed card is to be it: the card too many was not due to be."""
    return state.burn_taken or bool(ends.open_of(state, Kind.EXPOSED_CARD))


def _may_become_burn(d: Draft, condition: str) -> bool:
    facts, state = d.irregularity, d.state
    first_player = state.deal_order[0] if state.deal_order else 0
    match condition:
        case "becomes_burn_before_betting":
            return not state.acts
        case "becomes_burn_if_small_blind":
            return facts.seat == state.small_blind
        case "becomes_burn_if_first_player":
            return facts.seat == first_player and facts.others_done
        case "becomes_burn_if_last_dealt_unseen":
            due = not _is_burn_chosen(state)  # else it is a card of the flop (ck.misdeal.k)
            return facts.detail == "last_dealt" and not facts.looked_at and due
        case _:
            return False


def _wrong_count_too_late(d: Draft) -> Ruling:
    """The hand has the wrong number of cards and the deal stands (fr1.irregular.1, fr2.2-20)."""
    seat, answer = d.irregularity.seat, d.book["hand.wrong_count_after_window"]
    stands = d.book["misdeal.after_window"]
    if stands.value != "play_on":
        return ends.too_late(d, seat)
    d.rest_on(d.book["misdeal.window"], stands, answer)
    if answer.value == "hand_dead":
        return ends.hand_dead(d, seat)
    if answer.value == "floor":
        d.call_floor = True
    return d.finish(Verdict.PLAY_ON)


def wrong_button(d: Draft) -> Ruling:
    """The button was misplaced, or the wrong player deals (fr1.misdeal.list-7, faq.misdeal.7)."""
    facts, answer = d.irregularity, d.book["deal.wrong_button"]
    d.rest_on(answer)
    if answer.value == "play_on" or not is_window_open(d.state, d.book):
        if answer.value != "play_on":
            d.rest_on(d.book["misdeal.window"], d.book["misdeal.after_window"])
        d.add(draft.place_button(facts.due_seat))
        return d.finish(Verdict.PLAY_ON)
    d.rest_on(d.book["misdeal.window"])
    d.add(draft.place_button(facts.due_seat))
    ends.give_back_bets(d)
    ends.start_again(d, change_deck=False)
    return d.finish(Verdict.MISDEAL, replaces=ends.open_of(d.state, Kind.EXPOSED_CARD))


def last_card(d: Draft) -> Ruling | None:
    """The last card of the deck is not used (ck.last.1)."""
    answer = d.book["deck.last_card"]
    if answer.value == "used":
        return None
    return ends.floor_decides(d, answer)


def not_enough_cards(d: Draft) -> Ruling | None:
    """The hand would need the last card: it is not dealt like this (ck.last.1)."""
    facts, answer = d.irregularity, d.book["deck.last_card"]
    last = d.state.stub if d.state.cards_out else d.state.deck_count
    if answer.value == "used" and facts.count <= last:
        return None
    return ends.floor_decides(d, answer)
