"""The firmware behind a key: paired in its trusted mode, sealed, closed to strangers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from firmware_bridge import (
    WIRES,
    BootCause,
    Booted,
    CardOut,
    CommandRefusedError,
    DeviceKey,
    FaultPlan,
    LinkLostError,
    Patience,
    SecurityIncident,
    Settings,
    Shuffler,
    UntrustedDeviceError,
    draw_key,
)
from tests.firmware.hearing import hear
from tests.firmware.machines import FirmwareMachine

MakeFirmware = Callable[..., FirmwareMachine]

KEY = DeviceKey(bytes(range(32)))
PERFECT = FaultPlan()
SHORT = Patience(connect_s=0.5, lost_s=0.5)

on_firmware = pytest.mark.parametrize("name", ["native", "simavr"])


def with_keys(
    keys: Mapping[str, DeviceKey], incidents: list[SecurityIncident] | None = None
) -> Settings:
    taken: list[SecurityIncident] = [] if incidents is None else incidents
    return Settings(keys=keys, record=taken.append, patience=Patience(first_retry_s=0.02))


async def paired(
    make_firmware: MakeFirmware, name: str, plan: FaultPlan = PERFECT
) -> FirmwareMachine:
    """A machine with the key, its switch off again."""
    machine = make_firmware(name, plan)
    machine.insert(10)
    machine.say("trust 1")
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.set_key(KEY)
    machine.say("trust 0")
    machine.let_pass(200)  # the key is in the machine's memory
    return machine


@on_firmware
async def test_a_key_is_taken_only_while_the_switch_is_on(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    async with await Shuffler.connect(machine.url) as shuffler:
        with pytest.raises(CommandRefusedError, match="trust"):
            await shuffler.set_key(KEY)


@on_firmware
async def test_a_paired_machine_shuffles_and_deals_without_an_incident(
    make_firmware: MakeFirmware, name: str
) -> None:
    incidents: list[SecurityIncident] = []
    machine = await paired(make_firmware, name)
    settings = with_keys({"FW-1": KEY}, incidents)
    async with await Shuffler.connect(machine.url, settings=settings) as shuffler:
        finished = await shuffler.shuffle()
        await shuffler.deal(2)
        drawn = [machine.draw(), machine.draw()]
        heard = await hear(shuffler, lambda f: isinstance(f, CardOut) and f.number == 2)

    assert finished.count == 10
    assert drawn == [True, True]
    assert [fact.number for fact in heard if isinstance(fact, CardOut)] == [1, 2]
    assert incidents == []


@on_firmware
async def test_the_key_outlives_a_restart(make_firmware: MakeFirmware, name: str) -> None:
    machine = await paired(make_firmware, name)
    async with await Shuffler.connect(machine.url, settings=with_keys({"FW-1": KEY})) as shuffler:
        machine.reset(BootCause.POWER)
        await hear(shuffler, lambda fact: fact == Booted(BootCause.POWER))
        await shuffler.deal(1)

        assert machine.draw()


@on_firmware
async def test_a_host_without_the_key_moves_nothing(make_firmware: MakeFirmware, name: str) -> None:
    machine = await paired(make_firmware, name)

    with pytest.raises(UntrustedDeviceError):
        await Shuffler.connect(machine.url, settings=with_keys({"FW-1": draw_key()}))
    with pytest.raises((LinkLostError, CommandRefusedError)):
        async with await Shuffler.connect(machine.url, settings=Settings(patience=SHORT)) as host:
            await host.deal(1)
    assert not machine.draw()


@on_firmware
async def test_sealed_deals_over_a_spoilt_line_run_once(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = await paired(make_firmware, name, WIRES["lossy"])
    async with await Shuffler.connect(machine.url, settings=with_keys({"FW-1": KEY})) as shuffler:
        before = (await shuffler.meters()).motions
        for n in range(1, 9):
            await shuffler.deal(n)

        assert (await shuffler.meters()).motions == before + 8
