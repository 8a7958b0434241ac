"""The code does what docs/protocol.md says, table by table and byte by byte."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge import messages
from firmware_bridge.device_link import REPLAY_BURST, RING_EVENTS
from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import MAX_ENCODED, Decoder, Frame, crc16, encode
from firmware_bridge.messages import MESSAGES
from firmware_bridge.states import LinkEvent, LinkState, next_state
from firmware_bridge.timing import LinkTiming

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def table(first_heading: str) -> list[list[str]]:
    """The rows of the table whose first column has this heading, its header row first."""
    lines = PAGE.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(f"| {first_heading} |"))
    rows: list[list[str]] = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return [rows[0], *rows[2:]]


def test_message_table_is_the_documents() -> None:
    rows = [
        [
            f"`0x{row.id:02x}`",
            row.type.__name__,
            row.direction.value,
            "yes" if row.is_motion else "no",
            ", ".join(f"{f.name} {f.width.name.lower()}" for f in row.fields) or "none",
        ]
        for row in MESSAGES
    ]

    assert rows == table("id")[1:]


@pytest.mark.parametrize("row", table("enumeration")[1:-1], ids=lambda row: str(row[0]))
def test_enumerations_are_the_documents(row: list[str]) -> None:
    name, values = row
    enumeration = getattr(messages, name)

    written = {text.split(" ", 1)[1]: int(text.split(" ", 1)[0]) for text in values.split(", ")}

    assert {m.name.lower().replace("_", " "): m.value for m in enumeration} == written


def test_capabilities_are_the_documents() -> None:
    text = dict(table("enumeration")[1:])["Capability"].removeprefix("bits: ")
    written = {part.split(" ", 1)[1]: int(part.split(" ", 1)[0]) for part in text.split(", ")}

    assert {m.name.lower().replace("_", " "): m.value for m in messages.Capability if m.name} == (
        written
    )


STATES = table("state")


@pytest.mark.parametrize("event", list(LinkEvent), ids=lambda event: event.value)
@pytest.mark.parametrize("state", list(LinkState), ids=lambda state: state.value)
def test_every_state_and_event_is_in_the_document(state: LinkState, event: LinkEvent) -> None:
    column = STATES[0].index(event.value)
    row = next(row for row in STATES[1:] if row[0] == state.value)

    if row[column] == "-":
        with pytest.raises(ProtocolError, match=event.value):
            next_state(state, event)
    else:
        assert next_state(state, event) is LinkState(row[column])


@pytest.mark.parametrize("row", table("name")[1:], ids=lambda row: str(row[0]))
def test_timing_is_the_documents(row: list[str]) -> None:
    assert getattr(LinkTiming(), row[0]) == float(row[1])


def test_limits_are_the_documents() -> None:
    assert f"keeps the newest {RING_EVENTS} in a ring" in PAGE
    assert f"sends up to {REPLAY_BURST} following events" in PAGE
    assert f"encoded body is at most {MAX_ENCODED} bytes" in PAGE


def test_crc_is_ccitt_false() -> None:
    assert "`123456789` it is 0x29B1" in PAGE
    assert crc16(b"123456789") == 0x29B1


def bitwise_crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE from its definition."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ (0x1021 if crc & 0x8000 else 0)
    return crc & 0xFFFF


def unstuffed(encoded: bytes) -> bytes:
    """COBS from its definition: each code says how far the next zero is."""
    out = bytearray()
    while encoded:
        code = encoded[0]
        out += encoded[1:code]
        encoded = encoded[code:]
        if encoded and code < 0xFF:
            out.append(0)
    return bytes(out)


@pytest.mark.parametrize("row", table("frame")[1:], ids=lambda row: str(row[0].split("(")[0]))
def test_golden_vector(row: list[str]) -> None:
    described, wire = row[0], bytes.fromhex(row[1].strip("`"))
    parsed = re.fullmatch(
        r"(\w+)\((.*)\), sequence (\d+), session (\d+), epoch (\d+), event (\d+)", described
    )
    assert parsed is not None
    name, arguments, *numbers = parsed.groups()
    sequence, session, epoch, event = (int(number) for number in numbers)
    message_row = next(r for r in MESSAGES if r.type.__name__ == name)
    values = [int(pair.split("=")[1]) for pair in arguments.split(", ") if pair]

    body = unstuffed(wire[1:-1])
    [frame] = Decoder().feed(wire)

    header = bytes([1, message_row.id]) + b"".join(
        number.to_bytes(size, "little")
        for number, size in ((sequence, 2), (session, 2), (epoch, 4), (event, 4))
    )
    assert body[:14] == header
    assert message_row.layout.unpack(body[14:-2]) == tuple(values)
    assert int.from_bytes(body[-2:], "little") == bitwise_crc(body[:-2])
    assert isinstance(frame, Frame)
    assert encode(frame) == wire
