"""A maker with keys, and a programmer that does what the test does meanwhile."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from controller.cli import main

SCRIPT = """#!/bin/sh
# $1 is the port, $2 the file: the test is told, does its work and says how it ends
cp "$2" "{folder}/flashed.hex"
echo "programming $1" >&2
echo "$1" > "{folder}/begun"
read code < "{folder}/done"
exit "$code"
"""


class Maker:
    """Keys, a file of security versions, and a programmer, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        (folder / "maker.pem").write_bytes(private)
        (folder / "maker.pub").write_bytes(public)
        self.programmer = folder / "programmer"
        self.programmer.write_text(SCRIPT.format(folder=folder))
        self.programmer.chmod(0o755)
        for name in ("begun", "done"):
            os.mkfifo(folder / name)

    @property
    def versions(self) -> Path:
        return self.folder / "versions.json"

    @property
    def flashed(self) -> Path:
        """What the programmer was given; absent while it has not run."""
        return self.folder / "flashed.hex"

    def sign(self, content: bytes, firmware: str, model: str, security_version: int = 3) -> Path:
        """An image of the maker's."""
        source, image = self.folder / "fw.hex", self.folder / f"{firmware}.image"
        source.write_bytes(content)
        words = ["device", "sign-image", source, "--key", self.folder / "maker.pem"]
        words += ["--model", model, "--firmware", firmware, "--out", image]
        words += ["--security-version", security_version]
        assert main([str(word) for word in words]) == 0
        return image

    def install(self, image: Path, port: str, *more: str) -> int:
        """Run ``cutcard device install``."""
        return main(self.words(image, port, *more))

    def words(self, image: Path, port: str, *more: str) -> list[str]:
        """The command's words."""
        words = ["device", "install", image, "--key", self.folder / "maker.pub", "--port", port]
        words += ["--versions", self.versions]
        words += ["--programmer", f"{self.programmer} {{port}} {{file}}", *more]
        return [str(word) for word in words]

    def while_programming(self, act: Callable[[], int]) -> threading.Thread:
        """Start waiting for the programmer; ``act`` then happens, and says how it ends."""

        def wait() -> None:
            (self.folder / "begun").read_text()
            (self.folder / "done").write_text(f"{act()}\n")

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        return thread
