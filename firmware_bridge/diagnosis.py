"""What a technician asks of a machine: its parts one by one, and what it remembers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from firmware_bridge.errors import CommandRefusedError, LinkLostError
from firmware_bridge.messages import Capability, DeviceEvent, Part, PartTested
from firmware_bridge.outputs import EventPosition, EventsLost
from firmware_bridge.settings import Settings
from firmware_bridge.shuffler import Shuffler

PART_TEST_S = 15.0
"""Longest wait for the end of one part's test: a carousel turns once in a few seconds."""

_SETTINGS = Settings()


class Outcome(Enum):
    """How a part's test went."""

    PASSED = "passed"
    FAILED = "failed"
    ABSENT = "absent"
    """The machine has no such part, or cannot test it alone."""
    SILENT = "silent"
    """The test began and no end was heard."""


async def check_parts(shuffler: Shuffler) -> AsyncIterator[tuple[Part, Outcome]]:
    """Test every part that the machine has, one after another; moves motors, needs no cards.

    Raises:
        LinkError: the machine is lost, or stands in a fault.
    """
    can_test = bool(shuffler.identity.capabilities & Capability.PART_TEST)
    for part in Part:
        yield part, await _outcome(shuffler, part) if can_test else Outcome.ABSENT


async def _outcome(shuffler: Shuffler, part: Part) -> Outcome:
    try:
        await shuffler.test_part(part)
    except CommandRefusedError as error:
        if error.reason in _ABSENT:
            return Outcome.ABSENT
        raise
    try:
        async with asyncio.timeout(PART_TEST_S), aclosing(shuffler.facts()) as facts:
            async for fact in facts:
                if isinstance(fact, PartTested) and fact.part is part:
                    return Outcome.PASSED if fact.is_passed else Outcome.FAILED
    except TimeoutError:
        return Outcome.SILENT
    return Outcome.SILENT


_ABSENT: Final = ("bad value", "unknown command")
"""Refusals by a machine that does not have the part."""


@dataclass(frozen=True, slots=True)
class History:
    """What the machine remembers of its present start, oldest first.

    Attributes:
        events: each with its number.
        lost: how many older ones it has forgotten.
    """

    events: tuple[tuple[int, DeviceEvent], ...]
    lost: int


async def read_history(
    url: str, serial_number: str = "", settings: Settings = _SETTINGS
) -> History:
    """Every event that the machine still has.

    Raises:
        LinkError: as ``Shuffler.connect`` raises them.
    """
    async with await Shuffler.connect(url, serial_number=serial_number, settings=settings) as first:
        newest = first.position
    again = replace(settings, position=EventPosition(newest.epoch, 0))
    events: list[tuple[int, DeviceEvent]] = []
    lost = 0
    async with await Shuffler.connect(url, serial_number=serial_number, settings=again) as shuffler:
        try:
            async with (
                asyncio.timeout(settings.patience.connect_s),
                aclosing(shuffler.facts()) as facts,
            ):
                async for fact in facts:
                    if isinstance(fact, EventsLost):
                        lost = fact.last
                    elif isinstance(fact, DeviceEvent):
                        events.append((lost + len(events) + 1, fact))
                    if lost + len(events) >= newest.number:
                        break
        except TimeoutError:
            raise LinkLostError(url, "it did not send all that it remembers") from None
    return History(tuple(events), lost)
