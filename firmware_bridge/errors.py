"""Everything that can go wrong between us and the machine, divided by blame.

LinkError
├── ProtocolError             a message that cannot be said (our misuse)
├── PortError                 the port, before anything was said on it
│   ├── PortAbsentError
│   ├── PortBusyError
│   ├── PortPermissionError
│   └── PortAmbiguousError
├── LinkLostError             the line: cable, power, silence
│   └── LinkStalledError      the line takes no more bytes
├── VersionMismatchError      the device speaks another protocol version
├── WrongDeviceError          the device is not the one asked for
├── UntrustedDeviceError      the device did not prove that it is ours
├── KeyStoreError             the file of keys
├── AuditFileError            the file of incidents
├── ImageError                a firmware image that must not be installed
├── CommandRefusedError       the device refused the command; nothing moved
├── DeviceFaultError          the machine stands in a mechanical fault
└── OutcomeUnknownError       nobody can say whether the motion was carried out

Noise on the line is no error: it is counted and the decoder resynchronises.
"""

from __future__ import annotations

from pathlib import Path


class LinkError(Exception):
    """Base of every error of this package."""


class ProtocolError(LinkError):
    """A message, field or step that the protocol does not have."""


class PortError(LinkError):
    """The port cannot be used; ``url`` names it."""

    def __init__(self, url: str, sentence: str) -> None:
        super().__init__(sentence)
        self.url = url


class PortAbsentError(PortError):
    """There is no such port."""

    def __init__(self, url: str, detail: str = "") -> None:
        because = f" ({detail})" if detail else ""
        super().__init__(
            url, f"{url or 'the port'} cannot be found{because}: check cable, power and name"
        )


class PortBusyError(PortError):
    """Another program holds the port."""

    def __init__(self, url: str) -> None:
        super().__init__(
            url, f"{url} is held by another program: close it (brltty and ModemManager do this)"
        )


class PortPermissionError(PortError):
    """We may not open the port."""

    def __init__(self, url: str) -> None:
        super().__init__(
            url,
            f"{url} may not be opened by this user: add it to the group dialout"
            " (sudo usermod -aG dialout $USER) and log in again",
        )


class PortAmbiguousError(PortError):
    """Several ports fit; none is guessed."""

    def __init__(self, urls: tuple[str, ...]) -> None:
        super().__init__(
            urls[0],
            f"{len(urls)} machines fit ({', '.join(urls)}): name the serial number or the port",
        )
        self.urls = urls


class LinkLostError(LinkError):
    """The line to ``url`` is gone, whatever the operating system called it."""

    def __init__(self, url: str, detail: str) -> None:
        super().__init__(f"the link on {url} is lost ({detail}): check cable and power")
        self.url = url
        self.detail = detail


class LinkStalledError(LinkLostError):
    """The line takes no more bytes."""

    def __init__(self, url: str) -> None:
        super().__init__(url, "it takes no more bytes")


class VersionMismatchError(LinkError):
    """The device speaks protocol version ``theirs``, we speak ``ours``; nothing was moved."""

    def __init__(self, ours: int, theirs: int) -> None:
        super().__init__(
            f"the device speaks protocol version {theirs} and this program version {ours}:"
            f" update the {'program' if theirs > ours else 'firmware'}"
        )
        self.ours = ours
        self.theirs = theirs


class WrongDeviceError(LinkError):
    """What answers is not the device asked for."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}: check which cable is plugged where")
        self.expected = expected
        self.found = found


class UntrustedDeviceError(LinkError):
    """The device did not prove that it is ours; nothing was moved."""

    def __init__(self, serial_number: str, detail: str) -> None:
        super().__init__(
            f"the device that calls itself {serial_number} is not trusted ({detail}):"
            " look who plugged it in; pair it with cutcard device pair if it is yours"
        )
        self.serial_number = serial_number
        self.detail = detail


class KeyStoreError(LinkError):
    """The file of keys cannot be used; ``problem`` never holds a part of a key."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"key store {path}: {problem}")
        self.path = path
        self.problem = problem


class AuditFileError(LinkError):
    """The file of incidents cannot be used, or was tampered with."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"audit file {path}: {problem}")
        self.path = path
        self.problem = problem


class ImageError(LinkError):
    """A firmware image must not be installed, or a file about images cannot be used."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"firmware image: {problem}")
        self.problem = problem


class CommandRefusedError(LinkError):
    """The device refused ``command`` for ``reason``; nothing moved."""

    def __init__(self, command: str, reason: str) -> None:
        super().__init__(f"the machine refused {command}: {reason}")
        self.command = command
        self.reason = reason


class DeviceFaultError(LinkError):
    """The machine stands in the fault ``code``; a person must clear it."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the machine reports {code}: open it, clear it, then go on")
        self.code = code


class OutcomeUnknownError(LinkError):
    """Nobody can say whether ``command`` was carried out; it is never sent again."""

    def __init__(self, command: str, detail: str) -> None:
        super().__init__(
            f"it is unknown whether {command} was carried out ({detail}):"
            " count the cards in the machine before going on"
        )
        self.command = command
        self.detail = detail
