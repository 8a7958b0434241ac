"""The mistakes a simulated dealer, deck or machine can make, and a seeded choice of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from controller.irregularities import Kind


class Mistake(Enum):
    """A closed list; each brings about one kind of irregularity."""

    NONE = "none"
    EXPOSED_FIRST = "exposed_first"
    EXPOSED_LATER = "exposed_later"
    EXPOSED_TWO = "exposed_two"
    BOXED_IN_DEAL = "boxed_in_deal"
    BOXED_ON_BOARD = "boxed_on_board"
    JOKER_REPORTED = "joker_reported"
    JOKER_BOXED = "joker_boxed"
    DUPLICATE_ON_BOARD = "duplicate_on_board"
    WRONG_BACK = "wrong_back"
    DECK_SHORT = "deck_short"
    DECK_LONG = "deck_long"
    NO_BURN_FLOP = "no_burn_flop"
    NO_BURN_TURN = "no_burn_turn"
    NO_BURN_RIVER = "no_burn_river"
    FLOP_EARLY = "flop_early"
    TURN_EARLY = "turn_early"
    RIVER_EARLY = "river_early"
    FOUR_CARD_FLOP = "four_card_flop"
    BAD_SHUFFLE = "bad_shuffle"
    THIN_CUT = "thin_cut"
    UNCUT = "uncut"
    WRONG_SEAT = "wrong_seat"
    EMPTY_SEAT = "empty_seat"
    SITTING_OUT = "sitting_out"
    OWING = "owing"
    ABSENT = "absent"
    SHORT_HAND = "short_hand"
    NO_CARDS = "no_cards"
    EXTRA_CARD = "extra_card"
    WRONG_BUTTON = "wrong_button"
    EXTRA_BURN = "extra_burn"
    LATE_BURN_ERROR = "late_burn_error"
    MUCK_CONTACT = "muck_contact"
    OUT_OF_TURN = "out_of_turn"
    POT_SPLASHED = "pot_splashed"
    OWN_CHANGE = "own_change"
    STUB_DROPPED = "stub_dropped"
    STUB_IN_DOUBT = "stub_in_doubt"
    MARRED_CARD = "marred_card"
    DECK_REQUESTED = "deck_requested"
    FOULED_KNOWN = "fouled_known"
    OBJECTION = "objection"
    CLAIM = "claim"
    DOUBT = "doubt"


EXPECTED: Final[dict[Mistake, Kind]] = {
    Mistake.EXPOSED_FIRST: Kind.EXPOSED_CARD,
    Mistake.EXPOSED_LATER: Kind.EXPOSED_CARD,
    Mistake.EXPOSED_TWO: Kind.EXPOSED_CARD,
    Mistake.BOXED_IN_DEAL: Kind.BOXED_CARD,
    Mistake.BOXED_ON_BOARD: Kind.BOXED_CARD,
    Mistake.JOKER_REPORTED: Kind.JOKER,
    Mistake.JOKER_BOXED: Kind.JOKER,
    Mistake.DUPLICATE_ON_BOARD: Kind.DUPLICATE_CARD,
    Mistake.WRONG_BACK: Kind.WRONG_BACK,
    Mistake.DECK_SHORT: Kind.COUNT_SHORT,
    Mistake.DECK_LONG: Kind.COUNT_LONG,
    Mistake.NO_BURN_FLOP: Kind.MISSING_BURN,
    Mistake.NO_BURN_TURN: Kind.MISSING_BURN,
    Mistake.NO_BURN_RIVER: Kind.MISSING_BURN,
    Mistake.FLOP_EARLY: Kind.PREMATURE_FLOP,
    Mistake.TURN_EARLY: Kind.PREMATURE_TURN,
    Mistake.RIVER_EARLY: Kind.PREMATURE_RIVER,
    Mistake.FOUR_CARD_FLOP: Kind.FOUR_CARD_FLOP,
}
"""What the engine must find for each mistake with the cards; ``wrongs`` has the others."""

FAULTS: Final = tuple(mistake.value for mistake in Mistake if mistake is not Mistake.NONE)
"""The names of all mistakes, as ``simulate`` takes them."""


@dataclass(frozen=True, slots=True)
class HandPlan:
    """What goes wrong in one hand: the mistake and the cards of the deal it hits (1 = first)."""

    mistake: Mistake
    deal_indices: tuple[int, ...] = ()


def plan_hand(
    rng: random.Random,
    players: int,
    *,
    among: Sequence[Mistake] = tuple(EXPECTED),
    clean_share: float = 0.25,
) -> HandPlan:
    """Choose the mistake of a hand.

    Args:
        rng: Seeded source of the choice.
        players: Players dealt in, at least three; two cards each.
        clean_share: Share of hands in which nothing goes wrong.
        among: The mistakes to choose from.
    """
    if rng.random() < clean_share:
        return HandPlan(Mistake.NONE)
    mistake = rng.choice(among)
    cards = 2 * players
    match mistake:
        case Mistake.EXPOSED_FIRST:
            return HandPlan(mistake, (rng.randint(1, 2),))
        case Mistake.EXPOSED_LATER | Mistake.BOXED_IN_DEAL | Mistake.JOKER_BOXED:
            return HandPlan(mistake, (rng.randint(3, cards - 1),))
        case Mistake.EXPOSED_TWO:
            first = rng.randint(3, cards - 3)
            return HandPlan(mistake, (first, rng.randint(first + 1, cards - 1)))
        case Mistake.JOKER_REPORTED | Mistake.WRONG_BACK:
            return HandPlan(mistake, (rng.randint(3, cards),))
        case _:
            return HandPlan(mistake)
