"""What a technician asks: parts, history, meters, and the traffic on the line."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import get_args

import pytest

from firmware_bridge import (
    BootCause,
    Booted,
    CardsIn,
    DeviceFaultError,
    DeviceKey,
    Fault,
    FaultCleared,
    FaultCode,
    FaultPlan,
    FaultRaised,
    Frame,
    Heard,
    KeyMemory,
    MagazineCard,
    Outcome,
    Part,
    SerialPort,
    Settings,
    Shuffler,
    SoftwareShuffler,
    TappedPort,
    check_parts,
    read_history,
)
from firmware_bridge.framing import encode
from firmware_bridge.messages import Deal, DeviceEvent, Identify

DECK = [MagazineCard(f"card {n}") for n in range(52)]
HAS = {Part.FEED, Part.GATE, Part.EXIT, Part.LID, Part.HOPPER}


@pytest.fixture
def loaded(machine: SoftwareShuffler) -> SoftwareShuffler:
    machine.insert(DECK)
    return machine


async def checked(machine: SoftwareShuffler) -> dict[Part, Outcome]:
    async with await Shuffler.connect(machine.url) as shuffler:
        return {part: outcome async for part, outcome in check_parts(shuffler)}


async def test_every_part_is_tested_by_itself(machine: SoftwareShuffler) -> None:
    machine.wear_out(Part.GATE)

    outcomes = await checked(machine)

    assert outcomes == {
        part: Outcome.FAILED
        if part is Part.GATE
        else (Outcome.PASSED if part in HAS else Outcome.ABSENT)
        for part in Part
    }


async def test_no_part_is_tested_while_a_fault_stands(machine: SoftwareShuffler) -> None:
    machine.inject(Fault.LID_OPEN)

    with pytest.raises(DeviceFaultError):
        await checked(machine)


async def test_the_history_is_all_that_the_machine_remembers(loaded: SoftwareShuffler) -> None:
    loaded.inject(Fault.JAM)
    loaded.clear_fault(FaultCode.JAM)

    history = await read_history(loaded.url)

    assert history.lost == 0
    assert history.events == (
        (1, Booted(BootCause.POWER)),
        (2, CardsIn(52)),
        (3, FaultRaised(FaultCode.JAM)),
        (4, FaultCleared(FaultCode.JAM)),
    )


async def test_what_it_has_forgotten_is_counted(loaded: SoftwareShuffler) -> None:
    """The ring keeps 256; a flood makes a thousand after Booted and CardsIn."""
    loaded.inject(Fault.FLOOD)

    history = await read_history(loaded.url)

    assert history.lost == 1002 - 256
    assert [number for number, _ in history.events] == list(range(747, 1003))


async def test_meters_count_since_the_start(loaded: SoftwareShuffler) -> None:
    async with await Shuffler.connect(loaded.url) as shuffler:
        await shuffler.shuffle()
        await shuffler.deal(3)
        for _ in range(3):
            loaded.draw()
        before = await shuffler.meters()
    loaded.reset()
    async with await Shuffler.connect(loaded.url) as shuffler:
        after = await shuffler.meters()

    assert (before.starts, before.motions, before.cards) == (1, 2, 3)
    assert (after.starts, after.motions, after.cards) == (2, 0, 0)
    assert before.slowest_us > 0


async def test_noise_is_metered_by_the_machine_too() -> None:
    plan = FaultPlan(flip=0.01)
    with SoftwareShuffler(rng=random.Random(2), faults=plan) as machine:
        async with await Shuffler.connect(machine.url) as shuffler:
            for _ in range(25):
                await shuffler.hold()
            meters = await shuffler.meters()

    assert meters.noise > 0


# --- the tap ----------------------------------------------------------------------------------


async def overheard(machine: SoftwareShuffler, keys: dict[str, DeviceKey] | None) -> list[Heard]:
    heard: list[Heard] = []
    settings = Settings(open_port=lambda url: TappedPort(SerialPort(url), heard.append), keys=keys)
    async with await Shuffler.connect(machine.url, settings=settings) as shuffler:
        await shuffler.deal(2)
        machine.draw()
        async with asyncio.timeout(5):
            async for _ in shuffler.facts():
                if "CardOut" in said(heard, is_ours=False):  # the gate may be told before it
                    break
    return heard


def said(heard: list[Heard], *, is_ours: bool) -> list[str]:
    return [
        type(h.frame.message).__name__
        for h in heard
        if h.is_ours is is_ours and isinstance(h.frame, Frame)
    ]


def answered(heard: list[Heard]) -> list[str]:
    """What the machine said when asked; what it tells by itself may come in between."""
    own = [message.__name__ for message in get_args(DeviceEvent)]
    return [name for name in said(heard, is_ours=False) if name not in own]


async def test_both_directions_are_heard(loaded: SoftwareShuffler) -> None:
    heard = await overheard(loaded, None)

    assert said(heard, is_ours=True)[:3] == ["Identify", "ReadStatus", "Deal"]
    assert answered(heard)[:2] == ["Identity", "DeviceStatus"]
    assert "CardOut" in said(heard, is_ours=False)
    assert not any(h.is_sealed for h in heard)


async def test_sealed_frames_are_heard_as_they_were_meant() -> None:
    key = DeviceKey(bytes(range(32)))
    with SoftwareShuffler(rng=random.Random(2), memory=KeyMemory(key)) as machine:
        machine.insert(DECK)
        heard = await overheard(machine, {"SIM-0001": key})

    deals = [h for h in heard if isinstance(h.frame, Frame) and h.frame.message == Deal(2)]
    assert deals
    assert deals[0].is_sealed
    assert said(heard, is_ours=True)[:3] == ["Identify", "Challenge", "Prove"]


class Bytes:
    """A port that reads given pieces."""

    url = "memory"

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces: Iterator[bytes] = iter(pieces)
        self.written = b""
        self.is_closed = False

    def read(self) -> bytes:
        return next(self._pieces, b"")

    def write(self, data: bytes) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True


def test_the_tap_changes_nothing_and_counts_noise() -> None:
    wire = encode(Frame(Identify(), 1, 7))
    heard: list[Heard] = []
    inner = Bytes([wire[:5], wire[5:], b"\1rubbish\0", wire])
    port = TappedPort(inner, heard.append, now=lambda: 4.5)

    read = b"".join(port.read() for _ in range(4))
    port.write(wire)
    port.close()

    assert read == wire + b"\1rubbish\0" + wire
    assert inner.written == wire
    assert inner.is_closed
    assert port.url == "memory"
    assert [(h.is_ours, h.noise, h.at_s) for h in heard] == [
        (False, 0, 4.5),
        (False, 1, 4.5),
        (True, 0, 4.5),
    ]
