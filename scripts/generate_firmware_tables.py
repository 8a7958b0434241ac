"""Write what the firmware takes from the message table: its C header and the golden vectors.

Usage: generate_firmware_tables.py [--check]. With ``--check`` nothing is written and
the exit code is 1 when a file is not what the table says.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import IntEnum, IntFlag
from pathlib import Path

from firmware_bridge.framing import MAX_ENCODED, Frame, encode
from firmware_bridge.messages import (
    MESSAGES,
    PROTOCOL_VERSION,
    BootCause,
    Capability,
    Deck,
    Direction,
    FaultCode,
    Field,
    Gate,
    Kind,
    Light,
    Message,
    Part,
    Refusal,
    Row,
    Width,
    pack,
)

ROOT = Path(__file__).resolve().parents[1]
HEADER = ROOT / "firmware" / "include" / "protocol.h"
GOLDEN = ROOT / "firmware" / "tests" / "golden_vectors.txt"

ENUMS: tuple[type[IntEnum] | type[IntFlag], ...] = (
    Kind,
    Gate,
    Light,
    Deck,
    BootCause,
    FaultCode,
    Part,
    Refusal,
    Capability,
)

C_TYPES = {
    Width.U8: "uint8_t",
    Width.U16: "uint16_t",
    Width.U32: "uint32_t",
    Width.BOOL: "bool",
}
"""Numbers by width; every other width is an array of bytes."""

PREAMBLE = f"""\
/*
 * The messages of docs/protocol.md. Generated from firmware_bridge/messages.py by
 * `make firmware-header`: change the table there, not this file.
 */
#ifndef CUTCARD_PROTOCOL_H
#define CUTCARD_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {{
    PROTOCOL_VERSION = {PROTOCOL_VERSION},
    HEADER_SIZE = 14,
    CRC_SIZE = 2,
    MAX_ENCODED = {MAX_ENCODED},
    MAX_PAYLOAD = {max(row.layout.size for row in MESSAGES)},
}};

static inline void put_u16(uint8_t *at, uint16_t value)
{{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}}

static inline void put_u32(uint8_t *at, uint32_t value)
{{
    put_u16(at, (uint16_t)value);
    put_u16(at + 2, (uint16_t)(value >> 16));
}}

static inline uint16_t get_u16(const uint8_t *at)
{{
    return (uint16_t)(at[0] | (uint16_t)at[1] << 8);
}}

static inline uint32_t get_u32(const uint8_t *at)
{{
    return get_u16(at) | (uint32_t)get_u16(at + 2) << 16;
}}

static inline bool is_ascii(const uint8_t *at, size_t size)
{{
    for (size_t n = 0; n < size; n++) {{
        if (at[n] > 0x7F) {{
            return false;
        }}
    }}
    return true;
}}
"""


def snake(name: str) -> str:
    """``CardOut`` as ``card_out``."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def c_name(row: Row) -> str:
    """The C name of a message."""
    return snake(row.type.__name__)


def first_line(type_: type) -> str:
    """The first sentence of a docstring, without code marks."""
    return (type_.__doc__ or "").splitlines()[0].replace("``", "")


def enum_lines(enum: type[IntEnum] | type[IntFlag]) -> Iterator[str]:
    """A C enumeration, and the test of whether a byte is one of its values."""
    name = snake(enum.__name__)
    yield f"/* {first_line(enum)} */"
    yield f"enum {name} {{"
    for member in enum:
        yield f"    {name.upper()}_{member.name} = {member.value},"
    yield "};"
    yield ""
    if issubclass(enum, IntFlag):
        return
    yield f"static inline bool is_{name}(uint8_t value)"
    yield "{"
    values = [int(member) for member in enum]
    lowest = "" if values[0] == 0 else f"value >= {values[0]} && "
    if values != list(range(values[0], values[-1] + 1)):
        raise ValueError(f"the values of {enum.__name__} have a gap")
    yield f"    return {lowest}value <= {values[-1]};"
    yield "}"
    yield ""


def field_line(field: Field) -> str:
    """The declaration of one field."""
    if field.width in C_TYPES:
        return f"    {C_TYPES[field.width]} {field.name};"
    kind = "char" if field.width.is_text else "uint8_t"
    return f"    {kind} {field.name}[{field.width.size}];"


PACKING: dict[Width, str] = {
    Width.U8: "at[{at}] = from->{name};",
    Width.BOOL: "at[{at}] = from->{name} ? 1 : 0;",
    Width.U16: "put_u16(at + {at}, from->{name});",
    Width.U32: "put_u32(at + {at}, from->{name});",
}
UNPACKING: dict[Width, str] = {
    Width.U8: "to->{name} = at[{at}];",
    Width.BOOL: "to->{name} = at[{at}] != 0;",
    Width.U16: "to->{name} = get_u16(at + {at});",
    Width.U32: "to->{name} = get_u32(at + {at});",
}
PACK_BYTES = "memcpy(at + {at}, from->{name}, sizeof from->{name});"
UNPACK_BYTES = "memcpy(to->{name}, at + {at}, sizeof to->{name});"


def placed(row: Row) -> Iterator[tuple[int, Field]]:
    """The fields of a message with their offsets in the payload."""
    at = 0
    for field in row.fields:
        yield at, field
        at += field.width.size


def message_lines(row: Row) -> Iterator[str]:
    """Struct, packing and unpacking of one message that has fields."""
    name = c_name(row)
    yield f"/* {row.type.__name__}, {row.direction.value}: {first_line(row.type)} */"
    yield f"struct {name} {{"
    yield from (field_line(field) for field in row.fields)
    yield "};"
    yield ""
    yield f"static inline void {name}_pack(const struct {name} *from, uint8_t *at)"
    yield "{"
    for at, field in placed(row):
        yield "    " + PACKING.get(field.width, PACK_BYTES).format(at=at, name=field.name)
    yield "}"
    yield ""
    yield f"static inline void {name}_unpack(struct {name} *to, const uint8_t *at)"
    yield "{"
    for at, field in placed(row):
        yield "    " + UNPACKING.get(field.width, UNPACK_BYTES).format(at=at, name=field.name)
    yield "}"
    yield ""


def id_lines() -> Iterator[str]:
    """Ids and payload sizes."""
    yield "/* The first byte after the version. */"
    yield "enum message_id {"
    for row in MESSAGES:
        yield f"    ID_{c_name(row).upper()} = 0x{row.id:02X},"
    yield "};"
    yield ""
    yield "/* Payload bytes of each message. */"
    yield "enum message_size {"
    for row in MESSAGES:
        yield f"    SIZE_{c_name(row).upper()} = {row.layout.size},"
    yield "};"
    yield ""


def checks(row: Row) -> str:
    """The C condition for a sound payload of this message."""
    conditions = [f"size == SIZE_{c_name(row).upper()}"]
    for at, field in placed(row):
        if field.enum is not None and issubclass(field.enum, IntEnum):
            conditions.append(f"is_{snake(field.enum.__name__)}(at[{at}])")
        if field.width.is_text:
            conditions.append(f"is_ascii(at + {at}, {field.width.size})")
    return "\n               && ".join(conditions)


def is_sound_lines() -> Iterator[str]:
    """Whether a payload is one of the table."""
    yield "/* Whether a payload fits its message: length and enumerations. */"
    yield "static inline bool message_is_sound(uint8_t id, const uint8_t *at, size_t size)"
    yield "{"
    yield "    switch (id) {"
    for row in MESSAGES:
        yield f"    case ID_{c_name(row).upper()}:"
        yield f"        return {checks(row)};"
    yield "    default:"
    yield "        return false;"
    yield "    }"
    yield "}"
    yield ""


def of_direction_lines(direction: Direction, name: str) -> Iterator[str]:
    """Whether an id goes this way."""
    yield f"static inline bool {name}(uint8_t id)"
    yield "{"
    yield "    switch (id) {"
    for row in MESSAGES:
        if row.direction is direction:
            yield f"    case ID_{c_name(row).upper()}:"
    yield "        return true;"
    yield "    default:"
    yield "        return false;"
    yield "    }"
    yield "}"
    yield ""


def repack_lines() -> Iterator[str]:
    """Unpack and pack again, which the unit tests hold to be the same bytes."""
    yield "/* Unpack a sound payload and pack it again: for the tests. */"
    yield "static inline void message_repack(uint8_t id, const uint8_t *from, uint8_t *to)"
    yield "{"
    yield "    switch (id) {"
    for row in MESSAGES:
        if not row.fields:
            continue
        name = c_name(row)
        yield f"    case ID_{name.upper()}: {{"
        yield f"        struct {name} message;"
        yield f"        {name}_unpack(&message, from);"
        yield f"        {name}_pack(&message, to);"
        yield "        break;"
        yield "    }"
    yield "    default:"
    yield "        break;"
    yield "    }"
    yield "}"
    yield ""


def header() -> str:
    """The whole C header."""
    lines = [PREAMBLE]
    for enum in ENUMS:
        lines += enum_lines(enum)
    lines += id_lines()
    for row in MESSAGES:
        if row.fields:
            lines += message_lines(row)
    lines += is_sound_lines()
    lines += of_direction_lines(Direction.COMMAND, "is_command")
    lines += repack_lines()
    lines.append("#endif")
    return "\n".join(lines) + "\n"


# --- golden vectors ---------------------------------------------------------------------------

VALUES: dict[Width, Callable[[int], int | bool | str | bytes]] = {
    Width.U8: lambda n: 7 + n,
    Width.U16: lambda n: 0x0100 * n + 0x0234,
    Width.U32: lambda n: 0x0102_0000 * n + 0x89AB_CDEF,
    Width.BOOL: lambda _: True,
    Width.TEXT8: lambda n: f"1.{n}",
    Width.TEXT16: lambda n: f"text number {n}",
}
"""Values of numbers and texts; the numbers have zero bytes and high bits."""


def value_of(field: Field, n: int) -> int | bool | str | bytes:
    """A value for the ``n``-th field of a message: the last of an enumeration, bytes that rise."""
    if field.enum is not None:
        return max(int(member.value) for member in field.enum)
    if field.width in VALUES:
        return VALUES[field.width](n)
    return bytes(range(200 + n, 200 + n + field.width.size))


def sample(row: Row) -> Message:
    """A message of this row with a value in every field."""
    build: Callable[..., Message] = row.type
    return build(*(value_of(field, n) for n, field in enumerate(row.fields)))


def written(value: object) -> str:
    """A field's value as the golden file shows it."""
    if isinstance(value, bytes):
        return value.hex()
    return str(int(value)) if isinstance(value, int) else str(value)


def golden_lines() -> Iterator[str]:
    """One line per message: what it says, and its bytes."""
    yield "# Golden vectors of docs/protocol.md, one per message, by `make firmware-header`."
    yield "# name | values | id sequence session epoch event | payload | bytes on the wire"
    for n, row in enumerate(MESSAGES):
        message = sample(row)
        values = "; ".join(f"{f.name}={written(getattr(message, f.name))}" for f in row.fields)
        is_event = row.direction is Direction.EVENT
        sequence, session = (0, 0) if is_event else (n + 250, 0x1200 + n)
        frame = Frame(message, sequence, session, 0xFEDC_0000 + n, 70_000 + n)
        numbers = f"{row.id} {sequence} {session} {frame.epoch} {frame.event}"
        payload, wire = pack(message).hex() or "-", encode(frame).hex()
        yield f"{row.type.__name__} | {values or '-'} | {numbers} | {payload} | {wire}"


def main() -> int:
    """Write or check both files."""
    wanted = {HEADER: header(), GOLDEN: "\n".join(golden_lines()) + "\n"}
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    for path, text in wanted.items():
        is_current = path.exists() and path.read_text(encoding="utf-8") == text
        if sys.argv[1:] and not is_current:
            name = path.relative_to(ROOT)
            print(f"{name} is not what the message table says: make firmware-header")
            return 1
        if not is_current:
            path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
