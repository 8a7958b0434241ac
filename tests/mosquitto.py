"""A Mosquitto broker of the tests' own: on a free port, gone afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.postgres import free_port

PATIENCE_S = 20.0


def program(name: str = "mosquitto") -> str:
    """The path of the broker, which Debian keeps off an ordinary user's path."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is missing: run scripts/setup.sh test")
    return found


@dataclass
class Mosquitto:
    """One broker; what it must remember over a restart it keeps in its folder."""

    folder: Path
    settings: tuple[str, ...] = ("allow_anonymous true",)
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        file = self.folder / "mosquitto.conf"
        lines = (
            f"listener {self.port} 127.0.0.1",
            *self.settings,
            "persistence true",
            f"persistence_location {self.folder}/",
            *(("user root",) if os.geteuid() == 0 else ()),
        )
        file.write_text("\n".join(lines) + "\n")
        with (self.folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen([program(), "-c", str(file)], stdout=log, stderr=log)
        until = time.monotonic() + PATIENCE_S
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "mosquitto.log").read_text()
            assert time.monotonic() < until, "the broker does not start"

    def kill(self) -> None:
        """As a power cut would: nothing is written any more."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """In order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE_S)
            self._process = None

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
        except OSError:
            return False
        return True


@contextmanager
def running() -> Iterator[Mosquitto]:
    """A broker that lets everybody in."""
    program()
    folder = Path(tempfile.mkdtemp(prefix="cutcard-mosquitto-"))
    broker = Mosquitto(folder)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()
        shutil.rmtree(folder, ignore_errors=True)
