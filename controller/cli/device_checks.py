"""The checks of ``cutcard doctor`` that ask the serial ports who is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.cli.findings import Finding, failure, ok, warning
from firmware_bridge import (
    FoundPort,
    Identity,
    LinkError,
    LinkLostError,
    WrongDeviceError,
    list_ports,
    probe,
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


def _fact_and_remedy(error: LinkError) -> tuple[str, str]:
    """The package's errors say what is wrong, a colon, and what to do."""
    fact, _, remedy = str(error).rpartition(": ")
    return (fact, remedy) if fact else (remedy, "check cable and power")
