"""A back of another pattern is told from the deck's, at every place and turn."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.backs import ALIKE, LEARNT, BackWatch, likeness, pattern_of
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import UNKNOWN, Face, Quad, SeenCard


def table(*backs: str) -> Scene:
    """Backs on a table, each turned differently."""
    return Scene(
        tuple(
            PlacedCard(
                UNKNOWN, Face.DOWN, 200 + 130.0 * (n % 9), 200 + 150.0 * (n // 9), 40.0 * n, back
            )
            for n, back in enumerate(backs)
        )
    )


@dataclass
class Finding:
    """Finds the cards of a scene, with corners off by up to a pixel, as a real reader's are."""

    camera: RenderedCamera
    scene: Scene = field(default_factory=Scene)

    def show(self, scene: Scene) -> NDArray[np.uint8]:
        self.scene = scene
        return render(scene, self.camera)

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        pose, rng = self.camera.homography(1440, 810), np.random.default_rng(1)
        return tuple(
            SeenCard(
                placed.card,
                placed.face,
                _jittered(card_quad(placed, pose), rng),
                0.99,
                placed.back.partition("/")[0] if placed.face is Face.DOWN else "",
            )
            for placed in self.scene.cards
        )


def _jittered(quad: Quad, rng: np.random.Generator) -> Quad:
    a, b, c, d = ((x + rng.uniform(-1, 1), y + rng.uniform(-1, 1)) for x, y in quad)
    return (a, b, c, d)


def said(watch: BackWatch, finding: Finding, *backs: str) -> list[str]:
    return [card.back for card in watch.read(finding.show(table(*backs)))]


@pytest.mark.parametrize("width_px", [960, 1920])
@pytest.mark.parametrize("colour", ["red", "blue"])
def test_a_foreign_pattern_of_the_same_colour_is_other(width_px: int, colour: str) -> None:
    finding = Finding(RenderedCamera(width_px=width_px, height_px=width_px * 9 // 16, tilt_deg=8))
    watch = BackWatch(finding)
    said(watch, finding, *[colour] * LEARNT)

    found = said(watch, finding, *[colour] * 20, *[f"{colour}/rings"] * 4)
    assert found == [colour] * 20 + ["other"] * 4


def test_nothing_is_judged_before_enough_was_seen() -> None:
    finding = Finding(RenderedCamera())
    watch = BackWatch(finding)

    assert said(watch, finding, *["red"] * (LEARNT - 2), "red/rings") == ["red"] * (LEARNT - 1)


def test_a_foreign_back_among_the_first_is_found_out_later() -> None:
    finding = Finding(RenderedCamera())
    watch = BackWatch(finding)
    said(watch, finding, "red/rings", *["red"] * (LEARNT - 1))

    assert said(watch, finding, "red/rings", "red") == ["other", "red"]


def test_each_colour_has_its_own_pattern() -> None:
    finding = Finding(RenderedCamera())
    watch = BackWatch(finding)
    said(watch, finding, *["red"] * LEARNT, *["blue/rings"] * LEARNT)

    assert said(watch, finding, "red", "blue/rings", "blue") == ["red", "blue", "other"]


def test_another_deck_is_learnt_anew() -> None:
    finding = Finding(RenderedCamera())
    watch = BackWatch(finding)
    said(watch, finding, *["red"] * LEARNT)
    watch.forget()
    said(watch, finding, *["red/rings"] * LEARNT)

    assert said(watch, finding, "red/rings", "red") == ["red", "other"]


def test_faces_and_distant_cards_pass_untouched() -> None:
    near, far = Finding(RenderedCamera()), Finding(RenderedCamera(width_px=480, height_px=270))
    face = Scene((PlacedCard("As", Face.UP, 400, 400),))
    watch = BackWatch(far)
    said(watch, far, *["red"] * LEARNT)

    assert said(watch, far, "red/rings") == ["red"]
    assert BackWatch(near).read(near.show(face))[0].card == "As"


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 180.0, 250.0])
def test_a_back_is_like_itself_however_it_lies(turn_deg: float) -> None:
    camera = RenderedCamera()
    pose = camera.homography(1440, 810)
    one, other = (
        PlacedCard(UNKNOWN, Face.DOWN, 500, 400),
        PlacedCard(UNKNOWN, Face.DOWN, 900, 300, turn_deg),
    )
    image = render(Scene((one, other)), camera)
    patterns = [pattern_of(image, card_quad(card, pose)) for card in (one, other)]

    assert likeness(*patterns) > ALIKE + 0.2
    assert likeness(patterns[1], patterns[0]) == pytest.approx(likeness(*patterns), abs=0.05)


def test_an_outline_around_several_backs_is_not_judged() -> None:
    finding = Finding(RenderedCamera())
    watch = BackWatch(finding)
    said(watch, finding, *["red"] * LEARNT)
    image = render(Scene((PlacedCard(UNKNOWN, Face.DOWN, 400, 400),)), finding.camera)
    wide: Quad = ((300.0, 300.0), (390.0, 300.0), (390.0, 380.0), (300.0, 380.0))

    class Wide:
        def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
            return (SeenCard(UNKNOWN, Face.DOWN, wide, 0.97, "red"),)

    watch._reader = Wide()
    assert watch.read(image)[0].back == "red"


def test_a_back_that_another_card_covers_in_part_is_not_judged() -> None:
    finding = Finding(RenderedCamera())
    watch = BackWatch(finding)
    said(watch, finding, *["red"] * LEARNT)
    covered = Scene(
        (
            PlacedCard(UNKNOWN, Face.DOWN, 400, 400),
            PlacedCard(UNKNOWN, Face.DOWN, 425, 405, back="red/rings"),
        )
    )

    assert [card.back for card in watch.read(finding.show(covered))] == ["red", "red"]
