"""Rules on an event file: lines in, rulings out (docs/events.md)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, get_args

import msgspec

from controller.events import TableEvent
from controller.rulebook import Rulebook
from controller.rules.alternatives import Alternative, alternatives
from controller.rules.engine import Outcome, new_table
from controller.rules.taking_back import advance
from controller.rulings import Ruling
from controller.table import EventRefusedError, TableState

_DECODER: Final = msgspec.json.Decoder(TableEvent)
EVENT_NAMES: Final = tuple(sorted(str(t.__struct_config__.tag) for t in get_args(TableEvent)))


class Compared(msgspec.Struct, frozen=True):
    """A ruling, and what other rulebooks would have ruled."""

    ruling: Ruling
    alternatives: tuple[Alternative, ...]


class EventFileError(Exception):
    """A line of an event file cannot be used; the lines before it were ruled on.

    Args:
        line: Its number, from 1.
        problem: What is wrong and what to write instead.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line, self.problem = line, problem


def judge(lines: Iterable[tuple[int, bytes]], book: Rulebook) -> Iterator[Ruling]:
    """Rule on the events of a file, one JSON object per line.

    Args:
        lines: Line numbers from 1 and lines; empty lines are passed over.
        book: The rulebook.

    Yields:
        Each ruling as it falls.

    Raises:
        EventFileError: A line is no event; the rulings before it have been yielded.
    """
    for _, _, outcome in _advanced(lines, book):
        yield from outcome.rulings


def judge_beside_others(
    lines: Iterable[tuple[int, bytes]], book: Rulebook, others: Sequence[Rulebook]
) -> Iterator[Compared]:
    """Rule as ``judge`` does, and say what other rulebooks would rule on the same.

    Raises:
        EventFileError: As ``judge``.
    """
    for before, event, outcome in _advanced(lines, book):
        for ruling in outcome.rulings:
            said = alternatives(before, event, ruling.irregularity, others)
            yield Compared(ruling, said)


def _advanced(
    lines: Iterable[tuple[int, bytes]], book: Rulebook
) -> Iterator[tuple[TableState, TableEvent, Outcome]]:
    """Each event with the table before it and what it led to."""
    state = new_table(book)
    for number, line in lines:
        if not line.strip():
            continue
        event = _event(number, line)
        try:
            outcome = advance(state, event, book)
        except EventRefusedError as error:
            raise EventFileError(number, str(error)) from None
        yield state, event, outcome
        state = outcome.state


def _event(number: int, line: bytes) -> TableEvent:
    try:
        return _DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise EventFileError(number, _explained(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EventFileError(number, f"not one JSON object: {error}") from None
    except RecursionError:
        problem = "nested too deeply; an event is one flat JSON object"
        raise EventFileError(number, problem) from None


def _explained(problem: str) -> str:
    """Add what would have been right to a name that is not known."""
    named = re.search(r"Invalid value '([^']*)' - at `\$\.event`", problem)
    if not named:
        return f"{problem}; docs/events.md lists every event with its fields"
    close = difflib.get_close_matches(named.group(1), EVENT_NAMES, n=1)
    hint = f"did you mean {close[0]!r}" if close else f"there are {', '.join(EVENT_NAMES)}"
    return f"no event is called {named.group(1)!r}; {hint}"
