"""A face that shows while its card flies is noticed, named and kept as a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.flash import Flash, FlashWatch
from vision.reader import CardReader
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.sources.frames import Frame
from vision.values import UNKNOWN, Face, SeenCard

CAMERA = RenderedCamera()
POSE = CAMERA.homography(1440, 810)
START, STEP = (720.0, 620.0), (-55.0, -38.0)
"""A card pitched from the dealer to a seat at the left: 2 m/s at 30 frames a second."""


def flying(frame: int, face: Face, card: str = "7h") -> PlacedCard:
    x, y = START[0] + STEP[0] * frame, START[1] + STEP[1] * frame
    return PlacedCard(card, face, x, y, 9.0 * frame)


@dataclass
class Seeing:
    """Sees the flying card in whatever part it is shown; names it as told."""

    names: Callable[[int], tuple[str, float]] = lambda _: ("7h", 0.9)
    placed: PlacedCard | None = None
    number: int = 0
    parts: list[tuple[int, int]] = field(default_factory=list)

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        self.parts.append(image.shape[:2])
        if self.placed is None:
            return ()
        a, b, c, d = card_quad(self.placed, POSE)
        name, confidence = self.names(self.number)
        if self.placed.face is Face.DOWN:
            return (SeenCard(UNKNOWN, Face.DOWN, (a, b, c, d), 0.99, "red"),)
        return (SeenCard(name, Face.UP, (a, b, c, d), confidence),)


def pitched(reader: Seeing, faces: str, still: int = 5) -> list[Flash]:
    """Show a flight, one letter a frame: ``u`` face up, ``d`` down, ``-`` not to be seen."""
    watch = FlashWatch(reader)
    found = list(watch.feed(Frame(render(Scene(), CAMERA, 99), 0.0, 0)))
    letters = faces + "." * still
    for number, letter in enumerate(letters, start=1):
        place = min(number, len(faces))
        face = Face.UP if letter == "u" else Face.DOWN
        reader.placed = None if letter in "-." else flying(place, face)
        reader.number = number
        shown = flying(place, Face.UP if "u" in letter else Face.DOWN)
        image = render(Scene((shown,)), CAMERA, number)
        found += watch.feed(Frame(image, number / 30, number))
    return found


def test_a_face_in_two_frames_of_a_flight_is_a_flash() -> None:
    (flash,) = pitched(Seeing(), "dduudd")

    assert (flash.card, flash.looks) == ("7h", 2)
    assert flash.frame in {3, 4}


def test_a_card_that_stays_face_down_is_none() -> None:
    assert pitched(Seeing(), "ddddd") == []


def test_one_face_in_one_frame_may_be_a_misreading() -> None:
    assert pitched(Seeing(), "dduddd") == []


def test_a_frame_too_blurred_to_see_the_card_does_not_part_the_flight() -> None:
    (flash,) = pitched(Seeing(), "du-ud")

    assert flash.looks == 2


def test_a_face_that_no_frame_names_is_still_a_flash() -> None:
    (flash,) = pitched(Seeing(lambda _: (UNKNOWN, 0.4)), "duuud")

    assert flash.card == UNKNOWN


def test_the_clearest_frame_is_the_evidence() -> None:
    sure = {2: 0.7, 3: 0.95, 4: 0.8}
    (flash,) = pitched(Seeing(lambda n: ("7h", sure.get(n, 0.5))), "duuud")

    assert flash.frame == 3
    assert flash.evidence.shape == (720, 1280, 3)
    assert flash.at_s == pytest.approx(3 / 30)


def test_a_card_lying_still_is_not_even_read() -> None:
    reader = Seeing()
    watch, scene = FlashWatch(reader), Scene((PlacedCard("7h", Face.UP, 400, 400),))
    for number in range(6):
        watch.feed(Frame(render(scene, CAMERA, number), number / 30, number))

    assert reader.parts == []


def test_a_change_of_light_is_not_read() -> None:
    reader = Seeing()
    watch = FlashWatch(reader)
    for number, light in enumerate((1.0, 1.4, 0.7)):
        image = render(Scene(), RenderedCamera(light=light), number)
        watch.feed(Frame(image, number / 30, number))

    assert reader.parts == []


def through_exposure(frame: int, face: Face, share: float) -> NDArray[np.uint8]:
    """The flight smeared over a share of the time between two frames."""
    moments = [frame + share * n / 3 for n in range(4)]
    pictures = []
    for moment in moments:
        x, y = START[0] + STEP[0] * moment, START[1] + STEP[1] * moment
        placed = PlacedCard("7h", face, x, y, 9.0 * moment)
        pictures.append(render(Scene((placed,)), RenderedCamera(noise=0.0)).astype(np.float32))
    grain = np.random.default_rng(frame).normal(0, 2, pictures[0].shape)
    return np.asarray(np.clip(np.mean(pictures, axis=0) + grain, 0, 255), dtype=np.uint8)


def test_the_recogniser_names_a_flashed_card_at_a_short_exposure() -> None:
    """2 m/s and 1/1000 s: the card smears by 2 mm."""
    watch = FlashWatch(CardReader.load())
    found = list(watch.feed(Frame(render(Scene(), CAMERA), 0.0, 0)))
    for number in range(1, 10):
        face = Face.UP if number in {3, 4, 5} else Face.DOWN
        place = min(number, 7)
        image = through_exposure(place, face, 0.03 if number <= 7 else 0.0)
        found += watch.feed(Frame(image, number / 30, number))

    assert [flash.card for flash in found] == ["7h"]
    shown_last = np.mean(card_quad(flying(5, Face.UP), POSE), axis=0)
    assert found[0].last == pytest.approx(shown_last, abs=10)
