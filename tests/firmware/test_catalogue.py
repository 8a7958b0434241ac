"""The fault catalogue of docs/protocol.md against every machine that we have.

Nothing is lost, nothing done twice, and what stands is said.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

import pytest

from firmware_bridge import (
    WIRES,
    BootCause,
    Booted,
    CardOut,
    DeviceFaultError,
    DeviceRestarted,
    FaultCleared,
    FaultCode,
    FaultRaised,
    Gate,
    GateChanged,
    LinkState,
    PortBusyError,
    Shuffler,
    WrongDeviceError,
)
from tests.firmware.hearing import back_on, hear, is_kind, is_lost, of
from tests.firmware.machines import Machine

MakeMachine = Callable[..., Machine]

everywhere = pytest.mark.parametrize("name", ["software", "native", "simavr"])
on_firmware = pytest.mark.parametrize("name", ["native", "simavr"])
"""tests/firmware_bridge has the same lines to the software shuffler."""

SPOILT = [
    *(("native", name) for name in WIRES if name not in ("perfect", "silent")),
    *(("simavr", name) for name in ("noisy", "reordering", "bad")),
]
"""The emulator runs in real time; tests/firmware/test_bad_line.py is faster and harder."""


@pytest.mark.parametrize(("name", "wire"), SPOILT)
async def test_deals_over_a_spoilt_line_run_once(
    make_machine: MakeMachine, name: str, wire: str
) -> None:
    machine = make_machine(name, WIRES[wire], seed=8)
    machine.insert(52)
    async with await Shuffler.connect(machine.url) as shuffler:
        for n in range(1, 11):
            await shuffler.deal(n)
        status = await shuffler.status()

        assert await machine.moves(shuffler) == 10

    assert (status.gate, status.permitted) == (Gate.COUNTED, 10)


@pytest.mark.parametrize("wire", ["bad"])
@on_firmware
async def test_cards_over_a_spoilt_line_are_heard_once_and_in_order(
    make_machine: MakeMachine, name: str, wire: str
) -> None:
    machine = make_machine(name, WIRES[wire], seed=9)
    machine.insert(52)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        drawn = [machine.draw() for _ in range(20)]
        heard = await hear(shuffler, lambda fact: isinstance(fact, CardOut) and fact.number == 20)

    assert all(drawn)
    assert [card.number for card in of(CardOut, heard)] == list(range(1, 21))


@everywhere
async def test_a_thief_on_the_port_costs_tries_and_nothing_else(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.insert(52)
    async with await Shuffler.connect(machine.url) as shuffler:
        thief = os.open(machine.url, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        for n in range(1, 11):
            with contextlib.suppress(BlockingIOError):
                os.read(thief, 4)  # what it gets, we do not
            await shuffler.deal(n)
        os.close(thief)

        assert await machine.moves(shuffler) == 10


@everywhere
async def test_a_second_program_finds_the_port_busy(make_machine: MakeMachine, name: str) -> None:
    machine = make_machine(name)
    async with await Shuffler.connect(machine.url):
        with pytest.raises(PortBusyError):
            await Shuffler.connect(machine.url)


@everywhere
async def test_a_pulled_cable_heals_under_another_name_and_nothing_is_missed(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.insert(52)
    async with await Shuffler.connect(machine.url, settings=back_on(machine)) as shuffler:
        await shuffler.resume()
        machine.pull_cable()
        await hear(shuffler, is_lost)
        drawn = [machine.draw() for _ in range(5)]
        machine.plug_in()
        heard = await hear(shuffler, lambda f: isinstance(f, CardOut) and f.number == 5)

        assert shuffler.url == machine.url

    assert all(drawn)
    assert [card.number for card in of(CardOut, heard)] == [1, 2, 3, 4, 5]


@everywhere
async def test_another_machine_than_the_tables_is_refused(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)

    with pytest.raises(WrongDeviceError, match="OTHER-9"):
        await Shuffler.connect(machine.url, serial_number="OTHER-9")


@everywhere
async def test_a_restart_is_told_with_its_cause_and_the_gate_is_held(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        machine.reset(BootCause.WATCHDOG)
        heard = await hear(shuffler, lambda fact: fact == Booted(BootCause.WATCHDOG))
        status = await shuffler.status()

    assert len(of(DeviceRestarted, heard)) == 1
    assert (status.gate, status.cards) == (Gate.HELD, 10)


@everywhere
async def test_a_brown_out_loop_is_survived(make_machine: MakeMachine, name: str) -> None:
    machine = make_machine(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        for _ in range(5):
            machine.reset(BootCause.BROWNOUT)
            await hear(shuffler, lambda fact: fact == Booted(BootCause.BROWNOUT))
        await shuffler.deal(1)

        assert shuffler.state in (LinkState.READY, LinkState.DEGRADED)
        assert machine.draw()
        assert not machine.draw()


@everywhere
async def test_a_boot_message_at_connecting_does_not_disturb(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.reset(BootCause.BUTTON)

    async with await Shuffler.connect(machine.url) as shuffler:
        assert shuffler.state is LinkState.READY


@everywhere
async def test_two_cards_at_once_are_counted_and_hold_the_gate(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        machine.let_two_out()
        machine.draw()
        heard = await hear(shuffler, is_kind(FaultRaised))

        with pytest.raises(DeviceFaultError):
            await shuffler.deal(1)

    assert [card.number for card in of(CardOut, heard)] == [1, 2]
    assert heard[-1] == FaultRaised(FaultCode.DOUBLE_FEED)


@everywhere
async def test_an_empty_machine_holds_the_gate_until_cards_come(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.insert(1)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.deal(2)
        assert machine.draw()
        assert not machine.draw()
        heard = await hear(shuffler, lambda fact: fact == GateChanged(Gate.HELD, 0))
        machine.insert(10)
        cleared = await hear(shuffler, is_kind(FaultCleared))
        await shuffler.deal(1)

    assert FaultRaised(FaultCode.HOPPER_EMPTY) in heard
    assert cleared[-1] == FaultCleared(FaultCode.HOPPER_EMPTY)


@everywhere
async def test_an_open_lid_stops_everything_until_it_is_closed(
    make_machine: MakeMachine, name: str
) -> None:
    machine = make_machine(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        machine.open_lid()
        heard = await hear(shuffler, is_kind(FaultRaised))
        with pytest.raises(DeviceFaultError):
            await shuffler.deal(1)
        machine.clear(FaultCode.LID_OPEN)
        await hear(shuffler, is_kind(FaultCleared))
        await shuffler.deal(1)

    assert heard[-1] == FaultRaised(FaultCode.LID_OPEN)
