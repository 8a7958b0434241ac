"""How long a frame takes: rendering, watching, finding the markers.

Prints ``name value unit`` lines. ``ratio`` lines divide by the time of a plain
5 x 5 Gaussian blur of the same frame in the same run, so that machines of
different speed can be compared.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import (
    Face,
    Frame,
    PlacedCard,
    RenderedCamera,
    Scene,
    SeenCard,
    TableLayout,
    TableWatcher,
    find_table,
    render,
)

ROUNDS = 60
LAYOUT = TableLayout.standard(10)
CAMERA = RenderedCamera()


class BlindReader:
    """Sees nothing, at once: what is left is the watcher's own time."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """No cards."""
        return ()


def full_table() -> Scene:
    """Ten hands of two and five board cards."""
    spots = [p for n in range(1, 11) for p in LAYOUT.places(f"seat:{n}", 2)]
    spots += [LAYOUT.places(f"board:{n}", 1)[0] for n in range(1, 6)]
    labels = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    cards = (PlacedCard(c, Face.UP, x, y) for c, (x, y) in zip(labels, spots, strict=False))
    return Scene(tuple(cards))


def median_ms(step: Callable[[int], object]) -> float:
    """Median time of a step over ROUNDS rounds, in milliseconds, after three to warm up."""
    taken = []
    for number in range(ROUNDS + 3):
        start = time.perf_counter()
        step(number)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken[3:])


def main() -> None:
    """Measure and print."""
    scene = full_table()
    shorter = [Scene(scene.cards[:count]) for count in range(15, 25)]
    frames = [Frame(render(scene, CAMERA, n), n / 30, n) for n in range(8)]
    pose = CAMERA.homography(LAYOUT.width_mm, LAYOUT.height_mm)
    watcher = TableWatcher(BlindReader(), LAYOUT.zones.mapped(pose))
    reference = median_ms(lambda n: cv2.GaussianBlur(frames[n % 8].image, (5, 5), 0))
    times = {
        "render_changed_scene": median_ms(lambda n: render(shorter[n % 10], CAMERA, n)),
        "watch_unchanged_frame": median_ms(lambda n: watcher.feed(frames[n % 8])),
        "find_markers": median_ms(lambda n: find_table(frames[n % 8].image, LAYOUT.markers)),
    }
    print(f"reference_blur {reference:.2f} ms")
    for name, value in times.items():
        print(f"{name} {value:.2f} ms")
        print(f"{name}_ratio {value / reference:.2f} x")


if __name__ == "__main__":
    main()
