"""The file of those who may sign in: names, roles and password hashes.

A password is kept as its scrypt hash (RFC 7914) with a salt of its own. The file is
readable by its owner alone (mode 0600) and refused otherwise, as ssh refuses a key
that others can read.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path
from typing import Final

import msgspec

from controller.runtime.access import Role
from controller.runtime.errors import AccessError

COST: Final = 2**14
"""scrypt's N: with the two below 16 MiB and some 50 ms for each try. RFC 7914, section 2,
has it a power of two; this is the value its author gives for signing in by hand."""

BLOCK: Final = 8
LANES: Final = 1
SALT_BYTES: Final = 16
KEY_BYTES: Final = 32
SHORTEST: Final = 10
"""Characters of a password: NIST SP 800-63B, 5.1.1.2, asks for at least 8."""

_MOST_BYTES: Final = 64 * 1024 * 1024


class User(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person who may sign in; ``salt`` and ``hash`` are hexadecimal."""

    name: str
    role: Role
    salt: str
    hash: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    user: tuple[User, ...] = ()


def hashed(password: str, salt: bytes) -> bytes:
    """The scrypt hash of a password."""
    return hashlib.scrypt(
        password.encode(),
        salt=salt,
        n=COST,
        r=BLOCK,
        p=LANES,
        maxmem=_MOST_BYTES,
        dklen=KEY_BYTES,
    )


class Users:
    """Those who may sign in.

    Args:
        path: The file; made by ``add``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def check(self, name: str, password: str) -> User | None:
        """The person of this name if the password is right; as slow for a name that is none.

        Raises:
            AccessError: The file cannot be used.
        """
        found = next((user for user in self.all() if user.name == name), None)
        salt = bytes.fromhex(found.salt) if found else bytes(SALT_BYTES)
        given = hashed(password, salt)
        wanted = bytes.fromhex(found.hash) if found else bytes(KEY_BYTES)
        return found if hmac.compare_digest(given, wanted) and found else None

    def all(self) -> tuple[User, ...]:
        """Everybody in the file.

        Raises:
            AccessError: It is absent, readable by others, or not such a file.
        """
        try:
            mode = self.path.stat().st_mode
            text = self.path.read_bytes()
        except OSError as error:
            raise AccessError(
                self.path, f"{error.strerror}; make it with cutcard user add NAME --role ROLE"
            ) from error
        if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
            raise AccessError(self.path, f"others can read it; chmod 600 {self.path}")
        try:
            people = msgspec.json.decode(text, type=_File).user
            for user in people:
                bytes.fromhex(user.salt + user.hash)
        except (ValueError, RecursionError) as error:  # msgspec.DecodeError is a ValueError
            raise AccessError(self.path, f"it is no file of users ({error})") from error
        return people

    def add(self, name: str, role: Role, password: str) -> None:
        """Add a person, or give one who is there another role and password.

        Raises:
            AccessError: The name or password will not do, or the file cannot be used.
        """
        if not name.isprintable() or not name.strip() or len(name) > 60:
            raise AccessError(self.path, "a name has 1 to 60 characters that can be seen")
        if len(password) < SHORTEST:
            raise AccessError(self.path, f"a password has at least {SHORTEST} characters")
        salt = secrets.token_bytes(SALT_BYTES)
        user = User(name=name, role=role, salt=salt.hex(), hash=hashed(password, salt).hex())
        others = (u for u in self.all() if u.name != name) if self.path.exists() else ()
        self._write(_File((*others, user)))

    def remove(self, name: str) -> None:
        """Take a person out.

        Raises:
            AccessError: Nobody has this name, or the file cannot be used.
        """
        left = tuple(user for user in self.all() if user.name != name)
        if len(left) == len(self.all()):
            raise AccessError(self.path, f"nobody in it is called {name!r}")
        self._write(_File(left))

    def _write(self, content: _File) -> None:
        """Whole or not at all, and never readable by others, not even for a moment."""
        fresh = self.path.with_name(f".{self.path.name}.new")
        try:
            fresh.unlink(missing_ok=True)
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(content), indent=1))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
        except OSError as error:
            raise AccessError(self.path, f"{error.strerror}; nothing was changed") from error
