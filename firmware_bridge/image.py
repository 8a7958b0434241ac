"""Signed images of the machine's firmware: nothing else is given out for installing.

An image is a header, the content and an Ed25519 signature (RFC 8032) over both:

    "cutcard image 1" 00 | model text16 | firmware text8 | security version u32 | size u32
    | content | signature (64 bytes)

The *security version* rises whenever an older firmware must never come back
(anti-rollback). There is no way to read an image without a key to hold it against.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from firmware_bridge.errors import ImageError
from firmware_bridge.security_keys import write_private

_MAGIC: Final = b"cutcard image 1\0"
_HEADER: Final = struct.Struct("<16s16s8sII")
_SIGNATURE_BYTES: Final = 64

LARGEST_BYTES: Final = 16 << 20
"""Far above any microcontroller's memory; a larger file is a mistake."""


@dataclass(frozen=True, slots=True)
class Image:
    """A firmware for one model.

    Attributes:
        model: of the machines that it is for, up to 16 ASCII characters.
        firmware: its version as people name it, up to 8 ASCII characters.
        security_version: rises when an older one must not come back.
        content: what goes into the machine.
    """

    model: str
    firmware: str
    security_version: int
    content: bytes


def sign_image(image: Image, key: Ed25519PrivateKey) -> bytes:
    """The bytes of an image file.

    Raises:
        ImageError: a text or number does not fit, or there is no content.
    """
    try:
        model, firmware = image.model.encode("ascii"), image.firmware.encode("ascii")
        header = _HEADER.pack(_MAGIC, model, firmware, image.security_version, len(image.content))
    except (UnicodeEncodeError, struct.error) as error:
        raise ImageError(f"its header cannot be written: {error}") from error
    if not image.content or len(model) > 16 or len(firmware) > 8:
        raise ImageError("it is empty, or its model or version is too long")
    signed = header + image.content
    return signed + key.sign(signed)


def open_image(data: bytes, trusted: Sequence[Ed25519PublicKey]) -> Image:
    """The image in a file, if one of the trusted keys has signed it.

    The signature is checked before anything else is believed.

    Raises:
        ImageError: no trusted key has signed it, or it is no image.
    """
    signed, signature = data[:-_SIGNATURE_BYTES], data[-_SIGNATURE_BYTES:]
    if len(data) > LARGEST_BYTES or not signed.startswith(_MAGIC) or len(signed) <= _HEADER.size:
        raise ImageError("it is no image of a firmware")
    if not any(_has_signed(key, signed, signature) for key in trusted):
        raise ImageError("none of the keys given has signed it: do not install it")
    _, model, firmware, security_version, size = _HEADER.unpack_from(signed)
    content = signed[_HEADER.size :]
    if size != len(content):
        raise ImageError(f"its header says {size} bytes, it has {len(content)}")
    return Image(_text(model), _text(firmware), security_version, content)


def _has_signed(key: Ed25519PublicKey, signed: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def _text(raw: bytes) -> str:
    return raw.rstrip(b"\0").decode("ascii", errors="replace")


def read_public_key(path: Path) -> Ed25519PublicKey:
    """The maker's key from a PEM file.

    Raises:
        ImageError: the file cannot be read, or holds no Ed25519 public key.
    """
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ImageError(f"{path} is no public key in PEM") from error
    if not isinstance(key, Ed25519PublicKey):
        raise ImageError(f"{path} is a key of another kind: Ed25519 is wanted")
    return key


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """The maker's signing key from a PEM file without a password.

    Raises:
        ImageError: the file cannot be read, or holds no Ed25519 private key.
    """
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise ImageError(f"{path} is no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ImageError(f"{path} is a key of another kind: Ed25519 is wanted")
    return key


class SecurityVersions:
    """The highest security version that each machine was given, in a file of its owner's.

    Args:
        path: the file; one that does not exist knows no machine.

    Raises:
        ImageError: the file cannot be read; it is never taken for empty then.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._versions = _read_versions(path) if path.exists() else {}

    def check(self, serial_number: str, image: Image) -> None:
        """Refuse an image older than what the machine was given.

        Raises:
            ImageError: it is a step back.
        """
        newest = self._versions.get(serial_number, 0)
        if image.security_version < newest:
            raise ImageError(
                f"it has security version {image.security_version} and {serial_number} was given"
                f" {newest}: an older firmware must not come back"
            )

    def note(self, serial_number: str, image: Image) -> None:
        """From now on nothing older; durable when this returns.

        Raises:
            ImageError: it is a step back, or the file cannot be written.
        """
        self.check(serial_number, image)
        versions = {**self._versions, serial_number: image.security_version}
        try:
            write_private(self._path, json.dumps(versions, indent=2) + "\n")
        except OSError as error:
            raise ImageError(f"{self._path} cannot be written ({error.strerror})") from error
        self._versions = versions


def _read_versions(path: Path) -> dict[str, int]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        versions = {str(number): int(version) for number, version in raw.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ImageError(f"{path} is no file of security versions: restore it") from error
    return versions
