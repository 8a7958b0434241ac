"""Where the broker is and how to show it who we are."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from controller.fleet.errors import BrokerError
from controller.runtime.config import NONE, MqttSection

_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
"""The ports registered for MQTT, plain and over TLS (MQTT 5.0, section 4.2)."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker's address and what to show there.

    Attributes:
        host: Name or address.
        port: Its port.
        user: Empty where the broker asks for none.
        password: That user's.
        tls: None for a plain line.
    """

    host: str
    port: int
    user: str = ""
    password: str = ""
    tls: ssl.SSLContext | None = None

    @classmethod
    def of(cls, section: MqttSection) -> Broker:
        """Read the address, the password file and the certificate.

        Raises:
            BrokerError: One of them cannot be used.
        """
        try:
            url = urlsplit(section.url)
            host, port = url.hostname or "", url.port or _PORTS.get(url.scheme, 0)
        except ValueError as error:
            raise BrokerError(section.url, f"{error}; write mqtt://host:1883") from error
        if not host or url.scheme not in _PORTS or url.username or url.path:
            raise BrokerError(
                section.url.rpartition("@")[2],
                "this is no broker; write mqtt://host:1883 or mqtts://host:8883",
            )
        tls = _context(section.ca) if url.scheme == "mqtts" else None
        return cls(host, port, section.user, _password(section.password_file), tls)

    @property
    def shown(self) -> str:
        """The address, as it may be printed."""
        return f"{self.host}:{self.port}"


def _context(ca: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca if ca != NONE else None)
    except (OSError, ssl.SSLError) as error:
        raise BrokerError(ca, f"no certificate file ({error}); name one in PEM form") from error


def _password(name: str) -> str:
    """The first line of the file: a password does not belong into the table file."""
    if name == NONE:
        return ""
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BrokerError(name, f"the password cannot be read ({error})") from error
    return lines[0].strip() if lines else ""
