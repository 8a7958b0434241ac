"""Shuffles that host and machine draw together, and a machine that cheats at it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import pytest

from firmware_bridge import (
    Breach,
    DeviceFaultError,
    DeviceKey,
    FaultCode,
    KeyMemory,
    MagazineCard,
    SecurityIncident,
    Settings,
    Shuffler,
    SoftwareShuffler,
)
from firmware_bridge.drawing import JointDrawing
from firmware_bridge.errors import CommandRefusedError
from firmware_bridge.messages import (
    Accepted,
    Command,
    CommitEntropy,
    EntropyCommitted,
    EntropyOpened,
    MixEntropy,
    OpenEntropy,
    Reply,
)
from firmware_bridge.shuffle import EntropyMixer

DECK = [MagazineCard(f"{n}") for n in range(52)]
KEY = DeviceKey(bytes(range(32)))


async def orders(shuffler: Shuffler, machine: SoftwareShuffler, count: int) -> AsyncIterator[str]:
    """The deck after each of some shuffles of the same deck."""
    for _ in range(count):
        machine.take_all()
        machine.insert(DECK)
        await shuffler.shuffle()
        yield " ".join(card.token for card in machine.take_all())


@pytest.mark.parametrize("memory", [KeyMemory(), KeyMemory(KEY)], ids=["plain", "sealed"])
async def test_a_shuffle_is_drawn_together_and_proved_sound(memory: KeyMemory) -> None:
    heard: list[SecurityIncident] = []
    settings = Settings(keys={"SIM-0001": KEY} if memory.key else None, record=heard.append)
    with SoftwareShuffler(rng=random.Random(1), memory=memory, mixes_entropy=True) as machine:
        async with await Shuffler.connect(machine.url, settings=settings) as shuffler:
            made = [order async for order in orders(shuffler, machine, 4)]

    assert len(set(made)) == 4
    assert all(sorted(order.split(), key=int) == [c.token for c in DECK] for order in made)
    assert heard == []


async def test_the_machine_s_entropy_alone_does_not_make_the_order() -> None:
    """The same machine, with the same noise, makes another order with another host's nonce."""
    made = set()
    for _ in range(3):
        with SoftwareShuffler(rng=random.Random(1), mixes_entropy=True) as machine:
            async with await Shuffler.connect(machine.url) as shuffler:
                made |= {order async for order in orders(shuffler, machine, 1)}

    assert len(made) == 3


async def test_a_machine_that_cannot_is_shuffled_all_the_same() -> None:
    made = set()
    for _ in range(2):
        with SoftwareShuffler(rng=random.Random(1)) as machine:
            async with await Shuffler.connect(machine.url) as shuffler:
                made |= {order async for order in orders(shuffler, machine, 1)}

    assert len(made) == 1, "it follows from the machine's own entropy alone"


async def test_a_dead_noise_source_stops_the_shuffle_until_it_is_sound_again() -> None:
    """NIST SP 800-90B: what failed a health test is not used."""
    with SoftwareShuffler(rng=random.Random(1), mixes_entropy=True) as machine:
        machine.insert(DECK)
        machine.kill_noise()
        async with await Shuffler.connect(machine.url) as shuffler:
            with pytest.raises(DeviceFaultError):
                await shuffler.shuffle()
            faults = (await shuffler.status()).fault_codes
            moved = machine.moves
            machine.repair_noise()
            finished = await shuffler.shuffle()
            healed = (await shuffler.status()).fault_codes

    assert faults == (FaultCode.NO_ENTROPY,)
    assert moved == 0
    assert finished.count == 52
    assert healed == ()


class Partner:
    """A machine's answers without a wire; one that cheats draws its secret after the nonce."""

    def __init__(self, is_cheat: bool) -> None:
        self._mixer, self._rng = EntropyMixer(), random.Random(5)
        self._is_cheat = is_cheat

    async def ask(self, command: Command) -> Reply:
        match command:
            case CommitEntropy():
                return EntropyCommitted(self._mixer.commit(self._rng.randbytes(32)))
            case MixEntropy(nonce):
                if self._is_cheat:
                    self._mixer.commit(self._rng.randbytes(32))
                self._mixer.mix(nonce)
                self._mixer.begin_shuffle()
                return Accepted()
            case OpenEntropy() if secret := self._mixer.opening():
                return EntropyOpened(secret)
            case _:
                raise CommandRefusedError("OpenEntropy", "busy")


@pytest.mark.parametrize("is_cheat", [False, True])
async def test_a_secret_chosen_after_the_nonce_is_found_out(is_cheat: bool) -> None:
    drawing, partner = JointDrawing(lambda: bytes(32)), Partner(is_cheat)

    sound = []
    for _ in range(3):
        await drawing.draw(partner.ask)
        sound.append(await drawing.is_sound(partner.ask))

    assert sound == [True, not is_cheat, not is_cheat]


async def test_a_false_opening_is_an_incident(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EntropyMixer, "opening", lambda self: b"\7" * 32)
    heard: list[SecurityIncident] = []
    with SoftwareShuffler(rng=random.Random(1), mixes_entropy=True) as machine:
        settings = Settings(record=heard.append)
        async with await Shuffler.connect(machine.url, settings=settings) as shuffler:
            assert [order async for order in orders(shuffler, machine, 2)]

    assert [incident.breach for incident in heard] == [Breach.FALSE_OPENING]
