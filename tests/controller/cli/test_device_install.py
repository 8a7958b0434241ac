"""``cutcard device install``: only what may be installed, and noted only when it runs."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.cli import device_install, main
from controller.cli.device_image import check_model
from controller.cli.device_install import PROGRAMMER
from firmware_bridge import PortBusyError, SerialPort, Shuffler, SoftwareShuffler
from tests.controller.cli.installing import Maker

MODEL = "soft shuffler"
CONTENT = b":100000000C9472000C947E000C947E000C947E0084\n"


@pytest.fixture
def machine() -> Iterator[SoftwareShuffler]:
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-77") as shuffler:
        yield shuffler


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path)


def test_a_firmware_is_installed_checked_and_noted(
    maker: Maker, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)

    def flash() -> int:
        assert not maker.versions.exists(), "noted only when it runs"
        with pytest.raises(PortBusyError):
            SerialPort(machine.url)
        machine.flash("1.2")
        return 0

    helper = maker.while_programming(flash)

    assert maker.install(image, machine.url) == 0
    helper.join()
    assert "SN-77: firmware 1.0 -> 1.2, security version 3" in capsys.readouterr().out
    assert maker.flashed.read_bytes() == CONTENT
    assert json.loads(maker.versions.read_text()) == {"SN-77": 3}


def test_an_older_one_is_refused_before_the_programmer_runs(
    maker: Maker, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    maker.versions.write_text('{"SN-77": 4}')

    assert maker.install(maker.sign(CONTENT, "1.2", MODEL), machine.url) == 2
    assert "must not come back" in capsys.readouterr().err
    assert not maker.flashed.exists()


def test_an_image_for_another_model_is_refused(
    maker: Maker, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    assert maker.install(maker.sign(CONTENT, "1.2", "other"), machine.url) == 2
    assert "the image is for other" in capsys.readouterr().err
    assert not maker.flashed.exists()


def test_a_changed_image_is_refused(
    maker: Maker, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)
    data = bytearray(image.read_bytes())
    data[60] ^= 1
    image.write_bytes(data)

    assert maker.install(image, machine.url) == 2
    assert "do not install it" in capsys.readouterr().err
    assert not maker.flashed.exists()


async def test_it_is_refused_while_a_table_runs(
    maker: Maker, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)
    async with await Shuffler.connect(machine.url):
        code = await asyncio.to_thread(maker.install, image, machine.url)

    assert code == 2
    assert "is held by another program" in capsys.readouterr().err
    assert not maker.flashed.exists()


def test_a_table_that_starts_after_the_check_is_not_disturbed(
    maker: Maker,
    machine: SoftwareShuffler,
    mocker: MockerFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)
    ports: list[SerialPort] = []

    def checked(*arguments: object) -> None:
        check_model(*arguments)  # type: ignore[arg-type]  # handed through
        ports.append(SerialPort(machine.url))

    mocker.patch.object(device_install, "check_model", checked)

    assert maker.install(image, machine.url) == 2
    assert "is held by another program" in capsys.readouterr().err
    assert not maker.flashed.exists()
    ports[0].close()


@pytest.mark.parametrize(
    ("code", "flashed", "words"),
    [
        (1, "1.0", "ended with 1"),
        (0, "1.0", "says it runs soft shuffler 1.0, not 1.2"),
    ],
)
def test_what_did_not_succeed_is_said_and_not_noted(
    maker: Maker,
    machine: SoftwareShuffler,
    code: int,
    flashed: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def flash() -> int:
        machine.flash(flashed)
        return code

    helper = maker.while_programming(flash)

    assert maker.install(maker.sign(CONTENT, "1.2", MODEL), machine.url) == 1
    helper.join()
    said = capsys.readouterr().err
    assert words in said
    assert "install again" in said
    assert not maker.versions.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_one_ends_the_programmer_and_says_so(
    maker: Maker, machine: SoftwareShuffler, number: signal.Signals
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)
    words = [sys.executable, "-m", "controller.cli", *maker.words(image, machine.url)]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        (maker.folder / "begun").read_text()
        process.send_signal(number)
        _, said = process.communicate(timeout=60)

    assert process.returncode not in (0, 1)
    assert "interrupted: the machine may hold no whole firmware now" in said
    assert "Traceback" not in said
    assert not maker.versions.exists()
    SerialPort(machine.url).close()


def test_a_machine_that_stays_silent_afterwards_is_said(
    maker: Maker,
    machine: SoftwareShuffler,
    mocker: MockerFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mocker.patch.object(device_install, "BOOT_S", 0.2)

    def flash() -> int:
        machine.pull_cable()
        return 0

    helper = maker.while_programming(flash)

    assert maker.install(maker.sign(CONTENT, "1.2", MODEL), machine.url) == 1
    helper.join()
    assert "has not answered for 0.2 s" in capsys.readouterr().err
    assert not maker.versions.exists()


def test_an_absent_programmer_is_one_line_with_its_package(
    maker: Maker,
    machine: SoftwareShuffler,
    mocker: MockerFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mocker.patch("shutil.which", return_value=None)
    image = maker.sign(CONTENT, "1.2", MODEL)

    assert maker.install(image, machine.url, "--programmer", PROGRAMMER) == 2
    said = capsys.readouterr().err
    assert "sudo apt-get install avrdude" in said
    assert said.count("\n") == 1


def test_a_programmer_without_a_place_for_the_file_is_refused(
    maker: Maker, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)

    assert maker.install(image, machine.url, "--programmer", "true") == 2
    assert "say where {file} goes" in capsys.readouterr().err


def test_no_such_port_is_one_line(
    maker: Maker, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image = maker.sign(CONTENT, "1.2", MODEL)

    assert maker.install(image, str(tmp_path / "ttyACM9")) == 2
    assert "ttyACM9" in capsys.readouterr().err
    assert main(["device", "install", "--help"]) == 0
