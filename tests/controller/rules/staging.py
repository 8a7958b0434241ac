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

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

import msgspec

from controller.cards import Card
from controller.events import (
    Action,
    DealCompleted,
    HandCounted,
    PlayerActed,
    Shown,
    Street,
    TableEvent,
)
from controller.rulebook import Answer, Rulebook, load_rulebook
from controller.rulebook.parameters import Value
from controller.rules import Outcome
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
    next_step: str = ""


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """One worked scenario, or one variant of it.

    ``house`` changes answers of the rulebook, ``start`` fields of HandStarted.
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
        self.unseen = 0
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
                self.deal(landed="off_table", seat=int(where[0]) if where else 0)
            case ("seat", seat):
                self.deal(seat=int(seat))
            case _:
                for _ in range(int(words[0]) if words else 1):
                    self.deal()

    def _unseen_words(self, *words: str) -> None:
        """Cards go out that no sensor sees: ``unseen 4`` to a seat, ``unseen all [but 4]``."""
        if words[0] != "all":
            self.hands[int(words[0])].append(self.stub.pop(0))
            self._top += 1
            self.unseen += 1
            return
        left_out = {int(word) for word in words[2:]}
        while self.state.street is Street.DEAL and len(self._still_short(left_out)):
            for seat in self._still_short(left_out):
                self.hands[seat].append(self.stub.pop(0))
                self._top += 1
        self.unseen = 1
        self.tell(DealCompleted())
        self.unseen = len(left_out)

    def _still_short(self, left_out: set[int]) -> list[int]:
        return [s for s in self.state.deal_order if s not in left_out and len(self.hands[s]) < 2]

    def _count(self, seat: str) -> None:
        """Count the cards that really lie at a seat."""
        self.unseen = 0
        self.tell(HandCounted(seat=int(seat), count=len(self.hands[int(seat)])))

    def _player(self, seat: str, action: str, amount: str = "0") -> None:
        self.tell(PlayerActed(seat=int(seat), action=Action(action), amount=int(amount)))

    _words: Final[dict[str, Callable[..., None]]] = {
        "deal": _deal_words,
        "unseen": _unseen_words,
        "count": _count,
        "burn": lambda self: self.burn(),
        "show": lambda self, n, *how: self.show(int(n), order_known="unordered" not in how),
        "bet": lambda self: self.close_betting(),
        "seat": _player,
        "to": lambda self, street: self.to_street(Street(street)),
        "remedy": lambda self: self.carry_out(),
    }


def _with(scenario: Scenario) -> Rulebook:
    book = load_rulebook(scenario.rulebook)
    for name in scenario.house:
        assert name in book.answers, f"{scenario.name}: no parameter {name}"
    changed = {
        name: Answer(cast("Value", tuple(value) if isinstance(value, list) else value))
        for name, value in scenario.house.items()
    }
    return msgspec.structs.replace(book, answers={**book.answers, **changed})
