"""Worked scenarios as data: what happens is acted out with a real deck, card by card.

A file of ``tests/controller/rules/scenarios`` holds scenarios::

    [[scenario]]
    id = "SC-002"
    rulebook = "fr1"
    clauses = ["fr1.flashed.1", "fr1.exposed.1"]

    [[scenario.part]]
    do = ["deal to 3", "deal up", "to flop"]
    verdict = "continue"
    cards = { seat3 = "4c Jc", board = "3h Td Js", burns = "5d", stub = 36, top = "7h" }

``do`` lists acts, one after another: words of ``Stage`` ("burn", "show 3"), or
an event written as in an event file, as an inline table. After the acts of a part the
last ruling is compared with what the part says of it, and the cards that really lie
on the table with ``cards``. ``rulings`` is how many rulings there were in all.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

import msgspec

from controller.cards import Card
from controller.events import (
    Action,
    CardsGathered,
    CardsMoved,
    DealCompleted,
    HandCounted,
    PlayerActed,
    PotPushed,
    Shown,
    Street,
    TableEvent,
)
from controller.rulebook import Answer, Rulebook, load_rulebook
from controller.rulebook.parameters import Value
from controller.rules import Outcome, next_steps
from controller.rulings import Step, StepKind
from controller.view import Surroundings, next_hand
from tests.controller.rules.playing import DECK, Play, cards

FOLDER: Final = Path(__file__).parent / "scenarios"
Act = str | dict[str, object]


class CardsLie(msgspec.Struct, forbid_unknown_fields=True):
    """Where the cards are; what is not named is not looked at.

    Seats and piles are cards written one after another, in any order; ``stub`` is how
    many are left, ``top`` the uppermost of them in order, ``stub_set`` all of them.
    """

    seat1: str | None = None
    seat2: str | None = None
    seat3: str | None = None
    seat4: str | None = None
    seat5: str | None = None
    seat6: str | None = None
    board: str | None = None
    burns: str | None = None
    muck: str | None = None
    aside: str | None = None
    top: str | None = None
    stub: int | None = None
    stub_without: str | None = None


class Part(msgspec.Struct, forbid_unknown_fields=True):
    """Acts, and what must be true after them."""

    do: list[Act] = []
    verdict: str = ""
    floor: bool | None = None
    steps: list[str] | None = None
    announced: str | None = None
    money: dict[str, int] | None = None
    rests_on: list[str] = []
    rulings: int | None = None
    cards: CardsLie = msgspec.field(default_factory=CardsLie)
    live: list[int] | None = None
    button: int | None = None
    small_blinds: list[int] | None = None
    big_blinds: list[int] | None = None
    next_step: str = ""


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """One worked scenario, or one variant of it.

    ``house`` changes answers of the rulebook, ``start`` fields of HandStarted,
    ``ready`` is what is done before the first card.
    """

    id: str
    rulebook: str
    clauses: list[str]
    part: list[Part]
    variant: str = ""
    title: str = ""
    house: dict[str, bool | int | str | list[int | str]] = {}
    start: dict[str, object] = {}
    boxed: list[int] = []
    ready: tuple[str, ...] = ("shuffle", "cut", "blinds")
    joker_at: int = 0
    joker_boxed: bool = False
    deck: str = ""

    @property
    def name(self) -> str:
        """How tests and example files call it."""
        return f"{self.id}{self.variant}-{self.rulebook}"


def scenarios() -> Iterator[Scenario]:
    """Every scenario of the folder, by file and place."""
    for path in sorted(FOLDER.glob("*.toml")):
        document = tomllib.loads(path.read_text("utf-8"))
        yield from msgspec.convert(document["scenario"], list[Scenario])


class Stage(Play):
    """A table on which a scenario is acted out; see the module for the words."""

    def __init__(self, scenario: Scenario) -> None:
        deck = cards(scenario.deck) if scenario.deck else DECK
        boxed = list(scenario.boxed)
        if scenario.joker_at:
            at = scenario.joker_at - 1
            deck = (*deck[:at], Card.JOKER, *deck[at:])
            boxed += [scenario.joker_at] if scenario.joker_boxed else []
        self.told: list[TableEvent] = []
        self.ready = scenario.ready
        self.unseen = len(deck) - int(str(scenario.start.get("deck_count", len(deck))))
        book = _with(scenario)
        super().__init__(scenario.rulebook, deck, tuple(boxed), book=book, started=scenario.start)

    def act(self, act: Act) -> None:
        """Do one act of a part."""
        if isinstance(act, dict):
            self.tell(msgspec.convert(act, TableEvent))
            return
        word, *rest = act.split()
        self._words[word](self, *rest)

    def tell(self, event: TableEvent) -> Outcome:
        """Report an event and keep it."""
        self.told.append(event)
        return super().tell(event)

    def _deal_words(self, *words: str) -> None:
        match words:
            case ("all",):
                self.deal_all()
            case ("to", position):
                self.deal_until(int(position))
            case ("up" | "suspected" as how, *where):
                shown = Shown.UP if how == "up" else Shown.SUSPECTED
                self.deal(shown=shown, seat=int(where[0]) if where else 0)
            case ("off", *where):
                self.fallen = self.stub[0]
                self.deal(landed="off_table", seat=int(where[0]) if where else 0)
            case ("seat", seat):
                self.deal(seat=int(seat))
            case _:
                for _ in range(int(words[0]) if words else 1):
                    self.deal()

    def _unseen_words(self, *words: str) -> None:
        """Cards go out that no sensor sees.

        ``unseen 4`` is one card to a seat; ``unseen all`` the whole deal, in which
        ``but 4`` gets no card and ``short 3`` only the one of the first lap.
        """
        if words[0] != "all":
            self._slip(int(words[0]))
            return
        wanted = dict.fromkeys(self.state.deal_order, self.state.rules_of_game.hole_cards)
        match words[1:]:
            case ("but", seat):
                wanted[int(seat)] = 0
            case ("short", seat):
                wanted[int(seat)] = 1
        for lap in range(max(wanted.values())):
            for served in (s for s, count in wanted.items() if count > lap):
                self._slip(served)
        self.tell(DealCompleted())

    def _slip(self, seat: int) -> None:
        self.hands[seat].append(self.stub.pop(0))
        self._top += 1
        self.unseen = 1

    def _count(self, seat: str) -> None:
        """Count the cards that really lie at a seat."""
        self.unseen = 0
        self.tell(HandCounted(seat=int(seat), count=len(self.hands[int(seat)])))

    def _muck(self, seat: str) -> None:
        """The cards that a player gave up are gathered into the muck."""
        gone, self.hands[int(seat)] = self.hands[int(seat)], []
        self.muck.extend(gone)
        unseen = (Card.UNKNOWN,) * len(gone)
        self.tell(CardsMoved(cards=unseen, origin=f"seat:{seat}", target="muck"))

    def _remedy_words(self, *words: str) -> None:
        """The ruling is carried out: to its end, or ``until`` a step of this kind is next."""
        if not words:
            self.carry_out()
            return
        for done in range(100):
            step = next_steps(self.state, self.book)[0]
            if done and step.kind is StepKind(words[1]):
                return
            self.do(step)
        raise AssertionError(f"the remedy never came to {words[1]}")

    def _redeal(self) -> None:
        """Every card back, shuffled and cut, then dealt anew with the button as it is."""
        while next(s.kind for s in self._open_steps()) is not StepKind.REDEAL:
            self.do(next_steps(self.state, self.book)[0])
        assert len(self.stub) == self.state.deck_count, "not every card came back"
        self.carry_out()
        self.deal_all()

    def _open_steps(self) -> list[Step]:
        (opened,) = self.state.open
        return [step for step in opened.ruling.steps if step.id not in opened.done]

    def _show_words(self, count: str, order: str = "") -> None:
        """Cards on the board: seen one by one, ``unordered`` in a pile, ``logged`` a pile
        of which the shoe's log knows the order.
        """
        self.show(int(count), order_known=not order, order_logged=order == "logged")

    def _lose(self, count: str) -> None:
        """Cards vanish from the bottom of the stub, unnoticed."""
        del self.stub[-int(count) :]
        self.unseen = 1

    def _gather_words(self, count: str) -> None:
        """All cards come together after the hand, and this many are counted."""
        self.bring_together()
        del self.stub[int(count) :]
        self.unseen = self.state.deck_count - int(count)
        self.tell(CardsGathered(count=int(count)))

    def _next_hand(self) -> None:
        """The pot is pushed, all cards come together, and the next hand is started."""
        self.tell(PotPushed())
        self.bring_together()
        self.tell(CardsGathered(count=len(self.stub)))
        around = Surroundings(name="table", seats=10, devices={})
        self.tell(next_hand(self.state, self.book, around))
        self._top = 1

    def _player(self, seat: str, action: str, amount: str = "0") -> None:
        self.tell(PlayerActed(seat=int(seat), action=Action(action), amount=int(amount)))

    _words: Final[dict[str, Callable[..., None]]] = {
        "deal": _deal_words,
        "unseen": _unseen_words,
        "count": _count,
        "burn": lambda self: self.burn(),
        "show": _show_words,
        "lose": _lose,
        "gather": _gather_words,
        "next": _next_hand,
        "bet": lambda self: self.close_betting(),
        "seat": _player,
        "to": lambda self, street: self.to_street(Street(street)),
        "muck": _muck,
        "remedy": _remedy_words,
        "redeal": _redeal,
    }


_load = functools.cache(load_rulebook)


def _with(scenario: Scenario) -> Rulebook:
    book = _load(scenario.rulebook)
    for name in scenario.house:
        assert name in book.answers, f"{scenario.name}: no parameter {name}"
    changed = {
        name: Answer(cast("Value", tuple(value) if isinstance(value, list) else value))
        for name, value in scenario.house.items()
    }
    return msgspec.structs.replace(book, answers={**book.answers, **changed})
