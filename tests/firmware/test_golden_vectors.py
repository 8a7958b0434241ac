"""The golden vectors that host and firmware share mean what docs/protocol.md says.

Nothing here uses the codec to say what a vector should hold: CRC and COBS are computed
from their definitions, fields from the document's message table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_bridge.framing import Decoder, Frame, encode

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
GOLDEN = (ROOT / "firmware" / "tests" / "golden_vectors.txt").read_text(encoding="utf-8")

SIZES = {"u8": 1, "u16": 2, "u32": 4, "bool": 1}
ROW = re.compile(r"^\| `0x([0-9a-f]{2})` \| (\w+) \| \w+ \| \w+ \| (.*) \|$", re.MULTILINE)
DOCUMENTED = {
    name: (int(id_, 16), [] if fields == "none" else fields.split(", "))
    for id_, name, fields in ROW.findall(PAGE)
}


@dataclass(frozen=True, slots=True)
class Vector:
    name: str
    values: dict[str, str]
    numbers: tuple[int, ...]
    payload: bytes
    wire: bytes


def read(line: str) -> Vector:
    name, values, numbers, payload, wire = line.split(" | ")
    pairs = [] if values == "-" else [pair.partition("=") for pair in values.split("; ")]
    return Vector(
        name,
        {key: value for key, _, value in pairs},
        tuple(int(number) for number in numbers.split()),
        b"" if payload == "-" else bytes.fromhex(payload),
        bytes.fromhex(wire),
    )


VECTORS = [read(line) for line in GOLDEN.splitlines() if not line.startswith("#")]


def crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE, a bit at a time."""
    register = 0xFFFF
    for byte in data:
        for place in range(7, -1, -1):
            is_odd = (register >> 15 ^ byte >> place) & 1
            register = (register << 1 & 0xFFFF) ^ (0x1021 if is_odd else 0)
    return register


def unstuffed(encoded: bytes) -> bytes:
    """COBS: each code says how far the next zero is."""
    out = bytearray()
    while encoded:
        code, encoded = encoded[0], encoded[1:]
        out += encoded[: code - 1]
        encoded = encoded[code - 1 :]
        if encoded:
            out.append(0)
    return bytes(out)


def packed(described: str, value: str) -> bytes:
    """A field as the document lays it out: numbers little-endian, text filled with zeros."""
    width = described.split()[1]
    if width in SIZES:
        return int(value).to_bytes(SIZES[width], "little")
    if width.startswith("text"):
        return value.encode("ascii").ljust(int(width.removeprefix("text")), b"\0")
    return bytes.fromhex(value)


def test_every_message_of_the_document_has_a_vector() -> None:
    assert [vector.name for vector in VECTORS] == list(DOCUMENTED)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_a_vector_is_what_the_document_says(vector: Vector) -> None:
    id_, fields = DOCUMENTED[vector.name]
    _, sequence, session, epoch, event = vector.numbers
    header = bytes([1, id_]) + b"".join(
        number.to_bytes(size, "little")
        for number, size in ((sequence, 2), (session, 2), (epoch, 4), (event, 4))
    )
    payload = b"".join(packed(field, vector.values[field.split()[0]]) for field in fields)

    body = unstuffed(vector.wire[1:-1])

    assert vector.wire[0] == vector.wire[-1] == 0
    assert 0 not in vector.wire[1:-1]
    assert vector.payload == payload
    assert body == header + payload + crc(header + payload).to_bytes(2, "little")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)
def test_the_host_reads_and_writes_a_vector(vector: Vector) -> None:
    [frame] = Decoder().feed(vector.wire)

    assert isinstance(frame, Frame)
    assert (frame.sequence, frame.session, frame.epoch, frame.event) == vector.numbers[1:]
    assert encode(frame) == vector.wire
