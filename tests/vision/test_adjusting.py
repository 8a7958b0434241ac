"""What helps a person to set up a camera: rendered pictures that are known to be bad in one way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.adjusting import Light, light, sharpness
from vision.layout import TableLayout
from vision.rendered import PlacedCard, RenderedCamera, Scene, render
from vision.values import Face

LAYOUT = TableLayout.standard(6)
CAMERA = RenderedCamera()
CARDS = Scene(
    tuple(PlacedCard("9c", Face.UP, *LAYOUT.places(f"board:{n}", 1)[0]) for n in range(1, 6))
)
GOOD = render(CARDS, CAMERA)


def test_the_number_falls_as_the_lens_goes_out_of_focus() -> None:
    blurs = (0.45, 0.8, 1.2, 2.0, 4.0)
    seen = [sharpness(render(CARDS, replace(CAMERA, blur_px=blur))) for blur in blurs]

    assert seen == sorted(seen, reverse=True)
    assert seen[1] < 0.8 * seen[0]


def test_a_picture_exposed_as_usual_has_nothing_wrong() -> None:
    found = light(GOOD)

    assert not found.is_dim
    assert not found.is_burnt
    assert found.glare == ()
    assert sum(found.histogram) == pytest.approx(1)
    assert len(found.histogram) == 32


def test_too_little_light_is_said() -> None:
    found = light(render(CARDS, replace(CAMERA, light=0.5)))

    assert found.is_dim
    assert found.paper < light(GOOD).paper


def test_too_much_light_is_said() -> None:
    burnt = np.clip(GOOD.astype(np.float64) * 4, 0, 255).astype(np.uint8)

    assert light(burnt).is_burnt


def with_lamp(radius: int) -> Light:
    image: NDArray[np.uint8] = GOOD.copy()
    rows, columns = np.ogrid[:720, :1280]
    image[(rows - 200) ** 2 + (columns - 900) ** 2 <= radius**2] = 255
    return light(image)


def test_a_lamp_mirrored_on_the_table_is_found_where_it_is() -> None:
    ((x, y),) = with_lamp(25).glare

    assert (x, y) == pytest.approx((900, 200), abs=2)
    assert with_lamp(4).glare == ()
