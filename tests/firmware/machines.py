"""Machines to break: the software shuffler, and the firmware natively and in the emulator.

All are met in the same way: a port to connect to, cards put in and drawn by hand, and
faults by name. What goes over the line passes a ``Wire``, which may spoil it.
"""

from __future__ import annotations

import os
import pty
import random
import select
import subprocess
import threading
import time
import tty
from pathlib import Path
from typing import Protocol

from firmware_bridge import (
    BootCause,
    Fault,
    FaultCode,
    FaultPlan,
    MagazineCard,
    Shuffler,
    SoftwareShuffler,
)
from firmware_bridge.faults import Wire

CHUNK = 4096


class Machine(Protocol):
    """What the tests of the fault catalogue need of a machine."""

    name: str

    @property
    def url(self) -> str: ...
    def insert(self, count: int, boxed: int = 0) -> None: ...
    def draw(self) -> bool: ...
    def reset(self, cause: BootCause) -> None: ...
    def pull_cable(self) -> None: ...
    def plug_in(self) -> None: ...
    def let_two_out(self) -> None: ...
    def open_lid(self) -> None: ...
    def clear(self, code: FaultCode) -> None: ...
    def count(self) -> int: ...
    async def moves(self, shuffler: Shuffler) -> int: ...
    def close(self) -> None: ...


class SoftwareMachine:
    """The software shuffler."""

    name = "software"

    def __init__(
        self, plan: FaultPlan, seed: int, shuffle_s: float = 0.0, serial_number: str = "FW-1"
    ) -> None:
        self.shuffler = SoftwareShuffler(
            rng=random.Random(seed),
            faults=plan,
            shuffle_s=shuffle_s,
            serial_number=serial_number,
        )
        self.shuffler.start()

    @property
    def url(self) -> str:
        return self.shuffler.url

    def insert(self, count: int, boxed: int = 0) -> None:
        self.shuffler.insert([MagazineCard(str(n), boxed=n < boxed) for n in range(count)])

    def draw(self) -> bool:
        return self.shuffler.draw() is not None

    def reset(self, cause: BootCause) -> None:
        self.shuffler.reset(cause)

    def pull_cable(self) -> None:
        self.shuffler.pull_cable()

    def plug_in(self) -> None:
        self.shuffler.plug_in()

    def let_two_out(self) -> None:
        self.shuffler.inject(Fault.DOUBLE_FEED)

    def open_lid(self) -> None:
        self.shuffler.inject(Fault.LID_OPEN)

    def clear(self, code: FaultCode) -> None:
        self.shuffler.clear_fault(code)

    def count(self) -> int:
        return self.shuffler.count

    async def moves(self, shuffler: Shuffler) -> int:
        assert shuffler.state is not None
        return self.shuffler.moves

    def close(self) -> None:
        self.shuffler.stop()


class Line:
    """A cable between the host and a device's pty: it spoils, and can be pulled and plugged in."""

    def __init__(self, device_path: str, plan: FaultPlan, seed: int) -> None:
        self.url = ""
        self._device = os.open(device_path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._inward = Wire(plan, random.Random(seed))
        self._outward = Wire(plan, random.Random(seed + 1))
        self._ours = self._theirs = -1
        self._lock = threading.Lock()
        self._wake_read, self._wake_write = os.pipe()
        self._stopping = False
        self.plug_in()
        self._thread = threading.Thread(target=self._serve, name="cable", daemon=True)
        self._thread.start()

    def plug_in(self) -> None:
        with self._lock:
            self._ours, self._theirs = pty.openpty()
            tty.setraw(self._theirs)
            os.set_blocking(self._ours, False)
            self.url = os.ttyname(self._theirs)
        os.write(self._wake_write, b"!")

    def pull(self) -> None:
        with self._lock:
            for end in (self._ours, self._theirs):
                if end >= 0:
                    os.close(end)
            self._ours, self._theirs, self.url = -1, -1, ""
            self._inward.clear()
            self._outward.clear()

    def close(self) -> None:
        self._stopping = True
        os.write(self._wake_write, b"!")
        self._thread.join()
        self.pull()
        for end in (self._device, self._wake_read, self._wake_write):
            os.close(end)

    def _serve(self) -> None:
        while not self._stopping:
            with self._lock:
                ends = [end for end in (self._device, self._ours, self._wake_read) if end >= 0]
                due_s = min(self._inward.due_s, self._outward.due_s)
            wait_s = min(max(due_s - time.monotonic(), 0.0), 0.5)
            try:
                ready, _, _ = select.select(ends, [], [], wait_s)
            except (OSError, ValueError):
                continue  # the cable was pulled between the two lines above
            with self._lock:
                self._carry(ready, time.monotonic())

    def _carry(self, ready: list[int], now_s: float) -> None:
        if self._wake_read in ready:
            os.read(self._wake_read, CHUNK)
        if self._device in ready:
            data = os.read(self._device, CHUNK)
            if self._ours >= 0:
                self._outward.put(data, now_s)
        if self._ours >= 0 and self._ours in ready:
            self._inward.put(_read(self._ours), now_s)
        for piece in self._inward.take(now_s):
            os.write(self._device, piece)
        for piece in self._outward.take(now_s):
            _write(self._ours, piece)


def _read(end: int) -> bytes:
    try:
        return os.read(end, CHUNK)
    except OSError:
        return b""


def _write(end: int, piece: bytes) -> None:
    try:
        os.write(end, piece)
    except OSError:
        return  # nobody reads: a UART talks into the air as well


class FirmwareMachine:
    """A process that runs the firmware, and the cable to it.

    Args:
        name: native or simavr.
        command: the program and its image.
        plan: what goes wrong on the cable all the time.
        seed: decides when, and the noise of the machine's diode.
        serial_number: of the machine.
    """

    def __init__(
        self,
        name: str,
        command: list[str | Path],
        plan: FaultPlan,
        seed: int,
        serial_number: str = "FW-1",
    ) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [*(str(word) for word in command), serial_number, str(seed), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        word, _, path = self._line().partition(" ")
        assert word == "uart", f"the device said {word!r}"
        self._cable = Line(path, plan, seed)

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def say(self, words: str) -> str:
        """Say words to the test bench; its answer, which waits until all is settled."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{words}\n")
        self._process.stdin.flush()
        return self._line()

    def let_pass(self, ms: int) -> None:
        """Return when the device's clock has gone on so far; the host stands still meanwhile."""
        self.say(f"wait {ms}")
        self.say("count")

    @property
    def url(self) -> str:
        return self._cable.url

    def insert(self, count: int, boxed: int = 0) -> None:
        self.say(f"insert {count} 0 {boxed}")
        self.let_pass(200)  # it has started, and the magazine settles

    def draw(self) -> bool:
        return self.say("draw") != "none"

    def reset(self, cause: BootCause) -> None:
        self.say(f"reset {int(cause)}")

    def pull_cable(self) -> None:
        self._cable.pull()

    def plug_in(self) -> None:
        self._cable.plug_in()

    def let_two_out(self) -> None:
        self.say("two-drawn")

    def open_lid(self) -> None:
        self.say("lid 1")

    def clear(self, code: FaultCode) -> None:
        assert code in FaultCode
        self.say("lid 0")
        self.say("clear")
        self.let_pass(100)

    def count(self) -> int:
        return int(self.say("count"))

    async def moves(self, shuffler: Shuffler) -> int:
        return (await shuffler.meters()).motions

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._cable.close()
        self._process.stdin.close()
        self._process.wait(timeout=10)
        self._process.stdout.close()
