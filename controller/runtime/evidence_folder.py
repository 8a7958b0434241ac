"""The folder of pictures: each is written whole, and read only when it is what was noted."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from controller.runtime.evidence import SEALED_SUFFIX, SUFFIX, is_picture_name
from controller.runtime.journal.values import Picture

_OWNER_FILE: Final = 0o600
_OWNER_FOLDER: Final = 0o700


def sha256(content: bytes) -> str:
    """The SHA-256 (FIPS 180-4) of some bytes in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


class EvidenceFolder:
    """The pictures of one table.

    Args:
        path: The folder; it is made when the first picture is written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def file(self, picture: Picture) -> Path:
        """Where a picture lies.

        Raises:
            ValueError: Its name is none of a picture.
        """
        if not is_picture_name(picture.name):
            raise ValueError(f"{picture.name!r} is no name of a picture")
        return self.path / f"{picture.name}{SEALED_SUFFIX if picture.sealed_hand else SUFFIX}"

    def write(self, picture: Picture, content: bytes) -> None:
        """Put a file in its place; it survives a power cut when this returns.

        Raises:
            OSError: The disk is full, or the folder cannot be written to; no part is left.
        """
        self.path.mkdir(mode=_OWNER_FOLDER, parents=True, exist_ok=True)
        target = self.file(picture)
        draft = target.with_name(f"{target.name}.part")
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(draft, flags, _OWNER_FILE), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)

    def read(self, picture: Picture) -> bytes:
        """The file of a picture; empty when it is missing or not the one that was noted."""
        try:
            content = self.file(picture).read_bytes()
        except (OSError, ValueError):
            return b""
        return content if sha256(content) == picture.file_sha256 else b""

    def remove(self, picture: Picture) -> None:
        """Take a picture away.

        Raises:
            OSError: It cannot be taken away; that it is not there is none.
        """
        self.file(picture).unlink(missing_ok=True)
