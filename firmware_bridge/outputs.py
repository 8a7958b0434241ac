"""What the link tells its owner, as values; some of them become facts for the public."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.messages import DeviceEvent, Identity, Reply
from firmware_bridge.security_host import SecurityIncident
from firmware_bridge.states import LinkState


@dataclass(frozen=True, slots=True)
class EventPosition:
    """The last event seen of a device epoch; the default has seen none of any."""

    epoch: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Expected:
    """The device asked for; an empty serial number accepts any shuffler."""

    serial_number: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The device answered the command with this ticket."""

    ticket: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The command was given up; ``may_have_run`` where nobody can say whether it ran."""

    ticket: int
    may_have_run: bool


@dataclass(frozen=True, slots=True)
class EventSeen:
    """The next event of the device, in order and once."""

    number: int
    event: DeviceEvent


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events ``first`` to ``last`` are no longer in the device's ring."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The link went from ``old`` to ``new``."""

    old: LinkState
    new: LinkState
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceRestarted:
    """The device lost its memory and started again; events it had not sent are lost."""

    epoch: int


@dataclass(frozen=True, slots=True)
class VersionRefused:
    """The device speaks protocol version ``theirs``."""

    theirs: int


@dataclass(frozen=True, slots=True)
class DeviceRefused:
    """Another device answered than the one asked for."""

    identity: Identity


LinkOutput = (
    Answered
    | Unanswered
    | EventSeen
    | EventsLost
    | LinkChanged
    | DeviceRestarted
    | VersionRefused
    | DeviceRefused
    | SecurityIncident
)
