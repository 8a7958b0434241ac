"""Bytes to frames and back: COBS, CRC-16/CCITT-FALSE, a zero byte as delimiter.

On the wire: ``00 COBS(header payload crc16) 00``. The leading zero ends whatever
half frame noise or a reset left in the receiver. Noise is counted in
``Decoder.noise`` and skipped; no byte sequence makes the decoder raise or grow.
"""

from __future__ import annotations

import binascii
import struct
from dataclasses import dataclass, field

from cobs import cobs  # type: ignore[import-untyped]  # it ships no types

from firmware_bridge.errors import ProtocolError
from firmware_bridge.messages import PROTOCOL_VERSION, Message, pack, row_of, unpack

MAX_ENCODED = 96
"""Longest encoded body in bytes: the largest message (SealedCommand) has 70 payload
bytes, with header, CRC and COBS 87; the rest is room for later versions."""

_HEADER = struct.Struct("<BBHHII")
_CRC = struct.Struct("<H")
_DELIMITER = b"\0"


@dataclass(frozen=True, slots=True)
class Frame:
    """One message with its header.

    ``sequence`` numbers commands, and a reply repeats its command's (0 in
    events). ``session`` is the host's, ``epoch`` the device's start (0 where the
    host does not know it yet). ``event`` is the newest event number the sender
    knows; in an event frame it is the event's own number.
    """

    message: Message
    sequence: int = 0
    session: int = 0
    epoch: int = 0
    event: int = 0
    version: int = PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class ForeignFrame:
    """A sound frame of another protocol version, of which only the version is read."""

    version: int


@dataclass(slots=True)
class Noise:
    """What was thrown away: frames by reason, and bytes of overlong runs."""

    bad_cobs: int = 0
    bad_crc: int = 0
    bad_message: int = 0
    overlong_bytes: int = 0

    @property
    def total(self) -> int:
        """All incidents; an overlong run counts each of its bytes."""
        return self.bad_cobs + self.bad_crc + self.bad_message + self.overlong_bytes


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE (polynomial 0x1021, initial 0xFFFF, no reflection)."""
    return binascii.crc_hqx(data, 0xFFFF)


def content_of(frame: Frame) -> bytes:
    """Header and payload of a frame, before checksum and stuffing."""
    header = _HEADER.pack(
        frame.version,
        row_of(frame.message).id,
        frame.sequence,
        frame.session,
        frame.epoch,
        frame.event,
    )
    return header + pack(frame.message)


def encode(frame: Frame) -> bytes:
    """The bytes of a frame on the wire, delimiters included."""
    body = content_of(frame)
    stuffed: bytes = cobs.encode(body + _CRC.pack(crc16(body)))
    return _DELIMITER + stuffed + _DELIMITER


@dataclass(slots=True)
class Decoder:
    """Incremental: feed it bytes in any pieces, get the frames they complete."""

    noise: Noise = field(default_factory=Noise)
    _buffer: bytearray = field(default_factory=bytearray)
    _skipping: bool = False

    def feed(self, data: bytes) -> list[Frame | ForeignFrame]:
        """The sound frames completed by ``data``, in their order."""
        frames: list[Frame | ForeignFrame] = []
        *ended, rest = data.split(_DELIMITER)
        for piece in ended:
            self._collect(piece)
            frames.extend(self._finish())
        self._collect(rest)
        return frames

    def _collect(self, piece: bytes) -> None:
        if self._skipping or len(self._buffer) + len(piece) > MAX_ENCODED:
            self.noise.overlong_bytes += len(self._buffer) + len(piece)
            self._buffer.clear()
            self._skipping = True
            return
        self._buffer += piece

    def _finish(self) -> list[Frame | ForeignFrame]:
        encoded, self._skipping = bytes(self._buffer), False
        self._buffer.clear()
        if not encoded:
            return []
        try:
            body = cobs.decode(encoded)
        except cobs.DecodeError:
            self.noise.bad_cobs += 1
            return []
        return self._parse(body)

    def _parse(self, body: bytes) -> list[Frame | ForeignFrame]:
        content, check = body[: -_CRC.size], body[-_CRC.size :]
        if len(body) <= _CRC.size or check != _CRC.pack(crc16(content)):
            self.noise.bad_crc += 1
            return []
        if content[0] != PROTOCOL_VERSION:
            return [ForeignFrame(content[0])]
        try:
            return [_frame(content)]
        except ProtocolError:
            self.noise.bad_message += 1
            return []


def _frame(content: bytes) -> Frame:
    if len(content) < _HEADER.size:
        raise ProtocolError(f"a header has {_HEADER.size} bytes, got {len(content)}")
    version, id_, sequence, session, epoch, event = _HEADER.unpack_from(content)
    message = unpack(id_, content[_HEADER.size :])
    return Frame(message, sequence, session, epoch, event, version)
