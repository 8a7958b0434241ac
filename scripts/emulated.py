"""Processes that run the firmware, natively and in the emulator, for the measurements."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "firmware"
IMAGE = BUILT / "shuffler-atmega2560.elf"


@dataclass(frozen=True, slots=True)
class Device:
    """A process that runs the firmware: its port, and words to its test bench."""

    process: subprocess.Popen[str]
    url: str

    def say(self, words: str) -> str:
        """The test bench's answer."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the device was started without pipes")
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


@contextmanager
def running(*command: Path) -> Iterator[Device]:
    """A device that ends with the block."""
    words = [str(word) for word in command]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the device was started without pipes")
        url = process.stdout.readline().strip().removeprefix("uart ")
        yield Device(process, url)
        process.stdin.close()


@dataclass(frozen=True, slots=True)
class Meter:
    """What went over the emulated line since the last look, in cycles of the device."""

    first_in: int
    first_out: int
    last_out: int
    bytes_in: int
    bytes_out: int


def read_meter(device: Device) -> Meter:
    """Look, and start anew."""
    return Meter(*(int(word) for word in device.say("meter").split()))
