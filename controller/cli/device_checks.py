"""The checks of ``cutcard doctor`` that ask the serial ports who is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from controller.cli.findings import Finding, failure, ok, warning
from controller.runtime.opening import AUDIT_NAME
from firmware_bridge import (
    FoundPort,
    Identity,
    KeyStore,
    LinkError,
    LinkLostError,
    WrongDeviceError,
    list_ports,
    probe,
    verify_audit,
)

PROBE_S = 3.0
"""How long a port may take to say who it is: the link answers in milliseconds, a booting
microcontroller in about two seconds."""

Asker = Callable[[str, float], Identity]


def check_ports(
    found: Callable[[], Sequence[FoundPort]] = list_ports, ask: Asker = probe
) -> tuple[Finding, ...]:
    """Every USB serial port of this computer, and whether a shuffler answers there."""
    ports = [port for port in found() if port.usb_id]
    if not ports:
        return (
            warning(
                "ports",
                "no USB serial port",
                "connect the shuffler by USB, or go on without one: draws are then tapped",
            ),
        )
    return tuple(check_shuffler(port.url, ask, port.description) for port in ports)


def check_shuffler(url: str, ask: Asker = probe, description: str = "") -> Finding:
    """Who answers on a port; another device is no failure, it may belong there."""
    name = f"port {url}"
    about = f" ({description})" if description else ""
    try:
        who = ask(url, PROBE_S)
    except (LinkLostError, WrongDeviceError) as error:
        fact, remedy = _fact_and_remedy(error)
        return warning(name, f"no shuffler{about}: {fact}", remedy)
    except LinkError as error:
        return failure(name, *_fact_and_remedy(error))
    return ok(name, f"{who.model} number {who.serial_number}, firmware {who.firmware}")


def check_keys(path: Path, serial_number: str) -> Finding:
    """Whether the file of keys can be used, and has a key for the table's machine."""
    if not path.exists():
        return failure("keys", f"{path} does not exist", "cutcard device pair makes it")
    try:
        keys = KeyStore(path)
        lines = verify_audit(audit)[0] if (audit := path.with_name(AUDIT_NAME)).exists() else 0
    except LinkError as error:
        return failure("keys", *_fact_and_remedy(error))
    if serial_number and serial_number not in keys:
        return failure("keys", f"{path} has no key of {serial_number}", "pair the machine anew")
    if lines:
        fact = f"{len(keys)} keys; {audit} holds {lines} incidents"
        return warning("keys", fact, "read it: somebody may have been at the cable")
    return ok("keys", f"{path}: {len(keys)} keys, no incident")


def _fact_and_remedy(error: LinkError) -> tuple[str, str]:
    """The package's errors say what is wrong, a colon, and what to do."""
    fact, _, remedy = str(error).rpartition(": ")
    return (fact, remedy) if fact else (remedy, "check cable and power")
