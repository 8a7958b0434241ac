"""The rendered camera of the simulated table, paced by what happens on the felt.

A real camera films all the time; this one takes a few pictures after each act
and then waits, so that a thousand hands need no more frames than they have
moments. The pictures go through the same recogniser as those of a real camera.
"""

from __future__ import annotations

import queue
import threading
from typing import Final

from controller.demo.world import Lying, World
from vision import (
    CARD_WIDTH_MM,
    Face,
    Frame,
    PlacedCard,
    ReadingSource,
    RenderedCamera,
    Scene,
    TableLayout,
)
from vision import render as render_scene

FRAME_S: Final = 1 / 30
"""Seconds of table time between two pictures."""

_PITCH_MM: Final = 78.0
"""From card to card in a row: the space of the board's places."""

_MARGIN_MM: Final = 2.0

_HEAPS: Final = frozenset({"muck"})
"""Zones where cards lie on top of one another, so that only the last is seen."""


def set_out(world: World, layout: TableLayout) -> Scene:
    """The cards of the world where they lie on the layout."""
    placed: list[PlacedCard] = []
    for zone, pile in world.zones().items():
        if zone in _HEAPS:
            x_mm, y_mm = layout.places(zone, 1)[0]
            placed.extend(_place(lying, x_mm, y_mm) for lying in pile)
        else:
            spots = _spots(layout, zone, len(pile))
            placed.extend(_place(lying, *spot) for lying, spot in zip(pile, spots, strict=True))
    return Scene(cards=tuple(placed), width_mm=layout.width_mm, height_mm=layout.height_mm)


def _spots(layout: TableLayout, zone: str, count: int) -> tuple[tuple[float, float], ...]:
    """Centres of the cards of a zone: a row from the left that leaves alone what lies there."""
    if zone == "off_table" or zone.startswith("board:"):
        return layout.places(zone, count)
    polygon = layout.zones.polygon(zone)
    left, right = min(x for x, _ in polygon), max(x for x, _ in polygon)
    middle_y = sum(y for _, y in polygon) / len(polygon)
    room = right - left - CARD_WIDTH_MM - _MARGIN_MM
    pitch = min(_PITCH_MM, room / max(2, count - 1))
    first = left + (CARD_WIDTH_MM + _MARGIN_MM) / 2
    return tuple((first + pitch * n, middle_y) for n in range(count))


def _place(lying: Lying, x_mm: float, y_mm: float) -> PlacedCard:
    return PlacedCard(
        card=str(lying.card.face),
        face=Face.UP if lying.up else Face.DOWN,
        x_mm=x_mm,
        y_mm=y_mm,
        back=lying.card.back,
    )


class PacedCamera(ReadingSource):
    """A frame source that delivers a picture for each exposure asked for.

    Args:
        camera: How the felt is filmed.
    """

    def __init__(self, camera: RenderedCamera) -> None:
        self._camera = camera
        self._scenes: queue.Queue[Scene | None] = queue.Queue()
        self._number = 0
        self._waiting = threading.Event()

    def expose(self, scene: Scene, pictures: int) -> None:
        """Take this many pictures of a scene."""
        self._waiting.clear()
        for _ in range(pictures):
            self._scenes.put(scene)

    @property
    def is_waiting(self) -> bool:
        """Whether every picture asked for was taken and the reader has come for another."""
        return self._waiting.is_set() and self._scenes.empty()

    def read(self) -> Frame | None:
        """The next picture; waits for one, None once the camera is closed."""
        if self._scenes.empty():
            self._waiting.set()
        scene = self._scenes.get()
        if scene is None:
            return None
        image = render_scene(scene, self._camera, self._number)
        frame = Frame(image, self._number * FRAME_S, self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Stop: whoever waits for a picture gets None."""
        self._scenes.put(None)
