"""Players: hands in danger, turns, chips, claims, objections, doubts."""

from __future__ import annotations

from controller.rules import draft
from controller.rules.deciding import ends
from controller.rules.draft import Draft
from controller.rules.window import is_window_open
from controller.rulings import Ruling, Verdict


def endangered_hand(d: Draft) -> Ruling | None:
    """What kills a hand, and what does not (fr1.dead.1-5, faq.dead.1-2, fr2.2-16)."""
    facts = d.irregularity
    answer = d.book[f"hand.{facts.detail}"]
    if facts.detail == "fold_announced" and not facts.others_done:
        return None  # facing no bet, the announcement alone kills nothing
    if facts.detail == "forward_motion" and not facts.due_seat:
        return None  # nobody acted because of it
    if answer.value == "floor":
        return ends.floor_decides(d, answer)
    if facts.detail == "into_other_hand" and facts.due_seat:
        d.call_floor = True  # the fate of the other hand is not stated
    return ends.hand_dead(d, facts.seat, answer)


def out_of_turn(d: Draft) -> Ruling:
    """The player is told to act in turn; a fold out of turn kills the hand (fr1.dead.2)."""
    facts = d.irregularity
    folded = d.book["hand.folded_out_of_turn"]
    if facts.detail == "fold" and folded.value == "hand_dead":
        return ends.hand_dead(d, facts.seat, folded)
    d.rest_on(d.book["prompts.tell_turn"])
    return d.finish(Verdict.PLAY_ON)


def pot_splashed(d: Draft) -> Ruling:
    """Verified and pushed back before the player (ck.scoop.4)."""
    facts, answer = d.irregularity, d.book["pot.splashed"]
    if answer.value == "floor":
        return ends.floor_decides(d, answer)
    d.rest_on(answer)
    d.add(draft.push_back_chips(facts.seat, facts.count))
    return d.finish(Verdict.CONTINUE)


def change_taken(d: Draft) -> Ruling:
    """Players never make their own change (ck.scoop.6)."""
    answer = d.book["pot.change"]
    if answer.value == "floor":
        return ends.floor_decides(d, answer)
    d.rest_on(answer)
    d.add(draft.push_back_chips(d.irregularity.seat, 0))
    return d.finish(Verdict.CONTINUE)


def objection(d: Draft) -> Ruling | None:
    """A player objects to a correction by the dealer: the floor (ck.floor.2)."""
    answer = d.book["floor.on_objection"]
    if answer.value is not True:
        return None
    return ends.floor_decides(d, answer)


def doubt(d: Draft) -> Ruling:
    """Whenever anything is in doubt the dealer decides nothing (ck.floor.3)."""
    return ends.floor_decides(d, d.book["floor.on_doubt"])


def claim(d: Draft) -> Ruling:
    """A player claims a misdeal (faq.misdeal.0); too late, the hand is played (faq.window.2)."""
    heard = d.book["misdeal.claims"]
    if not is_window_open(d.state, d.book):
        d.rest_on(heard)
        return ends.too_late(d)
    return ends.floor_decides(d, heard)
