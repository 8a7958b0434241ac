"""Messages of the machine as lines of plain values, whatever they say."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum, IntFlag

Plain = str | int | bool | float | list[str]
"""What a field of a message is in JSON."""


def words(value: Enum) -> str:
    """An enumeration's member in lower case, with spaces."""
    return value.name.lower().replace("_", " ")


def plain(message: object) -> dict[str, Plain]:
    """The fields of a message; never a key, which has no place on a screen."""
    found: dict[str, Plain] = {}
    for field in fields(message):  # type: ignore[arg-type]  # every message is a dataclass
        if field.repr:
            found[field.name] = _plain(getattr(message, field.name))
    return found


def sentence(message: object) -> str:
    """A message in one line, such as ``Deal count=3``."""
    said = (f"{name}={_joined(value)}" for name, value in plain(message).items())
    return " ".join((type(message).__name__, *said))


def _joined(value: Plain) -> str:
    text = "+".join(value) if isinstance(value, list) else str(value)
    return text.replace(" ", "_")


def _plain(value: object) -> Plain:
    if isinstance(value, IntFlag):
        return [words(member) for member in type(value) if member and member in value]
    if isinstance(value, Enum):
        return words(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (bool, int, float)):
        return value
    return str(value)
