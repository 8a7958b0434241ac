from __future__ import annotations

import numpy as np
import pytest

from vision.artwork import draw_face
from vision.baseline import PlainReader
from vision.values import UNKNOWN


def on_cloth(card: str) -> np.ndarray:
    """One card lying upright on dark cloth, as the plain way likes it best."""
    picture = np.full((420, 400, 3), (40, 70, 20), np.uint8)
    face = draw_face(card, 200)
    height, width = face.shape[:2]
    alpha = face[..., 3:].astype(np.float32) / 255
    spot = picture[60 : 60 + height, 90 : 90 + width]
    spot[:] = (face[..., :3] * alpha + spot * (1 - alpha)).astype(np.uint8)
    return picture


@pytest.mark.parametrize("card", ["4h", "8c", "As", "Kd", "9s"])
def test_an_upright_card_of_the_decks_own_print_is_read(card: str) -> None:
    (seen,) = PlainReader().read(on_cloth(card))

    assert seen.card == card
    assert seen.confidence > 0.6


def test_a_blank_card_is_found_but_not_named() -> None:
    picture = np.full((420, 400, 3), (40, 70, 20), np.uint8)
    picture[60:340, 90:290] = 255

    (seen,) = PlainReader().read(picture)

    assert seen.card == UNKNOWN


def test_cloth_alone_holds_no_card() -> None:
    assert PlainReader().read(np.full((300, 300, 3), 50, np.uint8)) == ()
