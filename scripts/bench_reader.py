"""Time of reading a full-HD frame of a full table, against decoding and converting it.

Five board cards and nine hands of two lie on the table. The reference is what
any camera program pays for the frame before it looks at it: decoding the JPEG
that the camera sends, and converting its colours once. ``cpu`` is the processor
time of all threads, which other work on the machine disturbs less.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import CornerReader
from vision.finder import Masks, find_candidates
from vision.layout import TableLayout
from vision.levels import Image, Levels
from vision.reader import MODEL_PATH, CardReader
from vision.rendered import PlacedCard, RenderedCamera, Scene, render
from vision.values import CARD_LABELS, Face

_RUNS = 100
_QUALITY = 90


@dataclass(frozen=True, slots=True)
class Times:
    """What some runs took, in milliseconds and rising: by the clock, and of processors."""

    wall: list[float]
    cpu: list[float]

    def wall_at(self, share: float) -> float:
        """The time that this share of the runs stays below."""
        return self.wall[int(share * len(self.wall))]


def times_ms(work: Callable[[], object]) -> Times:
    """Times of some runs, after two that are not counted."""
    wall, cpu = [], []
    for number in range(_RUNS + 2):
        started, worked = time.perf_counter(), time.process_time()
        work()
        if number >= 2:
            wall.append(1000 * (time.perf_counter() - started))
            cpu.append(1000 * (time.process_time() - worked))
    return Times(sorted(wall), sorted(cpu))


def full_table() -> Scene:
    """Five board cards and nine hands of two."""
    layout = TableLayout.standard(10)
    spots = [place for seat in range(1, 10) for place in layout.places(f"seat:{seat}", 2)]
    spots += [layout.places(f"board:{n}", 1)[0] for n in range(1, 6)]
    labels = CARD_LABELS[:52:2]
    return Scene(
        tuple(PlacedCard(c, Face.UP, x, y) for c, (x, y) in zip(labels, spots, strict=False))
    )


def decoded(sent: NDArray[np.uint8]) -> Image:
    """The frame that a JPEG holds, its colours converted once."""
    frame = np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), dtype=np.uint8)


def main() -> None:
    """Print ``name value unit`` lines."""
    scene = full_table()
    frame = render(scene, RenderedCamera(width_px=1920, height_px=1080))
    _, data = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
    sent = np.asarray(data, dtype=np.uint8)
    reader = CardReader.load()
    corners = CornerReader.load(MODEL_PATH.parent)
    decode = times_ms(lambda: decoded(sent))
    read = times_ms(lambda: reader.read(frame))
    named = {card.card for card in reader.read(frame)} & {card.card for card in scene.cards}
    print(f"reader.cards_right {len(named)} of_{len(scene.cards)}")
    print(f"reader.decode_1080p_p50 {decode.wall_at(0.5):.2f} ms")
    print(f"reader.read_1080p_p50 {read.wall_at(0.5):.2f} ms")
    print(f"reader.read_1080p_p95 {read.wall_at(0.95):.2f} ms")
    print(f"reader.read_by_decode {read.wall_at(0.5) / decode.wall_at(0.5):.2f} ratio")
    print(f"reader.decode_1080p_cpu {statistics.median(decode.cpu):.2f} ms")
    print(f"reader.read_1080p_cpu {statistics.median(read.cpu):.2f} ms")
    for name, work in (
        ("corners", lambda: corners.read(Levels(frame))),
        ("outlines", lambda: find_candidates(Masks.of(Levels(frame).shrunk()))),
    ):
        print(f"reader.{name}_1080p_cpu {statistics.median(times_ms(work).cpu):.2f} ms")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"reader.peak_memory {peak_mb:.0f} MB")


if __name__ == "__main__":
    main()
