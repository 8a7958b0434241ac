from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from vision.artwork import draw_back
from vision.errors import ImageError
from vision.layout import TableLayout
from vision.reader import CardReader, back_colour
from vision.rendered import PlacedCard, RenderedCamera, Scene, render
from vision.values import CARD_LABELS, UNKNOWN, Face, SeenCard


@lru_cache(maxsize=1)
def reader() -> CardReader:
    return CardReader.load()


def read(*cards: PlacedCard) -> tuple[SeenCard, ...]:
    return reader().read(render(Scene(cards=cards), RenderedCamera(seed=7)))


def row(labels: tuple[str, ...]) -> tuple[PlacedCard, ...]:
    places = product((200, 400, 600), range(220, 1300, 110))
    return tuple(
        PlacedCard(label, Face.UP, x, y, 23.0 * number)
        for number, (label, (y, x)) in enumerate(zip(labels, places, strict=False))
    )


@pytest.mark.parametrize("part", [0, 1])
def test_almost_every_card_of_the_deck_is_named_and_hardly_one_wrongly(part: int) -> None:
    labels = CARD_LABELS[part::2]

    seen = read(*row(labels))

    named = [card.card for card in seen if card.card != UNKNOWN]
    assert len(set(named) & set(labels)) >= 24
    assert len([label for label in named if label not in labels]) <= 1


@pytest.mark.parametrize("board", ["7c Td Kh 2s", "Th 4d Td 9h", "Tc 9h Ts 8d"])
def test_a_pip_beside_a_rank_is_no_card_of_its_own(board: str) -> None:
    """Seen as a running table sees a board: the part of the picture that changed."""
    labels, layout = board.split(), TableLayout.standard(9)
    spots = [layout.places(f"board:{number}", 1)[0] for number in range(1, 5)]
    cards = [PlacedCard(c, Face.UP, x, y) for c, (x, y) in zip(labels, spots, strict=True)]
    scene = Scene(tuple(cards), width_mm=layout.width_mm, height_mm=layout.height_mm)
    picture = render(scene, RenderedCamera(width_px=1920, height_px=1080))

    for start in range(8):
        part = np.ascontiguousarray(picture[325 + start : 783, 464 + start : 1114])

        assert sorted(card.card for card in reader().read(part)) == sorted(labels)


@pytest.mark.parametrize(("x", "y", "angle"), [(300, 200, 4), (700, 400, 90), (1100, 600, 205)])
def test_a_joker_is_a_joker_though_its_print_is_no_rank(x: float, y: float, angle: float) -> None:
    (card,) = read(PlacedCard("Jk", Face.UP, x, y, angle))

    assert card.card == "Jk"
    assert card.confidence > 0.9


@pytest.mark.parametrize("colour", ["red", "blue", "other"])
def test_a_face_down_card_is_a_back_of_its_colour(colour: str) -> None:
    (card,) = read(PlacedCard("As", Face.DOWN, 620, 220, 30, colour))

    assert (card.face, card.card, card.back) == (Face.DOWN, UNKNOWN, colour)


@pytest.mark.parametrize("colour", ["red", "blue", "other"])
def test_colour_of_a_drawn_back(colour: str) -> None:
    assert back_colour(np.ascontiguousarray(draw_back(colour, 80)[..., :3])) == colour


def test_an_empty_table_holds_no_card() -> None:
    assert read() == ()


def test_a_card_with_indices_too_low_to_tell_is_never_sure() -> None:
    scene = Scene(cards=row(CARD_LABELS[:26]))
    far = RenderedCamera(width_px=600, height_px=338, seed=7)

    seen = reader().read(render(scene, far))

    assert seen
    assert all(card.confidence < 0.9 for card in seen if card.card != UNKNOWN)


def test_shares_of_each_card_sum_to_one() -> None:
    crops = np.random.default_rng(3).integers(0, 255, (4, 112, 80, 3), dtype=np.uint8)

    shares = reader().shares(crops)

    assert shares.shape == (4, len(CARD_LABELS) + 2)
    assert shares.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (np.zeros((0, 0, 3), np.uint8), "too small"),
        (np.zeros((20, 200, 3), np.uint8), "too small"),
        (np.zeros((200, 200), np.uint8), r"\(H, W, 3\)"),
        (np.zeros((200, 200, 4), np.uint8), r"\(H, W, 3\)"),
        (np.zeros((200, 200, 3), np.float32), "uint8"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_sentence(picture: np.ndarray, said: str) -> None:
    with pytest.raises(ImageError, match=said):
        reader().read(picture)
