"""What only the firmware does: it moves cards by itself, stops by itself and is reset by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from firmware_bridge import (
    BootCause,
    Booted,
    CardOut,
    CommandRefusedError,
    Deck,
    DeckSelected,
    DeviceFaultError,
    EventsLost,
    FaultCleared,
    FaultCode,
    FaultLocated,
    FaultRaised,
    Gate,
    GateChanged,
    HostSilent,
    LinkState,
    OutcomeUnknownError,
    Part,
    PartTested,
    Shuffler,
    ShuffleStarted,
    WrongDeviceError,
)
from firmware_bridge.messages import EntropyOpened, OpenEntropy
from firmware_bridge.shuffle import Design, Stream, draw_slots, mix, order_after
from tests.firmware.hearing import back_on, hear, is_kind, is_lost, of
from tests.firmware.machines import FirmwareMachine

MakeFirmware = Callable[..., FirmwareMachine]

on_firmware = pytest.mark.parametrize("name", ["native", "simavr"])


@on_firmware
async def test_a_deck_is_shuffled_and_every_card_comes_back(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.say("insert 12 7 1")
    machine.let_pass(200)
    async with await Shuffler.connect(machine.url) as shuffler:
        before = machine.say("order").split()
        finished = await shuffler.shuffle()
        after = machine.say("order").split()

    assert (finished.count, finished.boxed) == (12, 1)
    assert sorted(after) == sorted(before)
    assert after != before


@on_firmware
async def test_a_command_during_a_shuffle_is_refused_as_busy(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        task = asyncio.create_task(shuffler.shuffle())
        await hear(shuffler, is_kind(ShuffleStarted))
        with pytest.raises(CommandRefusedError, match="busy"):
            await shuffler.resume()
        finished = await task

    assert finished.count == 10


async def test_two_machines_on_like_adapters_are_told_apart(make_firmware: MakeFirmware) -> None:
    first = make_firmware("native", serial_number="TABLE-1")
    second = make_firmware("native", serial_number="TABLE-2")

    with pytest.raises(WrongDeviceError, match="TABLE-1"):
        await Shuffler.connect(first.url, serial_number="TABLE-2")
    async with await Shuffler.connect(second.url, serial_number="TABLE-2") as shuffler:
        assert shuffler.identity.serial_number == "TABLE-2"


@on_firmware
async def test_the_built_machine_describes_itself(make_firmware: MakeFirmware, name: str) -> None:
    machine = make_firmware(name)
    async with await Shuffler.connect(machine.url) as shuffler:
        capacity = await shuffler.capacity()
        assert (await shuffler.self_test()).is_passed
        await shuffler.test_part(Part.CAROUSEL)
        heard = await hear(shuffler, is_kind(PartTested))

    assert (capacity.shelves, capacity.cards, capacity.decks) == (54, 416, 2)
    assert heard[-1] == PartTested(Part.CAROUSEL, is_passed=True)


@on_firmware
async def test_the_other_deck_is_shuffled_while_the_first_waits(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.select_deck(Deck.B)
        await hear(shuffler, is_kind(DeckSelected))
        machine.insert(6)
        finished = await shuffler.shuffle()
        await shuffler.select_deck(Deck.A)
        await hear(shuffler, lambda fact: fact == DeckSelected(Deck.A))
        status = await shuffler.status()

    assert finished.count == 6
    assert status.cards == 10


@on_firmware
async def test_a_jam_that_clears_costs_tries_and_nothing_else(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(6)
    machine.say("jam 1")
    async with await Shuffler.connect(machine.url) as shuffler:
        finished = await shuffler.shuffle()

        assert (await shuffler.meters()).retries == 1

    assert finished.count == 6


FAULTS = {
    "jam": ("jam 255", FaultLocated(FaultCode.JAM, Part.FEED, 3)),
    "stuck together": ("two-fed 255", FaultLocated(FaultCode.DOUBLE_FEED, Part.FEED, 3)),
    "carousel stands": ("stall 1", FaultLocated(FaultCode.DRIVE_STALLED, Part.CAROUSEL, 0)),
    "card inside": ("lose 1", FaultLocated(FaultCode.COUNT_DIFFERS, Part.UNLOADER, 0)),
}


@pytest.mark.parametrize(
    ("name", "fault"), [*(("native", fault) for fault in FAULTS), ("simavr", "card inside")]
)
async def test_a_fault_in_a_shuffle_is_located_and_ends_when_a_person_has_cleared_it(
    make_firmware: MakeFirmware, name: str, fault: str
) -> None:
    words, located = FAULTS[fault]
    machine = make_firmware(name)
    machine.insert(6)
    machine.say(words)
    async with await Shuffler.connect(machine.url) as shuffler:
        with pytest.raises(DeviceFaultError):
            await shuffler.shuffle()
        heard = await hear(shuffler, is_kind(FaultRaised))
        assert (await shuffler.status()).fault_codes == (located.code,)
        machine.clear(located.code)
        await hear(shuffler, lambda fact: fact == FaultCleared(located.code))
        finished = await shuffler.shuffle()

    assert heard[-2:] == [located, FaultRaised(located.code)]
    assert finished.count == 6


@on_firmware
async def test_a_dead_noise_source_stops_the_shuffle_before_a_card_moves(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(6)
    machine.say("noise 0")
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.shuffle()  # with the secret that was collected before
        order = machine.say("order")
        machine.let_pass(300)
        with pytest.raises(DeviceFaultError):
            await shuffler.shuffle()
        assert machine.say("order") == order
        machine.say("noise 1")
        await hear(shuffler, is_kind(FaultCleared))


@on_firmware
async def test_the_order_is_the_one_that_both_ends_drew(
    make_firmware: MakeFirmware, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the machine did is computed anew from its opened secret and the host's nonce."""
    nonces: list[bytes] = []

    def draw_nonce() -> bytes:
        nonces.append(bytes([0x40 + len(nonces)]) * 32)
        return nonces[-1]

    machine = make_firmware(name)
    machine.insert(8)
    monkeypatch.setattr("firmware_bridge.shuffler.draw_nonce", draw_nonce)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.shuffle()
        order = tuple(int(token) for token in machine.say("order").split())
        machine.let_pass(400)  # until there is a secret in reserve again
        await shuffler.shuffle()
        opened = await shuffler._ask(OpenEntropy())

    assert isinstance(opened, EntropyOpened)
    plan = draw_slots(Design.CAROUSEL, 54, 8, Stream(mix(opened.secret, nonces[0])))
    assert order == order_after(plan)


@on_firmware
async def test_a_stuck_sensor_is_named_and_clears_when_it_is_free(
    make_firmware: MakeFirmware, name: str
) -> None:
    exit_sensor = 1 << 8
    machine = make_firmware(name)
    machine.say(f"stick {exit_sensor} 0")
    async with await Shuffler.connect(machine.url) as shuffler:
        heard = await hear(shuffler, is_kind(FaultRaised))
        assert not (await shuffler.self_test()).is_passed
        machine.say("stick 0 0")
        await hear(shuffler, is_kind(FaultCleared))

    assert FaultLocated(FaultCode.SENSOR_STUCK, Part.EXIT, 0) in heard


@on_firmware
async def test_a_lid_opened_in_motion_ends_the_shuffle(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(20)
    async with await Shuffler.connect(machine.url) as shuffler:
        shuffling = asyncio.create_task(shuffler.shuffle())
        await hear(shuffler, is_kind(ShuffleStarted))
        machine.open_lid()
        with pytest.raises(DeviceFaultError, match="lid open"):
            await shuffling
        machine.clear(FaultCode.LID_OPEN)
        await hear(shuffler, is_kind(FaultCleared))

        assert (await shuffler.status()).cards == 20


@on_firmware
async def test_a_reset_in_mid_motion_is_unknown_and_the_cards_must_be_gathered(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        shuffling = asyncio.create_task(shuffler.shuffle())
        await hear(shuffler, is_kind(ShuffleStarted))
        machine.let_pass(400)
        machine.reset(BootCause.BROWNOUT)
        with pytest.raises(OutcomeUnknownError, match="restarted"):
            await shuffling
        heard = await hear(shuffler, is_kind(FaultRaised))
        with pytest.raises(DeviceFaultError):
            await shuffler.shuffle()
        machine.clear(FaultCode.COUNT_DIFFERS)
        await hear(shuffler, is_kind(FaultCleared))
        finished = await shuffler.shuffle()

    assert Booted(BootCause.BROWNOUT) in heard
    assert heard[-1] == FaultRaised(FaultCode.COUNT_DIFFERS)
    assert finished.count == 10


@on_firmware
async def test_firmware_that_hangs_is_reset_by_its_watchdog(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        machine.say("hang")
        with pytest.raises(OutcomeUnknownError, match="Deal"):
            await shuffler.deal(1)
        await hear(shuffler, lambda fact: fact == Booted(BootCause.WATCHDOG))
        status = await shuffler.status()

    assert (status.gate, status.cards) == (Gate.HELD, 10)


@on_firmware
async def test_a_host_suspended_for_600_ms_misses_nothing(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        machine.let_pass(600)
        assert machine.draw()
        machine.let_pass(600)
        assert machine.draw()
        heard = await hear(shuffler, lambda f: isinstance(f, CardOut) and f.number == 2)

    assert of(HostSilent, heard) == []


@on_firmware
async def test_a_host_suspended_for_long_finds_the_gate_held_and_goes_on(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(10)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        assert machine.draw()
        machine.let_pass(2500)
        assert not machine.draw()
        heard = await hear(shuffler, is_kind(HostSilent))
        await shuffler.resume()
        assert machine.draw()
        later = await hear(shuffler, lambda f: isinstance(f, CardOut) and f.number == 2)

    assert [card.number for card in of(CardOut, heard)] == [1]
    assert GateChanged(Gate.HELD, 0) in later


@on_firmware
async def test_more_events_than_the_ring_holds_are_lost_by_number(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(400)
    async with await Shuffler.connect(machine.url, settings=back_on(machine)) as shuffler:
        await shuffler.resume()
        await hear(shuffler, is_kind(GateChanged))
        machine.pull_cable()
        await hear(shuffler, is_lost)
        machine.say("drain 380")
        machine.draw()
        machine.plug_in()
        heard = await hear(shuffler, lambda f: isinstance(f, CardOut) and f.number == 381)

    lost = sum(event.last - event.first + 1 for event in of(EventsLost, heard))
    assert lost > 0
    assert len(of(CardOut, heard)) + lost == 381


@on_firmware
async def test_a_board_that_reboots_when_its_port_is_opened_is_waited_for(
    make_firmware: MakeFirmware, name: str
) -> None:
    machine = make_firmware(name)
    machine.insert(3)
    connecting = asyncio.create_task(Shuffler.connect(machine.url))
    await asyncio.to_thread(machine.reset, BootCause.BUTTON)
    async with await connecting as shuffler:
        await shuffler.deal(1)

        assert shuffler.state is LinkState.READY
        assert machine.draw()
