"""The keys that sign a journal: Ed25519 (RFC 8032), in PEM files that OpenSSL reads too."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from controller.runtime.errors import JournalKeyError

OWNER_ONLY: Final = 0o600
OTHERS: Final = 0o077
"""The permission bits of everybody but the owner: none may be set on a private key."""

_PEM: Final = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", re.DOTALL)


@dataclass(frozen=True, slots=True)
class KeyFiles:
    """Where a journal's keys lie: the private one, and beside it the public one."""

    private: Path
    public: Path

    @classmethod
    def named(cls, private: Path) -> KeyFiles:
        """The pair that belongs to a private key file ``x.key``: ``x.pub`` beside it.

        Raises:
            JournalKeyError: It is named like a public one.
        """
        if private.suffix == ".pub":
            raise JournalKeyError(private, "name the private key (.key), not the public one")
        return cls(private, private.with_suffix(".pub"))


class Signer:
    """Signs with a private key; ``key_id`` names it."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.key_id = key_id(key.public_key())

    def sign(self, text: bytes) -> bytes:
        """The signature of a text."""
        return self._key.sign(text)

    def secret(self, purpose: bytes) -> bytes:
        """A secret of 32 bytes for one purpose, made from the private key (HKDF, RFC 5869)."""
        raw = self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return HKDF(SHA256(), length=32, salt=None, info=purpose).derive(raw)

    @property
    def public_pem(self) -> bytes:
        """The public key as it is stored."""
        return self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class PublicKeys:
    """The public keys that a reader trusts, by their ids."""

    def __init__(self, keys: Iterable[Ed25519PublicKey] = ()) -> None:
        self._keys = {key_id(key): key for key in keys}

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the keys."""
        return frozenset(self._keys)

    def has_signed(self, name: str, text: bytes, signature: bytes) -> bool:
        """Whether the key of that id signed the text; False for an id that is not known."""
        key = self._keys.get(name)
        if key is None:
            return False
        try:
            key.verify(signature, text)
        except InvalidSignature:
            return False
        return True


def key_id(key: Ed25519PublicKey) -> str:
    """A key's name: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes."""
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:16]


def load_signer(files: KeyFiles) -> Signer:
    """Read the private key, or make one at first use; the public key is put beside it.

    Raises:
        JournalKeyError: The file cannot be made or read, is no Ed25519 key, or others
            than its owner may read it.
    """
    try:
        if not files.private.exists():
            _make(files.private)
        signer = _load(files.private)
        _publish(signer, files.public)
    except OSError as error:
        reason = error.strerror or str(error)
        raise JournalKeyError(files.private, f"{reason}; check the folder's permissions") from error
    return signer


def load_public_keys(paths: Iterable[Path]) -> PublicKeys:
    """The keys of files in PEM; a file may hold several.

    Raises:
        JournalKeyError: A file cannot be read or holds no Ed25519 public key.
    """
    keys: list[Ed25519PublicKey] = []
    for path in paths:
        try:
            blocks = _PEM.findall(path.read_bytes())
            found = [load_pem_public_key(block) for block in blocks]
        except OSError as error:
            raise JournalKeyError(path, error.strerror or str(error)) from error
        except (ValueError, UnsupportedAlgorithm):
            found = []
        usable = [key for key in found if isinstance(key, Ed25519PublicKey)]
        if not usable:
            raise JournalKeyError(path, "it holds no Ed25519 public key; give the .pub file")
        keys.extend(usable)
    return PublicKeys(keys)


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    # Written whole under another name first: a power cut leaves no half key behind.
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _settle(path.parent)


def _settle(folder: Path) -> None:
    """Make a new name in a folder survive a power cut, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _load(path: Path) -> Signer:
    if os.name == "posix" and path.stat().st_mode & OTHERS:
        raise JournalKeyError(path, f"others may read it; chmod 600 '{path}'")
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise JournalKeyError(path, "it is no Ed25519 private key; restore it from a copy")
    return Signer(key)


def _publish(signer: Signer, path: Path) -> None:
    """Keep older public keys: what they signed is still to be verified."""
    known = path.read_bytes() if path.exists() else b""
    if signer.public_pem not in known:
        with path.open("ab") as file:
            file.write(signer.public_pem)
            file.flush()
            os.fsync(file.fileno())
