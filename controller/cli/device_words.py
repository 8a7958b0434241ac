"""Messages of the machine as a technician reads them, and what to do about its faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum, IntFlag
from typing import Final

from firmware_bridge import FaultCode, Part

Plain = str | int | bool | float | list[str]
"""What a field of a message is in JSON."""

FAULT_CARE: Final[Mapping[FaultCode, str]] = {
    FaultCode.JAM: "open the lid, take the card out, look whether it is bent, close the lid",
    FaultCode.DOUBLE_FEED: "open the lid, part the cards, clean the rollers, close the lid",
    FaultCode.HOPPER_EMPTY: "put the deck in",
    FaultCode.LID_OPEN: "close the lid",
    FaultCode.SENSOR_STUCK: "clean the sensor's window, look for a card or a scrap before it",
    FaultCode.DRIVE_STALLED: "open the lid, free the drive by hand, close the lid",
    FaultCode.NO_ENTROPY: "do not use its shuffles; start it again, then have it repaired",
    FaultCode.COUNT_DIFFERS: "open the lid, count the deck, look for a card left inside",
}

PART_CARE: Final[Mapping[Part, str]] = {
    Part.FEED: "clean the feed rollers and the infeed sensors",
    Part.CAROUSEL: "turn it by hand: free it, clean the slot sensor",
    Part.UNLOADER: "clean the unloading rollers and their sensor",
    Part.GATE: "clean the gate and the exit sensors, look for a card in it",
    Part.EXIT: "clean the exit rollers and the exit sensors",
    Part.LID: "close the lid; if it is closed, look at its switch",
    Part.HOPPER: "clean the hopper's sensor, look for a card on it",
    Part.DECK_LIFT: "free the lift, look at its end switches",
    Part.NOISE_SOURCE: "start the machine again; if it fails again, have it repaired",
}


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
