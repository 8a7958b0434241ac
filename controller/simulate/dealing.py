"""The simulated dealer's hands: does what a step says and reports what was seen of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final, Protocol

from controller.cards import Card
from controller.events import (
    AlarmAcknowledged,
    BoardShown,
    CardBurned,
    CardDealt,
    CardsGathered,
    CardsMoved,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    Shown,
    StepConfirmed,
    StubReshuffled,
    TableEvent,
    Witness,
)
from controller.irregularities import Kind
from controller.rulings import Step, StepKind
from controller.simulate.felt import Felt, Piece


class Tell(Protocol):
    """Reports an event to the engine, with the irregularity it brings about, if any."""

    def __call__(self, event: TableEvent, expected: Kind | None = None) -> None:
        """Report it."""


class Dealer:
    """Carries out steps on the felt.

    Args:
        felt: The cards.
        rng: Source of the shuffles.
        tell: Where events go.
    """

    def __init__(self, felt: Felt, rng: random.Random, tell: Tell) -> None:
        self._felt, self._rng, self._tell = felt, rng, tell
        self._acts: Final[dict[StepKind, Callable[[Step], None]]] = {
            StepKind.SHUFFLE: lambda step: self.shuffle(),
            StepKind.RESHUFFLE_STUB: self._reshuffle,
            StepKind.CUT: lambda step: tell(DeckCut()),
            StepKind.BURN: lambda step: self.burn(),
            StepKind.DEAL_TO_SEAT: lambda step: self.deal(step.seat),
            StepKind.DEAL_BOARD: lambda step: self.deal_board(step.count),
            StepKind.MOVE_TO_BURN: self._move,
            StepKind.SET_ASIDE: self._move,
            StepKind.RETURN_TO_STUB: self._move,
            StepKind.KILL_HAND: self._kill_hand,
            StepKind.DISCARD: self._move,
            StepKind.MOVE_TO_SEAT: self._move,
            StepKind.MOVE_TO_BOARD: self._burn_to_board,
            StepKind.TOP_OF_STUB: self._put_on_top,
            StepKind.PICK_BURN: self._pick_burn,
            StepKind.LEAVE_OUT: self._leave_out,
            StepKind.GATHER_ALL: lambda step: self.gather(),
            StepKind.CHANGE_DECK: self._change_deck,
            StepKind.ACKNOWLEDGE: lambda step: tell(
                AlarmAcknowledged(alarm=step.origin, by_whom="floor", reason="simulated")
            ),
            StepKind.CALL_FLOOR: lambda step: tell(FloorDecided(ruling=step.id.rsplit(".", 1)[0])),
        }

    def carry_out(self, step: Step) -> None:
        """Do what the step says; what is only said, or done with chips, is confirmed."""
        self._acts.get(step.kind, self._confirm)(step)

    def deal(self, seat: int, *, exposed: bool = False, wrong: Kind | None = None) -> None:
        """Deal the top card of the stub to a seat, face down unless it is exposed.

        ``wrong`` is what must be found in it.
        """
        piece = self._felt.draw()
        if piece.is_boxed:
            self._felt.lay(piece, "aside", is_public=True)
            kind = Kind.JOKER if piece.face is Card.JOKER else Kind.BOXED_CARD
            self._tell(CardDealt(seat=seat, card=piece.face, boxed=True, by=Witness.CAMERA), kind)
            return
        self._felt.lay(piece, f"seat:{seat}", is_public=exposed)
        if exposed:
            event = CardDealt(seat=seat, card=piece.face, shown=Shown.UP, by=Witness.CAMERA)
            self._tell(event, Kind.EXPOSED_CARD)
        else:
            self._tell(CardDealt(seat=seat, by=Witness.CAMERA), wrong)

    def burn(self, wrong: Kind | None = None) -> None:
        """Burn the top card of the stub; ``wrong`` is what must be found in it."""
        self._felt.lay(self._felt.draw(), "burn")
        self._tell(CardBurned(by=Witness.CAMERA), wrong)

    def deal_board(
        self, size: int, expected: Kind | None = None, *, order_known: bool = True
    ) -> None:
        """Turn cards until the board has ``size``; a boxed card ends the turning."""
        shown: list[Card] = []
        boxed: Piece | None = None
        while len(self._felt.zones.get("board", ())) < size and boxed is None:
            piece = self._felt.draw()
            if piece.is_boxed:
                boxed = self._felt.lay(piece, "aside", is_public=True)
            else:
                shown.append(self._felt.lay(piece, "board", is_public=True).face)
        if shown:
            event = BoardShown(cards=tuple(shown), order_known=order_known, by=Witness.CAMERA)
            self._tell(event, expected)
        if boxed is not None:
            event = BoardShown(cards=(boxed.face,), boxed=True, by=Witness.CAMERA)
            self._tell(event, Kind.BOXED_CARD)

    def muck(self, seat: int) -> None:
        """The hand of a player who folded goes to the muck, unseen."""
        zone = f"seat:{seat}"
        pieces = self._felt.zones.pop(zone, [])
        for piece in pieces:
            self._felt.lay(piece, "muck")
        if pieces:
            cards = tuple(piece.seen for piece in pieces)
            self._tell(CardsMoved(cards=cards, origin=zone, target="muck", by=Witness.CAMERA))

    def shuffle(self, expected: Kind | None = None) -> None:
        """The machine shuffles and counts the deck."""
        self._felt.shuffle(self._rng)
        self._tell(DeckShuffled(count=len(self._felt.stub), by=Witness.MACHINE), expected)

    def gather(self) -> None:
        """Bring all cards together and count them."""
        self._tell(CardsGathered(count=self._felt.gather()))

    def _move(self, step: Step) -> None:
        """Each card of the step goes to its target; one that lies nowhere is only confirmed."""
        target = step.target
        for face in step.cards or (Card.UNKNOWN,):
            origin = self._felt.zone_of(face, step.origin)
            if not origin:
                self._confirm(step)
                return
            if origin != target:
                piece = self._felt.pick_up(origin, face)
                self._felt.lay(piece, target)
            told = step.origin or origin
            self._tell(CardsMoved(cards=(face,), origin=told, target=target, by=Witness.CAMERA))

    def _put_on_top(self, step: Step) -> None:
        """Cards go back on top of the stub, the first of them uppermost."""
        for face in reversed(step.cards):
            piece = self._felt.pick_up(self._felt.zone_of(face, step.origin), face)
            self._felt.stub.insert(0, Piece(piece.face, piece.back, is_public=piece.is_public))
        event = CardsMoved(cards=step.cards, origin=step.origin, target="stub", by=Witness.CAMERA)
        self._tell(event)

    def _burn_to_board(self, step: Step) -> None:
        """The last burn is turned up onto the board."""
        piece = self._felt.lay(self._felt.pick_up("burn", Card.UNKNOWN), "board", is_public=True)
        event = CardsMoved(cards=(piece.face,), origin="burn", target="board", by=Witness.CAMERA)
        self._tell(event)

    def _pick_burn(self, step: Step) -> None:
        """One of the cards, at random, becomes the burn."""
        chosen = self._rng.choice(step.cards)
        self._felt.lay(self._felt.pick_up("board", chosen), "burn")
        event = CardsMoved(cards=(chosen,), origin="board", target="burn", by=Witness.CAMERA)
        self._tell(event)

    def _leave_out(self, step: Step) -> None:
        """The uppermost cards of the stub, in doubt, go to the muck."""
        for _ in range(step.count):
            self._felt.lay(self._felt.draw(), "muck")
        self._confirm(step)

    def _kill_hand(self, step: Step) -> None:
        self.muck(int(step.origin.removeprefix("seat:")))

    def _reshuffle(self, step: Step) -> None:
        self._felt.shuffle(self._rng)
        self._tell(StubReshuffled(count=len(self._felt.stub), by=Witness.MACHINE))

    def _change_deck(self, step: Step) -> None:
        self._felt.new_deck()
        self._confirm(step)

    def _confirm(self, step: Step) -> None:
        self._tell(StepConfirmed(step=step.id))
