"""How long the frames of a running table take: a hand is dealt, shown and gathered at full HD.

A rendered hand brings nine hands of two, face down, and five board cards, a card
every seven frames (four a second); then all nine hands are turned up at once, lie,
and everything is gathered. Every frame goes through the watcher and the real
recogniser, which reads the parts that changed. Prints ``name value unit`` lines for
all frames, and apart for those in which something was read, alone and several at once.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision import (
    CARD_LABELS,
    CardReader,
    Face,
    Frame,
    PlacedCard,
    Point,
    RenderedCamera,
    Scene,
    SeenCard,
    TableLayout,
    TableWatcher,
    render,
)

FPS = 30
FRAME_MS = 1000 / FPS
LAYOUT = TableLayout.standard(10)
CAMERA = RenderedCamera(width_px=1920, height_px=1080)
SHOE: Point = (1190.0, 650.0)
CARRIED_FRAMES, LEAVING_FRAMES = 4, 3
STILL_FRAMES = 30
"""A second in which nothing happens, after the deal, the showdown and the gathering."""


class CountingReader:
    """Reads, and counts the parts of the picture that it is given."""

    def __init__(self) -> None:
        self._reader = CardReader.load()
        self.parts = 0

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """The cards in a part of a frame."""
        self.parts += 1
        return self._reader.read(image)


@dataclass(frozen=True, slots=True)
class Look:
    """What the watcher did with one frame."""

    ms: float
    cpu_ms: float
    parts: int


def dealt() -> tuple[PlacedCard, ...]:
    """The cards in the order in which they come: two rounds of hands, then the board."""
    hands = [LAYOUT.places(f"seat:{seat}", 2) for seat in range(1, 10)]
    spots = [hand[card] for card in (0, 1) for hand in hands]
    spots += [LAYOUT.places(f"board:{n}", 1)[0] for n in range(1, 6)]
    faces = [Face.DOWN] * 18 + [Face.UP] * 5
    return tuple(
        PlacedCard(label, face, x, y)
        for label, face, (x, y) in zip(CARD_LABELS[:52:2], faces, spots, strict=False)
    )


def film() -> Iterator[Scene]:
    """The table, frame by frame."""
    cards = dealt()
    for number, card in enumerate(cards):
        lying = cards[:number]
        for step in range(CARRIED_FRAMES):
            spot = _between(SHOE, (card.x_mm, card.y_mm), (step + 1) / (CARRIED_FRAMES + 1))
            moved = replace(card, x_mm=spot[0], y_mm=spot[1])
            yield Scene((*lying, moved), hands=(spot,))
        for step in range(LEAVING_FRAMES):
            spot = _between((card.x_mm, card.y_mm), SHOE, step / LEAVING_FRAMES)
            yield Scene((*lying, card), hands=(spot,) if step < LEAVING_FRAMES - 1 else ())
    yield from [Scene(cards)] * STILL_FRAMES
    shown = tuple(replace(card, face=Face.UP) for card in cards)
    yield from [Scene(shown)] * STILL_FRAMES
    yield from [Scene()] * STILL_FRAMES


def _between(start: Point, end: Point, share: float) -> Point:
    (ax, ay), (bx, by) = start, end
    return (ax + share * (bx - ax), ay + share * (by - ay))


def watched() -> tuple[list[Look], set[str]]:
    """How long each frame took, and the names that were said."""
    reader = CountingReader()
    watcher = TableWatcher(
        reader, LAYOUT.zones.mapped(CAMERA.homography(LAYOUT.width_mm, LAYOUT.height_mm))
    )
    reader.read(render(Scene(), CAMERA))  # the first call of a net prepares it
    looks, said = [], set()
    for number, scene in enumerate(film()):
        frame = Frame(render(scene, CAMERA, number), number / FPS, number)
        reader.parts = 0
        started, worked = time.perf_counter(), time.process_time()
        sightings = watcher.feed(frame)
        taken = time.perf_counter() - started
        looks.append(Look(1000 * taken, 1000 * (time.process_time() - worked), reader.parts))
        said |= {card.card for sighting in sightings for card in sighting.cards}
    return looks, said


def told(name: str, looks: list[Look]) -> Iterator[str]:
    """Lines on some of the frames."""
    yield f"{name}_frames {len(looks)} frames"
    if looks:
        times = np.array([look.ms for look in looks])
        for percent in (50, 95, 99):
            yield f"{name}_p{percent} {np.percentile(times, percent):.2f} ms"
        yield f"{name}_cpu_p95 {np.percentile([look.cpu_ms for look in looks], 95):.2f} ms"
        yield f"{name}_late {100 * float((times > FRAME_MS).mean()):.1f} % over_{FRAME_MS:.0f}_ms"


def main() -> int:
    """Measure and print; 1 when a card was not named."""
    looks, said = watched()
    groups = {
        "watcher.all": looks,
        "watcher.nothing_read": [look for look in looks if look.parts == 0],
        "watcher.one_part_read": [look for look in looks if look.parts == 1],
        "watcher.several_parts_read": [look for look in looks if look.parts > 1],
    }
    for name, chosen in groups.items():
        print("\n".join(told(name, chosen)))
    missing = {card.card for card in dealt()} - said
    print(f"watcher.cards_named {len(dealt()) - len(missing)} of_{len(dealt())}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
