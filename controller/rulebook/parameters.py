"""Every question a rulebook answers, in trade words, with the answers it may give."""

from __future__ import annotations

import re
from typing import Final

import msgspec

Value = bool | int | str | tuple[int, ...] | tuple[str, ...]


class Parameter(msgspec.Struct, frozen=True):
    """One question.

    ``allowed`` lists the words that answer it; for numbers and lists ``least``
    and ``most`` bound each number; ``pattern`` is what each word of a list of
    words must look like.
    """

    meaning: str
    type: str
    allowed: tuple[str, ...] = ()
    least: int = 0
    most: int = 52
    pattern: str = ""

    def problem_with(self, value: object) -> str:
        """Why a value does not answer the question; empty when it does."""
        match self.type:
            case "choice":
                return self._choice_problem(value)
            case "bool":
                return "" if isinstance(value, bool) else f"{value!r} is not true or false"
            case "number":
                good = self._is_number(value)
                wanted = f"a whole number from {self.least} to {self.most}"
            case "numbers":
                good = isinstance(value, (list, tuple)) and all(map(self._is_number, value))
                wanted = f"a list of whole numbers from {self.least} to {self.most}"
            case _:
                good = isinstance(value, (list, tuple)) and all(map(self._is_word, value))
                wanted = f"a list of words such as {self.allowed[0]!r}"
        return "" if good else f"{value!r} is not {wanted}"

    def _choice_problem(self, value: object) -> str:
        if value in self.allowed:
            return ""
        return f"{value!r} is not an answer; write one of {', '.join(self.allowed)}"

    def _is_number(self, value: object) -> bool:
        return (
            isinstance(value, int)
            and not isinstance(value, bool)
            and self.least <= value <= self.most
        )

    def _is_word(self, value: object) -> bool:
        return isinstance(value, str) and bool(re.fullmatch(self.pattern, value))


def _choice(meaning: str, *allowed: str) -> Parameter:
    return Parameter(meaning, "choice", allowed)


def _yes_no(meaning: str) -> Parameter:
    return Parameter(meaning, "bool")


def _number(meaning: str, least: int, most: int) -> Parameter:
    return Parameter(meaning, "number", (), least, most)


_DEAL: Final = {
    "deal.by": _choice("who deals", "house_dealer", "players"),
    "deal.blinds_first": _yes_no("no card is dealt before the blinds are on the table"),
    "deal.first_card_to_wrong_seat": _choice(
        "the first card goes to the wrong player", "misdeal", "as_any_other"
    ),
    "deal.card_to_wrong_seat": _choice(
        "a later card goes to the wrong player", "misdeal", "misdeal_unless_exposed", "push_back"
    ),
    "deal.most_pushed_back": _number("cards that may be pushed back in one deal", 0, 52),
    "deal.empty_seat": _choice("cards dealt to an empty seat", "misdeal", "hand_dead"),
    "deal.unentitled_player": _choice(
        "a player with no right to a hand is dealt in", "misdeal", "hand_dead"
    ),
    "deal.unposted_player": _choice(
        "a player who has not anted or posted is dealt in", "misdeal", "hand_dead"
    ),
    "deal.absent_player": _choice(
        "a player who is away when the last card is dealt", "hand_dead", "keeps_hand"
    ),
    "deal.player_without_cards": _choice(
        "a player with a right to a hand got none", "misdeal", "out_of_the_hand"
    ),
    "deal.asked_absent_left_out": _choice(
        "an absent player who asked for a hand is dealt around",
        "misdeal_until_others_are_served",
        "misdeal",
        "out_of_the_hand",
    ),
    "deal.too_few_cards": _choice("a player got too few cards", "misdeal", "top_card_if_due"),
    "deal.one_card_too_many": _choice(
        "one player got one card too many",
        "misdeal",
        "becomes_burn_before_betting",
        "becomes_burn_if_small_blind",
        "becomes_burn_if_first_player",
        "becomes_burn_if_last_dealt_unseen",
    ),
    "deal.too_many_misdeal_count": _number(
        "cards too many, in all, that always make a misdeal", 1, 52
    ),
    "deal.wrong_button": _choice(
        "the button is misplaced, or the wrong player deals", "misdeal", "play_on"
    ),
}

_MISDEAL: Final = {
    "misdeal.window": _choice(
        "until when a misdeal may be called",
        "substantial_action",
        "two_players_bet",
        "two_players_acted",
        "blinds_acted",
        "action_started",
        "never_closes",
    ),
    "misdeal.substantial_action": _choice(
        "what substantial action is",
        "two_with_chips_or_three_any",
        "two_unless_alike_passive_or_three_alike",
        "two_any",
    ),
    "misdeal.after_window": _choice(
        "a faulty deal found too late", "play_on", "without_affected_hands", "floor"
    ),
    "misdeal.wash": _yes_no("the cards are scrambled before the new shuffle"),
    "misdeal.blinds": _choice("the blinds of a hand that is dealt anew", "stay_posted", "returned"),
    "misdeal.alert_after": _number(
        "misdeals of one dealer after which the floor is told; 0 never", 0, 52
    ),
    "misdeal.claims": _choice("a player claims a misdeal", "heard", "floor"),
}

_EXPOSED: Final = {
    "exposed.misdeal_positions": Parameter(
        "cards of the deal whose exposure is a misdeal (1 first)", "numbers", (), 1, 20
    ),
    "exposed.misdeal_count": _number("how many exposed cards make a misdeal", 1, 20),
    "exposed.counted": _choice(
        "which exposed cards count towards a misdeal",
        "any",
        "by_the_dealer",
        "needing_replacement",
    ),
    "exposed.replacement": _choice("when the new card is given", "after_the_deal"),
    "exposed.fate": _choice(
        "what becomes of the exposed card", "becomes_the_burn", "on_top_then_burn"
    ),
    "exposed.dealers_own_card": _choice("a dealing player's own card", "keep_and_show", "replace"),
    "exposed.buttons_first_card": _choice(
        "the button's first card, which would bring two cards in a row",
        "replace",
        "floor",
        "misdeal",
    ),
    "exposed.buttons_last_card": _choice(
        "the last card of the deal, whose new card is the very next", "replace", "misdeal"
    ),
    "exposed.by_players_accident": _choice(
        "a card the player turned without meaning to", "not_replaced", "replaced"
    ),
    "exposed.by_player_on_purpose": _choice(
        "a card the player turned on purpose", "not_replaced", "hand_dead"
    ),
    "exposed.suspicion_counts": _yes_no("a card that may have been seen is exposed"),
    "off_table.by_dealer": _choice("a card the dealer pitched off the table", "exposed"),
    "off_table.by_player": _choice("a card the player dropped", "must_be_played", "exposed"),
}

_DECK: Final = {
    "boxed.single": _choice("one boxed card", "next_card_instead"),
    "boxed.misdeal_count": _number(
        "boxed cards that make a misdeal while the window is open", 1, 52
    ),
    "boxed.too_many": _choice("too many boxed cards", "fouled_deck", "misdeal"),
    "joker.policy": _choice("a joker in the deck", "next_card_instead", "fouled_deck", "misdeal"),
    "fouled.too_many": _choice("a card too many", "fouled_deck"),
    "fouled.missing": _choice(
        "a missing card", "misdeal_then_fouled_deck", "fouled_deck", "play_on"
    ),
    "fouled.other_back": _choice("a card with another back", "fouled_deck"),
    "fouled.duplicate": _choice("two cards of one rank and suit", "fouled_deck"),
    "fouled.found_after_the_hand": _choice(
        "the deck is found fouled once the pot is awarded", "result_stands", "fouled_deck"
    ),
    "fouled.refund_to": _choice(
        "who gets the money of a fouled deck back", "contributors", "players_in_the_hand"
    ),
    "fouled.forfeited": _choice(
        "what a player loses who alone knew of it and tried to win the pot",
        "own_chips",
        "whole_pot",
        "nothing",
    ),
    "fouled.forfeit_to": _choice(
        "who shares what the player forfeits while others are still in",
        "active_players",
        "contributors",
        "next_pot",
    ),
    "fouled.next_button": _choice("button and blinds after a fouled deck", "same", "advance"),
    "deck.marred_card": _choice("a marred card is noticed", "change_at_once", "floor"),
    "deck.change_on_request": _choice(
        "a player asks for another deck", "after_laps", "any_time", "never"
    ),
    "deck.change_laps": _number("laps between two changes of deck", 0, 52),
    "deck.set_up_on_request": _choice(
        "a player asks for a set-up", "only_marred", "after_minutes", "never"
    ),
    "deck.set_up_minutes": _number("minutes between two set-ups", 0, 600),
    "deck.new_deck_shuffles": _number("riffles that a new deck gets at least", 0, 20),
    "deck.cards": _number("cards of a valid deck", 52, 52),
    "deck.returned_cards": _choice(
        "fewer cards come back after the hand than went out", "found_before_next_hand", "floor"
    ),
    "deck.two_decks": _choice(
        "a second deck is shuffled while one is in play",
        "never",
        "when_players_deal",
        "with_a_machine",
    ),
    "deck.last_card": _choice("the last card of the deck would be needed", "never_used", "used"),
    "deck.most_hands": _number(
        "hands with one deck after which its change is proposed; 0 never", 0, 100_000
    ),
    "deck.most_shuffles": _number(
        "shuffles of one deck after which its change is proposed; 0 never", 0, 100_000
    ),
    "deck.most_days": _number(
        "days on which one deck is dealt after which its change is proposed; 0 never", 0, 1000
    ),
    "deck.most_jams": _number(
        "jams of the machine with one deck after which its change is proposed; 0 never", 0, 100
    ),
    "stub.count_minutes": _number("minutes between two counts of the stub; 0 never", 0, 600),
    "stub.dropped_top_known": _choice("the stub was dropped, its top is known", "continue"),
    "stub.dropped_in_doubt": _choice(
        "the stub was dropped and is in doubt",
        "reshuffle_without_doubtful",
        "reshuffle_with_doubtful",
    ),
}

_SHUFFLE: Final = {
    "shuffle.not_done": _choice("a deck was dealt unshuffled or uncut", "misdeal", "play_on"),
    "shuffle.by": _choice(
        "who shuffles when players deal",
        "dealer",
        "right_of_dealer",
        "two_right_of_dealer",
        "small_blind",
        "machine",
    ),
    "shuffle.dealer_may": _yes_no("the dealer may shuffle instead"),
    "shuffle.sequences": Parameter(
        "orders of riffle (R), box (B), wash (W), strip (S) and cut (C); empty for any",
        "words",
        ("RRBR",),
        pattern=r"[RBWSC]+",
    ),
    "shuffle.longer_sequences": _yes_no(
        "more riffles and boxes than the named orders are right, if neither first nor last "
        "is a box and no two boxes follow one another"
    ),
    "shuffle.secured": _choice(
        "the floor orders the slower, secured shuffle",
        "small_blind_shuffles_cutoff_cuts",
        "no_rule",
    ),
    "cut.by": _choice("who cuts when players deal", "left_of_dealer", "right_of_dealer", "dealer"),
    "cut.least_pile": _number("cards that each pile of the cut must have at least", 0, 26),
    "cut.may_be_refused": _yes_no("the player may decline to cut"),
    "cut.card": _choice("where the cut card goes", "under_the_deck", "cut_onto", "none"),
    "cut.after_reshuffle": _yes_no("a reshuffled stub is cut"),
    "first_dealer.by": _choice(
        "how the first dealer is found",
        "high_card",
        "software",
        "first_seated",
        "right_of_house_dealer",
    ),
    "first_dealer.tie": _choice(
        "two highest cards of one rank", "first_to_receive", "redraw", "suit", "floor"
    ),
}

_BURN: Final = {
    "burn.flop_without_order_known": _choice(
        "flop without a burn, order known",
        "first_burned",
        "one_of_three_burned",
        "reshuffle_with_burn",
    ),
    "burn.flop_without_order_unknown": _choice(
        "flop without a burn, order unknown", "reshuffle_with_burn", "one_of_three_burned"
    ),
    "burn.turn_or_river_without": _choice(
        "turn or river without a burn", "card_is_burned", "stands"
    ),
    "burn.two_before_flop_order_known": _choice(
        "flop after two burns, order known", "second_burn_is_first_card"
    ),
    "burn.two_before_flop_order_unknown": _choice(
        "flop after two burns, order unknown", "reshuffle_flop_and_one_burn"
    ),
    "burn.two_before_turn_or_river": _choice(
        "turn or river after two burns", "second_burn_is_the_card", "stands"
    ),
    "burn.shown": _yes_no("a card that becomes the burn is shown to all players"),
    "burn.corrected": _choice(
        "until when a burn error is corrected", "always", "before_the_betting"
    ),
    "burn.later_cards": _choice(
        "the cards after a burn error that stands", "as_without_the_error", "one_burn_each"
    ),
}

_BOARD: Final = {
    "premature.flop": _choice(
        "flop before the betting is over", "reshuffle_no_burn", "reshuffle_with_burn"
    ),
    "premature.flop_taken_back": _choice(
        "when a premature flop is taken back", "at_once", "after_the_betting"
    ),
    "premature.turn": _choice(
        "turn before the betting is over",
        "next_card_then_reshuffle_for_river",
        "reshuffle_no_burn",
    ),
    "premature.turn_reshuffled": _choice(
        "when the set-aside turn goes back", "before_the_river", "after_the_turn_betting"
    ),
    "premature.river": _choice(
        "river before the betting is over", "reshuffle_no_burn", "discard_burn_and_turn"
    ),
    "premature.river_taken_back": _choice(
        "when a premature river is taken back", "at_once", "after_the_betting"
    ),
    "flop.four_cards_order_known": _choice(
        "four cards on the flop, order known",
        "fourth_is_next_burn",
        "reshuffle_no_burn",
        "reshuffle_with_burn",
        "one_of_four_is_next_burn",
    ),
    "flop.four_cards_order_unknown": _choice(
        "four cards on the flop, order unknown",
        "reshuffle_no_burn",
        "reshuffle_with_burn",
        "one_of_four_is_next_burn",
    ),
    "flop.shoe_log_tells_order": _yes_no("the shoe's log makes an order known"),
}

_HANDS: Final = {
    "hand.fold_announced": _choice("a fold announced facing a bet", "hand_dead", "floor"),
    "hand.folded_out_of_turn": _choice("a fold out of turn", "hand_dead", "floor"),
    "hand.past_the_line": _choice("cards thrown past the line", "hand_dead", "floor"),
    "hand.forward_motion": _choice(
        "cards thrown forward so that another player acts", "hand_dead", "floor"
    ),
    "hand.touched_muck": _choice("cards that touched the muck", "hand_dead", "floor"),
    "hand.into_other_hand": _choice("cards sent into another player's cards", "hand_dead", "floor"),
    "hand.dead_card_mixed_in": _choice("a dead card mixed into the hand", "hand_dead", "floor"),
    "hand.taken_by_dealer": _choice(
        "an unprotected hand that the dealer took", "hand_dead", "floor"
    ),
    "hand.wrong_count_after_window": _choice(
        "a hand with the wrong number of cards, found too late", "floor", "hand_dead", "plays"
    ),
}

_MONEY: Final = {
    "button.rule": _choice("button and blinds when a player is out", "dead", "moving", "advance"),
    "button.empty_seat": _choice(
        "the button would come to an empty seat", "previous_player", "empty_seat"
    ),
    "button.big_blind_may_be_missing": _yes_no(
        "a hand may go without a big blind when its player is out"
    ),
    "button.no_blinds": _choice(
        "both blinds fall on empty seats", "next_player_pays", "played_without"
    ),
    "pot.odd_chip": _choice(
        "who gets the odd chip of a split pot", "first_left_of_button", "highest_card_by_suit"
    ),
    "pot.smallest_chip": _number("the smallest chip of the game", 1, 1_000_000),
    "pot.scooped": _choice("when bets go into the pot", "after_the_round", "by_the_dealer"),
    "pot.splashed": _choice(
        "chips thrown straight into the pot", "verified_and_pushed_back", "floor"
    ),
    "pot.change": _choice("who makes change", "dealer", "floor"),
}

_FLOOR: Final = {
    "floor.cards_would_change": _yes_no(
        "the floor is called when an error changes the cards a player would get"
    ),
    "floor.on_objection": _yes_no("the floor is called when a player objects"),
    "floor.on_doubt": _yes_no("the floor is called whenever anything is in doubt"),
    "floor.professional_dealer": _choice(
        "a professional dealer takes over", "other_rules_apply", "same_rules"
    ),
}

_ALARM: Final = {
    "alarm.escalate_s": _number(
        "seconds after which an alarm that nobody acknowledges goes to the floor; 0 never", 0, 3600
    ),
}

_PROMPTS: Final = {
    f"prompts.{name}": _yes_no(meaning)
    for name, meaning in {
        "tell_turn": "players are told when it is their turn, and to act in turn",
        "tell_players_left": "the number of players in the pot is announced on each street",
        "tell_all_in": "an all-in bet is announced",
        "tell_raise": "every raise is announced",
        "tell_playing_behind": "it is announced when a player plays behind",
        "tell_make_up_blind": "a make-up blind is announced",
        "tell_bring_in": "in stud, the forced bring-in and the high hand are announced",
        "ask_option": "a live blind is asked whether it raises",
        "tap_table": "the dealer taps the table before a burn",
        "place_burn": "a burn goes under the earlier ones, under the edge of the pot",
        "place_flop": "the flop lies in the centre, the pot beside it",
        "bets_stay_in_front": "bets stay before the players until the round is over",
        "verify_and_scoop": "amounts and change are verified before bets are scooped",
        "gather_blinds": "the dealer gathers the blinds into the pot",
        "dead_blind_to_centre": "the dead part of a made-up blind goes to the centre",
        "side_pot_apart": "side pots lie apart from the main pot, near their players",
        "split_pot": "equal hands split the pot",
        "gather_folded": "the dealer gathers folded cards",
        "last_down_card_apart": "in stud, the last down card is kept apart from the others",
        "spread_stub": "when all is dealt the stub is dropped so that it lies spread",
        "confirm_hand_over": "the dealer confirms that the hand is over",
        "discards_into_stub": "discards are pushed into the stub, not on top nor under it",
        "top_retrievable": "the top of the stub stays retrievable",
        "verify_discards": "the cards of every discarded hand are counted",
        "move_button": "the pot is pushed first, then the button moves",
        "scramble": "the scramble is the last act of the hand",
        "wash": "the cards are washed before every shuffle",
        "say_who_deals": "the player whose turn it is to deal is named",
        "say_who_shuffles": "the player who shuffles is named",
        "say_who_cuts": "the player who cuts is named",
        "say_live_deck": "it is said which of two decks is in play",
        "cut_card": "the cut card is asked for before the first card",
        "protect_hands": "players are told to protect their hands",
        "watch_absent_chips": "the dealer watches the chips of players who are away",
    }.items()
}

PARAMETERS: Final[dict[str, Parameter]] = {
    **_DEAL,
    **_MISDEAL,
    **_EXPOSED,
    **_DECK,
    **_SHUFFLE,
    **_BURN,
    **_BOARD,
    **_HANDS,
    **_MONEY,
    **_FLOOR,
    **_ALARM,
    **_PROMPTS,
}
