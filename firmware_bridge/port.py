"""The port: open, read, write, close; every failure is one of ours.

Measured on Linux: after an unplug ``read`` raises ``SerialException``, other
calls a bare ``OSError`` or even ``termios.error``; all of them mean that the
line is gone. The timeout is set once, at opening, because changing it costs a
negotiation of 150 ms on ``rfc2217://``.
"""

from __future__ import annotations

import errno
import os
import re
import termios
from typing import Final, Protocol
from urllib.parse import urlsplit

import serial  # type: ignore[import-untyped]  # pyserial ships no types

from firmware_bridge.errors import (
    LinkLostError,
    LinkStalledError,
    PortAbsentError,
    PortBusyError,
    PortError,
    PortPermissionError,
)

BAUD = 115_200
"""The device's UART speed (``docs/protocol.md``, "Wire")."""

READ_TIMEOUT_S = 0.1
"""Longest a read blocks, and so the longest that the reader thread outlives ``close``."""

WRITE_TIMEOUT_S = 0.25
"""A frame takes 6 ms at 115200 baud; a write that takes 0.25 s is stalled."""

_OVER_NETWORK: Final = ("socket://", "rfc2217://")

UNPLUGGED = (serial.SerialException, OSError, termios.error)
"""All the ways in which the operating system says that the line is gone."""


class Port(Protocol):
    """An open line of bytes."""

    @property
    def url(self) -> str:
        """The name it was opened by."""
        ...

    def read(self) -> bytes:
        """Some bytes, or none after ``READ_TIMEOUT_S``.

        Raises:
            LinkLostError: the line is gone.
        """
        ...

    def write(self, data: bytes) -> None:
        """Send all of ``data``.

        Raises:
            LinkStalledError: the line takes no more bytes.
            LinkLostError: the line is gone.
        """
        ...

    def close(self) -> None:
        """Give the line back; never raises."""
        ...


class SerialPort:
    """A port of pyserial: a device path, ``socket://`` or ``rfc2217://``.

    Args:
        url: what ``serial.serial_for_url`` takes.
        baud: ignored by ``socket://``.

    Raises:
        PortAbsentError: no such port, or nobody listens there.
        PortBusyError: another program holds it.
        PortPermissionError: this user may not open it.
    """

    def __init__(self, url: str, baud: int = BAUD) -> None:
        self._url = url
        options: dict[str, object] = {"timeout": READ_TIMEOUT_S}
        if not url.startswith("rfc2217://"):  # pyserial's client has no write timeout
            options["write_timeout"] = WRITE_TIMEOUT_S
        if "://" not in url:
            options["exclusive"] = True
        elif url.startswith(_OVER_NETWORK) and not _names_host_and_port(url):
            raise PortAbsentError(url, "write it as socket://host:port")
        try:
            self._serial = serial.serial_for_url(url, baudrate=baud, **options)
        except (*UNPLUGGED, ValueError) as error:
            raise _opening_error(url, error) from error

    @property
    def url(self) -> str:
        """The name it was opened by."""
        return self._url

    def read(self) -> bytes:
        """See ``Port.read``."""
        try:
            first: bytes = self._serial.read(1)
            if not first:
                return b""
            waiting = self._serial.in_waiting if self._is_local else 0
            rest: bytes = self._serial.read(waiting) if waiting else b""
        except (*UNPLUGGED, TypeError) as error:  # TypeError: closed by another thread
            raise LinkLostError(self._url, _plain(error)) from error
        return first + rest

    def write(self, data: bytes) -> None:
        """See ``Port.write``."""
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as error:
            raise LinkStalledError(self._url) from error
        except UNPLUGGED as error:
            raise LinkLostError(self._url, _plain(error)) from error

    def close(self) -> None:
        """See ``Port.close``."""
        try:
            self._serial.close()
        except UNPLUGGED:
            return  # the operating system took it back already

    @property
    def _is_local(self) -> bool:
        """Whether ``in_waiting`` tells the truth; ``socket://`` answers 0 or 1."""
        return not self._url.startswith("socket://")


def _names_host_and_port(url: str) -> bool:
    """Whether pyserial understands it; it answers anything else with words of its own code."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname and parts.port)
    except ValueError:  # a port above 65535, or no number
        return False


def _plain(error: BaseException) -> str:
    return str(error).splitlines()[0].rstrip(".") if str(error) else type(error).__name__


def _opening_error(url: str, error: BaseException) -> PortError:
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        return PortPermissionError(url)
    if number in (errno.EAGAIN, errno.EBUSY) or "exclusively lock" in str(error):
        return PortBusyError(url)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return PortAbsentError(url)
    return PortAbsentError(url, _reason(error))


def _reason(error: BaseException) -> str:
    """What the operating system says inside pyserial's sentence, which repeats the port's name."""
    words = _plain(error)
    if said := re.findall(r"\[Errno -?\d+\] ([^\[:]+)|\(\d+, '([^']+)'\)", words):
        words = "".join(said[-1]).strip()
    return "it is no serial port" if words == os.strerror(errno.ENOTTY) else words
