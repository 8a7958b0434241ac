"""A port kept for one purpose: nobody opens it meanwhile, and nothing is said on it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from firmware_bridge.errors import PortAbsentError, PortBusyError, PortPermissionError


@contextmanager
def held_port(path: str) -> Iterator[None]:
    """Keep every ``SerialPort`` off this device; a programmer, which asks for no lock, may use it.

    Args:
        path: of a device on this computer.

    Raises:
        PortAbsentError: there is no such device.
        PortPermissionError: this user may not open it.
        PortBusyError: a table, or another command, holds it.
    """
    try:
        # Neither waits for a modem nor becomes the terminal of this process.
        end = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    except PermissionError as error:
        raise PortPermissionError(path) from error
    except OSError as error:
        raise PortAbsentError(path, error.strerror or "") from error
    try:
        try:
            fcntl.flock(end, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise PortBusyError(path) from error
        yield
    finally:
        os.close(end)
