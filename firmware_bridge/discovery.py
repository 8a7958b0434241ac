"""Which port is the machine on? List, match, never guess; then ask it who it is."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from serial.tools import list_ports as _list_ports  # type: ignore[import-untyped]  # no types

from firmware_bridge.errors import (
    LinkError,
    LinkLostError,
    PortAbsentError,
    PortAmbiguousError,
    VersionMismatchError,
    WrongDeviceError,
)
from firmware_bridge.link import HostLink
from firmware_bridge.messages import PROTOCOL_VERSION, Identity
from firmware_bridge.outputs import DeviceRefused, VersionRefused
from firmware_bridge.port import Port, SerialPort
from firmware_bridge.states import LinkState


class PortInfo(Protocol):
    """What we read of an entry of pyserial's ``comports``."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None
    description: str


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A serial port of this computer.

    ``usb_id`` is ``vvvv:pppp`` in lower-case hexadecimal, empty where it is no
    USB port; ``serial_number`` is the adapter's, empty where it has none.
    """

    url: str
    usb_id: str
    serial_number: str
    description: str


def _comports() -> Iterable[PortInfo]:
    ports: Iterable[PortInfo] = _list_ports.comports()
    return ports


def list_ports(comports: Callable[[], Iterable[PortInfo]] = _comports) -> tuple[FoundPort, ...]:
    """The serial ports of this computer, in the order of their names."""
    found = (
        FoundPort(
            info.device,
            "" if info.vid is None or info.pid is None else f"{info.vid:04x}:{info.pid:04x}",
            info.serial_number or "",
            info.description,
        )
        for info in comports()
    )
    return tuple(sorted(found, key=lambda port: port.url))


def find_port(
    *,
    usb_id: str = "",
    serial_number: str = "",
    comports: Callable[[], Iterable[PortInfo]] = _comports,
) -> str:
    """The one USB port with this ``vvvv:pppp`` and adapter serial number; empty fits any.

    Raises:
        PortAbsentError: none fits.
        PortAmbiguousError: several fit.
    """
    fits = tuple(
        port.url
        for port in list_ports(comports)
        if port.usb_id
        and usb_id.lower() in ("", port.usb_id)
        and serial_number in ("", port.serial_number)
    )
    if not fits:
        named = " ".join(word for word in (usb_id, serial_number) if word)
        raise PortAbsentError(f"a USB serial port {named}".rstrip())
    if len(fits) > 1:
        raise PortAmbiguousError(fits)
    return fits[0]


def probe(
    url: str, timeout_s: float = 3.0, open_port: Callable[[str], Port] = SerialPort
) -> Identity:
    """Ask the device on ``url`` who it is; moves nothing.

    Raises:
        PortError: the port is absent, busy or forbidden.
        LinkLostError: nothing answers, or not in this protocol.
        VersionMismatchError: it answers in another version.
        WrongDeviceError: it is no shuffler.
    """
    port = open_port(url)
    try:
        return _identify(port, timeout_s)
    finally:
        port.close()


def find_machine(
    serial_number: str,
    usual: str = "",
    comports: Callable[[], Iterable[PortInfo]] = _comports,
    ask: Callable[[str], Identity] = probe,
) -> str:
    """The port on which the machine with this number answers, whatever the adapters call it.

    Args:
        serial_number: the machine's own.
        usual: the port to ask first.
        comports: lists the computer's ports; only those on USB are asked.
        ask: asks the device on a port who it is.

    Raises:
        PortAbsentError: it answers on none.
    """
    urls = [usual] if usual else []
    urls += [port.url for port in list_ports(comports) if port.usb_id and port.url != usual]
    for url in urls:
        try:
            if ask(url).serial_number == serial_number:
                return url
        except LinkError:
            continue  # absent, in use, or nothing of ours
    raise PortAbsentError(f"the machine {serial_number}")


def _identify(port: Port, timeout_s: float) -> Identity:
    link = HostLink(secrets.randbelow(0xFFFF) + 1)
    end_s = time.monotonic() + timeout_s
    heard = 0
    link.port_opened(time.monotonic())
    while link.identity is None and link.state is not LinkState.LOST and time.monotonic() < end_s:
        if data := link.data_to_send():
            port.write(data)
        answer = port.read()
        heard += len(answer)
        link.receive(answer, time.monotonic())
        link.tick(time.monotonic())
    for output in link.take_outputs():
        if isinstance(output, VersionRefused):
            raise VersionMismatchError(PROTOCOL_VERSION, output.theirs)
        if isinstance(output, DeviceRefused):
            raise WrongDeviceError("a shuffler", output.identity.model or "another device")
    if link.identity is None:
        spoke = f"{heard} bytes came, none in this protocol" if heard else "nothing answers"
        raise LinkLostError(port.url, spoke)
    return link.identity
