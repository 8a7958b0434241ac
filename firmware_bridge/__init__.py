"""Talk to the shuffler and the shoe.

``Shuffler`` is the way in; ``SoftwareShuffler`` is a machine to try it on;
``docs/protocol.md`` says what goes over the wire.
"""

from firmware_bridge.discovery import FoundPort, find_port, list_ports, probe
from firmware_bridge.errors import (
    CommandRefusedError,
    DeviceFaultError,
    LinkError,
    LinkLostError,
    LinkStalledError,
    OutcomeUnknownError,
    PortAbsentError,
    PortAmbiguousError,
    PortBusyError,
    PortError,
    PortPermissionError,
    ProtocolError,
    VersionMismatchError,
    WrongDeviceError,
)
from firmware_bridge.faults import WIRES, Fault, FaultPlan
from firmware_bridge.machine import MagazineCard
from firmware_bridge.messages import (
    BootCause,
    Booted,
    Capability,
    CardOut,
    CardsIn,
    DeviceStatus,
    FaultCleared,
    FaultCode,
    FaultRaised,
    Gate,
    GateChanged,
    Identity,
    Kind,
    Light,
    SelfTested,
    ShuffleFinished,
    ShuffleStarted,
)
from firmware_bridge.outputs import DeviceRestarted, EventPosition, EventsLost, LinkChanged
from firmware_bridge.port import Port, SerialPort
from firmware_bridge.shuffler import DeviceFact, Patience, Settings, Shuffler
from firmware_bridge.software_shuffler import SoftwareShuffler
from firmware_bridge.states import LinkState

__all__ = [
    "WIRES",
    "BootCause",
    "Booted",
    "Capability",
    "CardOut",
    "CardsIn",
    "CommandRefusedError",
    "DeviceFact",
    "DeviceFaultError",
    "DeviceRestarted",
    "DeviceStatus",
    "EventPosition",
    "EventsLost",
    "Fault",
    "FaultCleared",
    "FaultCode",
    "FaultPlan",
    "FaultRaised",
    "FoundPort",
    "Gate",
    "GateChanged",
    "Identity",
    "Kind",
    "Light",
    "LinkChanged",
    "LinkError",
    "LinkLostError",
    "LinkStalledError",
    "LinkState",
    "MagazineCard",
    "OutcomeUnknownError",
    "Patience",
    "Port",
    "PortAbsentError",
    "PortAmbiguousError",
    "PortBusyError",
    "PortError",
    "PortPermissionError",
    "ProtocolError",
    "SelfTested",
    "SerialPort",
    "Settings",
    "ShuffleFinished",
    "ShuffleStarted",
    "Shuffler",
    "SoftwareShuffler",
    "VersionMismatchError",
    "WrongDeviceError",
    "find_port",
    "list_ports",
    "probe",
]
