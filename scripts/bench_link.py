"""Measure the link: round trip over wire time on a pty, frames encoded and decoded per second.

Prints lines of ``name value unit``. Run from the repository root.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from dataclasses import dataclass

from firmware_bridge import Shuffler, SoftwareShuffler
from firmware_bridge.framing import Decoder, Frame, encode
from firmware_bridge.messages import DeviceStatus, Gate, ReadStatus
from firmware_bridge.port import BAUD

COMMANDS = 2000
FRAMES = 50_000
BITS_PER_BYTE = 10
"""Start bit, eight data bits, stop bit."""

COMMAND = Frame(ReadStatus(), 300, 7, 0x1234_5678, 90)
REPLY = Frame(DeviceStatus(Gate.OPEN, 0, 52, 0, 0, False), 300, 7, 0x1234_5678, 90)


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    name: str
    value: float
    unit: str

    def __str__(self) -> str:
        """One line of output."""
        return f"{self.name} {self.value:.4g} {self.unit}"


def wire_time_s() -> float:
    """Time that both frames spend on a UART at ``BAUD``."""
    return (len(encode(COMMAND)) + len(encode(REPLY))) * BITS_PER_BYTE / BAUD


async def round_trips_s() -> tuple[list[float], list[float]]:
    """Command to answer through the front door and a real pty, in seconds.

    Returns:
        What passed on the wall's clock, and what this process had of its processors: the
        host's share and the software device's.
    """
    times_s: list[float] = []
    processor_s: list[float] = []
    with SoftwareShuffler(rng=random.Random(1)) as machine:
        async with await Shuffler.connect(machine.url) as shuffler:
            for _ in range(COMMANDS):
                begun_s, had_s = time.perf_counter(), time.process_time()
                await shuffler.status()
                times_s.append(time.perf_counter() - begun_s)
                processor_s.append(time.process_time() - had_s)
    return times_s, processor_s


def codec_rates() -> list[Figure]:
    """Frames per second through ``encode`` and ``Decoder.feed``."""
    begun_s = time.perf_counter()
    wire = [encode(COMMAND) for _ in range(FRAMES)]
    encoded_s = time.perf_counter()
    decoder = Decoder()
    count = sum(len(decoder.feed(data)) for data in wire)
    decoded_s = time.perf_counter()
    if count != FRAMES:
        raise RuntimeError(f"decoded {count} of {FRAMES} frames")
    return [
        Figure("link_encode", FRAMES / (encoded_s - begun_s), "frames/s"),
        Figure("link_decode", FRAMES / (decoded_s - encoded_s), "frames/s"),
    ]


def main() -> None:
    """Print all figures.

    A pty passes bytes at once, so a round trip on it is the software's share;
    on a UART the wire time comes on top: ``(wire + pty) / wire``.
    """
    wire_s = wire_time_s()
    passed_s, processor_s = asyncio.run(round_trips_s())
    times_s = sorted(passed_s)
    median_s = statistics.median(times_s)
    p99_s = times_s[len(times_s) * 99 // 100]
    figures = [
        Figure("link_round_trip_p50", median_s * 1e3, "ms"),
        Figure("link_round_trip_p99", p99_s * 1e3, "ms"),
        Figure("link_round_trip_processor_p50", statistics.median(processor_s) * 1e3, "ms"),
        Figure("link_wire_time", wire_s * 1e3, "ms"),
        Figure("link_ack_over_wire_p50", (wire_s + median_s) / wire_s, "x"),
        Figure("link_ack_over_wire_p99", (wire_s + p99_s) / wire_s, "x"),
        *codec_rates(),
    ]
    for figure in figures:
        print(figure)


if __name__ == "__main__":
    main()
