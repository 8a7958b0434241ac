"""The key store: the keys of this host's devices, in a file that only its owner can read.

The file is JSON: ``{"version": 1, "devices": {"SERIAL": {"key": "64 hexadecimal digits"}}}``.
"""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from firmware_bridge.errors import KeyStoreError, ProtocolError
from firmware_bridge.security import KEY_BYTES, DeviceKey

_VERSION: Final = 1
_MODE: Final = 0o600
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class KeyStore(Mapping[str, DeviceKey]):
    """Keys by serial number, read once from a file.

    Args:
        path: the file; one that does not exist holds no key.

    Raises:
        KeyStoreError: others may read the file, or it is no key store.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys = _read(path) if path.exists() else {}

    def __getitem__(self, serial_number: str) -> DeviceKey:
        """The key of a device."""
        return self._keys[serial_number]

    def __iter__(self) -> Iterator[str]:
        """The serial numbers."""
        return iter(self._keys)

    def __len__(self) -> int:
        """How many devices have a key here."""
        return len(self._keys)

    def store(self, serial_number: str, key: DeviceKey) -> None:
        """Keep the key of a device, in place of an older one; durable when this returns.

        Raises:
            KeyStoreError: the file cannot be written.
        """
        self._replace({**self._keys, serial_number: key})

    def forget(self, serial_number: str) -> None:
        """Drop the key of a device, if there is one.

        Raises:
            KeyStoreError: the file cannot be written.
        """
        self._replace({n: key for n, key in self._keys.items() if n != serial_number})

    def _replace(self, keys: dict[str, DeviceKey]) -> None:
        try:
            _write(self._path, keys)
        except OSError as error:
            raise KeyStoreError(self._path, f"it cannot be written ({error.strerror})") from error
        self._keys = keys


def draw_key() -> DeviceKey:
    """A new key from the operating system's generator."""
    return DeviceKey(secrets.token_bytes(KEY_BYTES))


def draw_nonce() -> bytes:
    """Fresh random bytes for a challenge."""
    return secrets.token_bytes(KEY_BYTES)


def _read(path: Path) -> dict[str, DeviceKey]:
    try:
        if path.stat().st_mode & _OTHERS:
            raise KeyStoreError(path, f"other users may read it: chmod 600 '{path}'")
        raw = json.loads(path.read_text(encoding="utf-8"))
        if raw["version"] != _VERSION:
            raise KeyStoreError(path, f"it is of version {raw['version']}, not {_VERSION}")
        return {
            serial_number: DeviceKey(bytes.fromhex(entry["key"]))
            for serial_number, entry in raw["devices"].items()
        }
    except OSError as error:
        raise KeyStoreError(path, f"it cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ProtocolError):
        # the words of these errors could hold a part of a key
        raise KeyStoreError(path, "it is no key store: restore it, or pair the machines") from None


def _write(path: Path, keys: Mapping[str, DeviceKey]) -> None:
    devices = {number: {"key": key.value.hex()} for number, key in sorted(keys.items())}
    write_private(path, json.dumps({"version": _VERSION, "devices": devices}, indent=2) + "\n")


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read; a new one is swapped in, so that none is half.

    Raises:
        OSError: it cannot be written; the old one stays.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
