"""Rule: what a rulebook orders for an irregularity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.cards import Card
from controller.events import Street
from controller.irregularities import Irregularity, Kind
from controller.rulebook import Answer, Rulebook
from controller.rules import draft
from controller.rules.draft import Draft
from controller.rules.window import is_window_open
from controller.rulings import Ruling, StepKind, Verdict
from controller.table import TableState

Decide = Callable[[Draft], Ruling]


def rule(state: TableState, irregularity: Irregularity, book: Rulebook) -> Ruling:
    """Decide on an irregularity; ``state`` is the table with it."""
    return _DECISIONS[irregularity.kind](Draft(state, book, irregularity))


# --- the ends that a hand can come to -------------------------------------------------------


def _start_again(d: Draft, *, change_deck: bool) -> None:
    """Everything back, shuffled, cut and dealt anew (ck.misdeal.remedy)."""
    wash = d.book["misdeal.wash"]
    if d.state.cards_out:
        if wash.value is True:
            d.rest_on(wash)
            d.add(draft.simple(StepKind.WASH))
        d.add(draft.simple(StepKind.GATHER_ALL))
    if change_deck:
        d.add(draft.simple(StepKind.CHECK_DECK))
        d.add(draft.simple(StepKind.CHANGE_DECK))
    d.add(draft.shuffle())
    d.add(draft.simple(StepKind.CUT))
    d.add(draft.simple(StepKind.REDEAL))


def _misdeal(d: Draft, *answers: Answer, change_deck: bool = False) -> Ruling:
    d.rest_on(*answers)
    _start_again(d, change_deck=change_deck)
    return d.finish(Verdict.MISDEAL, replaces=_open_of(d.state, Kind.EXPOSED_CARD, Kind.BOXED_CARD))


def _fouled(d: Draft, *answers: Answer) -> Ruling:
    """Betting ceases, the money goes back, the deck is changed (ck.fouled.2, .6)."""
    d.rest_on(*answers)
    d.add(draft.announce(d.irregularity.cards))
    if any(d.state.paid.values()):
        d.add(draft.refund(d.state))
    _start_again(d, change_deck=True)
    return d.finish(Verdict.FOULED_DECK, replaces=_open_of(d.state))


def _open_of(state: TableState, *kinds: Kind) -> str:
    """The id of the ruling in force on one of these kinds; of any kind when none is named."""
    for opened in state.open:
        if not kinds or opened.ruling.irregularity.kind in kinds:
            return opened.ruling.id
    return ""


def _floor_decides(d: Draft) -> Ruling:
    d.call_floor = True
    return d.finish(Verdict.FLOOR_DECIDES)


# --- exposed, boxed, joker ------------------------------------------------------------------


def _exposed(d: Draft) -> Ruling:
    facts, book = d.irregularity, d.book
    if facts.by_player:
        return _exposed_by_player(d)
    if facts.off_table:
        d.rest_on(book["off_table.by_dealer"])
    if facts.detail == "suspected":
        d.rest_on(book["exposed.suspicion_counts"])
    if not is_window_open(d.state, book):
        return _floor_decides(d)
    if facts.deal_index in book["exposed.misdeal_positions"]:
        return _misdeal(d, book["exposed.misdeal_positions"])
    if facts.nth >= book["exposed.misdeal_count"].number:
        return _misdeal(d, book["exposed.misdeal_count"])
    own = book["exposed.dealers_own_card"]
    if own.value == "keep_and_show" and facts.seat == (d.state.dealer or d.state.button):
        d.rest_on(own)
        d.add(draft.announce(facts.cards, facts.seat))
        return d.finish(Verdict.CONTINUE)
    first = book["exposed.buttons_first_card"]
    if facts.seat == d.state.button and facts.deal_index == len(d.state.seats):
        d.rest_on(first)
        d.call_floor = d.call_floor or first.value == "floor"
    return _replace_exposed(d)


def _replace_exposed(d: Draft) -> Ruling:
    """The deal is finished, then the card is replaced and becomes the burn (ck.exposed.6)."""
    facts = d.irregularity
    d.rest_on(d.book["exposed.replacement"], d.book["exposed.fate"])
    origin = "off_table" if facts.off_table else f"seat:{facts.seat}"
    d.add(draft.finish_deal())
    d.add(draft.deal_to(facts.seat))
    d.add(draft.announce(facts.cards, facts.seat))
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
        d.rest_on(turned)
        if turned.value == "hand_dead":
            d.add(draft.move(StepKind.KILL_HAND, (), f"seat:{facts.seat}", "muck"))
            return d.finish(Verdict.HAND_DEAD)
    elif facts.detail == "player_accident":
        d.rest_on(book["exposed.by_players_accident"])
        if book["exposed.by_players_accident"].value == "replaced" and facts.deal_index:
            return _replace_exposed(d)
    d.add(draft.announce(facts.cards, facts.seat))
    return d.finish(Verdict.PLAY_ON)


def _boxed(d: Draft) -> Ruling:
    """A piece of tissue paper; two of them spoil the deal while the window is open (ck.boxed)."""
    facts, limit = d.irregularity, d.book["boxed.misdeal_count"]
    if facts.nth >= limit.number and is_window_open(d.state, d.book):
        return _fouled(d, limit)
    d.rest_on(d.book["boxed.single"])
    return _next_card_instead(d)


def _next_card_instead(d: Draft) -> Ruling:
    facts = d.irregularity
    d.add(draft.move(StepKind.SET_ASIDE, facts.cards, facts.zone, "aside"))
    return d.finish(Verdict.CONTINUE)


def _joker(d: Draft) -> Ruling:
    facts, policy = d.irregularity, d.book["joker.policy"]
    if policy.value == "fouled_deck":
        return _fouled(d, policy)
    d.rest_on(policy)
    if facts.detail == "boxed":
        return _next_card_instead(d)
    d.add(draft.finish_deal())
    d.add(draft.deal_to(facts.seat))
    return _next_card_instead(d)


# --- the deck -------------------------------------------------------------------------------


def _fouled_by(parameter: str) -> Decide:
    return lambda d: _fouled(d, d.book[parameter])


def _count_short(d: Draft) -> Ruling:
    answer = d.book["fouled.missing"]
    if answer.value == "play_on":
        d.rest_on(answer)
        return d.finish(Verdict.PLAY_ON)
    if answer.value == "misdeal_then_fouled_deck" and is_window_open(d.state, d.book):
        return _misdeal(d, answer, change_deck=True)
    return _fouled(d, answer)


# --- burns and board ------------------------------------------------------------------------


def _next_street(state: TableState) -> tuple[str, int]:
    """Name of the street to be dealt and the size of the board with it."""
    upcoming = state.rules_of_game.next_street(state.street)
    return upcoming.value, state.rules_of_game.board_size(upcoming)


def _missing_burn(d: Draft) -> Ruling:
    facts = d.irregularity
    street, size = _next_street(d.state)
    if d.state.street is Street.PREFLOP and not facts.order_known:
        d.rest_on(d.book["burn.flop_without_order_unknown"])
        _return_and_shuffle(d, facts.cards)
        d.add(draft.burn())
        d.add(draft.board(size, street))
        return d.finish(Verdict.CONTINUE)
    on_flop = d.state.street is Street.PREFLOP
    name = "burn.flop_without_order_known" if on_flop else "burn.turn_or_river_without"
    d.rest_on(d.book[name])
    d.add(draft.move(StepKind.MOVE_TO_BURN, facts.cards[:1], "board", "burn"))
    d.add(draft.board(size, street))
    return d.finish(Verdict.CONTINUE)


def _return_and_shuffle(d: Draft, cards: tuple[Card, ...], origin: str = "board") -> None:
    """These cards, and no discard and no burn, go back into the stub (ck.reshuffle.1)."""
    d.add(draft.move(StepKind.RETURN_TO_STUB, cards, origin, "stub"))
    d.add(draft.reshuffle(d.state.stub + len(cards)))


def _burn_if_missing(d: Draft) -> None:
    if not d.state.burn_taken:
        d.add(draft.burn())


def _premature_flop(d: Draft) -> Ruling:
    return _back_and_again(d, "premature.flop", "premature.flop_taken_back", Kind.PREMATURE_FLOP)


def _premature_river(d: Draft) -> Ruling:
    return _back_and_again(d, "premature.river", "premature.river_taken_back", Kind.PREMATURE_RIVER)


def _back_and_again(d: Draft, remedy: str, when: str, kind: Kind) -> Ruling:
    """The cards go back, the stub is shuffled, the street is dealt again without a burn."""
    state, facts = d.state, d.irregularity
    played = Street.PREFLOP if state.street is Street.DEAL else state.street
    upcoming = state.rules_of_game.next_street(played)
    d.rest_on(d.book[remedy], d.book[when])
    d.floor_if_cards_change()
    at_once = d.book[when].value == "at_once"
    if state.street is Street.DEAL:
        d.add(draft.finish_deal())
    if not at_once:
        d.add(draft.betting(played.value))
    _return_and_shuffle(d, facts.cards)
    if at_once:
        d.add(draft.betting(played.value))
    _burn_if_missing(d)
    d.add(draft.board(state.rules_of_game.board_size(upcoming), upcoming.value))
    return d.finish(Verdict.CONTINUE, replaces=_open_of(state, kind))


def _premature_turn(d: Draft) -> Ruling:
    """Set aside; the next card is the turn; back before the river (ck.early.turn, fr2.2-11)."""
    state, facts, book = d.state, d.irregularity, d.book
    d.rest_on(book["premature.turn"], book["premature.turn_reshuffled"])
    d.floor_if_cards_change()
    d.add(draft.move(StepKind.SET_ASIDE, facts.cards, "board", "aside"))
    d.add(draft.betting(Street.FLOP.value))
    d.add(draft.burn())
    d.add(draft.board(state.rules_of_game.board_size(Street.TURN), Street.TURN.value))
    if book["premature.turn_reshuffled"].value == "after_the_turn_betting":
        d.add(draft.betting(Street.TURN.value))
    d.add(draft.move(StepKind.RETURN_TO_STUB, facts.cards, "aside", "stub"))
    # The burn and the new turn leave the stub before the set-aside cards come back.
    burned_and_turned = 2
    d.add(draft.reshuffle(state.stub - burned_and_turned + len(facts.cards)))
    if book["premature.turn_reshuffled"].value != "after_the_turn_betting":
        d.add(draft.betting(Street.TURN.value))
    d.add(draft.board(state.rules_of_game.board_size(Street.RIVER), Street.RIVER.value))
    return d.finish(Verdict.CONTINUE, replaces=_open_of(state, Kind.PREMATURE_TURN))


def _four_card_flop(d: Draft) -> Ruling:
    facts = d.irregularity
    name = "known" if facts.order_known else "unknown"
    answer = d.book[f"flop.four_cards_order_{name}"]
    d.rest_on(answer)
    if answer.value == "fourth_is_next_burn":
        d.add(draft.move(StepKind.MOVE_TO_BURN, facts.cards[3:4], "board", "burn"))
        return d.finish(Verdict.CONTINUE)
    _return_and_shuffle(d, facts.cards)
    d.add(draft.board(d.state.rules_of_game.board_size(Street.FLOP), Street.FLOP.value))
    return d.finish(Verdict.CONTINUE, replaces=_open_of(d.state, Kind.FOUR_CARD_FLOP))


_DECISIONS: Final[dict[Kind, Decide]] = {
    Kind.EXPOSED_CARD: _exposed,
    Kind.BOXED_CARD: _boxed,
    Kind.JOKER: _joker,
    Kind.DUPLICATE_CARD: _fouled_by("fouled.duplicate"),
    Kind.WRONG_BACK: _fouled_by("fouled.other_back"),
    Kind.COUNT_SHORT: _count_short,
    Kind.COUNT_LONG: _fouled_by("fouled.too_many"),
    Kind.MISSING_BURN: _missing_burn,
    Kind.PREMATURE_FLOP: _premature_flop,
    Kind.PREMATURE_TURN: _premature_turn,
    Kind.PREMATURE_RIVER: _premature_river,
    Kind.FOUR_CARD_FLOP: _four_card_flop,
    Kind.UNEXPECTED: _floor_decides,
}
