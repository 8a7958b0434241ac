"""Which decision belongs to which kind of irregularity."""

from __future__ import annotations

from typing import Final

from controller.irregularities import Irregularity, Kind
from controller.rulebook import Rulebook
from controller.rules.deciding import board, cards, deal, deck, ends, players
from controller.rules.deciding.ends import Decide
from controller.rules.draft import Draft
from controller.rulings import Ruling
from controller.table import TableState


def rule(state: TableState, irregularity: Irregularity, book: Rulebook) -> Ruling | None:
    """Decide on an irregularity; ``state`` is the table with it.

    Returns:
        The ruling; None where this rulebook finds nothing wrong in the facts.
    """
    return _DECISIONS[irregularity.kind](Draft(state, book, irregularity))


_DECISIONS: Final[dict[Kind, Decide]] = {
    Kind.EXPOSED_CARD: cards.exposed,
    Kind.BOXED_CARD: cards.boxed,
    Kind.JOKER: cards.joker,
    Kind.DUPLICATE_CARD: deck.fouled_by("fouled.duplicate"),
    Kind.WRONG_BACK: deck.fouled_by("fouled.other_back"),
    Kind.COUNT_SHORT: deck.count_short,
    Kind.COUNT_LONG: deck.fouled_by("fouled.too_many"),
    Kind.MISSING_BURN: board.missing_burn,
    Kind.EXTRA_BURN: board.extra_burn,
    Kind.LATE_BURN_ERROR: board.late_burn_error,
    Kind.PREMATURE_FLOP: board.premature_flop,
    Kind.PREMATURE_TURN: board.premature_turn,
    Kind.PREMATURE_RIVER: board.premature_river,
    Kind.FOUR_CARD_FLOP: board.four_card_flop,
    Kind.NOT_SHUFFLED: deal.not_shuffled,
    Kind.SHUFFLE_SEQUENCE: deck.shuffle_sequence,
    Kind.BAD_CUT: deck.bad_cut,
    Kind.WRONG_SEAT: deal.wrong_seat,
    Kind.EMPTY_SEAT: deal.empty_seat,
    Kind.UNENTITLED_PLAYER: deal.unentitled_player,
    Kind.UNPOSTED_PLAYER: deal.unposted_player,
    Kind.ABSENT_PLAYER: deal.absent_player,
    Kind.NO_CARDS: deal.no_cards,
    Kind.SHORT_HAND: deal.short_hand,
    Kind.EXTRA_CARD: deal.extra_card,
    Kind.WRONG_BUTTON: deal.wrong_button,
    Kind.ENDANGERED_HAND: players.endangered_hand,
    Kind.OUT_OF_TURN: players.out_of_turn,
    Kind.POT_SPLASHED: players.pot_splashed,
    Kind.CHANGE_TAKEN: players.change_taken,
    Kind.STUB_DROPPED: deck.stub_dropped,
    Kind.LAST_CARD: deal.last_card,
    Kind.NOT_ENOUGH_CARDS: deal.not_enough_cards,
    Kind.MARRED_CARD: deck.marred_card,
    Kind.DECK_REQUESTED: deck.deck_requested,
    Kind.KNEW_OF_FOULED_DECK: deck.knew_of_fouled_deck,
    Kind.OBJECTION: players.objection,
    Kind.CLAIM: players.claim,
    Kind.DOUBT: players.doubt,
    Kind.UNEXPECTED: ends.floor_decides,
}
