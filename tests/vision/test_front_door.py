"""What the package offers, and the camera's whole way from a source to a sighting."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import vision
from vision import (
    Face,
    PlacedCard,
    RenderedSource,
    Scene,
    SeenCard,
    Sighting,
    TableLayout,
    TableTracker,
    TableWatcher,
)


def test_everything_offered_exists_and_is_named_once() -> None:
    assert len(set(vision.__all__)) == len(vision.__all__)
    assert all(hasattr(vision, name) for name in vision.__all__)


class WhitePatchReader:
    """Calls every large white patch the ace of spades: enough to follow one card."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        rows, columns = np.nonzero((image > 200).all(axis=2))
        if rows.size < 500:
            return ()
        left, right = float(columns.min()), float(columns.max())
        top, bottom = float(rows.min()), float(rows.max())
        quad = ((left, top), (right, top), (right, bottom), (left, bottom))
        return (SeenCard("As", Face.UP, quad, 0.99),)


def test_a_card_laid_before_the_camera_is_said_in_its_zone() -> None:
    layout = TableLayout.standard(6)
    (x, y), *_ = layout.places("board:3", 1)
    scenes = iter([Scene()] * 4 + [Scene((PlacedCard("As", Face.UP, x, y),))] * 6)
    tracker, said = TableTracker(layout), list[Sighting]()
    watcher: TableWatcher | None = None
    with RenderedSource(lambda: next(scenes), clock=lambda: 0.0, frames=10) as source:
        for frame in source:
            zones = tracker.update(frame.image)
            if zones is not None:
                watcher = TableWatcher(WhitePatchReader(), zones)
            assert watcher is not None
            said += watcher.feed(frame)

    assert [(s.zone, s.cards[0].card) for s in said if s.zone.startswith("board")] == [
        ("board:3", "As")
    ]
