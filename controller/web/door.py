"""Where the pages are served, and who is let in."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.runtime.access_sessions import Attempts, Sessions
from controller.runtime.access_users import Users


@dataclass(frozen=True, slots=True)
class Door:
    """The address of the pages; without ``users`` nobody signs in, without a certificate no TLS."""

    host: str = "127.0.0.1"
    port: int = 8080
    users: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether only this computer can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def url(self) -> str:
        """The address as a browser takes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}/"


class Access:
    """Signs people in.

    Args:
        users: Those who may.
        clock: Seconds of any steady clock.
    """

    def __init__(self, users: Users, clock: Callable[[], float] = time.monotonic) -> None:
        self._users = users
        self.sessions, self._attempts = Sessions(clock), Attempts(clock)
        self._turn = asyncio.Lock()

    async def sign_in(self, name: str, password: str, address: str) -> str | float:
        """Check a password.

        Returns:
            The secret for the cookie; or for how many seconds no try is taken, 0 when the
            name or the password was wrong.

        Raises:
            AccessError: The file of users cannot be used.
        """
        keys = (f"name {name[:60]}", f"address {address}")
        async with self._turn:  # one at a time: each costs 16 MiB and a processor
            if wait_s := self._attempts.wait_s(*keys):
                return wait_s
            user = await asyncio.to_thread(self._users.check, name, password)
            if user is None:
                self._attempts.failed(*keys)
                return 0.0
            self._attempts.succeeded(*keys)
            return self.sessions.begin(user.name, user.role)
