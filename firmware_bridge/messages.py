"""The one message table: what can be said on the wire, and in which bytes.

Encoding and decoding are derived from ``MESSAGES``; nothing else in the package
knows an id or a field order. ``docs/protocol.md`` prints the same table and the
tests compare the two. All numbers are unsigned, packed, little-endian.

A message never names a card's face: the machine counts cards, it does not
report them, so that no hidden card is ever on the wire.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, IntEnum, IntFlag

from firmware_bridge.errors import ProtocolError

PROTOCOL_VERSION = 1
"""First byte of every frame; both ends refuse another one before any motion."""


class Direction(Enum):
    """Who sends the message."""

    COMMAND = "command"
    REPLY = "reply"
    EVENT = "event"


class Kind(IntEnum):
    """What the device is; this package drives only a shuffler."""

    SHUFFLER = 1
    OTHER = 2


class Gate(IntEnum):
    """Whether a card can be drawn from the shoe."""

    HELD = 0
    OPEN = 1
    COUNTED = 2
    BURN = 3


class Light(IntEnum):
    """The lamp over the gate."""

    OFF = 0
    GREEN = 1
    AMBER = 2
    RED = 3


class Deck(IntEnum):
    """Which of two decks the machine works on."""

    A = 1
    B = 2


class BootCause(IntEnum):
    """Why the device started, as its reset register tells."""

    UNKNOWN = 0
    POWER = 1
    BUTTON = 2
    WATCHDOG = 3
    BROWNOUT = 4


class FaultCode(IntEnum):
    """A fault that a person must clear."""

    JAM = 1
    DOUBLE_FEED = 2
    HOPPER_EMPTY = 3
    LID_OPEN = 4
    SENSOR_STUCK = 5
    DRIVE_STALLED = 6
    NO_ENTROPY = 7
    COUNT_DIFFERS = 8


class Part(IntEnum):
    """A part that a technician can be sent to, or that can be tested alone."""

    FEED = 1
    CAROUSEL = 2
    UNLOADER = 3
    GATE = 4
    EXIT = 5
    LID = 6
    HOPPER = 7
    DECK_LIFT = 8
    NOISE_SOURCE = 9


class Refusal(IntEnum):
    """Why the device did not carry out a command."""

    BUSY = 1
    FAULT = 2
    BAD_VALUE = 3
    NO_CARDS = 4
    EPOCH = 5
    SESSION = 6
    VERSION = 7
    UNKNOWN_COMMAND = 8
    SEAL = 9
    TRUST = 10


class Capability(IntFlag):
    """What this model can do beyond shuffling and holding cards."""

    NONE = 0
    COUNTED_DEAL = 1
    BOXED_SENSOR = 2
    LIGHT = 4
    TONE = 8
    EJECT = 16
    LOCK = 32
    TWO_DECKS = 64
    BURN = 128
    SILENCE_STOP = 256
    READS_FACES = 512
    SHUFFLES = 1024
    DEALS = 2048
    METERS = 4096
    PART_TEST = 8192
    SEALED = 1 << 14
    MIXED_ENTROPY = 1 << 15


@dataclass(frozen=True, slots=True)
class Identify:
    """Ask who is there; opens the session named in the header."""


@dataclass(frozen=True, slots=True)
class ReadStatus:
    """Ask for the state of gate, magazine and faults; also the keep-alive."""


@dataclass(frozen=True, slots=True)
class ReplayEvents:
    """Ask for the events numbered above ``after`` again."""

    after: int


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Run the sensors' self-test; moves no card."""


@dataclass(frozen=True, slots=True)
class SetLight:
    """Set the lamp; ``tone_ms`` sounds the buzzer that long, 0 is silent."""

    light: Light
    tone_ms: int = 0


@dataclass(frozen=True, slots=True)
class ReadCapacity:
    """Ask how the machine is built."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Lock or unlock the lid. Doing it twice is doing it once: no motion command."""

    is_locked: bool


@dataclass(frozen=True, slots=True)
class ReadMeters:
    """Ask for what the machine has counted since its start."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle every card in the machine and count them."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Permit exactly ``count`` cards at the gate, in place of what was permitted."""

    count: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Close the gate. Closing twice is closing once, so it is no motion command."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Open the gate: cards may be drawn one after another."""


@dataclass(frozen=True, slots=True)
class Eject:
    """Give every card in the machine out at the lid."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Ask the device for its nonce and give ours; numbered by the handshake, as ``Identify``."""

    nonce: bytes


@dataclass(frozen=True, slots=True)
class Prove:
    """Prove that we hold the device's key and ask for its proof; numbered by the handshake."""

    proof: bytes


@dataclass(frozen=True, slots=True)
class SetKey:
    """Give the device its key; only in its trusted mode. The key is in no log."""

    key: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class CommitEntropy:
    """Ask the device to draw its part of the next shuffle's entropy and to commit itself to it."""


@dataclass(frozen=True, slots=True)
class MixEntropy:
    """Give the host's part of the next shuffle's entropy."""

    nonce: bytes


@dataclass(frozen=True, slots=True)
class OpenEntropy:
    """Ask for the secret behind the last commitment, once its order has been gathered."""


@dataclass(frozen=True, slots=True)
class SealedCommand:
    """A command in an envelope: its id, its payload filled up with zeros, counter and tag."""

    id: int
    length: int
    body: bytes
    counter: int
    tag: bytes


@dataclass(frozen=True, slots=True)
class Burn:
    """Permit exactly one card at the gate: the burn."""


@dataclass(frozen=True, slots=True)
class SelectDeck:
    """Bring this deck to feed and gate; ``DeckSelected`` tells when it is there."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class TestPart:
    """Move or read one part without cards; ``PartTested`` tells how it went."""

    __test__ = False  # no test case, whatever a test runner reads into the name

    part: Part


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the device is: the answer to ``Identify``.

    ``last_sequence`` is the newest command executed in this session, 0 where
    the session has just been opened (or forgotten).
    """

    kind: Kind
    model: str
    serial_number: str
    firmware: str
    capabilities: Capability
    boot_cause: BootCause
    last_sequence: int = 0


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """State of the machine; ``faults`` has bit ``code - 1`` set per standing fault.

    ``permitted`` counts the cards that a ``COUNTED`` gate still lets through,
    ``drawn`` those that left the gate since the last shuffle.
    """

    gate: Gate
    permitted: int
    cards: int
    drawn: int
    faults: int
    is_busy: bool

    @property
    def fault_codes(self) -> tuple[FaultCode, ...]:
        """The standing faults, in the order of their codes."""
        return tuple(code for code in FaultCode if self.faults >> (code - 1) & 1)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command is carried out (or begun, where an event tells its end)."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The command is not carried out and never will be."""

    reason: Refusal


@dataclass(frozen=True, slots=True)
class EventsReplayed:
    """The ring holds ``oldest`` to ``newest``; some after the asked one came just before."""

    oldest: int
    newest: int


@dataclass(frozen=True, slots=True)
class SelfTested:
    """Result of a self-test; ``failed`` has bit ``code - 1`` set per failed sensor."""

    failed: int

    @property
    def is_passed(self) -> bool:
        """No sensor failed."""
        return self.failed == 0


@dataclass(frozen=True, slots=True)
class Challenged:
    """The device's nonce: the answer to ``Challenge``."""

    nonce: bytes


@dataclass(frozen=True, slots=True)
class Proven:
    """The device's proof: the answer to ``Prove``."""

    proof: bytes


@dataclass(frozen=True, slots=True)
class EntropyCommitted:
    """The hash of the secret that the device has drawn: the answer to ``CommitEntropy``."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class EntropyOpened:
    """The secret of a gathered order: the answer to ``OpenEntropy``."""

    secret: bytes


@dataclass(frozen=True, slots=True)
class SealedReply:
    """A reply in an envelope; its counter is the sequence number in the header."""

    id: int
    length: int
    body: bytes
    tag: bytes


@dataclass(frozen=True, slots=True)
class SealedEvent:
    """An event in an envelope; its counter is the event number in the header."""

    id: int
    length: int
    body: bytes
    tag: bytes


@dataclass(frozen=True, slots=True)
class Capacity:
    """How the machine is built: slots of the carousel (0: none), most cards, decks."""

    shelves: int
    cards: int
    decks: int


@dataclass(frozen=True, slots=True)
class Meters:
    """What the machine has counted; all but ``starts`` since its start.

    ``motions`` are motion commands carried out, ``retries`` cards fed again after
    they stuck, ``noise`` frames thrown away, ``overruns`` bytes lost in reception,
    ``slowest_us`` the longest pass of the main loop in microseconds.
    """

    starts: int
    motions: int
    cards: int
    retries: int
    noise: int
    overruns: int
    slowest_us: int


@dataclass(frozen=True, slots=True)
class Booted:
    """The device started; always event 1 of its epoch."""

    cause: BootCause


@dataclass(frozen=True, slots=True)
class CardOut:
    """A card left the gate, the ``number``-th since the last shuffle; ``boxed`` lay face up."""

    number: int
    boxed: bool


@dataclass(frozen=True, slots=True)
class CardsIn:
    """Cards were put in or taken out at the lid; ``count`` are in the machine now."""

    count: int


@dataclass(frozen=True, slots=True)
class ShuffleStarted:
    """The machine began to shuffle; the gate is held until it has finished."""


@dataclass(frozen=True, slots=True)
class ShuffleFinished:
    """The machine shuffled ``count`` cards, ``boxed`` of which lay face up."""

    count: int
    boxed: int


@dataclass(frozen=True, slots=True)
class GateChanged:
    """The gate moved; ``permitted`` is the number let through when ``COUNTED``, else 0."""

    gate: Gate
    permitted: int


@dataclass(frozen=True, slots=True)
class FaultRaised:
    """A fault stands; the gate is held until a person clears it."""

    code: FaultCode


@dataclass(frozen=True, slots=True)
class FaultCleared:
    """A fault is gone."""

    code: FaultCode


@dataclass(frozen=True, slots=True)
class LockChanged:
    """The lid was locked or unlocked."""

    is_locked: bool


@dataclass(frozen=True, slots=True)
class DeckSelected:
    """This deck is at feed and gate."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class HostSilent:
    """No command came for ``silent_ms``; the gate is held until the host says otherwise."""

    silent_ms: int


@dataclass(frozen=True, slots=True)
class FaultLocated:
    """Where the fault lies that the next ``FaultRaised`` tells, and after how many tries."""

    code: FaultCode
    part: Part
    tries: int


@dataclass(frozen=True, slots=True)
class PartTested:
    """How the test of one part went."""

    part: Part
    is_passed: bool


Command = (
    Identify
    | ReadStatus
    | ReplayEvents
    | SelfTest
    | SetLight
    | Shuffle
    | Deal
    | Hold
    | Resume
    | Eject
    | ReadCapacity
    | Lock
    | ReadMeters
    | Burn
    | SelectDeck
    | TestPart
    | Challenge
    | Prove
    | SetKey
    | CommitEntropy
    | MixEntropy
    | OpenEntropy
)
Reply = (
    Identity
    | DeviceStatus
    | Accepted
    | Refused
    | EventsReplayed
    | SelfTested
    | Capacity
    | Meters
    | Challenged
    | Proven
    | EntropyCommitted
    | EntropyOpened
)
DeviceEvent = (
    Booted
    | CardOut
    | CardsIn
    | ShuffleStarted
    | ShuffleFinished
    | GateChanged
    | FaultRaised
    | FaultCleared
    | LockChanged
    | DeckSelected
    | HostSilent
    | FaultLocated
    | PartTested
)
Sealed = SealedCommand | SealedReply | SealedEvent
Message = Command | Reply | DeviceEvent | Sealed


class Width(Enum):
    """How a field lies on the wire: its ``struct`` code, and whether its bytes are text."""

    U8 = ("B", False)
    U16 = ("H", False)
    U32 = ("I", False)
    BOOL = ("?", False)
    TEXT8 = ("8s", True)
    TEXT16 = ("16s", True)
    BYTES32 = ("32s", False)

    @property
    def code(self) -> str:
        """The code of ``struct``."""
        return self.value[0]

    @property
    def is_text(self) -> bool:
        """Whether the bytes are ASCII, filled up with zeros."""
        return self.value[1]

    @property
    def size(self) -> int:
        """Bytes on the wire."""
        return struct.calcsize("<" + self.code)


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name in the message, its width, and the enumeration it takes, if any."""

    name: str
    width: Width
    enum: type[IntEnum] | type[IntFlag] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the message table."""

    id: int
    type: type[Message]
    direction: Direction
    is_motion: bool
    fields: tuple[Field, ...]
    layout: struct.Struct


def _row(
    id_: int,
    type_: type[Message],
    direction: Direction,
    *fields: Field,
    motion: bool = False,
) -> Row:
    layout = struct.Struct("<" + "".join(field.width.code for field in fields))
    return Row(id_, type_, direction, motion, fields, layout)


_COUNT = Field("count", Width.U16)
_ENVELOPE = (
    Field("id", Width.U8),
    Field("length", Width.U8),
    Field("body", Width.BYTES32),
)
_COUNTER = Field("counter", Width.U32)
_TAG = Field("tag", Width.BYTES32)
_CODE = Field("code", Width.U8, FaultCode)
_DECK = Field("deck", Width.U8, Deck)
_PART = Field("part", Width.U8, Part)

MESSAGES: tuple[Row, ...] = (
    _row(0x01, Identify, Direction.COMMAND),
    _row(0x02, ReadStatus, Direction.COMMAND),
    _row(0x03, ReplayEvents, Direction.COMMAND, Field("after", Width.U32)),
    _row(0x04, SelfTest, Direction.COMMAND),
    _row(
        0x05,
        SetLight,
        Direction.COMMAND,
        Field("light", Width.U8, Light),
        Field("tone_ms", Width.U16),
    ),
    _row(0x06, Hold, Direction.COMMAND),
    _row(0x07, ReadCapacity, Direction.COMMAND),
    _row(0x08, Lock, Direction.COMMAND, Field("is_locked", Width.BOOL)),
    _row(0x09, ReadMeters, Direction.COMMAND),
    _row(0x10, Shuffle, Direction.COMMAND, motion=True),
    _row(0x11, Deal, Direction.COMMAND, _COUNT, motion=True),
    _row(0x12, Resume, Direction.COMMAND, motion=True),
    _row(0x13, Eject, Direction.COMMAND, motion=True),
    _row(0x14, Burn, Direction.COMMAND, motion=True),
    _row(0x15, SelectDeck, Direction.COMMAND, _DECK, motion=True),
    _row(0x16, TestPart, Direction.COMMAND, _PART, motion=True),
    _row(0x30, Challenge, Direction.COMMAND, Field("nonce", Width.BYTES32)),
    _row(0x31, Prove, Direction.COMMAND, Field("proof", Width.BYTES32)),
    _row(0x32, SetKey, Direction.COMMAND, Field("key", Width.BYTES32)),
    _row(0x33, SealedCommand, Direction.COMMAND, *_ENVELOPE, _COUNTER, _TAG, motion=True),
    _row(0x34, CommitEntropy, Direction.COMMAND),
    _row(0x35, MixEntropy, Direction.COMMAND, Field("nonce", Width.BYTES32)),
    _row(0x36, OpenEntropy, Direction.COMMAND),
    _row(
        0x41,
        Identity,
        Direction.REPLY,
        Field("kind", Width.U8, Kind),
        Field("model", Width.TEXT16),
        Field("serial_number", Width.TEXT16),
        Field("firmware", Width.TEXT8),
        Field("capabilities", Width.U16, Capability),
        Field("boot_cause", Width.U8, BootCause),
        Field("last_sequence", Width.U16),
    ),
    _row(
        0x42,
        DeviceStatus,
        Direction.REPLY,
        Field("gate", Width.U8, Gate),
        Field("permitted", Width.U16),
        Field("cards", Width.U16),
        Field("drawn", Width.U16),
        Field("faults", Width.U16),
        Field("is_busy", Width.BOOL),
    ),
    _row(
        0x43,
        EventsReplayed,
        Direction.REPLY,
        Field("oldest", Width.U32),
        Field("newest", Width.U32),
    ),
    _row(0x44, SelfTested, Direction.REPLY, Field("failed", Width.U16)),
    _row(0x45, Accepted, Direction.REPLY),
    _row(0x46, Refused, Direction.REPLY, Field("reason", Width.U8, Refusal)),
    _row(
        0x47,
        Capacity,
        Direction.REPLY,
        Field("shelves", Width.U16),
        Field("cards", Width.U16),
        Field("decks", Width.U8),
    ),
    _row(
        0x48,
        Meters,
        Direction.REPLY,
        Field("starts", Width.U32),
        Field("motions", Width.U32),
        Field("cards", Width.U32),
        Field("retries", Width.U16),
        Field("noise", Width.U16),
        Field("overruns", Width.U16),
        Field("slowest_us", Width.U16),
    ),
    _row(0x60, Challenged, Direction.REPLY, Field("nonce", Width.BYTES32)),
    _row(0x61, Proven, Direction.REPLY, Field("proof", Width.BYTES32)),
    _row(0x62, SealedReply, Direction.REPLY, *_ENVELOPE, _TAG),
    _row(0x63, EntropyCommitted, Direction.REPLY, Field("commitment", Width.BYTES32)),
    _row(0x64, EntropyOpened, Direction.REPLY, Field("secret", Width.BYTES32)),
    _row(0x80, Booted, Direction.EVENT, Field("cause", Width.U8, BootCause)),
    _row(0x81, CardOut, Direction.EVENT, Field("number", Width.U16), Field("boxed", Width.BOOL)),
    _row(0x82, CardsIn, Direction.EVENT, _COUNT),
    _row(0x83, ShuffleStarted, Direction.EVENT),
    _row(0x84, ShuffleFinished, Direction.EVENT, _COUNT, Field("boxed", Width.U16)),
    _row(
        0x85,
        GateChanged,
        Direction.EVENT,
        Field("gate", Width.U8, Gate),
        Field("permitted", Width.U16),
    ),
    _row(0x86, FaultRaised, Direction.EVENT, _CODE),
    _row(0x87, FaultCleared, Direction.EVENT, _CODE),
    _row(0x88, LockChanged, Direction.EVENT, Field("is_locked", Width.BOOL)),
    _row(0x89, DeckSelected, Direction.EVENT, _DECK),
    _row(0x8A, HostSilent, Direction.EVENT, Field("silent_ms", Width.U16)),
    _row(0x8B, FaultLocated, Direction.EVENT, _CODE, _PART, Field("tries", Width.U8)),
    _row(0x8C, PartTested, Direction.EVENT, _PART, Field("is_passed", Width.BOOL)),
    _row(0xC0, SealedEvent, Direction.EVENT, *_ENVELOPE, _TAG),
)

_BY_ID = {row.id: row for row in MESSAGES}
_BY_TYPE: dict[type[Message], Row] = {row.type: row for row in MESSAGES}


def row_of(message: Message) -> Row:
    """The table row of a message."""
    return _BY_TYPE[type(message)]


def is_motion(command: Command) -> bool:
    """Whether the command moves cards or opens the gate, and so must never run twice."""
    return row_of(command).is_motion


_ANSWERS: dict[type[Message], type[Message]] = {
    Identify: Identity,
    ReadStatus: DeviceStatus,
    ReplayEvents: EventsReplayed,
    SelfTest: SelfTested,
    ReadCapacity: Capacity,
    ReadMeters: Meters,
    Challenge: Challenged,
    Prove: Proven,
    CommitEntropy: EntropyCommitted,
    OpenEntropy: EntropyOpened,
}


def is_answer(command: Command, reply: Reply) -> bool:
    """Whether the device can answer ``command`` so: its own kind of answer, or a refusal."""
    return isinstance(reply, (_ANSWERS.get(type(command), Accepted), Refused))


def pack(message: Message) -> bytes:
    """The payload bytes of a message, without header.

    Raises:
        ProtocolError: a field does not fit its width, or a text is not ASCII.
            Bytes must fill their width: a key or a tag is never cut or filled up.
    """
    row = row_of(message)
    try:
        values = (_to_wire(field, getattr(message, field.name)) for field in row.fields)
        return row.layout.pack(*values)
    except (struct.error, ValueError) as error:
        raise ProtocolError(f"{message} does not fit its fields: {error}") from error


def _to_wire(field: Field, value: int | bool | str | bytes) -> int | bool | bytes:
    if isinstance(value, bytes) and len(value) != field.width.size:
        raise ValueError(f"{field.name} has {len(value)} bytes")
    if not isinstance(value, str):
        return value
    encoded = value.encode("ascii")
    if len(encoded) > field.width.size or "\0" in value:
        raise ValueError(f"{field.name} {value!r} is too long or holds a zero")
    return encoded


def unpack(id_: int, payload: bytes) -> Message:
    """The message with this id and payload.

    Raises:
        ProtocolError: no such id, a payload of another length, or a value that
            the field's enumeration does not have.
    """
    row = _BY_ID.get(id_)
    if row is None:
        raise ProtocolError(f"no message has the id 0x{id_:02x}")
    if len(payload) != row.layout.size:
        name = row.type.__name__
        raise ProtocolError(f"{name} has {row.layout.size} payload bytes, got {len(payload)}")
    values = (
        _from_wire(field, value)
        for field, value in zip(row.fields, row.layout.unpack(payload), strict=True)
    )
    build: Callable[..., Message] = row.type
    try:
        return build(*values)
    except (ValueError, UnicodeDecodeError) as error:
        raise ProtocolError(f"{row.type.__name__} holds a bad value: {error}") from error


def _from_wire(field: Field, value: int | bool | bytes) -> int | bool | str | bytes:
    if isinstance(value, bytes) and not field.width.is_text:
        return value
    if isinstance(value, bytes):
        return value.rstrip(b"\0").decode("ascii")
    return value if field.enum is None else field.enum(value)
