"""The watcher says a zone's content once it is sure of it, and only then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.layout import TableLayout
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.sources.frames import Frame
from vision.values import UNKNOWN, Face, SeenCard, Sighting
from vision.watcher import TableWatcher

CAMERA = RenderedCamera(width_px=640, height_px=360)
LAYOUT = TableLayout.standard(10)
POSE = CAMERA.homography(LAYOUT.width_mm, LAYOUT.height_mm)


class KnowingReader:
    """Knows what lies in the scene, and finds it in whichever part it is shown.

    It finds its place by the part's memory: the parts are windows of the frame.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.scene = Scene()
        self.frame: NDArray[np.uint8] = np.zeros((360, 640, 3), np.uint8)
        self.names: dict[str, Iterator[tuple[str, float]]] = {}
        self.hidden: set[str] = set()

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        self.calls += 1
        left, top = _offset(self.frame, image)
        height, width = image.shape[:2]
        seen = []
        for placed in self.scene.cards:
            quad = card_quad(placed, POSE)
            inside = all(left <= x < left + width and top <= y < top + height for x, y in quad)
            if inside and placed.card not in self.hidden:
                a, b, c, d = ((x - left, y - top) for x, y in quad)
                seen.append(self._named(placed, (a, b, c, d)))
        return tuple(seen)

    def _named(self, placed: PlacedCard, quad: tuple[tuple[float, float], ...]) -> SeenCard:
        a, b, c, d = quad
        if placed.face is Face.DOWN:
            return SeenCard(UNKNOWN, Face.DOWN, (a, b, c, d), 0.99, placed.back)
        name, confidence = next(self.names.get(placed.card, iter(())), (placed.card, 0.99))
        return SeenCard(name, Face.UP, (a, b, c, d), confidence)


def _offset(frame: NDArray[np.uint8], part: NDArray[np.uint8]) -> tuple[int, int]:
    """Where a part was cut out of a noisy frame: only one place fits exactly."""
    if part.shape == frame.shape:
        return (0, 0)
    rows, columns = part.shape[:2]
    for top in range(frame.shape[0] - rows + 1):
        starts = np.flatnonzero(
            (frame[top, : frame.shape[1] - columns + 1] == part[0, 0]).all(axis=1)
        )
        for left in starts:
            if np.array_equal(frame[top : top + rows, left : left + columns], part):
                return (int(left), top)
    raise AssertionError("the part is no window of the frame")


class Bench:
    """A table with a reader and a watcher, stepped frame by frame."""

    def __init__(self) -> None:
        self.reader = KnowingReader()
        self.watcher = TableWatcher(self.reader, LAYOUT.zones.mapped(POSE))
        self.number = 0

    def show(self, scene: Scene, frames: int = 1) -> list[Sighting]:
        said: list[Sighting] = []
        for _ in range(frames):
            image = render(scene, CAMERA, self.number)
            self.reader.scene, self.reader.frame = scene, image
            said += self.watcher.feed(Frame(image, self.number / 30, self.number))
            self.number += 1
        return said


@pytest.fixture
def bench() -> Bench:
    return Bench()


def lying(card: str, zone: str, count: int = 1, place: int = 0, face: Face = Face.UP) -> PlacedCard:
    x, y = LAYOUT.places(zone, count)[place]
    return PlacedCard(card, face, x, y)


def labels(sightings: list[Sighting]) -> dict[str, list[str]]:
    return {s.zone: [c.card for c in s.cards] for s in sightings}


def test_an_empty_table_is_not_worth_a_word(bench: Bench) -> None:
    assert bench.show(Scene(), 10) == []


def test_a_card_is_said_on_the_third_frame_and_once(bench: Bench) -> None:
    scene = Scene((lying("As", "board:1"),))

    assert bench.show(scene, 2) == []
    (sighting,) = bench.show(scene)
    assert (sighting.zone, sighting.cards[0].card, sighting.frame) == ("board:1", "As", 2)
    assert bench.show(scene, 20) == []


def test_cards_of_a_zone_are_said_from_left_to_right(bench: Bench) -> None:
    scene = Scene(tuple(lying(c, "seat:6", 3, n) for n, c in ((2, "Kd"), (0, "2c"), (1, "Th"))))

    assert labels(bench.show(scene, 3)) == {"seat:6": ["2c", "Th", "Kd"]}


def test_a_back_is_said_with_its_colour(bench: Bench) -> None:
    card = replace(lying("??", "burn", face=Face.DOWN), back="blue")

    (sighting,) = bench.show(Scene((card,)), 3)
    assert (sighting.cards[0].face, sighting.cards[0].back) == (Face.DOWN, "blue")


def test_turning_a_card_over_is_a_change(bench: Bench) -> None:
    bench.show(Scene((lying("??", "seat:1", face=Face.DOWN),)), 3)

    said = bench.show(Scene((lying("Qh", "seat:1"),)), 5)
    assert labels(said) == {"seat:1": ["Qh"]}


def test_nothing_is_read_while_nothing_changes(bench: Bench) -> None:
    scene = Scene((lying("As", "board:1"), lying("Kd", "seat:4")))
    bench.show(scene, 4)
    before = bench.reader.calls

    bench.show(scene, 30)
    assert bench.reader.calls == before


def test_a_change_is_read_alone(bench: Bench) -> None:
    first = lying("As", "seat:1")
    bench.show(Scene((first,)), 4)
    widths: list[int] = []
    read = bench.reader.read

    def noting(image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        widths.append(image.shape[1])
        return read(image)

    bench.reader.read = noting  # type: ignore[method-assign] # to note what is read
    said = bench.show(Scene((first, lying("Kd", "seat:9"))), 5)
    assert labels(said) == {"seat:9": ["Kd"]}
    assert max(widths) < CAMERA.width_px


def test_a_removed_card_is_said_gone_with_patience(bench: Bench) -> None:
    bench.show(Scene((lying("As", "board:3"),)), 3)

    said = bench.show(Scene(), 12)
    assert [(s.zone, s.cards) for s in said] == [("board:3", ())]


def test_a_moved_card_leaves_its_old_zone_before_it_is_said_in_the_new_one(bench: Bench) -> None:
    bench.show(Scene((lying("As", "seat:5"),)), 4)

    said = bench.show(Scene((lying("As", "board:1"),)), 12)
    assert [(s.zone, [c.card for c in s.cards]) for s in said] == [
        ("seat:5", []),
        ("board:1", ["As"]),
    ]
    assert said[0].frame == said[1].frame


def test_a_moved_back_is_never_in_two_zones(bench: Bench) -> None:
    bench.show(Scene((lying("??", "seat:5", face=Face.DOWN),)), 4)

    said = bench.show(Scene((lying("??", "burn", face=Face.DOWN),)), 12)
    assert [(s.zone, len(s.cards)) for s in said] == [("seat:5", 0), ("burn", 1)]


def test_a_hand_that_passes_changes_nothing(bench: Bench) -> None:
    cards = (lying("As", "seat:2", 2, 0), lying("Kd", "seat:2", 2, 1))
    bench.show(Scene(cards), 4)
    bench.reader.hidden = {"As", "Kd"}

    said: list[Sighting] = []
    for step in range(12):
        said += bench.show(Scene(cards, hands=((120.0 + 12 * step, 320.0),)))
    bench.reader.hidden = set()
    assert said + bench.show(Scene(cards), 12) == []


def test_a_card_that_a_neighbour_makes_unreadable_stays_decided(bench: Bench) -> None:
    """Known before, and its picture is the same: a reader in doubt changes nothing."""
    first, second = lying("As", "seat:2", 2, 0), lying("Kd", "seat:2", 2, 1)
    bench.show(Scene((first,)), 4)
    bench.reader.names["As"] = iter([(UNKNOWN, 0.2)] * 40)

    said = bench.show(Scene((first, second)), 12)
    assert [labels([s]) for s in said] == [{"seat:2": ["As", "Kd"]}]


def test_a_card_that_the_reader_overlooks_beside_another_is_not_gone(bench: Bench) -> None:
    first, second = lying("As", "seat:2", 2, 0), lying("Kd", "seat:2", 2, 1)
    bench.show(Scene((first,)), 4)
    bench.reader.hidden = {"As"}

    said = bench.show(Scene((first, second)), 12)
    assert [labels([s]) for s in said] == [{"seat:2": ["As", "Kd"]}]


def test_a_card_exchanged_for_another_in_its_place_is_read_anew(bench: Bench) -> None:
    bench.show(Scene((lying("As", "board:2"),)), 4)

    said = bench.show(Scene((lying("Qh", "board:2"),)), 6)
    assert [labels([s]) for s in said] == [{"board:2": ["Qh"]}]


def test_an_unread_card_in_the_place_of_a_known_one_is_not_that_one(bench: Bench) -> None:
    bench.show(Scene((lying("As", "board:2"),)), 4)
    bench.reader.names["Qh"] = iter([(UNKNOWN, 0.2)] * 40)

    said = bench.show(Scene((lying("Qh", "board:2"),)), 12)
    assert [labels([s]) for s in said] == [{"board:2": [UNKNOWN]}]


def test_a_doubtful_card_is_unknown_until_the_looks_agree(bench: Bench) -> None:
    looks = [("As", 0.6), ("Ad", 0.5), *[("As", 0.6)] * 20]
    bench.reader.names["As"] = iter(looks)
    scene = Scene((lying("As", "board:2"),))

    assert bench.show(scene, 4) == []
    assert labels(bench.show(scene, 6)) == {"board:2": ["As"]}


def test_a_single_wrong_look_does_not_flip_a_card(bench: Bench) -> None:
    bench.reader.names["As"] = iter([("As", 0.99), ("4s", 0.9), *[("As", 0.99)] * 20])

    said = bench.show(Scene((lying("As", "board:2"),)), 12)
    assert [labels([s]) for s in said] == [{"board:2": ["As"]}]


def test_a_card_that_cannot_be_read_is_said_unknown_and_named_later(bench: Bench) -> None:
    bench.reader.names["As"] = iter([(UNKNOWN, 0.2)] * 10 + [("As", 0.99)] * 30)
    scene = Scene((lying("As", "aside"),))

    assert labels(bench.show(scene, 9)) == {"aside": [UNKNOWN]}
    assert labels(bench.show(scene, 60)) == {"aside": ["As"]}


def test_what_a_reader_sees_in_a_marker_is_no_card(bench: Bench) -> None:
    marker = LAYOUT.markers[0]
    on_marker = PlacedCard("As", Face.UP, marker.x_mm + 30, marker.y_mm + 30)

    assert bench.show(Scene((on_marker,)), 12) == []


def test_moved_zones_repeat_nothing_that_was_said(bench: Bench) -> None:
    scene = Scene((lying("As", "board:1"),))
    bench.show(scene, 3)

    bench.watcher.move_zones(LAYOUT.zones.mapped(POSE))
    assert bench.show(scene, 6) == []


def test_a_card_between_two_zones_belongs_to_the_nearer() -> None:
    zones = LAYOUT.zones.mapped(np.eye(3))

    assert zones.zone_of((200.0, 280.0)) == "seat:3"
    assert zones.zone_of((200.0, 297.0)) == "seat:2"


def test_what_is_seen_now_is_settled_only_while_nothing_moves_there(bench: Bench) -> None:
    bench.show(Scene((lying("As", "pot"),)), frames=2)
    assert [(f.zone, f.card.card, f.is_settled) for f in bench.watcher.seen] == [
        ("pot", "As", False)
    ]

    bench.show(Scene((lying("As", "pot"),)), frames=3)
    assert [f.is_settled for f in bench.watcher.seen] == [True]

    bench.show(Scene((lying("Kd", "pot"),)), frames=1)
    assert [f for f in bench.watcher.seen if f.is_settled] == []
