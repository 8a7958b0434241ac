"""What the engine can find wrong: a closed set of kinds, each with its facts."""

from __future__ import annotations

from enum import Enum

import msgspec

from controller.cards import Card
from controller.events import Street


class Kind(Enum):
    """The kinds of irregularity, the same under every rulebook."""

    EXPOSED_CARD = "exposed_card"
    BOXED_CARD = "boxed_card"
    JOKER = "joker"
    DUPLICATE_CARD = "duplicate_card"
    WRONG_BACK = "wrong_back"
    COUNT_SHORT = "count_short"
    COUNT_LONG = "count_long"
    MISSING_BURN = "missing_burn"
    PREMATURE_FLOP = "premature_flop"
    PREMATURE_TURN = "premature_turn"
    PREMATURE_RIVER = "premature_river"
    FOUR_CARD_FLOP = "four_card_flop"
    EXTRA_BURN = "extra_burn"
    LATE_BURN_ERROR = "late_burn_error"
    NOT_SHUFFLED = "not_shuffled"
    SHUFFLE_SEQUENCE = "shuffle_sequence"
    BAD_CUT = "bad_cut"
    WRONG_SEAT = "wrong_seat"
    EMPTY_SEAT = "empty_seat"
    UNENTITLED_PLAYER = "unentitled_player"
    UNPOSTED_PLAYER = "unposted_player"
    ABSENT_PLAYER = "absent_player"
    NO_CARDS = "no_cards"
    SHORT_HAND = "short_hand"
    EXTRA_CARD = "extra_card"
    WRONG_BUTTON = "wrong_button"
    ENDANGERED_HAND = "endangered_hand"
    OUT_OF_TURN = "out_of_turn"
    POT_SPLASHED = "pot_splashed"
    CHANGE_TAKEN = "change_taken"
    STUB_DROPPED = "stub_dropped"
    LAST_CARD = "last_card"
    NOT_ENOUGH_CARDS = "not_enough_cards"
    MARRED_CARD = "marred_card"
    DECK_REQUESTED = "deck_requested"
    KNEW_OF_FOULED_DECK = "knew_of_fouled_deck"
    OBJECTION = "objection"
    CLAIM = "claim"
    DOUBT = "doubt"
    UNEXPECTED = "unexpected"


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """One thing found wrong, with the facts a rulebook decides on.

    ``deal_index`` is the place of the card in the deal (1 = the very first card),
    0 outside the deal. ``count`` is what was counted, or which of its kind this
    is in the hand (2 = second exposed card needing replacement, second boxed card).
    ``due_seat`` is the seat that should have had the card, ``looked_at`` whether
    the player has seen it, ``others_done`` whether all other players are served.
    """

    kind: Kind
    street: Street
    seat: int = 0
    cards: tuple[Card, ...] = ()
    deal_index: int = 0
    nth: int = 0
    count: int = 0
    order_known: bool = True
    by_player: bool = False
    off_table: bool = False
    due_seat: int = 0
    looked_at: bool = False
    others_done: bool = False
    zone: str = ""
    detail: str = ""
