"""Answers that cannot stand together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from controller.rulebook.book import Answer
from controller.rulebook.parameters import Value

Answers = Mapping[str, Answer]


class Combination(msgspec.Struct, frozen=True):
    """Two answers that contradict each other.

    ``key`` is where the mistake is shown, ``other`` what it stands against.
    """

    key: str
    is_wrong: Callable[[Value], bool]
    other: str
    clashes: Callable[[Value], bool]
    why: str

    def is_in(self, answers: Answers) -> bool:
        """Whether the answers hold both."""
        return self.is_wrong(answers[self.key].value) and self.clashes(answers[self.other].value)


def _is(*values: Value) -> Callable[[Value], bool]:
    return lambda value: any(value is v if isinstance(v, bool) else value == v for v in values)


def _is_not(*values: Value) -> Callable[[Value], bool]:
    return lambda value: not _is(*values)(value)


IMPOSSIBLE: Final = (
    Combination(
        "deal.most_pushed_back",
        _is(0),
        "deal.card_to_wrong_seat",
        _is("push_back"),
        "cards are pushed back, but none may be: write a number from 1, or "
        'card_to_wrong_seat = "misdeal"',
    ),
    Combination(
        "deal.too_many_misdeal_count",
        _is(1),
        "deal.one_card_too_many",
        _is_not("misdeal"),
        "one card too many becomes the burn, but is a misdeal by this number: write 2 or more",
    ),
    Combination(
        "button.big_blind_may_be_missing",
        _is(True),
        "button.rule",
        _is_not("dead"),
        'only a dead button leaves a hand without a big blind: write false, or rule = "dead"',
    ),
    Combination(
        "deck.change_laps",
        _is(0),
        "deck.change_on_request",
        _is("after_laps"),
        'the deck is changed after laps, but none are named: write a number, or "any_time"',
    ),
    Combination(
        "deck.set_up_minutes",
        _is(0),
        "deck.set_up_on_request",
        _is("after_minutes"),
        "set-ups come after minutes, but none are named: write a number from 1",
    ),
    Combination(
        "prompts.bets_stay_in_front",
        _is(True),
        "prompts.gather_blinds",
        _is(True),
        "blinds cannot stay before the players and be gathered into the pot: write false in one",
    ),
    Combination(
        "shuffle.longer_sequences",
        _is(True),
        "shuffle.sequences",
        _is(()),
        "any order is right when none is named: write false, or name the orders",
    ),
    Combination(
        "exposed.misdeal_count",
        _is(1),
        "exposed.dealers_own_card",
        _is("keep_and_show"),
        "the dealer keeps an exposed card, but one exposed card is a misdeal: write 2 or more",
    ),
)
"""What no table can do at once."""


def impossible(answers: Answers) -> tuple[Combination, ...]:
    """The combinations in these answers that cannot stand."""
    return tuple(combination for combination in IMPOSSIBLE if combination.is_in(answers))
