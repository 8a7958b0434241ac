"""``cutcard doctor`` and the serial ports: who answers, and what to do when nobody does."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.cli.device_checks import check_ports, check_shuffler
from controller.cli.findings import Health
from firmware_bridge import (
    FoundPort,
    Identity,
    LinkError,
    LinkLostError,
    PortAbsentError,
    PortBusyError,
    PortPermissionError,
    SoftwareShuffler,
    VersionMismatchError,
    WrongDeviceError,
)

ADAPTER = FoundPort("/dev/ttyACM0", "2341:0043", "A1", "USB serial")
BUILT_IN = FoundPort("/dev/ttyS0", "", "", "ttyS0")


def refuse_with(error: LinkError) -> Callable[[str, float], Identity]:
    def ask(url: str, timeout_s: float) -> Identity:
        raise error

    return ask


def test_a_shuffler_that_answers_is_named_with_its_serial_number() -> None:
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-77") as machine:
        finding = check_shuffler(machine.url)

    assert finding.health is Health.OK
    assert "SN-77" in finding.fact


@pytest.mark.parametrize(
    ("error", "health", "remedy"),
    [
        (PortAbsentError("/dev/x"), Health.FAILURE, "check cable"),
        (PortBusyError("/dev/x"), Health.FAILURE, "close it"),
        (PortPermissionError("/dev/x"), Health.FAILURE, "dialout"),
        (VersionMismatchError(1, 2), Health.FAILURE, "update the program"),
        (LinkLostError("/dev/x", "nothing answers"), Health.WARNING, "check cable"),
        (WrongDeviceError("a shuffler", "a printer"), Health.WARNING, "check which cable"),
    ],
)
def test_a_port_that_does_not_serve_says_what_to_do(
    error: LinkError, health: Health, remedy: str
) -> None:
    finding = check_shuffler("/dev/x", refuse_with(error))

    assert finding.health is health
    assert remedy in finding.remedy


def test_a_port_that_does_not_exist_is_a_failure(tmp_path: Path) -> None:
    finding = check_shuffler(str(tmp_path / "ttyNONE"))

    assert finding.health is Health.FAILURE
    assert "ttyNONE" in finding.fact


def test_a_port_where_nobody_speaks_the_protocol_is_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.cli.device_checks.PROBE_S", 0.3)
    ours, theirs = os.openpty()
    try:
        finding = check_shuffler(os.ttyname(theirs))
    finally:
        os.close(ours)
        os.close(theirs)

    assert finding.health is Health.WARNING
    assert "no shuffler" in finding.fact


def test_without_a_usb_port_the_table_still_works() -> None:
    (finding,) = check_ports(lambda: [BUILT_IN])

    assert finding.health is Health.WARNING
    assert "without one" in finding.remedy


def test_every_usb_port_is_asked_and_no_other() -> None:
    findings = check_ports(
        lambda: [BUILT_IN, ADAPTER], refuse_with(WrongDeviceError("a shuffler", "a printer"))
    )

    assert [f.check for f in findings] == ["port /dev/ttyACM0"]
    assert "USB serial" in findings[0].fact
