"""What a hand comes to as play, once its irregularities have been put right.

A hand history knows players, bets and cards; it has no words for a card that was
exposed and replaced or a flop that came too early. What is told here is the play that
remains: who bet what in which round, and the board that counted. A hand that cannot
be told so (a misdeal, a table that enters no bets) has no history, and the reason is
said.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from controller.cards import Card
from controller.events import (
    Action,
    BlindPosted,
    BoardShown,
    CardsGathered,
    CardsMoved,
    Event,
    HandShown,
    HandStarted,
    PlayerActed,
    PotPushed,
    TableEvent,
)
from controller.rulings import Ruling, Verdict
from controller.undoing import remaining

BOARD: Final = {"holdem": (3, 4, 5)}
"""Games that can be told, and the size of the board after each of its streets. The format
needs to know how high a bet may be, which a journal says of no other game."""

_ENDED: Final = frozenset({Verdict.MISDEAL, Verdict.FOULED_DECK, Verdict.HAND_DEAD})
"""Verdicts after which the bets of a hand are not what a history would make of them."""


class NoHistoryError(Exception):
    """A hand that cannot be told as a hand history.

    Args:
        hand: Its number.
        reason: Why, one sentence.
    """

    def __init__(self, hand: int, reason: str) -> None:
        super().__init__(f"hand {hand}: {reason}")
        self.hand, self.reason = hand, reason


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """The events of one hand, from its start, and the rulings made in it.

    ``table_id`` and ``written_ms`` (Unix time of the start, 0 unknown) are for the
    record.
    """

    events: tuple[TableEvent, ...]
    rulings: tuple[Ruling, ...] = ()
    table_id: str = ""
    written_ms: int = 0

    @property
    def counted(self) -> tuple[TableEvent, ...]:
        """The events without the taps that were taken back."""
        return remaining(self.events)


@dataclass(frozen=True, slots=True)
class Act:
    """One action: ``fold``, ``call`` (or check), or ``raise`` (or bet) to an amount."""

    seat: int
    kind: Literal["fold", "call", "raise"]
    amount: int = 0


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand as play.

    Attributes:
        number: Its number at the table.
        game: A key of ``BOARD``.
        order: Seats from the left of the button round to it.
        blinds: Small and big blind.
        antes: By seat.
        rounds: The actions of each betting round that took place.
        board: The cards that counted.
        shown: Hands shown, by seat.
        stacks: What seats that went all in had; others had more than is known.
        went_all_in_early: No more bets were possible before the last street.
    """

    number: int
    game: str
    order: tuple[int, ...]
    blinds: tuple[int, int]
    antes: dict[int, int]
    rounds: tuple[tuple[Act, ...], ...]
    board: tuple[Card, ...]
    shown: dict[int, tuple[Card, ...]]
    stacks: dict[int, int]
    went_all_in_early: bool


def played(hand: RecordedHand) -> PlayedHand:
    """Tell a recorded hand as play.

    Raises:
        NoHistoryError: It cannot be told so.
    """
    start = hand.events[0] if hand.events else None
    if not isinstance(start, HandStarted):
        raise NoHistoryError(0, "its beginning is not in the journal")
    if start.game not in BOARD:
        raise NoHistoryError(start.hand, f"the game {start.game} is not told as a history")
    if ended := next((r for r in hand.rulings if r.verdict in _ENDED), None):
        raise NoHistoryError(start.hand, f"it was no ordinary hand ({ended.verdict.value})")
    telling = _Telling(start)
    for event in hand.counted[1:]:
        telling.take(event)
    return telling.told()


@dataclass
class _Telling:
    """Goes along the events and keeps the bets."""

    start: HandStarted
    blinds: dict[int, int] = field(default_factory=dict)
    antes: dict[int, int] = field(default_factory=dict)
    board: list[Card] = field(default_factory=list)
    shown: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    rounds: list[list[Act]] = field(default_factory=list)
    is_over: bool = False

    def __post_init__(self) -> None:
        seats = sorted(self.start.seats)
        after = [s for s in seats if s > self.start.button]
        self.order = (*after, *(s for s in seats if s <= self.start.button))
        self.live, self.all_in = set(seats), set[int]()
        self.pending: set[int] = set()
        self.paid: dict[int, int] = {}
        self.street: dict[int, int] = {}
        self.bet = self.step = self.least = 0
        self.turn = self.order
        self.is_betting = False
        self.is_early = False

    def take(self, event: TableEvent) -> None:
        """Take one event in; those that are no play change nothing."""
        if take := _TAKEN.get(type(event)):
            take(self, event)

    def told(self) -> PlayedHand:
        """The hand, once its last event has been taken."""
        if not self.is_over:
            raise self.no("it was not played to its end")
        if not self.rounds:
            raise self.no("no bets were entered")
        if len(self.live) > 1 and (
            self.is_betting or len(self.board) != BOARD[self.start.game][-1]
        ):
            raise self.no("its betting does not go with its board")
        small, big = self._blinds()
        return PlayedHand(
            number=self.start.hand,
            game=self.start.game,
            order=self.order,
            blinds=(small, big),
            antes=self.antes,
            rounds=tuple(tuple(acts) for acts in self.rounds),
            board=tuple(self.board),
            shown={seat: self.shown[seat] for seat in self.shown if seat in self.live},
            stacks={seat: self.paid[seat] + self.antes.get(seat, 0) for seat in self.all_in},
            went_all_in_early=self.is_early,
        )

    def no(self, reason: str) -> NoHistoryError:
        """The refusal, with the hand's number."""
        return NoHistoryError(self.start.hand, reason)

    def post(self, event: BlindPosted) -> None:
        """A forced bet."""
        if event.kind == "ante":
            self.antes[event.seat] = self.antes.get(event.seat, 0) + event.amount
        elif event.kind in ("small", "big") and not self.rounds:
            self.blinds[event.seat] = event.amount
        else:
            raise self.no("a bet was posted out of turn")

    def act(self, event: PlayerActed) -> None:
        """An action of a betting round, which begins with the first."""
        if not self.is_betting:
            self._begin_round()
        due = next((seat for seat in self.turn if seat in self.pending), 0)
        if event.seat != due:
            raise self.no(f"seat {event.seat} acted out of turn")
        self.pending.discard(due)
        at = self.order.index(due) + 1
        self.turn = (*self.order[at:], *self.order[:at])
        self.rounds[-1].append(self._act(event))
        if not self.pending or len(self.live) == 1:
            self._end_round()

    def deal(self, event: BoardShown) -> None:
        """Board cards."""
        self.board.extend(event.cards)

    def move(self, event: CardsMoved) -> None:
        """Cards taken off the board, or laid on it."""
        if event.origin.startswith("board"):
            for card in event.cards:
                if card in self.board:
                    self.board.remove(card)
        if event.target.startswith("board"):
            self.board.extend(event.cards)

    def show(self, event: HandShown) -> None:
        """A hand at the showdown."""
        self.shown[event.seat] = event.cards

    def push(self, event: PotPushed) -> None:
        """The pot: the hand is over."""
        self.is_over = True

    def gather(self, event: CardsGathered) -> None:
        """All cards back before the pot was pushed: the deal began again."""
        if not self.is_over:
            raise self.no("it was dealt again")

    def _blinds(self) -> tuple[int, int]:
        """Small and big blind, posted where a history expects them."""
        two = self.order[:2] if len(self.order) > 2 else (self.order[1], self.order[0])
        small, big = (self.blinds.get(seat, 0) for seat in two)
        if not small or not big or len(self.blinds) != 2:
            raise self.no("the blinds were not those of an ordinary hand")
        return small, big

    def _begin_round(self) -> None:
        if len(self.live) - len(self.all_in) < 2 or self.step > len(BOARD[self.start.game]):
            raise self.no("somebody bet when no bet was possible")
        self.street = dict(self.blinds) if not self.rounds else {}
        if not self.rounds:
            self.paid = dict(self.blinds)
        self.bet = max(self.street.values(), default=0)
        self.least = max(self.blinds.values(), default=0)
        # Before the flop the blinds speak last; between two players the button's, the small one.
        before_the_flop = 1 if len(self.order) == 2 else 2
        first = before_the_flop if not self.rounds else 0
        self.turn = (*self.order[first:], *self.order[:first])
        self.pending = self.live - self.all_in
        self.rounds.append([])
        self.is_betting, self.step = True, self.step + 1

    def _end_round(self) -> None:
        self.is_betting = False
        able = len(self.live) - len(self.all_in)
        self.is_early = self.is_early or (
            len(self.live) > 1 and able < 2 and self.step <= len(BOARD[self.start.game])
        )

    def _act(self, event: PlayerActed) -> Act:
        seat, before = event.seat, self.street.get(event.seat, 0)
        if event.action is Action.FOLD:
            self.live.discard(seat)
            return Act(seat, "fold")
        goes_along = event.action in (Action.CHECK, Action.CALL)
        to = max(before, self.bet) if goes_along else event.amount
        if event.action is Action.ALL_IN:
            self.all_in.add(seat)
        self.street[seat] = to
        self.paid[seat] = self.paid.get(seat, 0) + to - before
        if to <= self.bet:
            return Act(seat, "call")
        if to < self.bet + self.least and seat not in self.all_in:
            raise self.no(f"the raise of seat {seat} to {to} is less than a raise can be")
        self.least = max(self.least, to - self.bet)
        self.bet = to
        self.pending = self.live - self.all_in - {seat}
        return Act(seat, "raise", to)


_TAKEN: Final[dict[type[Event], Callable[[_Telling, Any], None]]] = {
    BlindPosted: _Telling.post,
    PlayerActed: _Telling.act,
    BoardShown: _Telling.deal,
    CardsMoved: _Telling.move,
    HandShown: _Telling.show,
    PotPushed: _Telling.push,
    CardsGathered: _Telling.gather,
}
"""What each event that is play does; the others are none."""
