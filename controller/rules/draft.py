"""A ruling while it is being written: steps in order, numbered when it is finished."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from controller.cards import Card
from controller.irregularities import Irregularity
from controller.rulebook import Answer, Rulebook
from controller.rulings import Doer, Money, Ruling, Step, StepKind, Verdict
from controller.table import TableState

CAMERA, MACHINE, TAP = ("camera",), ("machine",), ("tap",)

UNSEEN: Final = Card.UNKNOWN
"""A card that lies face down and is named by its place alone."""


class Draft:
    """Collects what a ruling needs.

    Args:
        state: The table with the irregularity on it.
        book: The rulebook.
        irregularity: What is ruled on.
    """

    def __init__(self, state: TableState, book: Rulebook, irregularity: Irregularity) -> None:
        self.state, self.book, self.irregularity = state, book, irregularity
        self._steps: list[Step] = []
        self._clauses: list[str] = []
        self.call_floor = False

    def rest_on(self, *answers: Answer | str) -> None:
        """Cite the clauses of answers, or clause ids; a silent text calls the floor."""
        for answer in answers:
            cited = (answer,) if isinstance(answer, str) else answer.clauses
            self._clauses.extend(c for c in cited if c not in self._clauses)
            if not isinstance(answer, str) and answer.floor:
                self.call_floor = True

    def floor_if_cards_change(self) -> None:
        """The floor is called where the house wants it for errors that change cards."""
        answer = self.book["floor.cards_would_change"]
        if answer.value is True:
            self.rest_on(answer)
            self.call_floor = True

    def add(self, step: Step) -> None:
        """Append a step; its id is given later."""
        self._steps.append(step)

    def finish(self, verdict: Verdict, *, replaces: str = "") -> Ruling:
        """Number the steps and close the ruling."""
        number = self.state.rulings_made + 1
        ruling_id = f"{self.state.hand}/{number}"
        steps = [floor_call(), *self._steps] if self.call_floor else self._steps
        return Ruling(
            id=ruling_id,
            rulebook=self.book.name,
            verdict=verdict,
            irregularity=self.irregularity,
            steps=tuple(
                replace(step, id=f"{ruling_id}.{n}", clauses=tuple(self._clauses))
                for n, step in enumerate(steps, start=1)
            ),
            clauses=tuple(self._clauses),
            call_floor=self.call_floor,
            replaces=replaces,
        )


def floor_call() -> Step:
    """Call the floor and wait for the decision."""
    return Step(id="", kind=StepKind.CALL_FLOOR, doer=Doer.FLOOR)


def finish_deal() -> Step:
    """Deal on until everybody has all cards."""
    return Step(id="", kind=StepKind.FINISH_DEAL, seen_by=CAMERA)


def finish_hand() -> Step:
    """Play the hand to its end and gather the cards."""
    return Step(id="", kind=StepKind.FINISH_HAND)


def announce(cards: Iterable[Card], seat: int = 0, *, target: str = "") -> Step:
    """Show these cards and name them, whence they come and what becomes of them.

    A card of a player's hand comes from ``seat``, others from the deck;
    ``target`` is ``burn`` for one that becomes the burn (ck.announce.b).
    """
    origin = f"seat:{seat}" if seat else "stub"
    return Step(
        id="",
        kind=StepKind.ANNOUNCE,
        cards=tuple(cards),
        seat=seat,
        origin=origin,
        target=target,
    )


def deal_to(seat: int) -> Step:
    """The top card of the stub goes to a seat."""
    return Step(id="", kind=StepKind.DEAL_TO_SEAT, seat=seat, seen_by=CAMERA)


def move(kind: StepKind, cards: Iterable[Card], origin: str, target: str) -> Step:
    """Cards already out go from one zone to another."""
    return Step(id="", kind=kind, cards=tuple(cards), origin=origin, target=target, seen_by=CAMERA)


def betting(street: str) -> Step:
    """The betting round of a street is completed first."""
    return Step(id="", kind=StepKind.COMPLETE_BETTING, street=street)


def reshuffle(count: int) -> Step:
    """The machine shuffles the stub, which must then be this many cards."""
    return Step(
        id="", kind=StepKind.RESHUFFLE_STUB, doer=Doer.MACHINE, count=count, seen_by=MACHINE
    )


def burn() -> Step:
    """Burn the top card."""
    return Step(id="", kind=StepKind.BURN, target="burn", seen_by=CAMERA)


def board(size: int, street: str) -> Step:
    """Turn cards until the board has this many."""
    return Step(id="", kind=StepKind.DEAL_BOARD, count=size, street=street, seen_by=CAMERA)


def return_money(money: tuple[Money, ...]) -> Step:
    """Everybody gets back what the rules give back."""
    return Step(id="", kind=StepKind.RETURN_MONEY, money=money)


def simple(kind: StepKind) -> Step:
    """A step that needs no facts and is tapped."""
    return Step(id="", kind=kind)


def shuffle() -> Step:
    """The machine shuffles the deck."""
    return Step(id="", kind=StepKind.SHUFFLE, doer=Doer.MACHINE, seen_by=MACHINE)


def kill(seat: int) -> Step:
    """The hand of a seat goes to the muck."""
    return move(StepKind.KILL_HAND, (), f"seat:{seat}", "muck")


def pick_burn(cards: Iterable[Card]) -> Step:
    """The floor picks one of these, face down, as the next burn."""
    step = move(StepKind.PICK_BURN, cards, "board", "burn")
    return replace(step, doer=Doer.FLOOR)


def burn_to_board() -> Step:
    """The last burn is turned up onto the board."""
    return move(StepKind.MOVE_TO_BOARD, (UNSEEN,), "burn", "board")


def place_button(seat: int) -> Step:
    """The button goes before a seat."""
    return Step(id="", kind=StepKind.PLACE_BUTTON, seat=seat, seen_by=("camera", "tap"))


def riffles(count: int) -> Step:
    """The new deck is shuffled at least this often."""
    return Step(id="", kind=StepKind.RIFFLE, count=count, seen_by=("machine", "tap"))


def refuse(seat: int) -> Step:
    """A request is not granted."""
    return Step(id="", kind=StepKind.REFUSE, seat=seat)


def leave_out(count: int) -> Step:
    """Cards of the stub that may be discards are discards (ck.drop.4, ck.reshuffle.2)."""
    return Step(id="", kind=StepKind.LEAVE_OUT, count=count, origin="stub", target="muck")


def push_back_chips(seat: int, amount: int) -> Step:
    """Chips are counted and put back before their player."""
    money = (Money(seat, amount),) if amount else ()
    return Step(id="", kind=StepKind.PUSH_BACK_CHIPS, seat=seat, money=money)


def pay(money: tuple[Money, ...]) -> Step:
    """Chips are paid out."""
    return Step(id="", kind=StepKind.PAY, money=money)
