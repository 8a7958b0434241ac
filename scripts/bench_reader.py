"""Time of reading one full-HD frame with 25 cards, against one Canny pass over it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import cv2

from vision.finder import find_candidates
from vision.reader import CardReader
from vision.rendered import PlacedCard, RenderedCamera, Scene, render
from vision.values import CARD_LABELS, Face

_RUNS = 15


def median_ms(work: Callable[[], object]) -> float:
    """Median time of a few runs, after one that is not counted."""
    work()
    times = []
    for _ in range(_RUNS):
        started = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)


def main() -> None:
    """Print ``name value unit`` lines."""
    cards = tuple(
        PlacedCard(label, Face.UP, 290 + 200 * (n % 5), 165 + 120 * (n // 5), 37.0 * n)
        for n, label in enumerate(CARD_LABELS[:50:2])
    )
    frame = render(Scene(cards=cards), RenderedCamera(width_px=1920, height_px=1080))
    reader = CardReader.load()
    canny = median_ms(lambda: cv2.Canny(frame, 50, 150))
    find = median_ms(lambda: find_candidates(frame))
    read = median_ms(lambda: reader.read(frame))
    named = {card.card for card in reader.read(frame)} & {card.card for card in cards}
    print(f"reader.cards_right {len(named)} of_25")
    print(f"reader.canny_1080p {canny:.2f} ms")
    print(f"reader.find_1080p {find:.2f} ms")
    print(f"reader.read_1080p {read:.2f} ms")
    print(f"reader.read_by_canny {read / canny:.2f} ratio")


if __name__ == "__main__":
    main()
