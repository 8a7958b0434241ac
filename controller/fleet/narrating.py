"""From records of the journal to messages that tell nobody a hidden card.

What is told follows from the journal alone, so that a record which is sent again,
tomorrow or by a restarted program, is the same message.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeVar

import msgspec

from controller.alarms import Alarm
from controller.cards import Card
from controller.events import (
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    FirstDealerDrawn,
    HandShown,
    HandStarted,
    Shown,
    TableEvent,
)
from controller.fleet.messages import AlarmChange, OpenStep, RecordMessage, StateMessage
from controller.rulebook import Rulebook
from controller.rules import advance, new_table
from controller.rulings import Ruling
from controller.runtime.journal import Record
from controller.table import TableState
from controller.view import Surroundings

_EVENTS: Final = msgspec.json.Decoder(TableEvent)
_RULINGS: Final = msgspec.json.Decoder(Ruling)
_ENCODER: Final = msgspec.json.Encoder()

ValueT = TypeVar("ValueT")


def opened_by(event: TableEvent) -> tuple[Card, ...]:
    """The cards that lie open for everybody from this event on.

    A card that a sensor names while it lies face down is not among them, and a card
    that somebody reports moved or marred only if it lay open before.
    """
    match event:
        case CardDealt(card=card, shown=shown, boxed=boxed):
            return (card,) if boxed or shown is Shown.UP else ()
        case CardExposed(card=card) | CardBurned(card=card):
            return (card,)
        case BoardShown(cards=cards) | HandShown(cards=cards) | FirstDealerDrawn(cards=cards):
            return cards
        case _:
            return ()


def masked(value: ValueT, is_open: frozenset[Card]) -> ValueT:
    """The same value with every other card written ``??``."""
    replaced: object = value
    if isinstance(value, Card):
        replaced = value if value in is_open else Card.UNKNOWN
    elif isinstance(value, tuple):
        replaced = tuple(masked(part, is_open) for part in value)
    elif isinstance(value, msgspec.Struct):
        parts = {name: masked(getattr(value, name), is_open) for name in value.__struct_fields__}
        replaced = msgspec.structs.replace(value, **parts)
    return replaced  # type: ignore[return-value]  # each branch keeps the type


class Narrator:
    """Follows one table's journal and says what may be told of each record.

    Args:
        table: The table's name in topics.
        book: The rulebook in force.
    """

    def __init__(self, table: str, book: Rulebook) -> None:
        self._table, self._book = table, book
        self._state: TableState = new_table(book)
        self._open: frozenset[Card] = frozenset()

    def resume(self, start: TableState, events: Iterable[TableEvent]) -> None:
        """Go on within a hand: the table before it, and what has happened in it."""
        self._state, self._open = start, frozenset()
        for event in events:
            self._follow(event)

    def tell(self, record: Record, previous: bytes, *, is_first: bool) -> RecordMessage:
        """The message of the next record.

        Raises:
            msgspec.DecodeError: The record's body is not what it should be.
        """
        body, alarms = record.body, tuple[AlarmChange, ...]()
        if record.type == "event":
            event = _EVENTS.decode(record.body)
            alarms = self._follow(event)
            body = _ENCODER.encode(masked(event, self._open))
        elif record.type == "ruling":
            body = _ENCODER.encode(masked(_RULINGS.decode(record.body), self._open))
        return RecordMessage(
            table=self._table,
            seq=record.seq,
            id=record.hash.hex(),
            previous=previous.hex(),
            is_first=is_first,
            type=record.type,  # type: ignore[arg-type]  # the journal knows these four
            kind=record.kind,
            event=record.event,
            hand=record.hand,
            at_ms=record.at_ms,
            written_ms=record.written_ms,
            body=msgspec.Raw(body),
            alarms=alarms,
        )

    def state(self, around: Surroundings, seq: int, digest: str) -> StateMessage:
        """How the table stands after the records told so far.

        Args:
            around: Name, devices and whether it has stopped.
            seq: The number of the newest record told.
            digest: Its hash in hexadecimal.
        """
        state = self._state
        return StateMessage(
            table=self._table,
            name=around.name,
            rulebook=self._book.name,
            seq=seq,
            id=digest,
            hand=state.hand,
            street=state.street.value,
            board=masked(state.board, self._open),
            open=tuple(_open_step(o.ruling, len(o.done)) for o in state.open if not o.is_done),
            alarms=masked(state.watch.alarms, self._open),
            devices=dict(around.devices),
            stopped=around.stopped,
        )

    def _follow(self, event: TableEvent) -> tuple[AlarmChange, ...]:
        if isinstance(event, HandStarted):
            self._open = frozenset()
        self._open |= frozenset(opened_by(event))
        before = self._state.watch.alarms
        self._state = advance(self._state, event, self._book).state
        changes = _changes(before, self._state.watch.alarms)
        return masked(changes, self._open)


def _open_step(ruling: Ruling, done: int) -> OpenStep:
    return OpenStep(
        ruling=ruling.id,
        kind=ruling.irregularity.kind,
        verdict=ruling.verdict,
        steps_open=len(ruling.steps) - done,
        calls_floor=ruling.call_floor,
    )


def _changes(before: tuple[Alarm, ...], after: tuple[Alarm, ...]) -> tuple[AlarmChange, ...]:
    was, now = {a.id: a for a in before}, {a.id: a for a in after}
    ended = tuple(_change("ended", a) for a in before if a.id not in now)
    raised = tuple(_change("raised", a) for a in after if a.id not in was)
    changed = tuple(_change("changed", a) for a in after if was.get(a.id, a) != a)
    return (*ended, *raised, *changed)


def _change(change: Literal["raised", "changed", "ended"], alarm: Alarm) -> AlarmChange:
    return AlarmChange(change=change, alarm=alarm)
