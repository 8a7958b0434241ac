"""A shuffler in software that speaks the real bytes on a pseudo-terminal.

It runs in a thread of its own, so that the host's end is opened as any serial
port is. Faults are injected into its wires and its mechanism by name.
"""

from __future__ import annotations

import os
import pty
import random
import select
import threading
import time
import tty
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from firmware_bridge.device_link import DeviceLink
from firmware_bridge.faults import Fault, FaultPlan, Wire
from firmware_bridge.framing import Frame, encode
from firmware_bridge.machine import Machine, MagazineCard
from firmware_bridge.messages import (
    BootCause,
    Booted,
    Capability,
    CardsIn,
    Command,
    DeviceEvent,
    FaultCode,
    Gate,
    Identity,
    Meters,
    Part,
    ReadMeters,
    Reply,
)
from firmware_bridge.security import KEY_BYTES
from firmware_bridge.security_device import DeviceGuard, KeyMemory

_CHUNK = 4096
_STALE_BOOT = encode(Frame(Booted(BootCause.WATCHDOG), epoch=1, event=1))
_NO_FAULTS = FaultPlan()
_CODES = {
    Fault.JAM: FaultCode.JAM,
    Fault.HOPPER_EMPTY: FaultCode.HOPPER_EMPTY,
    Fault.LID_OPEN: FaultCode.LID_OPEN,
}


class SoftwareShuffler:
    """A machine on a pty; use as a context manager or call ``start`` and ``stop``.

    Args:
        rng: the source of the shuffles, of the epochs and of the wire's faults.
        shuffle_s: how long a shuffle takes.
        serial_number: up to 16 ASCII characters.
        faults: what goes wrong all the time.
        memory: its key and the switch of its trusted mode; the default has no key.
        mixes_entropy: draw its shuffles with the host; else they follow from ``rng`` alone,
            so that they can be repeated.
    """

    def __init__(
        self,
        *,
        rng: random.Random,
        shuffle_s: float = 0.0,
        serial_number: str = "SIM-0001",
        faults: FaultPlan = _NO_FAULTS,
        memory: KeyMemory | None = None,
        mixes_entropy: bool = False,
    ) -> None:
        self._rng = rng
        self._shuffle_s = shuffle_s
        self._serial_number = serial_number
        self._firmware = "1.0"
        self._faults = faults
        self._mixing = Capability.MIXED_ENTROPY if mixes_entropy else Capability.NONE
        self.memory = memory or KeyMemory()
        """Key and switch, as a person with the key of the case can reach them."""
        self._machine = Machine(rng, self._emit)
        self._inward = Wire(faults, random.Random(rng.getrandbits(32)))
        self._outward = Wire(faults, random.Random(rng.getrandbits(32)))
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._wake_read, self._wake_write = -1, -1
        self._ours, self._theirs = -1, -1
        self._finish_s = 0.0
        self._was_shuffling = False
        self._is_stale_due = faults.stale_boot
        self._reset_armed = False
        self._starts = 0
        self._before = (0, 0)
        self._slowest_s = 0.0
        self.url = ""
        """Path of the pty; another one after ``plug_in``, empty while unplugged."""
        self._link = self._boot(BootCause.POWER)

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()

    # --- life -----------------------------------------------------------------------------

    def start(self) -> None:
        """Open the pty and serve it."""
        self._wake_read, self._wake_write = os.pipe()
        self._stopping.clear()
        self.plug_in()
        self._thread = threading.Thread(target=self._serve, name="software-shuffler", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Close the pty; the thread has ended when this returns."""
        if self._thread is None:
            return
        self._stopping.set()
        self._wake()
        self._thread.join()
        self._thread = None
        self.pull_cable()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def plug_in(self) -> None:
        """Plug the cable in; the port has a new name, as a replugged adapter may."""
        with self._lock:
            if self._ours >= 0:
                return
            self._ours, self._theirs = pty.openpty()
            tty.setraw(self._theirs)
            os.set_blocking(self._ours, False)
            self.url = os.ttyname(self._theirs)
        self._wake()

    def pull_cable(self) -> None:
        """Pull the cable; the machine goes on, its events stay in its ring."""
        with self._lock:
            for end in (self._ours, self._theirs):
                if end >= 0:
                    os.close(end)
            self._ours, self._theirs, self.url = -1, -1, ""
            self._inward.clear()
            self._outward.clear()

    def reset(self, cause: BootCause = BootCause.WATCHDOG) -> None:
        """Restart the firmware at this instant: new epoch, memory lost, cards stay."""
        with self._lock:
            self._machine.power_cut()
            self._was_shuffling = False
            self._inward.clear()
            self._link = self._boot(cause)
        self._wake()

    def flash(self, firmware: str) -> None:
        """A programmer writes another firmware into it; it starts with that."""
        self._firmware = firmware
        self.reset(BootCause.BUTTON)

    def _boot(self, cause: BootCause) -> DeviceLink:
        identity = Identity(
            self._faults.kind,
            "soft shuffler",
            self._serial_number,
            self._firmware,
            Capability.COUNTED_DEAL
            | Capability.BOXED_SENSOR
            | Capability.LIGHT
            | Capability.TONE
            | Capability.EJECT
            | Capability.LOCK
            | Capability.BURN
            | Capability.SHUFFLES
            | Capability.DEALS
            | Capability.METERS
            | Capability.PART_TEST
            | Capability.SEALED
            | self._mixing,
            cause,
        )
        epoch = self._rng.randrange(1, 1 << 32)
        guard = DeviceGuard(self.memory, identity, epoch, lambda: self._rng.randbytes(KEY_BYTES))
        self._starts += 1
        self._before = (self._machine.moves, self._machine.passed)
        self._slowest_s = 0.0
        return DeviceLink(identity, epoch, self._execute, self._faults.version, guard)

    def _execute(self, command: Command) -> Reply:
        return self._meters() if isinstance(command, ReadMeters) else self._machine.execute(command)

    def _meters(self) -> Meters:
        """It feeds no card twice and loses no byte: its retries and overruns are none."""
        moves, passed = self._before
        return Meters(
            starts=self._starts,
            motions=self._machine.moves - moves,
            cards=self._machine.passed - passed,
            retries=0,
            noise=min(self._link.noise, 0xFFFF),
            overruns=0,
            slowest_us=min(round(self._slowest_s * 1e6), 0xFFFF),
        )

    # --- hands ----------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Cards in the machine."""
        with self._lock:
            return self._machine.count

    @property
    def gate(self) -> Gate:
        """How the gate stands."""
        with self._lock:
            return self._machine.gate

    @property
    def moves(self) -> int:
        """Motion commands carried out since the start."""
        with self._lock:
            return self._machine.moves

    def insert(self, cards: Sequence[MagazineCard]) -> None:
        """A person puts cards in the machine."""
        with self._lock:
            self._machine.insert(cards)
        self._wake()

    def stack(self, cards: Sequence[MagazineCard]) -> None:
        """Fill the machine with an order that the next shuffle leaves as it is."""
        with self._lock:
            self._machine.stack(cards)
        self._wake()

    def draw(self) -> MagazineCard | None:
        """A person takes the next card; None when the gate is held or the machine empty."""
        with self._lock:
            card = self._machine.draw()
        self._wake()
        return card

    def take_all(self) -> tuple[MagazineCard, ...]:
        """A person opens the lid and empties the machine."""
        with self._lock:
            cards = self._machine.take_all()
        self._wake()
        return cards

    def inject(self, fault: Fault) -> None:
        """Let one fault happen now."""
        match fault:
            case Fault.CABLE_PULLED:
                self.pull_cable()
            case Fault.RESET:
                self.reset()
            case Fault.RESET_BEFORE_ANSWER:
                self._reset_armed = True
            case Fault.DOUBLE_FEED:
                with self._lock:
                    self._machine.arm_double_feed()
            case Fault.FLOOD:
                self._flood()
            case Fault.JAM | Fault.HOPPER_EMPTY | Fault.LID_OPEN:
                with self._lock:
                    self._machine.raise_fault(_CODES[fault])
        self._wake()

    def kill_noise(self) -> None:
        """Let the noise source give nothing but zeros from now on."""
        with self._lock:
            self._machine.noise = bytes

    def repair_noise(self) -> None:
        """Put a sound noise source in."""
        with self._lock:
            self._machine.noise = self._rng.randbytes

    def wear_out(self, part: Part) -> None:
        """Let a part fail its test from now on."""
        with self._lock:
            self._machine.broken.add(part)

    def clear_fault(self, code: FaultCode) -> None:
        """A person removes the cause of a fault."""
        with self._lock:
            self._machine.clear_fault(code)
        self._wake()

    def _flood(self) -> None:
        """A bouncing lid sensor: a thousand events at once, more than the ring holds."""
        with self._lock:
            for _ in range(1000):
                self._emit(CardsIn(self._machine.count))

    # --- wire -----------------------------------------------------------------------------

    def _emit(self, event: DeviceEvent) -> None:
        self._link.emit(event)

    def _wake(self) -> None:
        if self._wake_write >= 0 and self._thread is not None:
            os.write(self._wake_write, b"!")

    def _serve(self) -> None:
        while not self._stopping.is_set():
            with self._lock:
                begun_s = time.monotonic()
                self._step(begun_s)
                self._slowest_s = max(self._slowest_s, time.monotonic() - begun_s)
                ours, wait_s = self._ours, self._wait_s(time.monotonic())
            ends = [self._wake_read] if ours < 0 else [self._wake_read, ours]
            try:
                ready, _, _ = select.select(ends, [], [], wait_s)
            except (OSError, ValueError):
                continue  # the cable was pulled between the two lines above
            if self._wake_read in ready:
                os.read(self._wake_read, _CHUNK)
            if ours in ready:
                self._read(ours)

    def _read(self, ours: int) -> None:
        with self._lock:
            if ours != self._ours:
                return
            try:
                data = os.read(ours, _CHUNK)
            except OSError:
                return
            if self._is_stale_due:
                self._is_stale_due = False
                self._outward.put(_STALE_BOOT, time.monotonic())
            self._inward.put(data, time.monotonic())

    def _step(self, now_s: float) -> None:
        moves = self._machine.moves
        for piece in self._inward.take(now_s):
            self._link.receive(piece)
        if self._reset_armed and self._machine.moves > moves:
            self._reset_armed = False
            self.reset()
        self._run_motors(now_s)
        self._outward.put(self._link.data_to_send(), now_s)
        for piece in self._outward.take(now_s):
            self._write(piece)

    def _run_motors(self, now_s: float) -> None:
        is_shuffling = self._machine.is_shuffling
        if is_shuffling and not self._was_shuffling:
            self._finish_s = now_s + self._shuffle_s
        if is_shuffling and now_s >= self._finish_s:
            self._machine.finish_shuffle()
            is_shuffling = False
        self._was_shuffling = is_shuffling

    def _write(self, piece: bytes) -> None:
        if self._ours < 0:
            return
        try:
            os.write(self._ours, piece)
        except OSError:
            return  # nobody reads: a UART talks into the air as well, replay heals it

    def _wait_s(self, now_s: float) -> float:
        due_s = min(self._inward.due_s, self._outward.due_s)
        if self._was_shuffling:
            due_s = min(due_s, self._finish_s)
        return min(max(due_s - now_s, 0.0), 1.0)
