"""A table at which hands are dealt from known decks, and the alarms that come of it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from random import Random

from controller.alarms import Alarm, AlarmCause
from controller.cards import FULL_DECK, Card
from controller.events import (
    AlarmAcknowledged,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardsGathered,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PotPushed,
    TableEvent,
    Witness,
)
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import Gate, Outcome, advance, gate, new_table, next_steps
from controller.rulings import Step, StepKind

PLAYERS = (1, 2, 3, 4, 5, 6)
_load = functools.cache(load_rulebook)


def sorted_deck(cut: int = 0) -> tuple[Card, ...]:
    """Suit after suit, from the two to the ace, cut somewhere."""
    return FULL_DECK[cut:] + FULL_DECK[:cut]


def mixed_deck(seed: int) -> tuple[Card, ...]:
    """A deck in uniformly random order."""
    return tuple(Random(seed).sample(FULL_DECK, len(FULL_DECK)))


class Room:
    """Six players at one table, button on seat 6.

    Args:
        book: The rulebook, or its name.
    """

    def __init__(self, book: Rulebook | str = "ck") -> None:
        self.book = _load(book) if isinstance(book, str) else book
        self.state = new_table(self.book)
        self.outcome = Outcome(self.state)
        self.raised: list[Alarm] = []

    def tell(self, *events: TableEvent) -> Outcome:
        """Report events; returns what came of the last one."""
        for event in events:
            self.outcome = advance(self.state, event, self.book)
            self.state = self.outcome.state
            self.raised.extend(self.outcome.alarms)
        return self.outcome

    def start(self, hand: int, *, back: str = "red", date: str = "") -> None:
        """A hand begins with the deck of this back."""
        self.tell(HandStarted(hand=hand, seats=PLAYERS, button=6, deck_back=back, date=date))

    def shuffle(self, count: int = 52, *, boxed: int = 0) -> None:
        """The machine shuffles and counts, and the deck is cut."""
        shuffled = DeckShuffled(by=Witness.MACHINE, count=count, boxed=boxed)
        self.tell(shuffled, DeckCut())

    def deal(self) -> None:
        """Two cards each, face down."""
        while self.state.seat_due:
            self.tell(CardDealt(seat=self.state.seat_due))

    def show_board(self, deck: Sequence[Card], cards: int = 5) -> None:
        """Flop, turn and river come off the deck with their burns, each round checked through."""
        while len(self.state.board) < cards:
            size = 1 if self.state.board else 3
            self.tell(BettingClosed(), CardBurned())
            first = 52 - self.state.stub
            self.tell(BoardShown(cards=tuple(deck[first : first + size])))

    def finish(self, count: int = -1) -> None:
        """The pot is pushed and all cards come together."""
        self.tell(PotPushed(seats=(1,)), CardsGathered(count=count))

    def play(self, hand: int, deck: Sequence[Card], cards: int = 5, *, back: str = "red") -> None:
        """A whole hand with so many cards of the board."""
        self.start(hand, back=back)
        self.shuffle()
        self.deal()
        self.show_board(deck, cards)
        self.finish()

    def acknowledge(self, by_whom: str = "Ada", reason: str = "deck changed") -> None:
        """The floor answers for every alarm that is latched."""
        for alarm in self.state.watch.alarms:
            self.tell(AlarmAcknowledged(alarm=alarm.id, by_whom=by_whom, reason=reason))

    @property
    def causes(self) -> list[AlarmCause]:
        """What is latched, oldest first."""
        return [alarm.cause for alarm in self.state.watch.alarms]

    @property
    def alarm(self) -> Alarm:
        """The only alarm that is latched."""
        (alarm,) = self.state.watch.alarms
        return alarm

    @property
    def step(self) -> Step:
        """What the table waits for."""
        return next_steps(self.state, self.book)[0]

    @property
    def is_blocked(self) -> bool:
        """Whether no card can be dealt before somebody answers for an alarm."""
        held = gate(self.state, self.book) is Gate.HELD
        return held and self.step.kind is StepKind.ACKNOWLEDGE
