"""Which questions of a rulebook bear on which kind of irregularity."""

from __future__ import annotations

from typing import Final

from controller.irregularities import Kind

_WINDOW: Final = ("misdeal.window", "misdeal.substantial_action", "misdeal.after_window")
_AGAIN: Final = ("misdeal.wash", "misdeal.blinds")
_MONEY: Final = ("fouled.refund_to", "fouled.next_button", "fouled.found_after_the_hand")
_CORRECTED: Final = ("burn.corrected", "burn.later_cards")

QUESTIONS: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.EXPOSED_CARD: (
        "exposed.misdeal_positions",
        "exposed.misdeal_count",
        "exposed.counted",
        "exposed.replacement",
        "exposed.fate",
        "exposed.dealers_own_card",
        "exposed.buttons_first_card",
        "exposed.buttons_last_card",
        "exposed.by_players_accident",
        "exposed.by_player_on_purpose",
        "exposed.suspicion_counts",
        "off_table.by_dealer",
        "off_table.by_player",
        *_WINDOW,
        *_AGAIN,
    ),
    Kind.BOXED_CARD: ("boxed.single", "boxed.misdeal_count", "boxed.too_many", *_WINDOW),
    Kind.JOKER: ("joker.policy",),
    Kind.DUPLICATE_CARD: ("fouled.duplicate", *_MONEY),
    Kind.WRONG_BACK: ("fouled.other_back", *_MONEY),
    Kind.COUNT_SHORT: ("fouled.missing", "deck.returned_cards", "deck.cards", *_MONEY),
    Kind.COUNT_LONG: ("fouled.too_many", *_MONEY),
    Kind.MISSING_BURN: (
        "burn.flop_without_order_known",
        "burn.flop_without_order_unknown",
        "burn.turn_or_river_without",
        "burn.shown",
        "flop.shoe_log_tells_order",
        *_CORRECTED,
    ),
    Kind.EXTRA_BURN: (
        "burn.two_before_flop_order_known",
        "burn.two_before_flop_order_unknown",
        "burn.two_before_turn_or_river",
        *_CORRECTED,
    ),
    Kind.LATE_BURN_ERROR: _CORRECTED,
    Kind.PREMATURE_FLOP: (
        "premature.flop",
        "premature.flop_taken_back",
        "cut.after_reshuffle",
        "floor.cards_would_change",
    ),
    Kind.PREMATURE_TURN: (
        "premature.turn",
        "premature.turn_reshuffled",
        "cut.after_reshuffle",
        "floor.cards_would_change",
    ),
    Kind.PREMATURE_RIVER: (
        "premature.river",
        "premature.river_taken_back",
        "cut.after_reshuffle",
        "floor.cards_would_change",
    ),
    Kind.FOUR_CARD_FLOP: (
        "flop.four_cards_order_known",
        "flop.four_cards_order_unknown",
        "flop.shoe_log_tells_order",
        "cut.after_reshuffle",
        "floor.cards_would_change",
    ),
    Kind.NOT_SHUFFLED: ("shuffle.not_done",),
    Kind.SHUFFLE_SEQUENCE: ("shuffle.sequences", "shuffle.longer_sequences"),
    Kind.BAD_CUT: ("cut.least_pile", "cut.may_be_refused"),
    Kind.WRONG_SEAT: (
        "deal.first_card_to_wrong_seat",
        "deal.card_to_wrong_seat",
        "deal.most_pushed_back",
        *_WINDOW,
    ),
    Kind.EMPTY_SEAT: ("deal.empty_seat", *_WINDOW),
    Kind.UNENTITLED_PLAYER: ("deal.unentitled_player", *_WINDOW),
    Kind.UNPOSTED_PLAYER: ("deal.unposted_player", *_WINDOW),
    Kind.ABSENT_PLAYER: ("deal.absent_player",),
    Kind.NO_CARDS: ("deal.player_without_cards", "deal.asked_absent_left_out", *_WINDOW),
    Kind.SHORT_HAND: ("deal.too_few_cards", "hand.wrong_count_after_window", *_WINDOW),
    Kind.EXTRA_CARD: (
        "deal.one_card_too_many",
        "deal.too_many_misdeal_count",
        "hand.wrong_count_after_window",
        *_WINDOW,
    ),
    Kind.WRONG_BUTTON: ("deal.wrong_button", *_WINDOW),
    Kind.ENDANGERED_HAND: (
        "hand.fold_announced",
        "hand.past_the_line",
        "hand.forward_motion",
        "hand.touched_muck",
        "hand.into_other_hand",
        "hand.dead_card_mixed_in",
        "hand.taken_by_dealer",
    ),
    Kind.OUT_OF_TURN: ("hand.folded_out_of_turn", "prompts.tell_turn"),
    Kind.POT_SPLASHED: ("pot.splashed",),
    Kind.CHANGE_TAKEN: ("pot.change",),
    Kind.STUB_DROPPED: (
        "stub.dropped_top_known",
        "stub.dropped_in_doubt",
        "cut.after_reshuffle",
    ),
    Kind.LAST_CARD: ("deck.last_card",),
    Kind.NOT_ENOUGH_CARDS: ("deck.last_card",),
    Kind.MARRED_CARD: ("deck.marred_card", "deck.new_deck_shuffles"),
    Kind.DECK_REQUESTED: (
        "deck.change_on_request",
        "deck.change_laps",
        "deck.set_up_on_request",
        "deck.set_up_minutes",
    ),
    Kind.KNEW_OF_FOULED_DECK: ("fouled.forfeited", "fouled.forfeit_to", *_MONEY),
    Kind.OBJECTION: ("floor.on_objection",),
    Kind.CLAIM: ("misdeal.claims", *_WINDOW),
    Kind.DOUBT: ("floor.on_doubt",),
    Kind.UNEXPECTED: (),
}
"""The questions a ruling on each kind may rest on, the most important first."""
