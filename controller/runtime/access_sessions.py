"""Who is signed in now, for how long, and how often somebody may try."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.runtime.access import Role

SHIFT_S: Final = 12 * 3600.0
"""The longest that anybody stays signed in: a shift with its overtime. NIST SP 800-63B,
4.1.3, asks for a new sign-in at least every 30 days; 4.2.3 every 12 hours."""

IDLE_S: Final = 30 * 60.0
"""After this long without a touch the person is out (SP 800-63B, 4.2.3). A dealer's page is
left alone for long when camera and shoe see everything, so dealers have the whole shift."""

TRIES: Final = 5
"""Wrong passwords before a wait begins."""

FIRST_WAIT_S: Final = 30.0
LONGEST_WAIT_S: Final = 3600.0
"""The wait after the last free try, doubled with each more, and where that ends."""

_REMEMBERED: Final = 10_000
"""Names and addresses of which wrong tries are kept: bounds memory under attack."""


@dataclass
class Session:
    """A person who is signed in; ``used_s`` is when the page was last touched."""

    name: str
    role: Role
    begun_s: float
    used_s: float
    is_ended: bool = False


class Sessions:
    """The people who are signed in, by the hash of the secret in their cookie.

    Args:
        clock: Seconds of any steady clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._by_hash: dict[bytes, Session] = {}

    def begin(self, name: str, role: Role) -> str:
        """Sign a person in; returns the secret for the cookie."""
        self._forget_old()
        secret = secrets.token_urlsafe(32)
        now = self._clock()
        self._by_hash[_hash(secret)] = Session(name, role, now, now)
        return secret

    def find(self, secret: str) -> Session | None:
        """The person of this secret; None when it is none or has expired."""
        session = self._by_hash.get(_hash(secret))
        return session if session is not None and self.is_live(session) else None

    def is_live(self, session: Session) -> bool:
        """Whether the person is still signed in."""
        now = self._clock()
        is_idle = session.role is not Role.DEALER and now - session.used_s > IDLE_S
        return not (session.is_ended or is_idle or now - session.begun_s > SHIFT_S)

    def touch(self, session: Session) -> None:
        """The person has done something."""
        session.used_s = self._clock()

    def end(self, secret: str) -> None:
        """Sign out; pages that are open are out with it."""
        session = self._by_hash.pop(_hash(secret), None)
        if session is not None:
            session.is_ended = True

    def _forget_old(self) -> None:
        self._by_hash = {h: s for h, s in self._by_hash.items() if self.is_live(s)}


def _hash(secret: str) -> bytes:
    """What is kept of a cookie: who reads this memory cannot sign in with it."""
    return hashlib.sha256(secret.encode()).digest()


class Attempts:
    """Wrong passwords, by name and by address: after a few, each costs a longer wait.

    Args:
        clock: Seconds of any steady clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def wait_s(self, *keys: str) -> float:
        """How long until the next try may be made; 0 for now."""
        now = self._clock()
        return max(0.0, *(self._wrong.get(key, (0, now))[1] - now for key in keys))

    def failed(self, *keys: str) -> None:
        """A password was wrong."""
        for key in keys:
            count = self._wrong.pop(key, (0, 0.0))[0] + 1
            over = count - TRIES
            wait = min(FIRST_WAIT_S * 2.0 ** min(over, 16), LONGEST_WAIT_S) if over >= 0 else 0.0
            self._wrong[key] = (count, self._clock() + wait)
        while len(self._wrong) > _REMEMBERED:
            self._wrong.popitem(last=False)

    def succeeded(self, *keys: str) -> None:
        """A password was right; what was wrong before is forgotten."""
        for key in keys:
            self._wrong.pop(key, None)
