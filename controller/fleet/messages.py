"""The payloads, as JSON; ``docs/mqtt.md`` explains them and ``docs/mqtt/`` holds their schemas."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from controller.alarms import Alarm
from controller.cards import Card
from controller.irregularities import Kind
from controller.rulings import Verdict

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""A hash of the journal's chain, in hexadecimal."""

Number = Annotated[int, msgspec.Meta(ge=0)]


class AlarmChange(msgspec.Struct, frozen=True, kw_only=True):
    """An alarm that an event raised, changed or ended."""

    change: Literal["raised", "changed", "ended"]
    alarm: Alarm


class RecordMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One record of the journal.

    ``id`` is the record's hash and counts it once; ``previous`` is the hash of the record
    before, so that a receiver sees when one is missing. ``is_first`` says that the table
    has none before it. ``body`` is the event, the ruling, the opening
    or what is noted of a picture, with every card that is not open at the table written
    ``??``; ``alarms`` are the changes that an event brought.
    """

    table: str
    seq: Annotated[int, msgspec.Meta(ge=1)]
    id: Digest
    previous: Digest
    is_first: bool
    type: Literal["event", "ruling", "opened", "picture"]
    kind: str
    event: Number
    hand: Number
    at_ms: int
    written_ms: int
    body: msgspec.Raw
    alarms: tuple[AlarmChange, ...] = ()


class OpenStep(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling in force and how many of its steps are still to be seen done."""

    ruling: str
    kind: Kind
    verdict: Verdict
    steps_open: Number
    calls_floor: bool


class StateMessage(msgspec.Struct, frozen=True, kw_only=True):
    """How a table stands, as anybody who looks at it can see; retained.

    ``seq`` and ``id`` name the newest record that was sent before it: a receiver that has
    not got that one asks for it. ``devices`` are healths by device, ``absent`` for one
    that the table does not have.
    """

    table: str
    name: str
    rulebook: str
    seq: Number
    id: str
    hand: Number
    street: str
    board: tuple[Card, ...] = ()
    open: tuple[OpenStep, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    devices: dict[str, str] = {}
    stopped: str = ""


class StatusMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a table is connected; retained. The broker sends ``is_online`` false for it."""

    table: str
    is_online: bool
    program: str = ""


class ResendMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A receiver lacks records: the table sends everything from this number on once more."""

    first: Annotated[int, msgspec.Meta(ge=1)]


MESSAGES: Final[dict[str, type[msgspec.Struct]]] = {
    "record": RecordMessage,
    "state": StateMessage,
    "status": StatusMessage,
    "resend": ResendMessage,
}
"""The kinds of payload and the names of their schemas."""

_ENCODER: Final = msgspec.json.Encoder()


def encoded(message: RecordMessage | StateMessage | StatusMessage | ResendMessage) -> bytes:
    """A payload."""
    return _ENCODER.encode(message)


def schema(name: str) -> bytes:
    """The JSON Schema of a payload, as it stands in ``docs/mqtt/``."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cutcard {name}",
        **msgspec.json.schema(MESSAGES[name]),
    }
    return msgspec.json.format(msgspec.json.encode(described, order="deterministic")) + b"\n"
