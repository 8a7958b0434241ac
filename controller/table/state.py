"""The state of one table: where every card is, as far as the table may know it."""

from __future__ import annotations

import msgspec

from controller.cards import Card
from controller.events import Street
from controller.rulings import Ruling
from controller.table.games import GAMES, Game


class Held(msgspec.Struct, frozen=True):
    """A card in a player's hand.

    ``card`` is known only when everybody has seen it. ``deal_index`` is its
    place in the deal, 1 first, 0 for a card given later.
    """

    card: Card = Card.UNKNOWN
    deal_index: int = 0
    is_up: bool = False
    off_table: bool = False


class OpenRuling(msgspec.Struct, frozen=True):
    """A ruling in force and the ids of its steps that were seen done."""

    ruling: Ruling
    done: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether every step was seen done."""
        return len(self.done) == len(self.ruling.steps)


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the engine remembers of the hand.

    Cards out of the stub are in ``hands``, ``board``, ``burns``, ``muck``,
    ``aside`` or ``removed``; ``returned`` are back with the stub but not yet
    shuffled in. ``stub`` counts the cards left undealt, ``returned`` included.
    """

    hand: int = 0
    game: str = "holdem"
    street: Street = Street.BETWEEN
    seats: tuple[int, ...] = ()
    button: int = 0
    small_blind: int = 0
    big_blind: int = 0
    dealer: int = 0
    deck_count: int = 52
    deck_back: str = ""
    is_shuffled: bool = False
    is_cut: bool = False

    dealt: int = 0
    hands: dict[int, tuple[Held, ...]] = {}
    board: tuple[Card, ...] = ()
    burns: tuple[Card, ...] = ()
    muck: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()
    removed: tuple[Card, ...] = ()
    returned: tuple[Card, ...] = ()
    stub: int = 52
    burn_taken: bool = False

    live: tuple[int, ...] = ()
    to_act: tuple[int, ...] = ()
    bet: int = 0
    street_bets: dict[int, int] = {}
    blinds: dict[int, int] = {}
    paid: dict[int, int] = {}
    actions: int = 0
    chip_actions: int = 0
    street_actions: int = 0
    betting_open: bool = False

    exposed: int = 0
    boxed: int = 0
    rulings_made: int = 0
    open: tuple[OpenRuling, ...] = ()

    @property
    def rules_of_game(self) -> Game:
        """The game's row."""
        return GAMES[self.game]

    @property
    def deal_order(self) -> tuple[int, ...]:
        """Seats in the order in which they get a card: left of the button first."""
        ordered = sorted(self.seats)
        after = [s for s in ordered if s > self.button]
        return (*after, *(s for s in ordered if s <= self.button))

    @property
    def cards_to_deal(self) -> int:
        """Down cards of the whole deal."""
        return len(self.seats) * self.rules_of_game.hole_cards

    @property
    def seat_due(self) -> int:
        """The seat that gets the next card of the deal; 0 when the deal is complete."""
        if self.street is not Street.DEAL or self.dealt >= self.cards_to_deal:
            return 0
        order = self.deal_order
        return order[self.dealt % len(order)]

    @property
    def board_due(self) -> int:
        """How many board cards the next street still lacks, once its betting is closed."""
        upcoming = self.rules_of_game.next_street(self.street)
        return max(0, self.rules_of_game.board_size(upcoming) - len(self.board))

    @property
    def cards_out(self) -> int:
        """Cards that are not in the stub, removed ones included."""
        piles = (self.board, self.burns, self.muck, self.aside, self.removed)
        return sum(map(len, piles)) + sum(map(len, self.hands.values()))


def start() -> TableState:
    """A table before its first hand."""
    return TableState()
