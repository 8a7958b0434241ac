"""Talk to the shuffler and the shoe.

``Shuffler`` is the way in; ``SoftwareShuffler`` is a machine to try it on;
``docs/protocol.md`` says what goes over the wire.
"""

from firmware_bridge.conversation import DeviceFact
from firmware_bridge.diagnosis import History, Outcome, check_parts, read_history
from firmware_bridge.discovery import FoundPort, find_machine, find_port, list_ports, probe
from firmware_bridge.errors import (
    AuditFileError,
    CommandRefusedError,
    DeviceFaultError,
    ImageError,
    KeyStoreError,
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
    UntrustedDeviceError,
    VersionMismatchError,
    WrongDeviceError,
)
from firmware_bridge.faults import WIRES, Fault, FaultPlan
from firmware_bridge.framing import ForeignFrame, Frame
from firmware_bridge.holding_port import held_port
from firmware_bridge.image import (
    Image,
    SecurityVersions,
    open_image,
    read_private_key,
    read_public_key,
    sign_image,
)
from firmware_bridge.machine import MagazineCard
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    BootCause,
    Booted,
    Capability,
    Capacity,
    CardOut,
    CardsIn,
    Deck,
    DeckSelected,
    DeviceEvent,
    DeviceStatus,
    FaultCleared,
    FaultCode,
    FaultLocated,
    FaultRaised,
    Gate,
    GateChanged,
    HostSilent,
    Identity,
    Kind,
    Light,
    LockChanged,
    Meters,
    Part,
    PartTested,
    SelfTested,
    ShuffleFinished,
    ShuffleStarted,
)
from firmware_bridge.outputs import DeviceRestarted, EventPosition, EventsLost, LinkChanged
from firmware_bridge.port import Port, SerialPort
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_audit import AuditFile, verify_audit
from firmware_bridge.security_device import KeyMemory
from firmware_bridge.security_host import Breach, SecurityIncident
from firmware_bridge.security_keys import KeyStore, draw_key
from firmware_bridge.settings import Patience, Settings
from firmware_bridge.shuffler import Shuffler
from firmware_bridge.software_shuffler import SoftwareShuffler
from firmware_bridge.states import LinkState
from firmware_bridge.tapping import Heard, TappedPort
from firmware_bridge.transmitting import Counters

__all__ = [
    "PROTOCOL_VERSION",
    "WIRES",
    "AuditFile",
    "AuditFileError",
    "BootCause",
    "Booted",
    "Breach",
    "Capability",
    "Capacity",
    "CardOut",
    "CardsIn",
    "CommandRefusedError",
    "Counters",
    "Deck",
    "DeckSelected",
    "DeviceEvent",
    "DeviceFact",
    "DeviceFaultError",
    "DeviceKey",
    "DeviceRestarted",
    "DeviceStatus",
    "EventPosition",
    "EventsLost",
    "Fault",
    "FaultCleared",
    "FaultCode",
    "FaultLocated",
    "FaultPlan",
    "FaultRaised",
    "ForeignFrame",
    "FoundPort",
    "Frame",
    "Gate",
    "GateChanged",
    "Heard",
    "History",
    "HostSilent",
    "Identity",
    "Image",
    "ImageError",
    "KeyMemory",
    "KeyStore",
    "KeyStoreError",
    "Kind",
    "Light",
    "LinkChanged",
    "LinkError",
    "LinkLostError",
    "LinkStalledError",
    "LinkState",
    "LockChanged",
    "MagazineCard",
    "Meters",
    "Outcome",
    "OutcomeUnknownError",
    "Part",
    "PartTested",
    "Patience",
    "Port",
    "PortAbsentError",
    "PortAmbiguousError",
    "PortBusyError",
    "PortError",
    "PortPermissionError",
    "ProtocolError",
    "SecurityIncident",
    "SecurityVersions",
    "SelfTested",
    "SerialPort",
    "Settings",
    "ShuffleFinished",
    "ShuffleStarted",
    "Shuffler",
    "SoftwareShuffler",
    "TappedPort",
    "UntrustedDeviceError",
    "VersionMismatchError",
    "WrongDeviceError",
    "check_parts",
    "draw_key",
    "find_machine",
    "find_port",
    "held_port",
    "list_ports",
    "open_image",
    "probe",
    "read_history",
    "read_private_key",
    "read_public_key",
    "sign_image",
    "verify_audit",
]
