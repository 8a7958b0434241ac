"""The front door, on a real pseudo-terminal with the software shuffler behind it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from firmware_bridge import (
    WIRES,
    BootCause,
    Booted,
    Capability,
    CardOut,
    CardsIn,
    CommandRefusedError,
    Deck,
    DeviceFact,
    DeviceFaultError,
    DeviceRestarted,
    EventsLost,
    Fault,
    FaultCode,
    FaultPlan,
    FaultRaised,
    Gate,
    GateChanged,
    Kind,
    LinkChanged,
    LinkLostError,
    LinkState,
    LockChanged,
    MagazineCard,
    OutcomeUnknownError,
    Patience,
    PortAbsentError,
    PortBusyError,
    Settings,
    ShuffleFinished,
    Shuffler,
    ShuffleStarted,
    SoftwareShuffler,
    VersionMismatchError,
    WrongDeviceError,
    probe,
)

DECK = [MagazineCard(f"card {n}", boxed=n == 7) for n in range(52)]


async def hear(shuffler: Shuffler, is_it: Callable[[DeviceFact], bool]) -> list[DeviceFact]:
    """The facts up to the first that fits."""
    heard: list[DeviceFact] = []
    async with asyncio.timeout(20):
        async for fact in shuffler.facts():
            heard.append(fact)
            if is_it(fact):
                break
    return heard


def is_kind(kind: type[DeviceFact]) -> Callable[[DeviceFact], bool]:
    return lambda fact: isinstance(fact, kind)


def back_on(machine: SoftwareShuffler) -> Settings:
    """Reopen under whatever name the machine is plugged in."""

    def discover() -> str:
        if not machine.url:
            raise PortAbsentError("the machine")
        return machine.url

    return Settings(discover=discover, patience=Patience(first_retry_s=0.02))


async def test_a_deck_is_shuffled_counted_and_dealt(machine: SoftwareShuffler) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url) as shuffler:
        finished = await shuffler.shuffle()
        await shuffler.deal(2)
        drawn = [machine.draw(), machine.draw(), machine.draw()]
        heard = await hear(shuffler, lambda fact: fact == GateChanged(Gate.HELD, 0))

    assert finished == ShuffleFinished(count=52, boxed=1)
    assert drawn[0] in DECK
    assert drawn[1] in DECK
    assert drawn[2] is None
    assert [fact.number for fact in heard if isinstance(fact, CardOut)] == [1, 2]


async def test_no_token_is_ever_on_the_wire(
    machine: SoftwareShuffler, caplog: pytest.LogCaptureFixture
) -> None:
    machine.insert([MagazineCard("SECRET", boxed=True)])
    with caplog.at_level("DEBUG", logger="firmware_bridge"):
        async with await Shuffler.connect(machine.url) as shuffler:
            await shuffler.shuffle()
            await shuffler.resume()
            assert machine.draw() is not None
            await hear(shuffler, is_kind(CardOut))

    assert "CardOut" in caplog.text
    assert "SECRET" not in caplog.text


@pytest.mark.parametrize("name", ["byte-by-byte", "lossy", "noisy", "doubling", "late", "bad"])
async def test_twenty_deals_over_every_wire(name: str) -> None:
    with SoftwareShuffler(rng=random.Random(8), faults=WIRES[name]) as machine:
        machine.insert(DECK)
        async with await Shuffler.connect(machine.url) as shuffler:
            for n in range(1, 21):
                await shuffler.deal(n)
            status = await shuffler.status()

    assert machine.moves == 20
    assert (status.gate, status.permitted) == (Gate.COUNTED, 20)


async def test_status_light_hold_eject_and_self_test(machine: SoftwareShuffler) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        opened = machine.gate
        await shuffler.hold()
        assert (opened, machine.gate) == (Gate.OPEN, Gate.HELD)
        assert (await shuffler.self_test()).is_passed
        await shuffler.eject()
        assert (await shuffler.status()).cards == 0


@pytest.mark.parametrize(("count", "reason"), [(0, "bad value"), (1, "no cards")])
async def test_a_refused_command_says_why(
    machine: SoftwareShuffler, count: int, reason: str
) -> None:
    async with await Shuffler.connect(machine.url) as shuffler:
        with pytest.raises(CommandRefusedError, match=reason):
            await shuffler.deal(count)

    assert machine.moves == 0


async def test_a_pulled_cable_heals_under_another_name(machine: SoftwareShuffler) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url, settings=back_on(machine)) as shuffler:
        await shuffler.resume()
        machine.inject(Fault.CABLE_PULLED)
        await hear(shuffler, lambda f: isinstance(f, LinkChanged) and f.new is LinkState.LOST)
        drawn = [machine.draw() for _ in range(5)]
        machine.plug_in()
        heard = await hear(shuffler, lambda f: isinstance(f, CardOut) and f.number == 5)

        assert shuffler.url == machine.url

    assert None not in drawn
    assert [f.number for f in heard if isinstance(f, CardOut)] == [1, 2, 3, 4, 5]


async def test_a_restart_before_the_answer_is_unknown_and_not_repeated(
    machine: SoftwareShuffler,
) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url) as shuffler:
        machine.inject(Fault.RESET_BEFORE_ANSWER)
        with pytest.raises(OutcomeUnknownError, match="Deal was carried out"):
            await shuffler.deal(3)
        heard = await hear(shuffler, is_kind(Booted))
        assert (await shuffler.status()).gate is Gate.HELD

    assert machine.moves == 1
    assert any(isinstance(fact, DeviceRestarted) for fact in heard)
    assert heard[-1] == Booted(BootCause.WATCHDOG)


async def test_a_restart_in_mid_shuffle_is_unknown() -> None:
    with SoftwareShuffler(rng=random.Random(2), shuffle_s=60.0) as machine:
        machine.insert(DECK)
        async with await Shuffler.connect(machine.url) as shuffler:
            shuffling = asyncio.create_task(shuffler.shuffle())
            await hear(shuffler, lambda f: type(f).__name__ == "ShuffleStarted")
            machine.inject(Fault.RESET)
            with pytest.raises(OutcomeUnknownError, match="restarted"):
                await shuffling

    assert machine.moves == 1


@pytest.mark.parametrize(
    ("fault", "code"),
    [(Fault.JAM, FaultCode.JAM), (Fault.LID_OPEN, FaultCode.LID_OPEN)],
)
async def test_a_fault_stops_everything_until_it_is_cleared(
    machine: SoftwareShuffler, fault: Fault, code: FaultCode
) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url) as shuffler:
        machine.inject(fault)
        assert (await hear(shuffler, is_kind(FaultRaised)))[-1] == FaultRaised(code)
        with pytest.raises(DeviceFaultError):
            await shuffler.deal(1)
        assert (await shuffler.status()).fault_codes == (code,)
        machine.clear_fault(code)
        await shuffler.deal(1)

    assert machine.moves == 1


async def test_a_double_feed_lets_two_cards_out_and_says_so(machine: SoftwareShuffler) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.resume()
        machine.inject(Fault.DOUBLE_FEED)
        drawn = [machine.draw(), machine.draw(), machine.draw()]
        heard = await hear(shuffler, is_kind(FaultRaised))

    assert drawn == [DECK[0], DECK[1], None]
    assert [f.number for f in heard if isinstance(f, CardOut)] == [1, 2]
    assert heard[-1] == FaultRaised(FaultCode.DOUBLE_FEED)


async def test_an_empty_hopper_is_cleared_by_cards(machine: SoftwareShuffler) -> None:
    machine.insert(DECK[:1])
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.deal(2)
        assert machine.draw() == DECK[0]
        assert machine.draw() is None
        heard = await hear(shuffler, is_kind(FaultRaised))
        machine.insert(DECK)
        await shuffler.shuffle()

    assert heard[-1] == FaultRaised(FaultCode.HOPPER_EMPTY)


async def test_a_flood_is_delivered_or_reported_lost_to_the_last_event(
    machine: SoftwareShuffler,
) -> None:
    async with await Shuffler.connect(machine.url) as shuffler:
        machine.inject(Fault.FLOOD)
        machine.insert(DECK)
        heard = await hear(shuffler, lambda fact: fact == CardsIn(52))

    lost = sum(f.last - f.first + 1 for f in heard if isinstance(f, EventsLost))
    assert sum(isinstance(f, CardsIn) for f in heard) + lost == 1001


async def test_an_earlier_starts_boot_message_does_not_disturb_connecting() -> None:
    with SoftwareShuffler(rng=random.Random(1), faults=FaultPlan(stale_boot=True)) as machine:
        async with await Shuffler.connect(machine.url) as shuffler:
            assert shuffler.state is LinkState.READY
            assert shuffler.identity.serial_number == "SIM-0001"


async def test_another_version_is_refused() -> None:
    with SoftwareShuffler(rng=random.Random(1), faults=FaultPlan(version=2)) as machine:
        machine.insert(DECK)
        with pytest.raises(VersionMismatchError, match="version 2 and this program version 1"):
            await Shuffler.connect(machine.url)
        with pytest.raises(VersionMismatchError):
            probe(machine.url)

    assert machine.moves == 0


async def test_another_device_is_refused() -> None:
    with SoftwareShuffler(rng=random.Random(1), faults=FaultPlan(kind=Kind.OTHER)) as machine:
        with pytest.raises(WrongDeviceError, match="expected a shuffler"):
            await Shuffler.connect(machine.url)
        with pytest.raises(WrongDeviceError):
            probe(machine.url)


async def test_another_serial_number_is_refused(machine: SoftwareShuffler) -> None:
    with pytest.raises(WrongDeviceError, match="SIM-0001"):
        await Shuffler.connect(machine.url, serial_number="SIM-0002")


async def test_a_silent_port_is_said_to_be_silent() -> None:
    with SoftwareShuffler(rng=random.Random(1), faults=WIRES["silent"]) as machine:
        with pytest.raises(LinkLostError, match="nothing there answers"):
            await Shuffler.connect(machine.url, settings=Settings(patience=Patience(connect_s=0.3)))
        with pytest.raises(LinkLostError, match="nothing answers"):
            probe(machine.url, 0.3)


async def test_a_port_in_use_is_busy(machine: SoftwareShuffler) -> None:
    async with await Shuffler.connect(machine.url):
        with pytest.raises(PortBusyError, match="held by another program"):
            await Shuffler.connect(machine.url)


async def test_commands_fail_clearly_while_the_machine_stays_away(
    machine: SoftwareShuffler,
) -> None:
    patience = Patience(lost_s=0.1, first_retry_s=0.02, last_retry_s=0.02)
    settings = Settings(patience=patience)
    async with await Shuffler.connect(machine.url, settings=settings) as shuffler:
        machine.inject(Fault.CABLE_PULLED)
        await hear(shuffler, lambda f: isinstance(f, LinkChanged) and f.new is LinkState.LOST)
        with pytest.raises(LinkLostError, match="was not carried out"):
            await shuffler.deal(1)

    assert machine.moves == 0


async def test_closing_ends_the_facts_and_refuses_commands(machine: SoftwareShuffler) -> None:
    shuffler = await Shuffler.connect(machine.url)
    await shuffler.close()

    heard = [fact async for fact in shuffler.facts()]

    assert isinstance(heard[-1], LinkChanged)
    with pytest.raises(LinkLostError, match="closed"):
        await shuffler.status()


async def test_a_burn_lets_one_card_out_and_is_named_before_it(machine: SoftwareShuffler) -> None:
    machine.insert(DECK)
    async with await Shuffler.connect(machine.url) as shuffler:
        await shuffler.burn()
        drawn = [machine.draw(), machine.draw()]
        heard = await hear(shuffler, lambda fact: fact == GateChanged(Gate.HELD, 0))

    assert drawn == [DECK[0], None]
    assert [f for f in heard if isinstance(f, CardOut | GateChanged)] == [
        GateChanged(Gate.BURN, 1),
        CardOut(1, boxed=False),
        GateChanged(Gate.HELD, 0),
    ]


async def test_the_lid_is_locked_once_and_not_while_cards_move() -> None:
    with SoftwareShuffler(rng=random.Random(2), shuffle_s=60.0) as machine:
        machine.insert(DECK)
        async with await Shuffler.connect(machine.url) as shuffler:
            await shuffler.lock(True)
            await shuffler.lock(True)
            shuffling = asyncio.create_task(shuffler.shuffle())
            heard = await hear(shuffler, is_kind(ShuffleStarted))
            with pytest.raises(CommandRefusedError, match="busy"):
                await shuffler.lock(False)
            shuffling.cancel()

    assert [fact for fact in heard if isinstance(fact, LockChanged)] == [LockChanged(True)]


async def test_a_machine_says_how_it_is_built_and_refuses_what_it_lacks(
    machine: SoftwareShuffler,
) -> None:
    async with await Shuffler.connect(machine.url) as shuffler:
        assert (await shuffler.capacity()).decks == 1
        assert Capability.TWO_DECKS not in shuffler.identity.capabilities
        with pytest.raises(CommandRefusedError, match="unknown command"):
            await shuffler.select_deck(Deck.B)
