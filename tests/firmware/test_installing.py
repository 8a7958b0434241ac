"""A second version of the real firmware, installed by a stand-in for the programmer."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge import WIRES
from tests.controller.cli.installing import Maker
from tests.firmware.conftest import ROOT
from tests.firmware.machines import FirmwareMachine

MODEL = "cutcard ref 1"


@pytest.fixture
def newer(avr_build: Path, tmp_path: Path) -> Path:
    """The same firmware that says it is 1.1."""
    assert avr_build.exists()
    folder = tmp_path / "newer"
    words = ["make", "-s", "-C", ROOT / "firmware", f"OUT={folder}", "FIRMWARE=1.1", "avr"]
    subprocess.run([str(word) for word in words], check=True, capture_output=True)
    return folder / "shuffler-atmega2560.elf"


def test_the_machine_runs_the_installed_firmware_and_keeps_its_number(
    avr_build: Path,
    newer: Path,
    make_firmware: Callable[..., FirmwareMachine],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    maker, port = Maker(tmp_path), tmp_path / "port"
    content = newer.with_suffix(".hex").read_bytes()
    image = maker.sign(content, "1.1", MODEL)
    old = make_firmware("simavr", serial_number="FW-7")
    port.symlink_to(old.url)
    program: list[str | Path] = [avr_build / "emulate", newer]
    flashed = FirmwareMachine("simavr", program, WIRES["perfect"], 3, "FW-7")

    def flash() -> int:
        port.unlink()
        port.symlink_to(flashed.url)
        return 0

    helper = maker.while_programming(flash)
    code = maker.install(image, str(port))
    helper.join()
    flashed.close()

    assert code == 0
    assert maker.flashed.read_bytes() == content
    assert "FW-7: firmware 1.0 -> 1.1" in capsys.readouterr().out
