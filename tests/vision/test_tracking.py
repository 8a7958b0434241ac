"""A knocked camera is noticed, nothing wrong is said, and the zones move along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.layout import TableLayout
from vision.markers import Position, TableTracker
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.sources.frames import Frame
from vision.sources.health import SourceHealth
from vision.tracking import EdgeSense, TrackedTable
from vision.values import Face, SeenCard, Sighting
from vision.watcher import FoundCard, TableWatcher
from vision.zones import Homography, Zones, map_points

LAYOUT = TableLayout.standard(10)
CAMERA = RenderedCamera()
KNOCKED = replace(CAMERA, roll_deg=4.0)
HANDS = ((140.0, 90.0), (1300.0, 90.0), (140.0, 650.0), (1300.0, 650.0))
"""Over all four markers."""


class Noting:
    """A watcher that notes what it was given."""

    def __init__(self) -> None:
        self.frames: list[int] = []
        self.zones: list[Zones] = []
        self.seen: tuple[FoundCard, ...] = ()

    def move_zones(self, zones: Zones, /) -> None:
        self.zones.append(zones)

    def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
        self.frames.append(frame.number)
        return ()


class Bench:
    """A tracked table, shown scenes through a camera."""

    def __init__(self) -> None:
        self.tracker = TableTracker(LAYOUT)
        self.tracker.look(render(Scene(), CAMERA))
        self.watcher = Noting()
        self.table = TrackedTable(self.watcher, self.tracker)
        self.number = 0

    def show(self, scene: Scene, camera: RenderedCamera, frames: int = 1) -> SourceHealth:
        for _ in range(frames):
            image = render(scene, camera, self.number)
            self.table.feed(Frame(image, self.number / 30, self.number))
            self.number += 1
        return self.table.health


@pytest.fixture
def bench() -> Bench:
    return Bench()


def full_table() -> Scene:
    spots = [p for n in range(1, 11) for p in LAYOUT.places(f"seat:{n}", 2)]
    return Scene(tuple(PlacedCard("As", Face.UP, x, y) for x, y in spots))


def test_a_still_camera_is_well_whatever_hands_do(bench: Bench) -> None:
    bench.show(full_table(), CAMERA, 2)
    hands = ((300.0, 300.0), (700.0, 500.0), (1100.0, 200.0))

    assert bench.show(replace(full_table(), hands=hands), CAMERA, 3) is SourceHealth.OK
    assert bench.watcher.zones == []
    assert len(bench.watcher.frames) == 5


def test_a_knock_moves_the_zones_with_the_very_next_frame(bench: Bench) -> None:
    bench.show(full_table(), CAMERA, 3)

    assert bench.show(full_table(), KNOCKED) is SourceHealth.MOVED
    (zones,) = bench.watcher.zones
    centre = np.mean(zones.polygon("seat:1"), axis=0)
    true = map_points(KNOCKED.homography(1440, 810), [(200.0, 483.0)])[0]
    assert centre == pytest.approx(true, abs=3)


def test_a_camera_that_stays_where_it_was_knocked_to_is_well_again(bench: Bench) -> None:
    bench.show(full_table(), CAMERA, 3)
    bench.show(full_table(), KNOCKED)

    assert bench.show(full_table(), KNOCKED, 3) is SourceHealth.OK


def test_nothing_is_decided_while_a_knocked_table_is_not_found(bench: Bench) -> None:
    bench.show(full_table(), CAMERA, 3)
    fed = len(bench.watcher.frames)

    assert bench.show(replace(full_table(), hands=HANDS), KNOCKED, 4) is SourceHealth.ASTRAY
    assert len(bench.watcher.frames) == fed
    assert bench.show(full_table(), KNOCKED) is SourceHealth.MOVED
    assert len(bench.watcher.frames) == fed + 1


def test_a_camera_set_back_is_well_at_once(bench: Bench) -> None:
    bench.show(full_table(), CAMERA, 3)
    bench.show(replace(full_table(), hands=HANDS), KNOCKED)

    assert bench.show(full_table(), CAMERA) is SourceHealth.OK
    assert bench.watcher.zones == []


def test_all_cards_swept_away_are_no_knock(bench: Bench) -> None:
    bench.show(full_table(), CAMERA, 3)

    assert bench.show(Scene(), CAMERA) is SourceHealth.OK


def test_a_slow_drift_is_noticed_at_the_next_look(bench: Bench) -> None:
    bench.show(Scene(), CAMERA, 2)
    drifted = replace(CAMERA, roll_deg=0.5)

    bench.show(Scene(), drifted, 35)
    assert len(bench.watcher.zones) == 1


def covered(image: NDArray[np.uint8], pose: Homography, *numbers: int) -> NDArray[np.uint8]:
    """The picture with some markers painted over."""
    image = image.copy()
    for number in numbers:
        corners = np.array(map_points(pose, LAYOUT.markers[number].corners))
        (left, top), (right, bottom) = corners.min(axis=0) - 12, corners.max(axis=0) + 12
        image[max(0, int(top)) : int(bottom), max(0, int(left)) : int(right)] = (62, 98, 28)
    return image


@pytest.mark.parametrize(
    ("camera", "position"), [(CAMERA, Position.HIDDEN), (KNOCKED, Position.ASTRAY)]
)
def test_one_marker_tells_of_a_knock_but_not_where_the_table_is(
    camera: RenderedCamera, position: Position
) -> None:
    tracker = TableTracker(LAYOUT)
    tracker.look(render(Scene(), CAMERA))
    pose = camera.homography(1440, 810)

    assert tracker.look(covered(render(Scene(), camera), pose, 0, 1, 2)) is position


@pytest.mark.parametrize("light", [0.5, 0.7, 1.3])
def test_edges_stay_when_the_light_changes(light: float) -> None:
    sense = EdgeSense()
    sense.remember(render(full_table(), CAMERA))

    assert sense.gone_share(render(full_table(), replace(CAMERA, light=light))) < 0.02


def test_a_picture_without_edges_says_nothing() -> None:
    sense = EdgeSense()
    sense.remember(np.full((360, 640, 3), 90, np.uint8))

    assert sense.gone_share(render(Scene(), CAMERA)) == 0.0


class Lying:
    """Sees one card, wherever the camera is."""

    def __init__(self) -> None:
        self.camera = CAMERA

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        if image.shape[1] < CAMERA.width_px:
            return ()
        placed = PlacedCard("As", Face.UP, *LAYOUT.places("board:1", 1)[0])
        quad = card_quad(placed, self.camera.homography(1440, 810))
        return (SeenCard("As", Face.UP, quad, 0.99),)


def test_a_card_on_a_knocked_table_is_said_once() -> None:
    reader, tracker = Lying(), TableTracker(LAYOUT)
    tracker.look(render(Scene(), CAMERA))
    table = TrackedTable(TableWatcher(reader, tracker.zones), tracker)
    scene = Scene((PlacedCard("As", Face.UP, *LAYOUT.places("board:1", 1)[0]),))
    said: list[Sighting] = []
    for number in range(12):
        reader.camera = CAMERA if number < 5 else KNOCKED
        image = render(scene, reader.camera, number)
        said += table.feed(Frame(image, number / 30, number))

    assert [(s.zone, [c.card for c in s.cards]) for s in said] == [("board:1", ["As"])]


def test_zones_moved_on_the_table_are_watched_where_they_lie_in_the_picture(bench: Bench) -> None:
    before = bench.table.zones.polygon("pot")
    moved = tuple(
        replace(zone, corners=tuple((x + 10.0, y) for x, y in zone.corners))
        for zone in LAYOUT.zones.areas
    )
    bench.table.move_zones(Zones(moved))

    (given,) = bench.watcher.zones
    across = given.polygon("pot")[0][0] - before[0][0]
    assert across == pytest.approx(10 * 1280 / 1440, rel=0.15)
    assert bench.table.zones == given
    assert given.blind == LAYOUT.zones.mapped(bench.tracker.homography).blind
