"""One simulated hand: the engine says what to do, the dealer does it, at most once wrongly."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Final

import msgspec

from controller.cards import Card
from controller.events import (
    Action,
    BackSeen,
    BlindPosted,
    HandShown,
    HandStarted,
    JokerReported,
    PotPushed,
    Street,
    StubCounted,
    TableEvent,
    Witness,
)
from controller.irregularities import Kind
from controller.rulebook import Rulebook
from controller.rules import advance, next_steps
from controller.rulings import Step, StepKind
from controller.simulate.dealing import Dealer
from controller.simulate.felt import BACK, Felt, Piece
from controller.simulate.mistakes import EXPECTED, HandPlan, Mistake
from controller.simulate.players import Players
from controller.simulate.wrongs import SEATS, WRONGS, Wrong
from controller.table import TableState

MOST_ACTS: Final = 600
"""More acts than ten players with raises on four streets and two deals take."""

BACKS_READ: Final = 0.1
"""Share of dealt cards whose back the camera reads: good backs must raise nothing."""

BURNED_SHARE: Final = 0.5
"""Share of the cards dealt too early that come after a burn; a remedy must lead on either way."""

OTHER_BACK: Final = "blue"
SMALL, BIG = 5, 10
_STEP_MS: Final = 700

_NO_BURN: Final = {
    Mistake.NO_BURN_FLOP: Street.PREFLOP,
    Mistake.NO_BURN_TURN: Street.FLOP,
    Mistake.NO_BURN_RIVER: Street.TURN,
}
_EARLY: Final = {
    Mistake.FLOP_EARLY: Street.PREFLOP,
    Mistake.TURN_EARLY: Street.FLOP,
    Mistake.RIVER_EARLY: Street.TURN,
}
_EXPOSED: Final = frozenset({Mistake.EXPOSED_FIRST, Mistake.EXPOSED_LATER, Mistake.EXPOSED_TWO})
_BOXED: Final = frozenset({Mistake.BOXED_IN_DEAL, Mistake.JOKER_BOXED})


class Hand:
    """Plays one hand and keeps count of what was injected and found.

    Args:
        plan: What goes wrong.
        seats: Seats dealt in.
        state: The table before the hand.
        book: The rulebook.
        rng: Source of the deck and of everybody's choices.

    Attributes:
        state: The table as the engine knows it.
        injected: Irregularities brought about, by kind.
        detected: Those of them that the engine found at once.
        false: What it found besides.
        problems: Where the engine's table is not the real one; empty when all is well.
        events: Every event told, in order.
    """

    def __init__(
        self,
        plan: HandPlan,
        seats: tuple[int, ...],
        state: TableState,
        book: Rulebook,
        rng: random.Random,
    ) -> None:
        self.state = state
        self.injected: Counter[Kind] = Counter()
        self.detected: Counter[Kind] = Counter()
        self.false: Counter[Kind] = Counter()
        self.problems: tuple[str, ...] = ()
        self.events: list[TableEvent] = []
        self._plan, self.seats, self.book, self.rng = plan, seats, book, rng
        self.felt = Felt()
        self.dealer = Dealer(self.felt, rng, self.tell)
        keep = 2 if plan.mistake is not Mistake.NONE else 1
        self._players = Players(rng, keep_in=keep)
        self._made: set[int] = set()
        self._is_made = False

    def play(self, number: int) -> None:
        """Play the hand from the blinds until the cards are gathered."""
        self._spoil_deck()
        self._start(number)
        for _ in range(MOST_ACTS):
            steps = next_steps(self.state, self.book)
            if not steps or self.problems:
                self.problems = self.problems or self._unfinished()
                return
            at_showdown = steps[0].kind is StepKind.AWARD_POT and len(self.state.live) > 1
            self.problems = self._faults() if at_showdown else ()
            self._act(steps[0])
            self.problems += self.felt.differences(self.state)
        waiting = next_steps(self.state, self.book)[0]
        self.problems = (f"still asked after {MOST_ACTS} acts: {waiting.kind.value}",)

    def _faults(self) -> tuple[str, ...]:
        discards = self.book["premature.river"].value == "discard_burn_and_turn"
        most = 4 if discards and self._plan.mistake is Mistake.RIVER_EARLY else 3
        stands = self.book["burn.later_cards"].value == "one_burn_each"
        fewest = 2 if stands and self._plan.mistake is Mistake.LATE_BURN_ERROR else 3
        return self.felt.faults_at_showdown(self.state, burns=(fewest, most))

    def _unfinished(self) -> tuple[str, ...]:
        """Why a hand that the engine asks nothing more of is not over."""
        if self.state.street is Street.BETWEEN and not self.state.open:
            return ()
        return (f"nothing is asked on the {self.state.street.value}, and the hand is not over",)

    def tell(self, event: TableEvent, expected: Kind | None = None) -> None:
        """Report an event, and the kind of irregularity that must be found in it."""
        at_ms = len(self.events) * _STEP_MS
        event = msgspec.structs.replace(event, at_ms=at_ms)
        outcome = advance(self.state, event, self.book)
        self.state = outcome.state
        self.events.append(event)
        found = Counter(irregularity.kind for irregularity in outcome.irregularities)
        wanted = Counter([expected] if expected else [])
        self.injected += wanted
        self.detected += found & wanted
        self.false += found - wanted

    def _start(self, number: int) -> None:
        button = self.seats[number % len(self.seats)]
        after = self.seats.index(button) + 1
        order = (*self.seats[after:], *self.seats[:after])
        small, big = order[:2]
        mistake = self._plan.mistake
        self.tell(
            HandStarted(
                hand=number,
                seats=self.seats,
                button=button,
                small_blind=small,
                big_blind=big,
                deck_back=BACK,
                sitting_out=self._others() if mistake is Mistake.SITTING_OUT else (),
                owes=order[2:3] if mistake is Mistake.OWING else (),
            )
        )
        self.tell(BlindPosted(seat=small, amount=SMALL, kind="small"))
        self.tell(BlindPosted(seat=big, amount=BIG, kind="big"))

    def _others(self) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS if seat not in self.seats)

    def _spoil_deck(self) -> None:
        """A card lost from the deck before the hand, or one too many in it."""
        if self._plan.mistake is Mistake.DECK_SHORT:
            self.felt.stub.pop(self.rng.randrange(len(self.felt.stub)))
        elif self._plan.mistake is Mistake.DECK_LONG:
            self.felt.stub.append(Piece(self.rng.choice(self.felt.stub).face))

    def _act(self, step: Step) -> None:
        if self._go_wrong(step):
            return
        match step.kind:
            case StepKind.COMPLETE_BETTING if self.state.betting_open:
                self._bet()
            case StepKind.AWARD_POT:
                self._show_down()
            case StepKind.SHUFFLE:
                self._shuffle(step)
            case StepKind.DEAL_TO_SEAT:
                self._deal(step)
            case _:
                self.dealer.carry_out(step)

    def _bet(self) -> None:
        action = self._players.act(self.state)
        self.tell(action)
        if action.action is Action.FOLD:
            self.dealer.muck(action.seat)

    def _show_down(self) -> None:
        """The stub is counted, those left show, when there are two or more; the pot is pushed."""
        self.tell(StubCounted(count=len(self.felt.stub)))
        if len(self.state.live) > 1:
            for seat in self.state.live:
                zone = f"seat:{seat}"
                pieces = [replace(p, is_public=True) for p in self.felt.zones.get(zone, [])]
                self.felt.zones[zone] = pieces
                self.tell(HandShown(seat=seat, cards=tuple(p.face for p in pieces)))
        self.tell(PotPushed(seats=self.state.live[:1]))

    def _shuffle(self, step: Step) -> None:
        """The first shuffle may bring the wrong number of cards, or leave one boxed."""
        if self._is_made:
            self.dealer.carry_out(step)
            return
        mistake = self._plan.mistake
        if mistake in (Mistake.DECK_SHORT, Mistake.DECK_LONG):
            self._is_made = True
            self.dealer.shuffle(EXPECTED[mistake])
            return
        self.dealer.carry_out(step)
        if mistake in _BOXED:
            self._is_made = True
            self._box(self._plan.deal_indices[0] - 1)
        elif mistake is Mistake.BOXED_ON_BOARD:
            self._is_made = True
            # The burn is the first card after the deal; one of the flop's three is boxed.
            cards_before = self.state.cards_to_deal + 1
            self._box(cards_before + self.rng.randrange(3))

    def _box(self, index: int) -> None:
        """Turn a card of the stub over, and make it a joker when the plan says so."""
        piece = self.felt.stub[index]
        face = Card.JOKER if self._plan.mistake is Mistake.JOKER_BOXED else piece.face
        self.felt.stub[index] = replace(piece, face=face, is_boxed=True)

    def _deal(self, step: Step) -> None:
        index = self.state.dealt + 1 if self.state.street is Street.DEAL else 0
        if index not in self._plan.deal_indices or index in self._made:
            self.dealer.deal(step.seat)
            if self.rng.random() < BACKS_READ:
                zone = f"seat:{step.seat}"
                self.tell(BackSeen(zone=zone, back=BACK, by=Witness.CAMERA))
            return
        self._made.add(index)
        self._deal_wrongly(step.seat)

    def _deal_wrongly(self, seat: int) -> None:
        mistake, top = self._plan.mistake, self.felt.stub[0]
        if mistake is Mistake.JOKER_REPORTED:
            self.felt.stub[0] = replace(top, face=Card.JOKER)
        elif mistake is Mistake.WRONG_BACK:
            self.felt.stub[0] = replace(top, back=OTHER_BACK)
        self.dealer.deal(seat, exposed=mistake in _EXPOSED)
        if mistake is Mistake.WRONG_BACK:
            seen = BackSeen(zone=f"seat:{seat}", back=OTHER_BACK, by=Witness.CAMERA)
            self.tell(seen, Kind.WRONG_BACK)

    def _go_wrong(self, step: Step) -> bool:
        """Make the plan's mistake instead of the step; False when it is not its time."""
        if self._is_made or self.state.open:
            return False
        mistake, street = self._plan.mistake, self.state.street
        wrong = WRONGS.get(mistake)
        if wrong is not None:
            return self._do_wrong(wrong, step)
        size = self.state.rules_of_game.board_size(self.state.rules_of_game.next_street(street))
        kind = EXPECTED.get(mistake)
        order_known = self.rng.random() < 0.5
        if step.kind is StepKind.BURN and _NO_BURN.get(mistake) is street:
            self.dealer.deal_board(size, kind, order_known=order_known)
        elif step.kind is StepKind.COMPLETE_BETTING and _EARLY.get(mistake) is street:
            # A fourth card right after the flop, without a burn, would be a four-card flop.
            if street is Street.FLOP or self.rng.random() < BURNED_SHARE:
                self.dealer.burn()
            self.dealer.deal_board(size, kind)
        elif step.kind is StepKind.DEAL_BOARD and mistake is Mistake.DUPLICATE_ON_BOARD:
            self._double()
            self.dealer.deal_board(size, kind)
        elif step.kind is StepKind.DEAL_BOARD and mistake is Mistake.FOUR_CARD_FLOP:
            self.dealer.deal_board(size + 1, kind, order_known=order_known)
        elif mistake is Mistake.JOKER_REPORTED and street is Street.PREFLOP:
            self._report_joker()
        else:
            return False
        self._is_made = True
        return True

    def _do_wrong(self, wrong: Wrong, step: Step) -> bool:
        """Make a mistake that is made in one go, when it is its moment."""
        if not wrong.is_time(self, step):
            return False
        self._is_made = True
        wrong.make(self, wrong.expected(self.book))
        return True

    def _double(self) -> None:
        """The next board card is the double of one on the board, or of the one after it."""
        board = self.felt.zones.get("board", ())
        double = board[0] if board else self.felt.stub[1]
        self.felt.stub[0] = replace(self.felt.stub[0], face=double.face)

    def _report_joker(self) -> None:
        for seat in self.seats:
            if any(p.face is Card.JOKER for p in self.felt.zones.get(f"seat:{seat}", ())):
                self.tell(JokerReported(seat=seat), Kind.JOKER)
