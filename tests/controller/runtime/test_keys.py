"""A table whose file names keys takes no machine that does not prove its own."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.events import DeviceReported
from controller.runtime.config import ShufflerSection, TableConfig, TableSection, load_config
from controller.runtime.devices import from_fact
from controller.runtime.opening import connect_shuffler
from firmware_bridge import (
    Breach,
    DeviceKey,
    KeyMemory,
    KeyStore,
    KeyStoreError,
    LinkState,
    SecurityIncident,
    SoftwareShuffler,
    UntrustedDeviceError,
    draw_key,
    verify_audit,
)

KEY = draw_key()


@pytest.fixture
def machine() -> Iterator[SoftwareShuffler]:
    with SoftwareShuffler(rng=random.Random(1), memory=KeyMemory(KEY)) as shuffler:
        yield shuffler


def table(machine: SoftwareShuffler, keys: Path) -> TableConfig:
    section = ShufflerSection(url=machine.url, keys=str(keys))
    return TableConfig(table=TableSection(name="T"), shuffler=section)


def stored(path: Path, key: DeviceKey, serial_number: str = "SIM-0001") -> Path:
    KeyStore(path).store(serial_number, key)
    return path


async def test_our_machine_is_taken(machine: SoftwareShuffler, tmp_path: Path) -> None:
    config = table(machine, stored(tmp_path / "keys.json", KEY))

    async with await connect_shuffler(config) as shuffler:
        assert shuffler.state is LinkState.READY
        await shuffler.hold()

    assert not (tmp_path / "audit.jsonl").exists()


@pytest.mark.parametrize("serial_number", ["SIM-0001", "SIM-0002"])
async def test_another_machine_is_refused_and_written_down(
    machine: SoftwareShuffler, tmp_path: Path, serial_number: str
) -> None:
    config = table(machine, stored(tmp_path / "keys.json", draw_key(), serial_number))

    with pytest.raises(UntrustedDeviceError, match="not trusted"):
        await connect_shuffler(config)

    assert verify_audit(tmp_path / "audit.jsonl")[0] == 1


async def test_keys_that_are_not_there_take_no_machine(
    machine: SoftwareShuffler, tmp_path: Path
) -> None:
    with pytest.raises(KeyStoreError, match="no such file"):
        await connect_shuffler(table(machine, tmp_path / "keys.json"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [("keys.json", "{folder}/keys.json"), ("~/keys.json", "{home}/keys.json"), ("none", "none")],
)
def test_the_path_of_the_keys_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, expected: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = tmp_path / "table.toml"
    file.write_text(f'[table]\nname = "T"\n[shuffler]\nkeys = "{written}"\n', encoding="utf-8")

    keys = load_config(file).shuffler.keys

    assert keys == expected.format(folder=tmp_path, home=tmp_path / "home")


def test_a_stranger_on_the_cable_is_a_fault_of_the_shuffler() -> None:
    report = from_fact(SecurityIncident(Breach.REPLAY, "S-1", "an old frame was refused"), 5)

    assert isinstance(report, DeviceReported)
    assert (report.device, report.health) == ("shuffler", "fault")
    assert "replay" in report.detail
