"""Models of a shuffle, and what theory says of them.

Each model that theory knows gives the same chance to all orders of one class, so a
class count and a chance for one order describe it whole:

* uniform: every order alike.
* ``riffle:N``, N riffles of the Gilbert, Shannon and Reeds model: the chance of an
  order with r rising sequences is C(2^N + n - r, n) / 2^(N n) (Bayer and Diaconis
  1992, theorem 1; Ann. Appl. Probab. 2:294-313).
* ``shelf:M``, one pass of a machine with M shelves: the chance of an order with v
  valleys is 4^(v+1) / (2 (2M)^n) sum_a C(n + M - a - 1, n) C(n - 1 - 2v, a - v)
  (Diaconis, Fulman and Holmes 2013; Ann. Appl. Probab. 23:1692-1720).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from typing import Final

from controller.shuffle.counting import Counts, rising_sequences, valleys
from controller.shuffle.errors import ModelError

MOST_RIFFLES: Final = 40
MOST_SHELVES: Final = 1000


class Kind(Enum):
    """What mixes the cards."""

    UNIFORM = "uniform"
    RIFFLE = "riffle"
    SHELF = "shelf"


@dataclass(frozen=True, slots=True)
class Model:
    """One model: its kind and, where it has one, the number of riffles or shelves."""

    kind: Kind
    amount: int = 0

    def __str__(self) -> str:
        """As it is written on the command line."""
        return f"{self.kind.value}:{self.amount}" if self.amount else self.kind.value


UNIFORM: Final = Model(Kind.UNIFORM)

_MOST: Final = {Kind.RIFFLE: MOST_RIFFLES, Kind.SHELF: MOST_SHELVES}
ALLOWED: Final = f"uniform, riffle:N (1 to {MOST_RIFFLES}), shelf:M (1 to {MOST_SHELVES})"


def parse_model(text: str) -> Model:
    """The model that ``uniform``, ``riffle:7`` or ``shelf:10`` names.

    Raises:
        ModelError: there is no such model.
    """
    if text == Kind.UNIFORM.value:
        return UNIFORM
    found = re.fullmatch(r"(riffle|shelf):(\d{1,4})", text)
    if found is None:
        raise ModelError(text, ALLOWED)
    model = Model(Kind(found[1]), int(found[2]))
    if not 1 <= model.amount <= _MOST[model.kind]:
        raise ModelError(text, ALLOWED)
    return model


def orders_by_class(kind: Kind, cards: int) -> Counts:
    """How many orders each class of the model has."""
    match kind:
        case Kind.UNIFORM:
            return (factorial(cards),)
        case Kind.RIFFLE:
            return rising_sequences(cards)
        case Kind.SHELF:
            return valleys(cards)


@lru_cache
def chances(model: Model, cards: int) -> tuple[Fraction, ...]:
    """The chance of one order of each class."""
    classes = range(len(orders_by_class(model.kind, cards)))
    match model.kind:
        case Kind.UNIFORM:
            return (Fraction(1, factorial(cards)),)
        case Kind.RIFFLE:
            packets = 2**model.amount
            return tuple(
                Fraction(comb(packets + cards - rising, cards), packets**cards)
                if rising
                else Fraction(0)
                for rising in classes
            )
        case Kind.SHELF:
            return tuple(_shelf_chance(cards, model.amount, number) for number in classes)


def _shelf_chance(cards: int, shelves: int, valleys_: int) -> Fraction:
    ways = sum(
        comb(cards + shelves - a - 1, cards) * comb(cards - 1 - 2 * valleys_, a - valleys_)
        for a in range(valleys_, min(shelves, cards - valleys_))
    )
    return Fraction(4 ** (valleys_ + 1) * ways, 2 * (2 * shelves) ** cards)


def class_chances(model: Model, cards: int) -> tuple[Fraction, ...]:
    """The chance of each class; they sum to 1."""
    sizes = orders_by_class(model.kind, cards)
    return tuple(size * chance for size, chance in zip(sizes, chances(model, cards), strict=True))


def total_variation(model: Model, cards: int) -> float:
    """The largest difference in chance that any event can have from a uniform order."""
    sizes = orders_by_class(model.kind, cards)
    even = Fraction(1, factorial(cards))
    distances = (
        size * abs(chance - even) for size, chance in zip(sizes, chances(model, cards), strict=True)
    )
    return float(sum(distances, Fraction(0)) / 2)


def separation(model: Model, cards: int) -> float:
    """How much less likely than uniform the least likely order is: 1 says impossible."""
    sizes = orders_by_class(model.kind, cards)
    possible = (c for size, c in zip(sizes, chances(model, cards), strict=True) if size)
    return float(1 - factorial(cards) * min(possible))


def greatest_excess(model: Model, cards: int) -> float:
    """How far the most misjudged order is from uniform, relative to it (the sup norm)."""
    sizes = orders_by_class(model.kind, cards)
    possible = (c for size, c in zip(sizes, chances(model, cards), strict=True) if size)
    return float(max(abs(factorial(cards) * chance - 1) for chance in possible))


def mean_class(model: Model, cards: int) -> float:
    """The mean number of rising sequences, or of valleys."""
    mean = sum(
        (number * chance for number, chance in enumerate(class_chances(model, cards))),
        Fraction(0),
    )
    return float(mean)
