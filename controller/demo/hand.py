"""One simulated hand: the page says what to do, the dealer does it, once wrongly."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from controller.cards import Card
from controller.demo.dealer import Dealer, GateHeldError, Shoe
from controller.demo.world import PhysicalCard, World
from controller.events import (
    Action,
    BlindPosted,
    HandStarted,
    JokerReported,
    PlayerActed,
    Street,
    TableEvent,
)
from controller.rulebook import Rulebook
from controller.rules import legal_taps, next_steps
from controller.rulings import Step, StepKind
from controller.simulate.mistakes import HandPlan, Mistake
from controller.table import TableState

MOST_ACTS: Final = 400
"""A hand with its remedies takes well under 200 acts; more means that it goes in circles."""

SMALL, BIG = 5, 10

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


class StuckError(Exception):
    """The hand does not go on: the page asks for something that leads nowhere."""


class Hand:
    """Plays one hand.

    Args:
        plan: What goes wrong.
        world: The matter of the table.
        shoe: The machine.
        book: The rulebook in force.
        rng: The players' choices.
        state: The table as the engine knows it now.
        tap: Sends a tap.
        settle: Waits until sensors and engine have caught up.
    """

    def __init__(  # noqa: PLR0913 - the room a hand is played in
        self,
        plan: HandPlan,
        world: World,
        shoe: Shoe,
        book: Rulebook,
        rng: random.Random,
        *,
        state: Callable[[], TableState],
        tap: Callable[[TableEvent], Awaitable[None]],
        settle: Callable[[], Awaitable[None]],
    ) -> None:
        self._plan, self._world, self._shoe, self._book = plan, world, shoe, book
        self._rng, self._state, self._tap, self._settle = rng, state, tap, settle
        self._dealer = Dealer(world, shoe, tap)
        self._made: set[int] = set()
        self._is_made = False
        self._joker_seat = 0

    async def start(self, number: int, seats: tuple[int, ...], back: str) -> None:
        """Name the button and post the blinds."""
        button = seats[(number - 1) % len(seats)]
        order = [*seats[seats.index(button) + 1 :], *seats[: seats.index(button) + 1]]
        small, big = (button, order[0]) if len(seats) == 2 else order[:2]
        await self._tap(
            HandStarted(
                hand=number,
                seats=seats,
                button=button,
                small_blind=small,
                big_blind=big,
                deck_back=back,
            )
        )
        await self._tap(BlindPosted(seat=small, amount=SMALL, kind="small"))
        await self._tap(BlindPosted(seat=big, amount=BIG, kind="big"))

    async def play(self, until: StepKind) -> None:
        """Do what the page says until it asks for ``until`` with nothing else open.

        Raises:
            StuckError: The same step stays open whatever is done.
        """
        for _ in range(MOST_ACTS):
            steps = next_steps(self._state(), self._book)
            if not steps:
                return
            if steps[0].kind is until and not self._state().open:
                return
            await self._act(steps[0])
            await self._settle()
        first = next_steps(self._state(), self._book)[0]
        raise StuckError(f"still asked after {MOST_ACTS} acts: {first.kind.value}")

    async def finish(self) -> None:
        """Gather the cards of a hand that is over."""
        for _ in range(MOST_ACTS):
            steps = next_steps(self._state(), self._book)
            if not steps:
                return
            await self._act(steps[0])
            await self._settle()

    async def _act(self, step: Step) -> None:
        try:
            if not await self._go_wrong(step):
                await self._do(step)
        except GateHeldError:
            return

    async def _do(self, step: Step) -> None:
        match step.kind:
            case StepKind.SHUFFLE | StepKind.RESHUFFLE_STUB:
                return
            case StepKind.COMPLETE_BETTING:
                await self._bet()
            case StepKind.DEAL_TO_SEAT:
                self._deal(step.seat)
            case StepKind.DEAL_BOARD:
                self._deal_board(step.count)
            case StepKind.AWARD_POT:
                await self._dealer.push_pot()
            case _:
                await self._dealer.carry_out(step)
        if self._joker_seat and self._state().street is Street.PREFLOP:
            seat, self._joker_seat = self._joker_seat, 0
            await self._tap(JokerReported(seat=seat))

    async def _bet(self) -> None:
        """The player whose turn it is acts: mostly passive, now and then a fold."""
        actions = [
            tap for tap in legal_taps(self._state(), self._book) if isinstance(tap, PlayerActed)
        ]
        if not actions:
            return
        passive = [tap for tap in actions if tap.action is not Action.FOLD]
        folds = [tap for tap in actions if tap.action is Action.FOLD]
        owes = any(tap.action is Action.CALL for tap in passive)
        may_fold = owes and len(self._state().live) > 2 and self._rng.random() < 0.12
        chosen = folds[0] if folds and may_fold else passive[0]
        await self._tap(chosen)
        if chosen.action is Action.FOLD:
            self._muck(chosen.seat)

    def _muck(self, seat: int) -> None:
        for card in self._world.pick_up_all((f"seat:{seat}",)):
            self._world.lay(card, "muck", up=False)

    def _deal(self, seat: int) -> None:
        state = self._state()
        index = state.dealt + 1 if state.street is Street.DEAL else 0
        card, boxed = self._shoe.draw()
        up = boxed
        if index in self._plan.deal_indices and index not in self._made:
            self._made.add(index)
            card, up = self._spoil(card, seat, up=up)
        self._world.lay(card, f"seat:{seat}", up=up)

    def _spoil(self, card: PhysicalCard, seat: int, *, up: bool) -> tuple[PhysicalCard, bool]:
        """Make the mistake of the plan with this card of the deal."""
        match self._plan.mistake:
            case mistake if mistake in _EXPOSED:
                return card, True
            case Mistake.JOKER_REPORTED:
                self._joker_seat = seat
                return replace(card, face=Card.JOKER), False
            case Mistake.WRONG_BACK:
                return replace(card, back="blue"), False
            case _:
                return card, up

    def _deal_board(self, size: int) -> None:
        """Turn cards until the board has ``size``, or a boxed card stops it."""
        while self._on_board() < size:
            card, boxed = self._shoe.draw()
            if self._plan.mistake is Mistake.DUPLICATE_ON_BOARD and not self._is_made:
                card = self._doubled(card)
            self._dealer.lay_on_board(card)
            if boxed:
                return

    def _on_board(self) -> int:
        return sum(len(self._world.zone(f"board:{n}")) for n in range(1, 6))

    def _doubled(self, card: PhysicalCard) -> PhysicalCard:
        first = self._world.zone("board:1")
        if not first:
            return card
        self._is_made = True
        return replace(card, face=first[0].card.face)

    async def _go_wrong(self, step: Step) -> bool:
        """Make the mistake of the plan instead of the step; False when it is not its time."""
        if self._is_made or step.id != "next":
            return False
        mistake, street = self._plan.mistake, self._state().street
        upcoming = self._state().rules_of_game.next_street(street)
        size = self._state().rules_of_game.board_size(upcoming)
        if step.kind is StepKind.BURN and _NO_BURN.get(mistake) is street:
            self._is_made = True
            self._deal_board(size)
        elif step.kind is StepKind.COMPLETE_BETTING and _EARLY.get(mistake) is street:
            self._is_made = True
            self._dealer.burn()
            await self._settle()
            self._deal_board(size)
        elif (
            step.kind is StepKind.DEAL_BOARD
            and mistake is Mistake.FOUR_CARD_FLOP
            and street is Street.PREFLOP
        ):
            self._is_made = True
            self._deal_board(size + 1)
        else:
            return False
        return True
