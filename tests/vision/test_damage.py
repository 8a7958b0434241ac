"""Damage on the rim of a face is noticed, and a sound card is left alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.damage import Flaw, flaws, marred
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import UNKNOWN, Face, Quad, SeenCard

CAMERA = RenderedCamera(width_px=3840, height_px=2160, tilt_deg=6.0)
"""A photograph: 2.7 pixels a millimetre, a card 235 pixels high."""

POSE = CAMERA.homography(1440, 810)
PX_PER_MM = 3840 / 1440
CARDS = ("As", "7h", "Kd", "Tc", "2d", "Qs", "9c", "Jh")
PLACED = tuple(
    PlacedCard(card, Face.UP, 250 + 300.0 * (n % 4), 250 + 300.0 * (n // 4), 23.0 * n)
    for n, card in enumerate(CARDS)
)
INK, CLOTH = (90, 30, 20), (60, 90, 40)


@pytest.fixture(scope="module")
def sound() -> NDArray[np.uint8]:
    return render(Scene(PLACED), CAMERA)


def found(placed: PlacedCard, seed: int = 0) -> SeenCard:
    """The card as a reader finds it: its corners up to 3 mm off."""
    rng = np.random.default_rng(seed)
    a, b, c, d = (
        (x + rng.uniform(-3, 3) * PX_PER_MM, y + rng.uniform(-3, 3) * PX_PER_MM)
        for x, y in card_quad(placed, POSE)
    )
    quad: Quad = (a, b, c, d)
    return SeenCard(placed.card, Face.UP, quad, 0.99)


def corner(placed: PlacedCard, number: int) -> tuple[NDArray[np.float64], ...]:
    """A corner, and a millimetre along either side from it, in pixels."""
    quad = np.array(card_quad(placed, POSE))
    at, following, before = quad[number], quad[(number + 1) % 4], quad[number - 1]
    along, down = following - at, before - at
    return at, along / np.linalg.norm(along) * PX_PER_MM, down / np.linalg.norm(down) * PX_PER_MM


@pytest.mark.parametrize("placed", PLACED, ids=lambda placed: placed.card)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_sound_card_has_no_flaw(sound: NDArray[np.uint8], placed: PlacedCard, seed: int) -> None:
    assert flaws(sound, found(placed, seed)) == ()


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("placed", PLACED[:3], ids=lambda placed: placed.card)
def test_a_corner_that_is_bent_away_is_a_flaw_and_where(
    sound: NDArray[np.uint8], placed: PlacedCard, number: int
) -> None:
    image = sound.copy()
    at, along, down = corner(placed, number)
    fold = np.round([at - along - down, at + 8 * along - down, at - along + 8 * down])
    cv2.fillPoly(image, [fold.astype(np.int32)], CLOTH)
    seen = flaws(image, found(placed))

    assert Flaw.CORNER in {flaw.flaw for flaw in seen}
    nearest = min(np.linalg.norm(np.array(flaw.at) - at) for flaw in seen)
    assert nearest < 6 * PX_PER_MM


@pytest.mark.parametrize("side", [0, 1, 2, 3])
def test_ink_on_the_rim_is_a_flaw(sound: NDArray[np.uint8], side: int) -> None:
    image, placed = sound.copy(), PLACED[1]
    at, along, down = corner(placed, side)
    spot = np.round(at + 30 * along + 1.6 * down).astype(int)
    cv2.circle(image, (int(spot[0]), int(spot[1])), round(1.3 * PX_PER_MM), INK, -1, cv2.LINE_AA)
    (flaw,) = flaws(image, found(placed))

    assert flaw.flaw is Flaw.RIM
    assert flaw.at == pytest.approx(spot, abs=2 * PX_PER_MM)


def test_a_tear_in_the_side_is_a_flaw(sound: NDArray[np.uint8]) -> None:
    image, placed = sound.copy(), PLACED[3]
    at, along, down = corner(placed, 1)
    tear = np.round([at + 40 * along - down, at + 43 * along - down, at + 41 * along + 6 * down])
    cv2.fillPoly(image, [tear.astype(np.int32)], CLOTH)

    assert [flaw.flaw for flaw in flaws(image, found(placed))] == [Flaw.RIM]


def test_backs_and_distant_cards_are_not_judged(sound: NDArray[np.uint8]) -> None:
    card = found(PLACED[0])
    back = SeenCard(UNKNOWN, Face.DOWN, card.quad, 0.99, "red")
    far = RenderedCamera()
    quad = card_quad(PLACED[0], far.homography(1440, 810))

    assert flaws(sound, back) == ()
    assert flaws(render(Scene(PLACED), far), SeenCard("As", Face.UP, quad, 0.99)) == ()


def test_an_outline_that_is_no_card_is_not_judged(sound: NDArray[np.uint8]) -> None:
    cloth: Quad = ((100.0, 100.0), (260.0, 100.0), (260.0, 330.0), (100.0, 330.0))

    assert flaws(sound, SeenCard("As", Face.UP, cloth, 0.99)) == ()


def test_only_marred_cards_that_lie_free_are_named(sound: NDArray[np.uint8]) -> None:
    image = sound.copy()
    for placed in PLACED[:3]:
        at, along, down = corner(placed, 0)
        fold = np.round([at - along - down, at + 8 * along - down, at - along + 8 * down])
        cv2.fillPoly(image, [fold.astype(np.int32)], CLOTH)
    seen = [found(placed) for placed in PLACED]
    on_top = SeenCard("3c", Face.UP, seen[1].quad, 0.9)

    assert marred(image, seen) == ("As", "7h", "Kd")
    assert marred(image, [*seen, on_top]) == ("As", "Kd")
