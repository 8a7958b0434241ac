"""How to reach a machine, how to treat the line, and how long to wait for either."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from firmware_bridge.outputs import EventPosition
from firmware_bridge.port import Port, SerialPort
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_host import SecurityIncident
from firmware_bridge.timing import LinkTiming

_LOGGER = logging.getLogger(__name__)

_FROM_NOW = EventPosition()
_TIMING = LinkTiming()


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the shuffler waits, in seconds.

    ``lost_s``: an open command waits that long for a lost line to come back.
    ``shuffle_s``: the slowest shufflers known take 60 s for a deck; twice that.
    ``last_retry_s``: a machine that returns must be ready within 2 s, its start included.
    """

    connect_s: float = 6.0
    lost_s: float = 10.0
    shuffle_s: float = 120.0
    first_retry_s: float = 0.1
    last_retry_s: float = 1.0


_PATIENCE = Patience()


def _unrecorded(incident: SecurityIncident) -> None:
    """Without an audit file, the log has it."""
    _LOGGER.warning("%s: %s", incident.breach.value, incident.detail)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to reach the machine and how to treat the line.

    ``discover`` names the port to reopen (called in the worker thread; a
    ``PortError`` means not yet); without it the same name is used again. With
    ``keys``, by serial number, only a device that proves its key is taken; each
    incident goes to ``record`` before anybody hears of it.
    """

    discover: Callable[[], str] | None = None
    open_port: Callable[[str], Port] = SerialPort
    position: EventPosition = _FROM_NOW
    timing: LinkTiming = _TIMING
    patience: Patience = _PATIENCE
    keys: Mapping[str, DeviceKey] | None = None
    record: Callable[[SecurityIncident], None] = _unrecorded
