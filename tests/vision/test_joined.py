"""Two cameras over one table: each zone by the one that sees it best, one view of all."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.joined import JoinedTable, View, owners
from vision.layout import TableLayout
from vision.markers import TableTracker
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.sources.frames import Frame
from vision.tracking import TrackedTable
from vision.values import Face, SeenCard, Sighting
from vision.zones import Homography

LAYOUT = TableLayout.standard(10)
WHOLE = RenderedCamera(width_px=1280, height_px=720)
SIZE = (1280, 720)


def window(left: int, top: int, right: int, bottom: int, zoom: float) -> Homography:
    """A part of what the usual camera sees, enlarged: as by a second, nearer camera."""
    shift = np.array([[zoom, 0, -left * zoom], [0, zoom, -top * zoom], [0, 0, 1.0]])
    return np.asarray(shift @ WHOLE.homography(1440, 810), dtype=np.float64)


NEAR = View(window(0, 300, 1280, 720, 1.5), 1920, 630)
"""The dealer's side with board, larger; the seats at the far side are not in it."""

FAR = View(WHOLE.homography(1440, 810), *SIZE)


def test_a_zone_belongs_to_the_camera_that_sees_it_whole_and_largest() -> None:
    names = [area.name for area in LAYOUT.zones.areas]
    owner = dict(zip(names, owners(LAYOUT, (FAR, NEAR)), strict=True))

    assert owner["seat:5"] == 0
    assert owner["burn"] == 1
    assert owner["stub"] == 1


def test_the_order_of_the_cameras_does_not_matter() -> None:
    one, other = owners(LAYOUT, (FAR, NEAR)), owners(LAYOUT, (NEAR, FAR))

    assert [1 - owner for owner in other] == list(one)


PAINTS = {"As": (255, 0, 255), "Kd": (255, 255, 0)}
"""Cards are painted in a colour that nothing else has, so that the reader cannot err."""


class Painted:
    """Reads painted cards, in whichever part of the picture it is shown."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        found = ((name, np.argwhere((image == PAINTS[name]).all(axis=2))) for name in PAINTS)
        return tuple(_seen(name, spots) for name, spots in found if len(spots) > 50)


def _seen(name: str, spots: NDArray[np.int64]) -> SeenCard:
    a, b, c, d = cv2.boxPoints(cv2.minAreaRect(spots[:, ::-1].astype(np.float32))).tolist()
    quad = ((a[0], a[1]), (b[0], b[1]), (c[0], c[1]), (d[0], d[1]))
    return SeenCard(name, Face.UP, quad, 0.99)


@lru_cache(maxsize=4)
def empty_table(camera: RenderedCamera) -> NDArray[np.uint8]:
    return render(Scene(), camera)


class Bench:
    """Two cameras with different pictures of the same table."""

    def __init__(self) -> None:
        self.cameras = (WHOLE, RenderedCamera(width_px=1600, height_px=900))
        self.joined = JoinedTable(Painted(), LAYOUT)
        self.eyes: list[TrackedTable] = []
        self.number = 0
        for camera in self.cameras:
            tracker = TableTracker(LAYOUT)
            tracker.look(empty_table(camera))
            self.eyes.append(self.joined.add(tracker, camera.width_px, camera.height_px))

    def give(self, first: frozenset[int], second: frozenset[int]) -> None:
        """Give each camera the areas that it shall watch."""
        every = frozenset(range(len(LAYOUT.zones.areas)))
        one, other = (eye.watcher for eye in self.joined._eyes)
        one.leave_out(every - first, (other,), {})
        other.leave_out(every - second, (one,), {})

    def show(self, *cards: PlacedCard, frames: int = 1) -> list[Sighting]:
        said: list[Sighting] = []
        for _ in range(frames):
            for eye, camera in zip(self.eyes, self.cameras, strict=True):
                image = empty_table(camera).copy()
                for placed in cards:
                    quad = np.array(card_quad(placed, camera.homography(1440, 810)))
                    cv2.fillPoly(image, [np.round(quad).astype(np.int32)], PAINTS[placed.card])
                said += eye.feed(Frame(image, self.number / 30, self.number))
            self.number += 1
        return said


def lying(card: str, zone: str) -> PlacedCard:
    return PlacedCard(card, Face.UP, *LAYOUT.places(zone, 1)[0])


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench()


def test_a_card_that_both_cameras_see_is_said_once(bench: Bench) -> None:
    said = bench.show(lying("As", "board:1"), frames=5)

    assert [(s.zone, [c.card for c in s.cards]) for s in said] == [("board:1", ["As"])]
    bench.show(frames=12)


def test_an_empty_table_is_not_worth_a_word() -> None:
    assert Bench().show(frames=4) == []


def test_a_card_moved_from_one_cameras_zone_to_the_others_is_never_in_both() -> None:
    bench = Bench()
    areas = LAYOUT.zones.areas
    left = frozenset(n for n, area in enumerate(areas) if area.corners[0][0] < 500)
    bench.give(left, frozenset(range(len(areas))) - left)
    bench.show(lying("As", "seat:1"), frames=4)

    said = bench.show(lying("As", "board:3"), frames=10)
    assert [(s.zone, [c.card for c in s.cards]) for s in said] == [
        ("seat:1", []),
        ("board:3", ["As"]),
    ]


def test_a_knock_of_one_camera_shares_the_zones_out_anew() -> None:
    bench = Bench()
    bench.show(lying("As", "board:1"), frames=5)
    turned = RenderedCamera(width_px=1600, height_px=900, roll_deg=40.0)
    bench.cameras = (WHOLE, turned)

    assert bench.show(lying("As", "board:1"), frames=8) == []
    said = bench.show(lying("As", "board:1"), lying("Kd", "board:2"), frames=5)
    assert [(s.zone, [c.card for c in s.cards]) for s in said] == [("board:2", ["Kd"])]


def test_cards_off_the_table_are_one_list_whoever_sees_them() -> None:
    bench = Bench()
    strips = [n for n, area in enumerate(LAYOUT.zones.areas) if area.name == "off_table"]
    bench.give(frozenset({strips[0]}), frozenset({strips[1]}))
    cards = (PlacedCard("As", Face.UP, 1402, 300), PlacedCard("Kd", Face.UP, 38, 300))

    said = bench.show(*cards, frames=4)
    assert sorted(c.card for c in said[-1].cards) == ["As", "Kd"]
