"""The machine's port is found by what it says of itself, and never guessed."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from firmware_bridge import (
    BootCause,
    Capability,
    FoundPort,
    Identity,
    Kind,
    PortAbsentError,
    PortAmbiguousError,
    PortBusyError,
    find_machine,
    find_port,
    list_ports,
)


def who(serial_number: str) -> Identity:
    return Identity(Kind.SHUFFLER, "m", serial_number, "1.0", Capability.NONE, BootCause.POWER)


@dataclass
class Info:
    device: str
    vid: int | None = 0x1A86
    pid: int | None = 0x7523
    serial_number: str | None = None
    description: str = "USB Serial"


ONBOARD = Info("/dev/ttyS0", None, None, None, "ttyS0")
FIRST = Info("/dev/ttyUSB0", serial_number="A1")
SECOND = Info("/dev/ttyUSB1", serial_number="A2")


def test_ports_are_listed_in_order() -> None:
    assert list_ports(lambda: [SECOND, ONBOARD]) == (
        FoundPort("/dev/ttyS0", "", "", "ttyS0"),
        FoundPort("/dev/ttyUSB1", "1a86:7523", "A2", "USB Serial"),
    )


def test_the_only_usb_port_is_found() -> None:
    assert find_port(comports=lambda: [ONBOARD, FIRST]) == "/dev/ttyUSB0"


def test_a_serial_number_tells_two_adapters_apart() -> None:
    assert find_port(serial_number="A2", comports=lambda: [FIRST, SECOND]) == "/dev/ttyUSB1"


def test_a_usb_id_is_compared_without_case() -> None:
    other = Info("/dev/ttyACM0", 0x2341, 0x0042)

    assert find_port(usb_id="1A86:7523", comports=lambda: [other, FIRST]) == "/dev/ttyUSB0"


def test_two_that_fit_are_not_guessed_between() -> None:
    with pytest.raises(PortAmbiguousError, match="/dev/ttyUSB0, /dev/ttyUSB1") as caught:
        find_port(usb_id="1a86:7523", comports=lambda: [FIRST, SECOND])

    assert caught.value.urls == ("/dev/ttyUSB0", "/dev/ttyUSB1")


def test_none_that_fits_is_absent() -> None:
    with pytest.raises(PortAbsentError, match="serial port A3 cannot be found"):
        find_port(serial_number="A3", comports=lambda: [FIRST, ONBOARD])


def test_a_machine_is_found_by_its_own_number_behind_like_adapters() -> None:
    asked: list[str] = []

    def ask(url: str) -> Identity:
        asked.append(url)
        if url == "/dev/ttyUSB0":
            raise PortBusyError(url)
        return who("FW-2" if url == "/dev/ttyUSB1" else "FW-1")

    ports = [ONBOARD, FIRST, SECOND, Info("/dev/ttyUSB2")]

    assert find_machine("FW-1", "/dev/ttyUSB1", lambda: ports, ask) == "/dev/ttyUSB2"
    assert asked == ["/dev/ttyUSB1", "/dev/ttyUSB0", "/dev/ttyUSB2"]
    with pytest.raises(PortAbsentError, match="FW-9"):
        find_machine("FW-9", "", lambda: ports, ask)
