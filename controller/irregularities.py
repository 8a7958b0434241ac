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
    UNEXPECTED = "unexpected"


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """One thing found wrong, with the facts a rulebook decides on.

    ``deal_index`` is the place of the card in the deal (1 = the very first card),
    0 outside the deal. ``count`` is what was counted, or which of its kind this
    is in the hand (2 = second exposed card needing replacement, second boxed card).
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
    zone: str = ""
    detail: str = ""
