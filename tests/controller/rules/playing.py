"""A hand played with a real deck: the dealer does what the engine asks, card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, Literal

import msgspec

from controller.cards import Card
from controller.events import (
    AlarmAcknowledged,
    BettingClosed,
    BlindPosted,
    BoardShown,
    CardBurned,
    CardDealt,
    CardsGathered,
    CardsMoved,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    HandStarted,
    Shown,
    StepConfirmed,
    Street,
    StubReshuffled,
    TableEvent,
)
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import Outcome, advance, new_table, next_steps
from controller.rulings import Ruling, Step, StepKind

_MOVES: Final = frozenset(
    {
        StepKind.MOVE_TO_BURN,
        StepKind.SET_ASIDE,
        StepKind.RETURN_TO_STUB,
        StepKind.MOVE_TO_SEAT,
        StepKind.DISCARD,
    }
)
_ORDER: Final = (
    "Tc 7c 5d Ks Jd 2h 6s 5c Jc 2c 8c 4h 4c 3h Td Js 7h Ts 7s As 6d 3d 3c Ad 3s 8h "
    "Jh Ah 8s 9d 6h 5s Ac 2s 6c 5h Qs 8d Kh 9c Qd 4s Kc Th Qh Kd 4d 2d 7d 9h 9s Qc"
)


def cards(text: str) -> tuple[Card, ...]:
    """Cards written one after another, such as ``As Td``."""
    return tuple(Card(word) for word in text.split())


DECK: Final = cards(_ORDER)
"""The deck order of the worked scenarios."""


class Play:
    """Six players, button on seat 6, blinds on seats 1 and 2, cards in the scenarios' order.

    Args:
        rulebook: Name of the rulebook.
        deck: The deck from the top.
        boxed: Positions in the deck, from 1, of the cards that lie face up in it.
        book: The rulebook itself, when a house has changed it.
        started: Fields of HandStarted that are other than usual.
    """

    unseen = 0
    """Cards that lie elsewhere than the engine has been told."""

    def __init__(
        self,
        rulebook: str,
        deck: tuple[Card, ...] = DECK,
        boxed: tuple[int, ...] = (),
        *,
        book: Rulebook | None = None,
        started: dict[str, object] | None = None,
    ) -> None:
        self.book = book or load_rulebook(rulebook)
        self.state = new_table(self.book)
        self.stub = list(deck)
        self.boxed = {id_: deck[id_ - 1] for id_ in boxed}
        self._top = 1
        self.hands: dict[int, list[Card]] = {seat: [] for seat in range(1, 7)}
        self.board: list[Card] = []
        self.burns: list[Card] = []
        self.aside: list[Card] = []
        self.muck: list[Card] = []
        self.loose: list[Card] = []
        self.rulings: list[Ruling] = []
        usual = {
            "event": "hand_started",
            "hand": 1,
            "seats": (1, 2, 3, 4, 5, 6),
            "button": 6,
            "small_blind": 1,
            "big_blind": 2,
            "dealer": 6 if rulebook == "fr2" else 0,
            "deck_count": len(deck),
        }
        self.tell(msgspec.convert(usual | (started or {}), HandStarted))
        for done in self.ready:
            self.prepare(done)

    ready: Sequence[str] = ("shuffle", "cut", "blinds")
    """What is done before the first card."""

    def prepare(self, done: str) -> None:
        """Do one of the things that come before the first card."""
        match done:
            case "shuffle":
                self.tell(DeckShuffled(count=len(self.stub)))
            case "cut":
                self.tell(DeckCut())
            case _:
                if self.state.small_blind:
                    self.tell(BlindPosted(seat=self.state.small_blind, amount=5, kind="small"))
                if self.state.big_blind:
                    self.tell(BlindPosted(seat=self.state.big_blind, amount=10))

    @property
    def ruling(self) -> Ruling:
        """The last ruling."""
        return self.rulings[-1]

    def asked(self) -> list[StepKind]:
        """What the last ruling asks for, in order."""
        return [step.kind for step in self.ruling.steps]

    def step(self, kind: StepKind) -> Step:
        """The one step of this kind of the last ruling."""
        (found,) = (step for step in self.ruling.steps if step.kind is kind)
        return found

    def tell(self, event: TableEvent) -> Outcome:
        """Report an event, and hold the engine's table to the real one."""
        outcome = advance(self.state, event, self.book)
        self.state = outcome.state
        self.rulings.extend(outcome.rulings)
        assert self.unseen or self.state.stub == len(self.stub), f"after {event}"
        assert Counter(self.state.board) == Counter(self.board), f"after {event}"
        return outcome

    def _take_top(self) -> tuple[Card, bool]:
        card, boxed = self.stub.pop(0), self._top in self.boxed
        self._top += 1
        return card, boxed

    def deal(
        self,
        *,
        seat: int = 0,
        shown: Shown = Shown.DOWN,
        landed: Literal["seat", "off_table"] = "seat",
    ) -> None:
        """The top card goes to the seat that is due, or to the seat given."""
        seat = seat or self.state.seat_due
        card, boxed = self._take_top()
        known = boxed or shown is Shown.UP
        (self.loose if boxed else self.hands.setdefault(seat, [])).append(card)
        face = card if known else Card.UNKNOWN
        self.tell(CardDealt(seat=seat, card=face, shown=shown, boxed=boxed, landed=landed))

    def deal_until(self, position: int) -> None:
        """Deal face down until the card at this position is the next one."""
        while self._top < position:
            self.deal()

    def deal_all(self) -> None:
        """Deal face down to the end of the deal."""
        while self.state.seat_due:
            self.deal()

    def burn(self) -> None:
        """Burn the top card."""
        card, boxed = self._take_top()
        (self.loose if boxed else self.burns).append(card)
        self.tell(CardBurned(card=card if boxed else Card.UNKNOWN, boxed=boxed))

    def show(self, count: int, *, order_known: bool = True, order_logged: bool = False) -> None:
        """Cards from the top onto the board."""
        taken = [self._take_top() for _ in range(count)]
        boxed = taken[0][1]
        shown = [card for card, _ in taken]
        (self.loose if boxed else self.board).extend(shown)
        event = BoardShown(cards=tuple(shown), order_known=order_known, boxed=boxed)
        self.tell(msgspec.structs.replace(event, order_logged=order_logged))

    def close_betting(self) -> None:
        """The betting round is complete."""
        self.tell(BettingClosed())

    def to_street(self, street: Street) -> None:
        """Play on as the engine asks until the betting of this street is open."""
        for _ in range(200):
            if self.state.street is street and not self.state.open:
                return
            self.do(next_steps(self.state, self.book)[0])
        raise AssertionError(f"the hand never came to {street}")

    def carry_out(self) -> None:
        """Do what the rulings in force ask, until none is left."""
        for _ in range(100):
            if not self.state.open:
                return
            self.do(next_steps(self.state, self.book)[0])
        raise AssertionError(f"the remedy has no end: {self.state.open}")

    def do(self, step: Step) -> None:
        """Do one step with the cards, and report it as the sensors would."""
        match step.kind:
            case StepKind.DEAL_TO_SEAT:
                self.deal(seat=step.seat)
            case StepKind.BURN:
                self.burn()
            case StepKind.DEAL_BOARD:
                self.show(step.count - len(self.board))
            case StepKind.COMPLETE_BETTING:
                self.close_betting()
            case StepKind.CALL_FLOOR:
                self.tell(FloorDecided(ruling=step.id.rsplit(".", 1)[0]))
            case kind if kind in _MOVES:
                self._move(step)
            case _:
                self._handle_pile(step)

    def _handle_pile(self, step: Step) -> None:
        match step.kind:
            case StepKind.TOP_OF_STUB:
                self._put_on_top(step)
            case StepKind.MOVE_TO_BOARD:
                self._turn_burn_up()
            case StepKind.PICK_BURN:
                self._pick_burn(step)
            case StepKind.LEAVE_OUT:
                self.muck.extend(self.stub.pop(0) for _ in range(step.count))
                self.tell(StepConfirmed(step=step.id))
            case StepKind.KILL_HAND:
                seat = int(step.origin.removeprefix("seat:"))
                self.muck.extend(self.hands[seat])
                self.hands[seat] = []
                self.tell(StepConfirmed(step=step.id))
            case _:
                self._handle_deck(step)

    def _handle_deck(self, step: Step) -> None:
        match step.kind:
            case StepKind.RESHUFFLE_STUB:
                assert step.count == len(self.stub)
                Random(7).shuffle(self.stub)
                self.tell(StubReshuffled(count=len(self.stub)))
            case StepKind.GATHER_ALL:
                self._gather()
            case StepKind.SHUFFLE:
                self.tell(DeckShuffled(count=len(self.stub)))
            case StepKind.CUT:
                self.tell(DeckCut())
            case StepKind.ACKNOWLEDGE:
                reason = "the deck was changed"
                self.tell(AlarmAcknowledged(alarm=step.origin, by_whom="floor", reason=reason))
            case _:
                self.tell(StepConfirmed(step=step.id))

    def _put_on_top(self, step: Step) -> None:
        for named in reversed(step.cards):
            card = self._real(named, step.origin)
            self._pile_of(card).remove(card)
            self.stub.insert(0, card)
        self.tell(CardsMoved(cards=step.cards, origin=step.origin, target="stub"))

    def _turn_burn_up(self) -> None:
        card = self.burns.pop()
        self.board.append(card)
        self.tell(CardsMoved(cards=(card,), origin="burn", target="board"))

    def _pick_burn(self, step: Step) -> None:
        card = Random(7).choice(step.cards)
        self.board.remove(card)
        self.burns.append(card)
        self.tell(CardsMoved(cards=(card,), origin="board", target="burn"))

    def _move(self, step: Step) -> None:
        targets = {
            "burn": self.burns,
            "aside": self.aside,
            "stub": self.stub,
            "muck": self.muck,
            **{f"seat:{seat}": hand for seat, hand in self.hands.items()},
        }
        moved = []
        for named in step.cards:
            card = self._real(named, step.origin)
            self._pile_of(card).remove(card)
            targets[step.target].append(card)
            moved.append(named)
        self.tell(CardsMoved(cards=tuple(moved), origin=step.origin, target=step.target))

    fallen: Card = Card.UNKNOWN

    def _real(self, named: Card, origin: str) -> Card:
        """The card that a step means: named, fallen, or the last of its place."""
        if named.is_known:
            return named
        if origin == "off_table":
            return self.fallen
        if origin == "burn":
            return self.burns[-1]
        return self.hands[int(origin.removeprefix("seat:"))][-1]

    def _pile_of(self, card: Card) -> list[Card]:
        piles = (self.loose, self.aside, self.board, self.burns, *self.hands.values())
        return next(pile for pile in piles if card in pile)

    def _gather(self) -> None:
        self.bring_together()
        self.tell(CardsGathered(count=len(self.stub)))

    def bring_together(self) -> None:
        """Every card goes back to the stub."""
        piles = (self.board, self.burns, self.aside, self.muck, self.loose, *self.hands.values())
        for pile in piles:
            self.stub.extend(pile)
            pile.clear()
        self.boxed, self._top = {}, 1
