"""Games as data: how many cards, which way up, on which street, and what is drawn.

A new game is a row of GAMES; no other module knows one by name.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr as set_field

from controller.events import Street


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """What is dealt before one betting round after the first.

    ``board`` is the size of the board with it; ``each`` whether every player left gets
    a card, ``is_up`` which way up; ``is_draw`` whether players change cards first.
    """

    street: Street
    board: int = 0
    each: bool = False
    is_up: bool = False
    is_draw: bool = False


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game.

    Attributes:
        first_street: The betting round after the deal.
        deal: The cards of the deal of one player in order; True for those dealt face up.
        rounds: The later rounds; each is preceded by a burn.
        has_button: Whether a button says who acts first; otherwise the cards do.
        streets: The betting rounds in order, worked out from the rest.
        replaces_exposed: Whether an exposed card of the deal is replaced (ck.exposed.6
            speaks of hold'em and draw; ck.exposed.5 leaves stud to another article).
    """

    name: str
    first_street: Street
    deal: tuple[bool, ...]
    rounds: tuple[Round, ...]
    has_button: bool = True
    replaces_exposed: bool = True
    streets: tuple[Street, ...] = ()
    _following: dict[Street, Street] = {}
    _boards: dict[Street, int] = {}

    def __post_init__(self) -> None:
        """Work out once what is asked at every event."""
        streets = (self.first_street, *(round_.street for round_ in self.rounds))
        following = dict(zip(streets, (*streets[1:], Street.SHOWDOWN), strict=True))
        set_field(self, "streets", streets)
        set_field(self, "_following", following)
        set_field(self, "_boards", {r.street: r.board for r in self.rounds})

    @property
    def hole_cards(self) -> int:
        """Cards that each player gets in the deal."""
        return len(self.deal)

    @property
    def cards_each(self) -> int:
        """Cards that one player gets in the whole hand, drawn ones not counted."""
        return len(self.deal) + sum(round_.each for round_ in self.rounds)

    @property
    def shared_cards(self) -> int:
        """Board cards and burns of the whole hand."""
        return max((r.board for r in self.rounds), default=0) + len(self.rounds)

    @property
    def is_community(self) -> bool:
        """Whether the players share a board."""
        return any(round_.board for round_ in self.rounds)

    def round_of(self, street: Street) -> Round:
        """What is dealt before the betting of a street; nothing for the first."""
        return next((r for r in self.rounds if r.street is street), Round(street=street))

    def board_size(self, street: Street) -> int:
        """Cards on the board once ``street`` has been dealt; 0 before the first."""
        return self._boards.get(street, 0)

    def next_street(self, street: Street) -> Street:
        """The street that follows the betting of this one."""
        return self._following.get(street, street)

    def is_dealt_up(self, street: Street, lap: int) -> bool:
        """Whether a card dealt now lies face up by the rules of the game.

        Args:
            street: The street whose cards are dealt; DEAL for the deal.
            lap: Which of its player's cards of the deal it is, 1 first.
        """
        if street is Street.DEAL:
            return 0 < lap <= len(self.deal) and self.deal[lap - 1]
        return self.round_of(street).is_up

    def cards_held(self, street: Street) -> int:
        """Cards in the hand of every player left during the betting of a street."""
        return len(self.deal) + sum(
            r.each for r in self.rounds if self.streets.index(r.street) <= self._place(street)
        )

    def _place(self, street: Street) -> int:
        if street in self.streets:
            return self.streets.index(street)
        return len(self.streets) if street is Street.SHOWDOWN else 0


_DOWN, _UP = False, True

_COMMUNITY: Final = (
    Round(street=Street.FLOP, board=3),
    Round(street=Street.TURN, board=4),
    Round(street=Street.RIVER, board=5),
)

_STUD: Final = (
    *(
        Round(street=street, each=True, is_up=True)
        for street in (Street.FOURTH, Street.FIFTH, Street.SIXTH)
    ),
    Round(street=Street.SEVENTH, each=True),
)

GAMES: Final[dict[str, Game]] = {
    game.name: game
    for game in (
        Game(
            name="holdem",
            first_street=Street.PREFLOP,
            deal=(_DOWN, _DOWN),
            rounds=_COMMUNITY,
        ),
        Game(
            name="omaha",
            first_street=Street.PREFLOP,
            deal=(_DOWN, _DOWN, _DOWN, _DOWN),
            rounds=_COMMUNITY,
        ),
        Game(
            name="stud",
            first_street=Street.THIRD,
            deal=(_DOWN, _DOWN, _UP),
            rounds=_STUD,
            has_button=False,
            replaces_exposed=False,
        ),
        Game(
            name="draw",
            first_street=Street.PREDRAW,
            deal=(_DOWN,) * 5,
            rounds=(Round(street=Street.DRAW, is_draw=True),),
        ),
    )
}
