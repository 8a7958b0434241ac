"""A table that is told events and answers with its prompts."""

from __future__ import annotations

import functools
from typing import Any

from msgspec.structs import replace

from controller.events import (
    Action,
    CardBurned,
    CardDealt,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PlayerActed,
    TableEvent,
)
from controller.rulebook import Answer, Rulebook, load_rulebook
from controller.rulebook.parameters import Value
from controller.rules import Outcome, advance, new_table
from controller.rulings import Prompt, PromptKind
from controller.table import TableState

_load = functools.cache(load_rulebook)


def house(name: str, **answers: Value) -> Rulebook:
    """A rulebook with some answers changed; ``deal__by`` stands for ``deal.by``."""
    book = _load(name)
    changed = {key.replace("__", "."): Answer(value) for key, value in answers.items()}
    assert set(changed) <= set(book.answers)
    return replace(book, answers={**book.answers, **changed})


class Told:
    """Six players, button on seat 6, blinds on seats 1 and 2, under a rulebook.

    Args:
        book: The rulebook, or its name.
        start: Fields of the hand that are otherwise.
    """

    def __init__(self, book: Rulebook | str, **start: Any) -> None:
        self.book = _load(book) if isinstance(book, str) else book
        self.state: TableState = new_table(self.book)
        self.prompts: tuple[Prompt, ...] = ()
        self.outcome = Outcome(self.state)
        self.start(**start)

    def start(self, **fields: Any) -> None:
        """A hand begins."""
        usual = {"hand": 1, "seats": (1, 2, 3, 4, 5, 6), "button": 6}
        blinds = {"small_blind": 1, "big_blind": 2}
        self.tell(HandStarted(**{**usual, **blinds, **fields}))

    def tell(self, *events: TableEvent) -> tuple[Prompt, ...]:
        """Report events; returns the prompts of the last one."""
        for event in events:
            self.outcome = advance(self.state, event, self.book)
            self.state, self.prompts = self.outcome.state, self.outcome.prompts
        return self.prompts

    def deal(self) -> tuple[Prompt, ...]:
        """Shuffle, cut and deal to the end of the deal."""
        self.tell(DeckShuffled(), DeckCut())
        while self.state.seat_due:
            self.tell(CardDealt(seat=self.state.seat_due))
        return self.prompts

    def act(self, seat: int, action: Action, amount: int = 0) -> tuple[Prompt, ...]:
        """A player acts."""
        return self.tell(PlayerActed(seat=seat, action=action, amount=amount))

    def check_round(self) -> tuple[Prompt, ...]:
        """Everybody checks."""
        while self.state.to_act:
            self.act(self.state.to_act[0], Action.CHECK)
        return self.prompts

    def burn(self) -> tuple[Prompt, ...]:
        """A card is burned."""
        return self.tell(CardBurned())

    def kinds(self) -> list[PromptKind]:
        """The kinds of the last prompts, in order."""
        return [prompt.kind for prompt in self.prompts]

    def one(self, kind: PromptKind) -> Prompt:
        """The only prompt of this kind among the last ones."""
        (found,) = (prompt for prompt in self.prompts if prompt.kind is kind)
        return found
