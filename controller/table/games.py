"""Games as data: how many down cards, and how many board cards on which street."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.events import Street


class Game(msgspec.Struct, frozen=True):
    """One game.

    ``board`` gives the size of the board at the end of each street that adds cards to it.
    """

    name: str
    hole_cards: int
    board: tuple[tuple[Street, int], ...]

    @property
    def cards_each(self) -> int:
        """Cards that one player gets in the whole hand."""
        return self.hole_cards

    @property
    def shared_cards(self) -> int:
        """Board cards and burns of the whole hand."""
        return self.board_size(self.board[-1][0]) + len(self.board) if self.board else 0

    def is_dealt_up(self, street: Street, deal_index: int) -> bool:
        """Whether a card dealt now lies face up by the rules of the game."""
        return False

    def board_size(self, street: Street) -> int:
        """Cards on the board once ``street`` has been dealt; 0 before the first."""
        return dict(self.board).get(street, 0)

    def next_street(self, street: Street) -> Street:
        """The street that follows the betting of this one."""
        order = [Street.PREFLOP, *(s for s, _ in self.board), Street.SHOWDOWN]
        return order[order.index(street) + 1] if street in order[:-1] else street


_COMMUNITY: Final = ((Street.FLOP, 3), (Street.TURN, 4), (Street.RIVER, 5))

GAMES: Final[dict[str, Game]] = {
    "holdem": Game("holdem", 2, _COMMUNITY),
    "omaha": Game("omaha", 4, _COMMUNITY),
}
