"""Encrypts pictures on the disk, so that whoever holds the disk or a backup sees none."""

from __future__ import annotations

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.runtime.journal.keys import Signer

_PURPOSE: Final = b"cutcard evidence 1"
_FORM: Final = b"cutcard sealed 1\n"
_NONCE_BYTES: Final = 12


class Seal:
    """Closes and opens pictures of one table with ChaCha20-Poly1305 (RFC 8439).

    The key is made from the table's private key, so that there is no further secret to keep.

    Args:
        signer: The private key of the journal.
        table_id: The table; a picture of another one does not open.
    """

    def __init__(self, signer: Signer, table_id: str) -> None:
        self._cipher = ChaCha20Poly1305(signer.secret(_PURPOSE))
        self._table = table_id.encode()

    def close(self, name: str, jpeg: bytes) -> bytes:
        """The file of a sealed picture."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return _FORM + nonce + self._cipher.encrypt(nonce, jpeg, self._bound(name))

    def open(self, name: str, content: bytes) -> bytes:
        """The picture in a file; empty when it was not closed with this key under this name."""
        if not content.startswith(_FORM):
            return b""
        body = content[len(_FORM) :]
        try:
            return self._cipher.decrypt(body[:_NONCE_BYTES], body[_NONCE_BYTES:], self._bound(name))
        except (InvalidTag, ValueError):
            return b""

    def _bound(self, name: str) -> bytes:
        return self._table + b"\n" + name.encode()
