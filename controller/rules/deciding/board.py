"""Burns and board."""

from __future__ import annotations

from controller.cards import Card
from controller.events import Street
from controller.irregularities import Kind
from controller.rulebook import Answer
from controller.rules import draft
from controller.rules.deciding import ends
from controller.rules.draft import Draft
from controller.rulings import Ruling, StepKind, Verdict
from controller.table import TableState

_FLOP: int = 3


def _next_street(d: Draft) -> tuple[str, int]:
    """Name of the street that was to be dealt and the size of the board with it."""
    game = d.state.rules_of_game
    upcoming = game.next_street(d.irregularity.street)
    return upcoming.value, game.board_size(upcoming)


def _is_order_known(d: Draft) -> bool:
    """Order seen, or told by the shoe's log where the house trusts it."""
    facts, log = d.irregularity, d.book["flop.shoe_log_tells_order"]
    if facts.order_known or facts.detail != "logged" or log.value is not True:
        return facts.order_known
    d.rest_on(log)
    return True


def missing_burn(d: Draft) -> Ruling:
    """A street without its burn (fr1.noburn, fr2.2-5, fr2.2-8, faq.burn.1)."""
    facts = d.irregularity
    street, size = _next_street(d)
    on_flop = d.state.street is d.state.rules_of_game.first_street
    order = "known" if _is_order_known(d) else "unknown"
    name = f"burn.flop_without_order_{order}" if on_flop else "burn.turn_or_river_without"
    answer = d.book[name]
    d.rest_on(answer)
    _rest_on_limit(d)
    if answer.value == "stands":
        return d.finish(Verdict.PLAY_ON)
    if answer.value == "reshuffle_with_burn":
        ends.return_and_shuffle(d, facts.cards)
        d.add(draft.burn())
    elif answer.value == "one_of_three_burned":
        d.add(draft.pick_burn(facts.cards))
    else:
        d.add(draft.move(StepKind.MOVE_TO_BURN, facts.cards[:1], "board", "burn"))
        if d.book["burn.shown"].value is True:
            d.rest_on(d.book["burn.shown"])
            d.add(draft.announce(facts.cards[:1], target="burn"))
    d.add(draft.board(size, street))
    return d.finish(Verdict.CONTINUE)


def _rest_on_limit(d: Draft) -> None:
    """Cite until when a burn error is corrected, where there is a limit (faq.burn.1)."""
    until = d.book["burn.corrected"]
    if until.value != "always":
        d.rest_on(until)


def extra_burn(d: Draft) -> Ruling:
    """Too many burns, found on the burn itself or with the board shown (fr2.2-6, faq.burn.1)."""
    facts, book = d.irregularity, d.book
    _rest_on_limit(d)
    if facts.street is not d.state.rules_of_game.first_street:
        answer = book["burn.two_before_turn_or_river"]
        d.rest_on(answer)
        if answer.value == "stands":
            return d.finish(Verdict.PLAY_ON)
        return _swap_back(d)
    if facts.cards and not _is_order_known(d):
        return _reshuffle_flop_and_burns(d)
    d.rest_on(book["burn.two_before_flop_order_known"])
    return _shift_flop(d)


def _shift_flop(d: Draft) -> Ruling:
    """Every burn but the first belongs to the flop; what is then too many is the next burn."""
    street, size = _next_street(d)
    shown, turned_up = d.state.board, d.irregularity.nth
    too_many = len(shown) + turned_up - size
    for _ in range(turned_up):
        d.add(draft.burn_to_board())
    if too_many > 0:
        d.add(draft.move(StepKind.MOVE_TO_BURN, shown[-too_many:], "board", "burn"))
    elif too_many < 0:
        d.add(draft.board(size, street))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(d.state, Kind.EXTRA_BURN))


def _swap_back(d: Draft) -> Ruling:
    """The second burn is the card of the street; a card shown after it goes back on top."""
    facts = d.irregularity
    replaced = ends.open_of(d.state, Kind.EXTRA_BURN)
    if facts.nth > 1:
        d.call_floor = True  # a third burn belongs to the street after
        return d.finish(Verdict.FLOOR_DECIDES, replaces=replaced)
    if facts.cards:
        d.add(draft.move(StepKind.TOP_OF_STUB, facts.cards, "board", "stub"))
    d.add(draft.burn_to_board())
    return d.finish(Verdict.CONTINUE, replaces=replaced)


def _reshuffle_flop_and_burns(d: Draft) -> Ruling:
    """The flop and the burns too many go back, no new burn (fr2.2-6.unknown)."""
    street, size = _next_street(d)
    shown, burns = d.state.board, (draft.UNSEEN,) * d.irregularity.nth
    d.rest_on(d.book["burn.two_before_flop_order_unknown"])
    d.add(draft.move(StepKind.RETURN_TO_STUB, burns, "burn", "stub"))
    d.add(draft.move(StepKind.RETURN_TO_STUB, shown, "board", "stub"))
    ends.reshuffle(d, d.state.stub + len(shown) + len(burns))
    d.add(draft.board(size, street))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(d.state, Kind.EXTRA_BURN))


def late_burn_error(d: Draft) -> Ruling | None:
    """Betting has begun on the street: it stands, and later burns make up for it (faq.burn.2-3)."""
    until, later = d.book["burn.corrected"], d.book["burn.later_cards"]
    if until.value != "before_the_betting":
        return None
    d.rest_on(until, later)
    burns_due = 1 + d.state.burn_debt + d.irregularity.count
    if burns_due < 0 and later.value == "as_without_the_error":
        d.call_floor = True  # the next street's card is among the burns or on the board
    kinds = (Kind.MISSING_BURN, Kind.EXTRA_BURN)
    return d.finish(Verdict.PLAY_ON, replaces=ends.open_of(d.state, *kinds))


def premature_flop(d: Draft) -> Ruling:
    """The flop before the betting was over (fr1.flop.premature, fr2.2-10, ck.early.flop)."""
    return _back_and_again(d, "premature.flop", "premature.flop_taken_back", Kind.PREMATURE_FLOP)


def premature_river(d: Draft) -> Ruling:
    """The river before the betting was over (fr1.river.premature, fr2.2-12, ck.early.river)."""
    if aside := _turn_aside(d.state):
        return _river_before_turn_is_back(d, aside)
    if d.book["premature.river"].value == "discard_burn_and_turn":
        return _discard_river(d)
    return _back_and_again(d, "premature.river", "premature.river_taken_back", Kind.PREMATURE_RIVER)


def _turn_aside(state: TableState) -> tuple[Card, ...]:
    """Cards dealt too early as the turn that wait to be shuffled back; no boxed ones."""
    early = (o.ruling.irregularity for o in state.open)
    cards = (c for fault in early if fault.kind is Kind.PREMATURE_TURN for c in fault.cards)
    return tuple(card for card in cards if card in state.aside)


def _river_before_turn_is_back(d: Draft, aside: tuple[Card, ...]) -> Ruling:
    """A turn dealt too early still lies aside: both faults have one reshuffle, and no burn.

    No text foresees two streets dealt too early, so the floor is called.
    """
    state, facts, remedy = d.state, d.irregularity, d.book["premature.river"]
    d.rest_on(remedy, d.book["premature.turn"])
    d.floor_if_cards_change()
    d.call_floor = True
    back = (*facts.cards, *aside)
    if remedy.value == "discard_burn_and_turn":
        back = aside
        d.add(draft.move(StepKind.DISCARD, facts.cards, "board", "muck"))
    else:
        d.add(draft.move(StepKind.SET_ASIDE, facts.cards, "board", "aside"))
    d.add(draft.betting(Street.TURN.value))
    d.add(draft.move(StepKind.RETURN_TO_STUB, back, "aside", "stub"))
    ends.reshuffle(d, state.stub + len(back))
    d.add(draft.board(state.rules_of_game.board_size(Street.RIVER), Street.RIVER.value))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(state, Kind.PREMATURE_TURN))


def _discard_river(d: Draft) -> Ruling:
    """Out for good; after the betting burn and turn, nothing is shuffled (fr1.river.premature)."""
    state, facts = d.state, d.irregularity
    d.rest_on(d.book["premature.river"])
    d.floor_if_cards_change()
    d.add(draft.move(StepKind.DISCARD, facts.cards, "board", "muck"))
    d.add(draft.betting(Street.TURN.value))
    d.add(draft.burn())
    d.add(draft.board(state.rules_of_game.board_size(Street.RIVER), Street.RIVER.value))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(state, Kind.PREMATURE_RIVER))


def _back_and_again(d: Draft, remedy: str, when: str, kind: Kind) -> Ruling:
    """The cards go back, the stub is shuffled, the street is dealt again without a burn."""
    state = d.state
    played = state.rules_of_game.first_street if state.street is Street.DEAL else state.street
    upcoming = state.rules_of_game.next_street(played)
    d.rest_on(d.book[remedy], d.book[when])
    d.floor_if_cards_change()
    at_once = d.book[when].value == "at_once"
    if state.street is Street.DEAL:
        d.add(draft.finish_deal())
    if not at_once:
        d.add(draft.betting(played.value))
    again = _shuffle_back(d, d.book[remedy])
    if at_once:
        d.add(draft.betting(played.value))
    if again or not state.burn_taken:
        d.add(draft.burn())
    d.add(draft.board(state.rules_of_game.board_size(upcoming), upcoming.value))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(state, kind))


def _shuffle_back(d: Draft, remedy: Answer) -> bool:
    """The cards go back, the burn with them where the house has it so: it is then taken anew."""
    state, cards = d.state, d.irregularity.cards
    with_burn = remedy.value == "reshuffle_with_burn" and bool(state.burns)
    if with_burn:
        d.add(draft.move(StepKind.RETURN_TO_STUB, (draft.UNSEEN,), "burn", "stub"))
    d.add(draft.move(StepKind.RETURN_TO_STUB, cards, "board", "stub"))
    ends.reshuffle(d, state.stub + len(cards) + with_burn)
    return with_burn


def premature_turn(d: Draft) -> Ruling:
    """Set aside; the next card is the turn; back before the river (ck.early.turn, fr2.2-11)."""
    state, facts, book = d.state, d.irregularity, d.book
    if book["premature.turn"].value == "reshuffle_no_burn":
        return _back_and_again(
            d, "premature.turn", "premature.turn_reshuffled", Kind.PREMATURE_TURN
        )
    when = book["premature.turn_reshuffled"]
    d.rest_on(book["premature.turn"], when)
    d.floor_if_cards_change()
    d.add(draft.move(StepKind.SET_ASIDE, facts.cards, "board", "aside"))
    d.add(draft.betting(Street.FLOP.value))
    d.add(draft.burn())
    d.add(draft.board(state.rules_of_game.board_size(Street.TURN), Street.TURN.value))
    after_betting = when.value == "after_the_turn_betting"
    if after_betting:
        d.add(draft.betting(Street.TURN.value))
    d.add(draft.move(StepKind.RETURN_TO_STUB, facts.cards, "aside", "stub"))
    # The burn and the new turn leave the stub before the set-aside cards come back.
    burned_and_turned = 2
    ends.reshuffle(d, state.stub - burned_and_turned + len(facts.cards))
    if not after_betting:
        d.add(draft.betting(Street.TURN.value))
    d.add(draft.board(state.rules_of_game.board_size(Street.RIVER), Street.RIVER.value))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(state, Kind.PREMATURE_TURN))


def four_card_flop(d: Draft) -> Ruling:
    """More than three cards (fr1.flop.extra, fr2.2-7, fr3.flop.extra)."""
    facts = d.irregularity
    order = "known" if _is_order_known(d) else "unknown"
    answer = d.book[f"flop.four_cards_order_{order}"]
    d.rest_on(answer)
    d.floor_if_cards_change()
    if not str(answer.value).startswith("reshuffle") and len(facts.cards) == _FLOP + 1:
        if answer.value == "fourth_is_next_burn":
            d.add(draft.move(StepKind.MOVE_TO_BURN, facts.cards[_FLOP:], "board", "burn"))
        else:
            d.add(draft.pick_burn(facts.cards))
        return d.finish(Verdict.CONTINUE)
    if _shuffle_back(d, answer):
        d.add(draft.burn())
    d.add(draft.board(d.state.rules_of_game.board_size(Street.FLOP), Street.FLOP.value))
    return d.finish(Verdict.CONTINUE, replaces=ends.open_of(d.state, Kind.FOUR_CARD_FLOP))
