"""Measure the reference firmware: answers and events in the emulator, host's cost, size.

Prints lines of ``name value unit``. Times of the device are taken on its own clock,
which counts cycles and does not depend on how busy this computer is; ``wall`` times are
those of this computer, ``processor`` times what this process had of its processors.
Run from the repository root; builds what it needs.
"""

from __future__ import annotations

import asyncio
import ctypes
import random
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field

from firmware_bridge import (
    WIRES,
    BootCause,
    DeviceKey,
    FaultPlan,
    GateChanged,
    LinkChanged,
    Patience,
    PortAbsentError,
    Settings,
    Shuffler,
)
from firmware_bridge.faults import Wire
from firmware_bridge.framing import Frame, encode
from firmware_bridge.link import HostLink
from firmware_bridge.messages import (
    Accepted,
    Deal,
    DeviceStatus,
    Gate,
    ReadStatus,
    SealedCommand,
    SealedReply,
)
from firmware_bridge.outputs import Answered, EventSeen, LinkOutput
from firmware_bridge.port import BAUD
from firmware_bridge.states import LinkState
from scripts.emulated import BUILT, IMAGE, ROOT, Device, read_meter, running

CYCLES_PER_MS = 16_000
BITS_PER_BYTE = 10
WIRE_BYTES_PER_S = BAUD / BITS_PER_BYTE
ANSWERS = 500
SEALED_ANSWERS = 100
RESTARTS = 5
RETURNS = 5
BENCH_KEY = DeviceKey(bytes(range(32)))
HOST_ANSWERS = 2000
BAD_LINE_COMMANDS = 100_000
LATENCY_S = 0.001
AWAY_S = 2.0
"""How long the device is away at least: the host looks for it at its slowest pace by then. Each
time it is away a little longer, so that it returns at another moment between two looks."""
AWAY_STEP_S = 0.2
QUEUED = 4
"""Commands waiting in the host; it looks through them at every frame."""
BAD_LINE = FaultPlan(flip=0.01, lose=0.05)
"""One byte in a hundred corrupt, one frame in twenty lost, both ways."""

EXCHANGE = len(encode(Frame(ReadStatus(), 300, 7, 1, 90))) + len(
    encode(Frame(DeviceStatus(Gate.HELD, 0, 0, 0, 0, False), 300, 7, 1, 90))
)
"""Bytes of a ReadStatus and its answer; zeros in the header change them by one or two."""

SEALED_EXCHANGE = len(encode(Frame(SealedCommand(2, 0, bytes(32), 300, bytes(32)), 300, 7, 1))) + (
    len(encode(Frame(SealedReply(0x42, 10, bytes(32), bytes(32)), 300, 7, 1, 90)))
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    name: str
    value: float
    unit: str

    def __str__(self) -> str:
        """One line of output."""
        return f"{self.name} {self.value:.4g} {self.unit}"


def quantiles(name: str, values: list[float], unit: str) -> list[Figure]:
    """Median and 99th percentile."""
    ordered = sorted(values)
    return [
        Figure(f"{name}_p50", statistics.median(ordered), unit),
        Figure(f"{name}_p99", ordered[len(ordered) * 99 // 100], unit),
    ]


@dataclass(slots=True)
class Answers:
    """How long ReadStatus took, on both clocks."""

    device_ms: list[float] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)
    wire_ms: list[float] = field(default_factory=list)


async def time_answers(device: Device, shuffler: Shuffler, exchange: int, count: int) -> Answers:
    """Ask often; one of more bytes than ``exchange`` had a keep-alive in it and is left out."""
    answers = Answers()
    while len(answers.device_ms) < count:
        read_meter(device)
        begun_s = time.perf_counter()
        await shuffler.status()
        took_ms = (time.perf_counter() - begun_s) * 1e3
        meter = read_meter(device)
        if meter.bytes_in + meter.bytes_out > exchange + 2:
            continue
        answers.device_ms.append((meter.last_out - meter.first_in) / CYCLES_PER_MS)
        answers.wall_ms.append(took_ms)
        answers.wire_ms.append((meter.bytes_in + meter.bytes_out) / WIRE_BYTES_PER_S * 1e3)
    return answers


async def event_bytes_per_s(device: Device, shuffler: Shuffler) -> float:
    """Bytes of events per second while cards leave faster than the line carries them."""
    device.say("insert 400")
    device.say("wait 200")
    device.say("count")
    await shuffler.resume()
    read_meter(device)
    device.say("drain 400")
    meter = read_meter(device)
    return (meter.bytes_out - 1) / (meter.last_out - meter.first_out) * CYCLES_PER_MS * 1e3


async def restart_ms(device: Device, shuffler: Shuffler) -> float:
    """From a restart of the device to the host's next answer."""
    begun_s = time.perf_counter()
    device.say(f"reset {int(BootCause.POWER)}")
    await shuffler.status()
    return (time.perf_counter() - begun_s) * 1e3


class Socket:
    """Where the machine's cable is plugged in; a device that returns has another port name."""

    def __init__(self) -> None:
        self.url = ""

    def find(self) -> str:
        """The port's name now.

        Raises:
            PortAbsentError: nothing is plugged in.
        """
        if not self.url:
            raise PortAbsentError("the machine")
        return self.url


async def hear_state(shuffler: Shuffler, state: LinkState) -> None:
    """Wait until the link is so."""
    async for fact in shuffler.facts():
        if isinstance(fact, LinkChanged) and fact.new is state:
            return


async def measure_returns() -> list[Figure]:
    """From the device's return, power and cable cut before, to a link that is ready."""
    socket, took_s = Socket(), []
    settings = Settings(discover=socket.find, patience=Patience(lost_s=60))
    words = (BUILT / "emulate", IMAGE)
    with running(*words) as first:
        socket.url = first.url
        shuffler = await Shuffler.connect(first.url, settings=settings)
    async with shuffler:
        for n in range(RETURNS):
            socket.url = ""
            await hear_state(shuffler, LinkState.LOST)
            await asyncio.sleep(AWAY_S + n * AWAY_STEP_S)
            with running(*words) as device:
                begun_s = time.perf_counter()
                socket.url = device.url
                await hear_state(shuffler, LinkState.READY)
                took_s.append(time.perf_counter() - begun_s)
    return [
        Figure("firmware_return_to_ready_p50", statistics.median(took_s), "s"),
        Figure("firmware_return_to_ready_worst", max(took_s), "s"),
    ]


async def measure_sealed(device: Device) -> list[Figure]:
    """The same answers once the device has a key."""
    device.say("trust 1")
    device.say("wait 200")
    device.say("count")
    async with await Shuffler.connect(device.url) as shuffler:
        serial_number = shuffler.identity.serial_number
        await shuffler.set_key(BENCH_KEY)
    settings = Settings(keys={serial_number: BENCH_KEY})
    async with await Shuffler.connect(device.url, settings=settings) as shuffler:
        answers = await time_answers(device, shuffler, SEALED_EXCHANGE, SEALED_ANSWERS)
    return quantiles("firmware_sealed_ack", answers.device_ms, "ms")


async def measure_emulated() -> list[Figure]:
    """The unmodified image in simavr at 115,200 baud."""
    with running(BUILT / "emulate", IMAGE) as device:
        async with await Shuffler.connect(device.url) as shuffler:
            answers = await time_answers(device, shuffler, EXCHANGE, ANSWERS)
            events = await event_bytes_per_s(device, shuffler)
            slowest_us = (await shuffler.meters()).slowest_us
            restarts = [await restart_ms(device, shuffler) for _ in range(RESTARTS)]
        sealed = await measure_sealed(device)
        interrupt_cycles = int(device.say("interrupt").split()[0])
    over_wire = [d / w for d, w in zip(answers.device_ms, answers.wire_ms, strict=True)]
    wall = [d / w for d, w in zip(answers.wall_ms, answers.wire_ms, strict=True)]
    return [
        *quantiles("firmware_ack", answers.device_ms, "ms"),
        *quantiles("firmware_ack_over_wire", over_wire, "x"),
        *quantiles("firmware_wall_ack_over_wire", wall, "x"),
        *sealed,
        Figure("firmware_restart_to_answer", max(restarts), "ms"),
        Figure("firmware_events", events, "B/s"),
        Figure("firmware_events_over_wire", events / WIRE_BYTES_PER_S, "x"),
        Figure("firmware_worst_interrupt", interrupt_cycles / CYCLES_PER_MS * 1e3, "us"),
        Figure("firmware_slowest_pass", slowest_us, "us"),
    ]


async def measure_host() -> list[Figure]:
    """Round trips to the native build, which answers at once: what is left is the host's."""
    times_us: list[float] = []
    processor_us: list[float] = []
    with running(BUILT / "shuffler-native") as device:
        async with await Shuffler.connect(device.url) as shuffler:
            for _ in range(HOST_ANSWERS):
                begun_s, had_s = time.perf_counter(), time.process_time()
                await shuffler.status()
                times_us.append((time.perf_counter() - begun_s) * 1e6)
                processor_us.append((time.process_time() - had_s) * 1e6)
    return [
        *quantiles("firmware_host_cost", times_us, "us"),
        *quantiles("firmware_host_processor", processor_us, "us"),
    ]


def measure_size() -> list[Figure]:
    """Flash and memory of the image, as ``avr-size`` counts them."""
    listed = subprocess.run(["avr-size", str(IMAGE)], capture_output=True, text=True, check=True)
    text, data, bss = (int(word) for word in listed.stdout.splitlines()[1].split()[:3])
    return [
        Figure("firmware_flash", text + data, "B"),
        Figure("firmware_memory", data + bss, "B"),
    ]


# --- the firmware's core in simulated time ----------------------------------------------------


class SimulatedFirmware:
    """The firmware's core in this process; its clock is whatever the caller says.

    Args:
        cards: in the machine at its start.
        starts: its epoch.
    """

    def __init__(self, cards: int, starts: int = 1) -> None:
        self._library = ctypes.CDLL(str(BUILT / "simulated.so"))
        self._library.simulated_new.restype = ctypes.c_void_p
        self._library.simulated_send.restype = ctypes.c_size_t
        self._library.simulated_motions.restype = ctypes.c_uint32
        self._handle = ctypes.c_void_p(self._library.simulated_new(cards, starts))
        self._out = ctypes.create_string_buffer(8192)

    def close(self) -> None:
        """Free it."""
        self._library.simulated_free(self._handle)

    def restart(self) -> None:
        """Lose the memory, keep the cards, begin another epoch."""
        self._library.simulated_restart(self._handle)

    def advance(self, now_s: float) -> None:
        """Let its sensors and motors run until then."""
        self._library.simulated_advance(self._handle, ctypes.c_uint64(int(now_s * 1e6)))

    def receive(self, data: bytes) -> None:
        """Bytes from the wire."""
        self._library.simulated_receive(self._handle, data, ctypes.c_size_t(len(data)))

    def data_to_send(self) -> bytes:
        """Bytes for the wire."""
        size = self._library.simulated_send(
            self._handle, self._out, ctypes.c_size_t(len(self._out))
        )
        return self._out.raw[:size]

    @property
    def motions(self) -> int:
        """Motion commands carried out, over all starts."""
        return int(self._library.simulated_motions(self._handle))


class SimulatedLine:
    """Host and firmware joined by wires; simulated time jumps from deadline to deadline."""

    def __init__(self, plan: FaultPlan = WIRES["perfect"], seed: int = 1) -> None:
        self.now_s = 100.0
        self.device = SimulatedFirmware(cards=10)
        self.host = HostLink(session=7)
        self.outputs: list[LinkOutput] = []
        self._there = Wire(plan, random.Random(seed))
        self._back = Wire(plan, random.Random(seed + 1))
        self.device.advance(self.now_s)
        self.device.data_to_send()  # what a device says before anybody listens is lost

    def step(self) -> None:
        """To the next instant at which anything happens."""
        self._there.put(self.host.data_to_send(), self.now_s + LATENCY_S)
        self._back.put(self.device.data_to_send(), self.now_s + LATENCY_S)
        due_s = min(self.host.deadline_s, self._there.due_s, self._back.due_s)
        self.now_s = max(self.now_s, min(due_s, self.now_s + 1.0))
        self.device.advance(self.now_s)
        for piece in self._there.take(self.now_s):
            self.device.receive(piece)
        for piece in self._back.take(self.now_s):
            self.host.receive(piece, self.now_s)
        self.host.tick(self.now_s)
        self.outputs.extend(self.host.take_outputs())
        if self.host.state is LinkState.LOST:
            self.host.port_opened(self.now_s)


@dataclass(frozen=True, slots=True)
class Endured:
    """What became of many commands over a bad line; each permitted another number of cards."""

    accepted: int
    executed: int
    seen: tuple[int, ...]
    """The numbers permitted, as the events told them."""
    sends: int
    line_s: float
    """How long the line would have taken."""


def endure(commands: int, plan: FaultPlan, seed: int) -> Endured:
    """Send ``Deal`` after ``Deal`` with 1, 2, 3 and so on, from 1 again after 60,000."""
    line = SimulatedLine(plan, seed)
    line.host.port_opened(line.now_s)
    sent = accepted = 0
    seen: list[int] = []
    begun_s = line.now_s
    while accepted < commands or len(seen) < commands:
        if sent < commands and sent - accepted < QUEUED:
            line.host.send(Deal(sent % 60_000 + 1), line.now_s)
            sent += 1
        line.step()
        for output in line.outputs:
            if isinstance(output, Answered):
                accepted += isinstance(output.reply, Accepted)
            elif isinstance(output, EventSeen) and isinstance(output.event, GateChanged):
                seen += [output.event.permitted] * (output.event.gate is Gate.COUNTED)
        line.outputs.clear()
    executed = line.device.motions
    line.device.close()
    line_s = line.now_s - begun_s
    return Endured(accepted, executed, tuple(seen), line.host.counters.sends, line_s)


def measure_bad_line() -> list[Figure]:
    """Commands and events that are missing or came twice, of so many."""
    endured = endure(BAD_LINE_COMMANDS, BAD_LINE, seed=5)
    wanted = (n % 60_000 + 1 for n in range(BAD_LINE_COMMANDS))
    strayed = sum(seen != sent for seen, sent in zip(endured.seen, wanted, strict=False))
    wrong = strayed + abs(endured.executed - BAD_LINE_COMMANDS)
    wrong += abs(len(endured.seen) - BAD_LINE_COMMANDS)
    return [
        Figure("firmware_bad_line_commands", endured.accepted, "commands"),
        Figure("firmware_bad_line_lost_or_twice", wrong, "commands"),
        Figure("firmware_bad_line_sends", endured.sends / BAD_LINE_COMMANDS, "per command"),
    ]


def main() -> int:
    """Build, measure, print."""
    subprocess.run(
        ["make", "-s", "-C", str(ROOT / "firmware"), "native", "avr", "emulator", "simulated"],
        check=True,
    )
    figures = [
        *asyncio.run(measure_emulated()),
        *asyncio.run(measure_returns()),
        *asyncio.run(measure_host()),
        *measure_size(),
    ]
    for figure in [*figures, *measure_bad_line()]:
        print(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
