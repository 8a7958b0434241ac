"""Every question a rulebook answers, in trade words, with the answers it may give."""

from __future__ import annotations

from typing import Final

import msgspec

Value = bool | int | str | tuple[int, ...]


class Parameter(msgspec.Struct, frozen=True):
    """One question.

    ``allowed`` lists the words that answer it; for numbers and lists ``least``
    and ``most`` bound each number.
    """

    meaning: str
    type: str
    allowed: tuple[str, ...] = ()
    least: int = 0
    most: int = 52

    def problem_with(self, value: object) -> str:
        """Why a value does not answer the question; empty when it does."""
        if self.type == "choice":
            if value in self.allowed:
                return ""
            return f"{value!r} is not an answer; write one of {', '.join(self.allowed)}"
        if self.type == "bool":
            return "" if isinstance(value, bool) else f"{value!r} is not true or false"
        numbers = value if self.type == "numbers" and isinstance(value, (list, tuple)) else [value]
        good = all(
            isinstance(n, int) and not isinstance(n, bool) and self.least <= n <= self.most
            for n in numbers
        )
        if good and (self.type == "numbers") == isinstance(value, (list, tuple)):
            return ""
        kind = "a list of whole numbers" if self.type == "numbers" else "a whole number"
        return f"{value!r} is not {kind} from {self.least} to {self.most}"


def _choice(meaning: str, *allowed: str) -> Parameter:
    return Parameter(meaning, "choice", allowed)


PARAMETERS: Final[dict[str, Parameter]] = {
    "deal.by": _choice("who deals", "house_dealer", "players"),
    "misdeal.window": _choice(
        "until when a misdeal may be called", "substantial_action", "two_players_bet"
    ),
    "misdeal.substantial_action": _choice(
        "what substantial action is", "two_with_chips_or_three_any", "two_any"
    ),
    "misdeal.wash": Parameter("the cards are scrambled before the new shuffle", "bool"),
    "exposed.misdeal_positions": Parameter(
        "cards of the deal whose exposure is a misdeal (1 first)", "numbers", (), 1, 20
    ),
    "exposed.misdeal_count": Parameter(
        "how many exposed cards make a misdeal", "number", (), 1, 20
    ),
    "exposed.replacement": _choice("when the new card is given", "after_the_deal"),
    "exposed.fate": _choice("what becomes of the exposed card", "becomes_the_burn"),
    "exposed.dealers_own_card": _choice("a dealing player's own card", "keep_and_show", "replace"),
    "exposed.buttons_first_card": _choice(
        "the button's first card, which would bring two cards in a row", "replace", "floor"
    ),
    "exposed.by_players_accident": _choice(
        "a card the player turned without meaning to", "not_replaced", "replaced"
    ),
    "exposed.by_player_on_purpose": _choice(
        "a card the player turned on purpose", "not_replaced", "hand_dead"
    ),
    "exposed.suspicion_counts": Parameter("a card that may have been seen is exposed", "bool"),
    "off_table.by_dealer": _choice("a card the dealer pitched off the table", "exposed"),
    "off_table.by_player": _choice("a card the player dropped", "must_be_played", "exposed"),
    "boxed.single": _choice("one boxed card", "next_card_instead"),
    "boxed.misdeal_count": Parameter(
        "boxed cards that make a misdeal while the window is open", "number", (), 1, 52
    ),
    "joker.policy": _choice("a joker in the deck", "next_card_instead", "fouled_deck"),
    "fouled.too_many": _choice("a card too many", "fouled_deck"),
    "fouled.missing": _choice(
        "a missing card", "misdeal_then_fouled_deck", "fouled_deck", "play_on"
    ),
    "fouled.other_back": _choice("a card with another back", "fouled_deck"),
    "fouled.duplicate": _choice("two cards of one rank and suit", "fouled_deck"),
    "burn.flop_without_order_known": _choice("flop without a burn, order known", "first_burned"),
    "burn.flop_without_order_unknown": _choice(
        "flop without a burn, order unknown", "reshuffle_with_burn"
    ),
    "burn.turn_or_river_without": _choice("turn or river without a burn", "card_is_burned"),
    "premature.flop": _choice("flop before the betting is over", "reshuffle_no_burn"),
    "premature.flop_taken_back": _choice(
        "when a premature flop is taken back", "at_once", "after_the_betting"
    ),
    "premature.turn": _choice(
        "turn before the betting is over", "next_card_then_reshuffle_for_river"
    ),
    "premature.turn_reshuffled": _choice(
        "when the set-aside turn goes back", "before_the_river", "after_the_turn_betting"
    ),
    "premature.river": _choice("river before the betting is over", "reshuffle_no_burn"),
    "premature.river_taken_back": _choice(
        "when a premature river is taken back", "at_once", "after_the_betting"
    ),
    "flop.four_cards_order_known": _choice(
        "four cards on the flop, order known", "fourth_is_next_burn", "reshuffle_no_burn"
    ),
    "flop.four_cards_order_unknown": _choice(
        "four cards on the flop, order unknown", "reshuffle_no_burn"
    ),
    "floor.cards_would_change": Parameter(
        "the floor is called when an error changes the cards a player would get", "bool"
    ),
}
