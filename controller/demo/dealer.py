"""The simulated dealer's hands: carries out one step of the page as a person would.

The dealer is told only what the page says (a Step) and moves matter in the
World; whether the step is done is for the sensors to see. What no sensor sees
is answered with the tap that the page offers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from controller.cards import Card
from controller.demo.world import PhysicalCard, World
from controller.events import (
    AlarmAcknowledged,
    CardsGathered,
    DeckCut,
    FloorDecided,
    PotPushed,
    StepConfirmed,
    TableEvent,
)
from controller.rulings import Step, StepKind
from firmware_bridge import MagazineCard, SoftwareShuffler

Tap = Callable[[TableEvent], Awaitable[None]]

BOARD_SLOTS: Final = 5


class GateHeldError(Exception):
    """The shoe gives no card now: its gate is held or it is empty."""


class Shoe:
    """The cards in the software shuffler and the matter they are made of."""

    def __init__(self, world: World, machine: SoftwareShuffler) -> None:
        self._world = world
        self._machine = machine

    def draw(self) -> tuple[PhysicalCard, bool]:
        """Take the next card at the gate; says too whether it lay face up in the deck.

        Raises:
            GateHeldError: The gate is held, or no card is left.
        """
        card = self._machine.draw()
        if card is None:
            raise GateHeldError
        return self._world.leave_shoe(int(card.token)), card.boxed

    def insert(self, cards: tuple[PhysicalCard, ...], boxed: frozenset[int] = frozenset()) -> None:
        """Put cards into the machine; those whose uid is in ``boxed`` lie the wrong way."""
        self._world.enter_shoe(cards)
        self._machine.insert([MagazineCard(str(c.uid), boxed=c.uid in boxed) for c in cards])

    def take_out(self) -> tuple[PhysicalCard, ...]:
        """Open the lid and take everything into the hand."""
        return tuple(self._world.leave_shoe(int(c.token)) for c in self._machine.take_all())

    def empty(self) -> None:
        """Take everything out of the machine and out of play."""
        for card in self.take_out():
            self._world.discard(card)


class Dealer:
    """Carries out steps.

    Args:
        world: The matter of the table.
        shoe: Where cards are drawn from and returned to.
        tap: Sends what the dealer taps on the page.
    """

    def __init__(self, world: World, shoe: Shoe, tap: Tap) -> None:
        self._world = world
        self._shoe = shoe
        self._tap = tap
        self._acts: dict[StepKind, Callable[[Step], Awaitable[None]]] = {
            StepKind.BURN: self._burn,
            StepKind.MOVE_TO_BURN: self._move,
            StepKind.MOVE_TO_BOARD: self._move,
            StepKind.SET_ASIDE: self._move,
            StepKind.REMOVE_CARD: self._remove,
            StepKind.RETURN_TO_STUB: self._return_to_stub,
            StepKind.KILL_HAND: self._kill_hand,
            StepKind.GATHER_ALL: self._gather,
            StepKind.CHANGE_DECK: self._change_deck,
            StepKind.CUT: self._cut,
            StepKind.CALL_FLOOR: self._call_floor,
            StepKind.ACKNOWLEDGE: self._acknowledge,
        }

    async def carry_out(self, step: Step) -> None:
        """Do what the step says; a step with no act of the hands is confirmed by a tap."""
        await self._acts.get(step.kind, self._confirm)(step)

    def lay_on_board(self, card: PhysicalCard) -> None:
        """Put a card from the hand face up on the first free place of the board."""
        self._world.lay(card, self._free_slot(), up=True)

    def burn(self) -> PhysicalCard:
        """Burn the next card."""
        card, boxed = self._shoe.draw()
        self._world.lay(card, "burn", up=boxed)
        return card

    def _free_slot(self) -> str:
        taken = self._world.zones()
        return next(
            (f"board:{n}" for n in range(1, BOARD_SLOTS + 1) if f"board:{n}" not in taken),
            f"board:{BOARD_SLOTS}",
        )

    async def _burn(self, step: Step) -> None:
        self.burn()

    def _find(self, step: Step, face: Card) -> str:
        """The zone where the card of a step lies: the one named, else where it is seen."""
        places = self._world.zones()
        named = [z for z in places if step.origin and z.split(":")[0] == step.origin.split(":")[0]]
        if ":" in step.origin:
            named = [step.origin]
        for zone in [*named, *places]:
            if any(lying.card.face is face or not face.is_known for lying in places.get(zone, ())):
                return zone
        raise GateHeldError

    async def _move(self, step: Step) -> None:
        for face in step.cards or (Card.UNKNOWN,):
            origin = self._find(step, face)
            card = self._world.pick_up(origin, face if face.is_known else None)
            match step.kind:
                case StepKind.MOVE_TO_BURN:
                    self._world.lay(card, "burn", up=face.is_known)
                case StepKind.SET_ASIDE:
                    self._world.lay(card, "aside", up=True)
                case _:
                    self._world.lay(card, self._free_slot(), up=True)

    async def _remove(self, step: Step) -> None:
        for face in step.cards or (Card.JOKER,):
            origin = self._find(step, face)
            self._world.discard(self._world.pick_up(origin, face if face.is_known else None))
        await self._confirm(step)

    async def _return_to_stub(self, step: Step) -> None:
        faces = step.cards or (Card.UNKNOWN,)
        cards = tuple(self._world.pick_up(self._find(step, face), face) for face in faces)
        self._shoe.insert(cards)

    async def _kill_hand(self, step: Step) -> None:
        for card in self._world.pick_up_all((f"seat:{step.seat}",)):
            self._world.lay(card, "muck", up=False)

    async def _gather(self, step: Step) -> None:
        self._shoe.insert(self._world.pick_up_all())
        await self._tap(CardsGathered())

    async def _change_deck(self, step: Step) -> None:
        self._shoe.empty()
        self._shoe.insert(self._world.new_deck())
        await self._confirm(step)

    async def _cut(self, step: Step) -> None:
        await self._tap(DeckCut())

    async def _call_floor(self, step: Step) -> None:
        await self._tap(FloorDecided(ruling=step.id.rsplit(".", 1)[0]))

    async def _acknowledge(self, step: Step) -> None:
        reason = "the deck was looked at"
        await self._tap(AlarmAcknowledged(alarm=step.origin, by_whom="demo", reason=reason))

    async def _confirm(self, step: Step) -> None:
        await self._tap(StepConfirmed(step=step.id))

    async def push_pot(self) -> None:
        """The pot goes to its winner."""
        await self._tap(PotPushed())
