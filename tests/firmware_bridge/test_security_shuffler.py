"""Keys through the front door: the shuffler on a pseudo-terminal, paired, foreign, recorded."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from firmware_bridge import (
    AuditFile,
    CommandRefusedError,
    DeviceKey,
    KeyMemory,
    KeyStore,
    LinkState,
    MagazineCard,
    Patience,
    SecurityIncident,
    Settings,
    ShuffleFinished,
    Shuffler,
    SoftwareShuffler,
    UntrustedDeviceError,
    draw_key,
    verify_audit,
)

KEY = DeviceKey(bytes(range(32)))
DECK = [MagazineCard(f"card {n}") for n in range(52)]


@pytest.fixture
def paired() -> Iterator[SoftwareShuffler]:
    with SoftwareShuffler(rng=random.Random(4), memory=KeyMemory(KEY)) as machine:
        machine.insert(DECK)
        yield machine


def with_keys(
    keys: Mapping[str, DeviceKey], heard: list[SecurityIncident] | None = None
) -> Settings:
    taken: list[SecurityIncident] = [] if heard is None else heard
    return Settings(keys=keys, record=taken.append, patience=Patience(first_retry_s=0.02))


async def test_a_paired_machine_shuffles_and_deals(paired: SoftwareShuffler) -> None:
    heard: list[SecurityIncident] = []
    settings = with_keys({"SIM-0001": KEY}, heard)
    async with await Shuffler.connect(paired.url, settings=settings) as shuffler:
        finished = await shuffler.shuffle()
        await shuffler.deal(2)
        status = await shuffler.status()

    assert finished == ShuffleFinished(count=52, boxed=0)
    assert status.permitted == 2
    assert heard == []
    assert not paired.memory.refused


async def test_a_machine_is_paired_in_its_trusted_mode(tmp_path: Path) -> None:
    store, key = KeyStore(tmp_path / "keys.json"), draw_key()
    with SoftwareShuffler(rng=random.Random(5)) as machine:
        async with await Shuffler.connect(machine.url) as shuffler:
            with pytest.raises(CommandRefusedError, match="trust"):
                await shuffler.set_key(key)
            machine.memory.is_trusted = True
            await shuffler.set_key(key)
            store.store(shuffler.identity.serial_number, key)
        machine.memory.is_trusted = False
        settings = with_keys(KeyStore(tmp_path / "keys.json"))
        async with await Shuffler.connect(machine.url, settings=settings) as shuffler:
            await shuffler.hold()
            assert shuffler.state is LinkState.READY


@pytest.mark.parametrize(
    ("keys", "word"), [({}, "no key is known"), ({"SIM-0001": draw_key()}, "does not take our key")]
)
async def test_a_machine_that_is_not_ours_is_refused_and_recorded(
    paired: SoftwareShuffler, keys: dict[str, DeviceKey], word: str, tmp_path: Path
) -> None:
    audit = AuditFile(tmp_path / "audit.jsonl")
    settings = Settings(keys=keys, record=audit.record)

    with pytest.raises(UntrustedDeviceError, match=word):
        await Shuffler.connect(paired.url, settings=settings)

    assert verify_audit(tmp_path / "audit.jsonl")[0] >= 1
    assert paired.moves == 0


async def test_a_host_without_the_key_moves_nothing(paired: SoftwareShuffler) -> None:
    async with await Shuffler.connect(paired.url) as shuffler:
        for command in (shuffler.shuffle, shuffler.resume, shuffler.eject, shuffler.status):
            with pytest.raises(CommandRefusedError, match="seal"):
                await command()

    assert paired.moves == 0
    assert paired.memory.refused["seal"] >= 4


async def test_a_disk_that_is_full_does_not_stop_the_refusal(
    paired: SoftwareShuffler, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    audit = AuditFile(tmp_path / "file" / "audit.jsonl")

    with pytest.raises(UntrustedDeviceError):
        await Shuffler.connect(paired.url, settings=Settings(keys={}, record=audit.record))

    assert "cannot be written" in caplog.text


async def test_a_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    with (
        SoftwareShuffler(rng=random.Random(6), memory=KeyMemory(is_trusted=True)) as machine,
        caplog.at_level("DEBUG", logger="firmware_bridge"),
    ):
        async with await Shuffler.connect(machine.url) as shuffler:
            await shuffler.set_key(KEY)

    assert "SetKey" in caplog.text
    assert repr(KEY.value)[2:20] not in caplog.text
    assert KEY.value.hex() not in caplog.text
