"""Two decks in one machine: which lies at the gate, and which was made ready while it was in play.

Pure; what is learnt here comes from the machine's own facts.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge import (
    CardOut,
    CardsIn,
    Deck,
    DeckSelected,
    DeviceFact,
    DeviceRestarted,
    EventsLost,
    FaultRaised,
    ShuffleFinished,
)

WHOLE_DECK: Final = 52


class TwoDecks:
    """The decks of one machine by the colours of their backs.

    Args:
        first: the back of the deck on the machine's side A.
        second: the back of the deck on side B.
    """

    def __init__(self, first: str, second: str) -> None:
        self._sides = {first: Deck.A, second: Deck.B}
        self.at_gate = ""
        """The back of the deck at feed and gate; empty while that is not known."""
        self._ready: dict[str, ShuffleFinished] = {}
        self._spoilt: set[str] = set()

    def other(self, back: str) -> str:
        """The deck that is not in play."""
        return next(b for b in self._sides if b != back)

    def knows(self, back: str) -> bool:
        """Whether this is one of the two."""
        return back in self._sides

    def side(self, back: str) -> Deck:
        """Where the deck lies in the machine."""
        return self._sides[back]

    def wants_shuffle(self, back: str) -> bool:
        """Whether the deck can be made ready: not done yet, and not tried in vain."""
        return back not in self._ready and back not in self._spoilt

    def spoil(self, back: str) -> None:
        """It cannot be made ready before somebody has put cards in."""
        self._spoilt.add(back)

    def take_ready(self, back: str) -> ShuffleFinished | None:
        """How the deck was shuffled while the other was in play; once, then it is in play."""
        return self._ready.pop(back, None)

    def made_ready(self, back: str, finished: ShuffleFinished) -> None:
        """The deck was shuffled while the other is in play; one that is not right is not ready."""
        if finished.count == WHOLE_DECK and not finished.boxed:
            self._ready[back] = finished
        else:
            self._spoilt.add(back)

    def note(self, fact: DeviceFact) -> None:
        """Learn from a fact; what touches the cards of a deck that lay ready ends that."""
        match fact:
            case DeckSelected(deck=deck):
                self.at_gate = next(b for b, side in self._sides.items() if side is deck)
            case CardsIn():
                self._ready.pop(self.at_gate, None)
                self._spoilt.discard(self.at_gate)
            case CardOut():
                self._ready.pop(self.at_gate, None)
            case DeviceRestarted():
                self.at_gate = ""
                self._ready.clear()
            case EventsLost() | FaultRaised():
                self._ready.clear()
            case _:
                pass
