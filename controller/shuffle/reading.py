"""Files of recorded orders: docs/shuffle.md, "The file of orders"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import numpy as np

from controller.cards import FULL_DECK, Card
from controller.shuffle.errors import OrdersFileError
from controller.shuffle.statistics import Orders

LEAST_CARDS: Final = 10
"""Smaller decks than any game's, for which the approximations were not checked."""

MOST_CARDS: Final = 416
"""Eight decks, the largest shoe in use."""

MOST_DECKS: Final = 100_000
"""Orders of one file; more would take minutes and say no more."""

ABOVE: Final = "above"
"""The word for: the deck was gathered in the order of the line above."""

_CARDS: Final = frozenset(str(card) for card in Card if card is not Card.UNKNOWN)
_NEW_DECK: Final = (*(str(card) for card in FULL_DECK), str(Card.JOKER))


@dataclass(frozen=True, slots=True)
class Recording:
    """What a file holds: orders, and what their old places refer to, in words."""

    orders: Orders
    reference: str


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its number and its words."""

    number: int
    words: tuple[str, ...]


def read_orders(path: Path) -> Recording:
    """Read a file of recorded orders.

    Raises:
        OrdersFileError: it cannot be read, or a line in it is wrong.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise OrdersFileError(path, "there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise OrdersFileError(path, f"it cannot be read as text ({error})") from error
    lines = [
        _Line(number, tuple(words))
        for number, line in enumerate(text.splitlines(), start=1)
        if (words := re.split(r"[\s,;]+", line.split("#")[0].strip(" \t,;"))) != [""]
    ]
    if not lines:
        raise OrdersFileError(path, "it holds no order: write one a line, top card first")
    if all(word.isdecimal() for word in lines[0].words):
        return _read_places(path, lines)
    return _read_cards(path, lines)


# --- places -----------------------------------------------------------------------------------


def _read_places(path: Path, lines: Sequence[_Line]) -> Recording:
    cards = len(lines[0].words)
    _check_size(path, lines[0], cards)
    _check_decks(path, len(lines))
    wanted = set(range(1, cards + 1))
    rows = []
    for line in lines:
        if not all(word.isdecimal() for word in line.words):
            raise OrdersFileError(path, "numbers and cards cannot be mixed in a file", line.number)
        places = [_number(word) for word in line.words]
        if len(places) != cards or set(places) != wanted:
            problem = f"write each number from 1 to {cards} once: the card's old place, 1 on top"
            raise OrdersFileError(path, problem, line.number)
        rows.append(places)
    return Recording(np.array(rows, dtype=np.int64) - 1, "the old places in the file")


def _number(word: str) -> int:
    """A place; 0, which is none, for a word of more digits than any deck asks for."""
    return int(word) if len(word) <= len(str(MOST_CARDS)) else 0


# --- cards ------------------------------------------------------------------------------------


class _Reference(Enum):
    """What the old places of a file refer to."""

    NEW_DECK = "a new deck, clubs to spades, two to ace"
    GIVEN = "the input given in the file"
    ABOVE = "the order of the line above"


class _CardReader:
    """Takes the lines of a file of cards one after another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reference = _Reference.NEW_DECK
        self._before: tuple[str, ...] = ()
        self._rows: list[list[int]] = []
        self._used: dict[_Reference, None] = {}

    def take(self, line: _Line) -> None:
        """An order, or the word of what the next orders were shuffled from."""
        if line.words[0] == "input:":
            self._take_input(line)
        else:
            self._take_order(line, _deck(self._path, line))

    def recording(self) -> Recording:
        """What was read."""
        if not self._rows:
            raise OrdersFileError(self._path, "it holds no shuffled order")
        _check_decks(self._path, len(self._rows))
        reference = " and ".join(reference.value for reference in self._used)
        return Recording(np.array(self._rows, dtype=np.int64), reference)

    def _take_input(self, line: _Line) -> None:
        if line.words[1:] == (ABOVE,):
            self._reference, self._before = _Reference.ABOVE, ()
        elif len(line.words) == 1:
            problem = f"write input: and cards, or input: {ABOVE}"
            raise OrdersFileError(self._path, problem, line.number)
        else:
            given = _deck(self._path, _Line(line.number, line.words[1:]))
            self._reference, self._before = _Reference.GIVEN, given

    def _take_order(self, line: _Line, deck: tuple[str, ...]) -> None:
        if not self._before and self._reference is _Reference.ABOVE:
            self._before = deck  # only what the next was shuffled from
            return
        if not self._before:
            self._before = tuple(card for card in _NEW_DECK if card in deck)
        self._rows.append(_old_places(self._path, line, deck, self._before))
        if len(self._rows[0]) != len(deck):
            problem = f"it has {len(deck)} cards, the orders above have {len(self._rows[0])}"
            raise OrdersFileError(self._path, problem, line.number)
        self._used[self._reference] = None
        if self._reference is _Reference.ABOVE:
            self._before = deck


def _read_cards(path: Path, lines: Sequence[_Line]) -> Recording:
    reader = _CardReader(path)
    for line in lines:
        reader.take(line)
    return reader.recording()


def _deck(path: Path, line: _Line) -> tuple[str, ...]:
    for word in line.words:
        if word not in _CARDS:
            problem = f"{word!r} is no card: write As, Td, 9c, Jk, or old places from 1"
            raise OrdersFileError(path, problem, line.number)
    twice = next((w for w in line.words if line.words.count(w) > 1), None)
    if twice is not None:
        problem = f"{twice} lies in the deck twice: write old places in place of cards"
        raise OrdersFileError(path, problem, line.number)
    _check_size(path, line, len(line.words))
    return line.words


def _old_places(
    path: Path, line: _Line, deck: tuple[str, ...], before: tuple[str, ...]
) -> list[int]:
    place = {card: number for number, card in enumerate(before)}
    if set(deck) != set(before):
        odd = min(set(deck) ^ set(before))
        what = "is new" if odd in deck else "is missing"
        raise OrdersFileError(path, f"it is another deck than before: {odd} {what}", line.number)
    return [place[card] for card in deck]


# --- limits -----------------------------------------------------------------------------------


def _check_size(path: Path, line: _Line, cards: int) -> None:
    if not LEAST_CARDS <= cards <= MOST_CARDS:
        problem = f"an order has {LEAST_CARDS} to {MOST_CARDS} cards, this has {cards}"
        raise OrdersFileError(path, problem, line.number)


def _check_decks(path: Path, decks: int) -> None:
    if decks > MOST_DECKS:
        raise OrdersFileError(path, f"{decks} orders are more than {MOST_DECKS}: split it")
