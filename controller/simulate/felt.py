"""Where the simulated cards really are: the truth that the engine is compared with."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.cards import FULL_DECK, Card
from controller.table import TableState

BACK: Final = "red"


@dataclass(frozen=True, slots=True)
class Piece:
    """One card of plastic; ``is_public`` once everybody has seen its face."""

    face: Card
    back: str = BACK
    is_boxed: bool = False
    is_public: bool = False

    @property
    def seen(self) -> Card:
        """What the table knows of it."""
        return self.face if self.is_public else Card.UNKNOWN


class Felt:
    """Every card of the table: in the stub, or in a zone named as in ``controller.events``."""

    def __init__(self) -> None:
        self.stub: list[Piece] = []
        self.zones: dict[str, list[Piece]] = {}
        self.new_deck()

    def new_deck(self) -> None:
        """Take every card away and bring a complete deck."""
        self.zones = {}
        self.stub = [Piece(face) for face in FULL_DECK]

    def shuffle(self, rng: random.Random) -> None:
        """Shuffle what is in the stub; nobody knows a card of it any more."""
        self.stub = [Piece(p.face, p.back, p.is_boxed) for p in self.stub]
        rng.shuffle(self.stub)

    def draw(self) -> Piece:
        """Take the top card of the stub into the hand."""
        return self.stub.pop(0)

    def lay(self, piece: Piece, zone: str, *, is_public: bool = False) -> Piece:
        """Put a card down; returns it as it lies there."""
        lying = Piece(piece.face, piece.back, piece.is_boxed, piece.is_public or is_public)
        if zone == "stub":
            self.stub.append(lying)
        else:
            self.zones.setdefault(zone, []).append(lying)
        return lying

    def zone_of(self, face: Card, origin: str) -> str:
        """The zone where a card lies: the one named when it is there, else wherever it is."""
        for zone in (origin, *self.zones):
            if any(face in (piece.face, Card.UNKNOWN) for piece in self.zones.get(zone, ())):
                return zone
        return ""

    def pick_up(self, zone: str, face: Card) -> Piece:
        """Take the last card of this face out of a zone, any card when it is unknown."""
        pile = self.zones[zone]
        index = max(n for n, piece in enumerate(pile) if face in (piece.face, Card.UNKNOWN))
        return pile.pop(index)

    def gather(self) -> int:
        """Put every card back into the deck; returns how many there are."""
        for pile in self.zones.values():
            self.stub.extend(Piece(p.face, p.back) for p in pile)
        self.zones = {}
        return len(self.stub)

    @property
    def total(self) -> int:
        """All cards there are."""
        return len(self.stub) + sum(map(len, self.zones.values()))

    def differences(self, state: TableState) -> tuple[str, ...]:
        """Every place where the engine's belief is not what lies there."""
        return (*self._of_counts(state), *self._of_faces(state))

    def faults_at_showdown(
        self, state: TableState, *, burns: tuple[int, int] = (3, 3)
    ) -> tuple[str, ...]:
        """What is not as a hand that went to the showdown must be, whatever went wrong in it.

        Every remedy of the rule texts leads there: two cards for each player left, five on
        the board, no joker, and one burn for each of flop, turn and river (a card dealt too
        early is dealt again without a second burn: ck.early.flop, ck.early.river, fr2.2-13);
        a fourth where a river dealt early is discarded and the next is burned and turned
        (fr1.river.premature), one less where a missing one stands. ``burns`` are the fewest
        and the most.
        """
        wanted = {f"seat:{seat}": state.rules_of_game.hole_cards for seat in state.live}
        fewest, most = burns
        wanted |= {"board": 5, "burn": min(max(fewest, len(self._zone("burn"))), most)}
        wrong = [
            f"{zone}: {len(self._zone(zone))} cards at the showdown instead of {count}"
            for zone, count in wanted.items()
            if len(self._zone(zone)) != count
        ]
        played = [p for zone in wanted if zone != "burn" for p in self._zone(zone)]
        jokers = sum(piece.face is Card.JOKER for piece in played)
        return (*wrong, *([f"{jokers} jokers at the showdown"] if jokers else []))

    def _of_counts(self, state: TableState) -> Iterator[str]:
        counts = {
            "stub": (len(self.stub), state.stub),
            "board": (len(self._zone("board")), len(state.board)),
            "burn": (len(self._zone("burn")), len(state.burns)),
            "muck": (len(self._zone("muck")), len(state.muck)),
            "aside": (len(self._zone("aside")), len(state.aside) + len(state.removed)),
            "all": (self.total, state.stub + state.cards_out),
        }
        for seat in state.seats:
            there = len(self._zone(f"seat:{seat}")) + self._fallen(state, seat)
            counts[f"seat {seat}"] = (there, len(state.hands.get(seat, ())))
        for place, (there, believed) in counts.items():
            if there != believed:
                yield f"{place}: {there} cards there, {believed} believed"

    def _of_faces(self, state: TableState) -> Iterator[str]:
        believed: dict[str, tuple[Card, ...]] = {"board": state.board}
        for seat, hand in state.hands.items():
            believed[f"seat:{seat}"] = tuple(held.card for held in hand)
        for zone, cards in believed.items():
            pile = self._zone(zone)
            if zone != "board" and len(pile) != len(cards):
                continue
            if tuple(piece.seen for piece in pile) == cards:
                continue
            there = Counter(str(piece.seen) for piece in pile)
            if there != Counter(map(str, cards)):
                yield f"{zone}: {_named(there)} there, {' '.join(map(str, cards))} believed"

    def _fallen(self, state: TableState, seat: int) -> int:
        """Cards of the seat's hand that lie on the floor."""
        floor = self._zone("off_table")
        if not floor:
            return 0
        return min(sum(held.off_table for held in state.hands.get(seat, ())), len(floor))

    def _zone(self, name: str) -> list[Piece]:
        return self.zones.get(name, [])


def _named(cards: Counter[str]) -> str:
    return " ".join(cards.elements()) or "none"
