"""A deck is counted from pictures of a spread or card by card, and its order is not kept."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.artwork import draw_back, draw_face
from vision.deck import Deck, PassageCount, SpreadCount
from vision.reader import CardReader
from vision.rendered import PlacedCard, RenderedCamera, Scene, render
from vision.values import CARD_LABELS, JOKER, UNKNOWN, Face, SeenCard

CARDS = [label for label in CARD_LABELS if label != JOKER]


def seen(card: str, place: int = 0, confidence: float = 0.99) -> SeenCard:
    """A card face up in the nth place of a row."""
    return _at(card, Face.UP, place, confidence, "")


def down(place: int = 0, back: str = "red") -> SeenCard:
    return _at(UNKNOWN, Face.DOWN, place, 0.99, back)


def _at(card: str, face: Face, place: int, confidence: float, back: str) -> SeenCard:
    x = 70.0 * place
    quad = ((x, 0.0), (x + 63, 0.0), (x + 63, 88.0), (x, 88.0))
    return SeenCard(card, face, quad, confidence, back)


def row(cards: Iterable[str]) -> list[SeenCard]:
    return [seen(card, place) for place, card in enumerate(cards)]


def test_a_full_deck_in_any_order_is_complete() -> None:
    count = SpreadCount(Deck())
    count.add(row(random.Random(1).sample(CARDS, 52)))

    assert count.report().is_complete
    assert count.report().counted == 52


def test_missing_and_double_cards_are_named_in_the_order_of_the_deck() -> None:
    cards = [card for card in CARDS if card not in {"Ks", "2c"}] + ["Ah", "5d"]
    count = SpreadCount(Deck())
    count.add(row(cards))
    report = count.report()

    assert report.missing == ("2c", "Ks")
    assert report.double == ("5d", "Ah")
    assert not report.is_complete


@given(st.permutations(CARDS), st.integers(1, 51), st.integers(0, 20))
def test_overlapping_pictures_of_one_spread_count_each_card_once(
    cards: list[str], cut: int, shared: int
) -> None:
    count = SpreadCount(Deck())
    count.add(row(cards[: min(52, cut + shared)]))
    count.add(row(cards[cut:]))

    assert count.report().is_complete


def test_pictures_of_different_parts_are_added_up() -> None:
    count = SpreadCount(Deck(), parts=True)
    count.add(row([*CARDS[:26], "As"]))
    count.add(row(CARDS[26:]))

    assert count.report().double == ("As",)
    assert count.report().counted == 53


def test_both_indices_of_one_card_are_one_card() -> None:
    again = seen("As", CARDS.index("As"), confidence=0.9)
    count = SpreadCount(Deck())
    count.add([*row(CARDS), again])

    assert count.report().is_complete


@pytest.mark.parametrize(("jokers", "missing", "double"), [(0, 0, 1), (1, 0, 0), (2, 1, 0)])
def test_jokers_are_counted_against_what_should_be_there(
    jokers: int, missing: int, double: int
) -> None:
    count = SpreadCount(Deck(jokers=jokers))
    count.add([*row(CARDS), seen(JOKER, 60)])
    report = count.report()

    assert (report.missing.count(JOKER), report.double.count(JOKER)) == (missing, double)


def test_two_decks_have_each_card_twice() -> None:
    count = SpreadCount(Deck(decks=2))
    count.add(row([*CARDS, *CARDS]))

    assert count.report().is_complete


def test_an_unread_card_keeps_the_deck_from_being_complete() -> None:
    count = SpreadCount(Deck())
    count.add([*row(CARDS[:51]), seen(UNKNOWN, 60, 0.4)])
    report = count.report()

    assert (report.unread, report.missing, report.counted) == (1, (CARDS[51],), 52)


def test_a_card_face_down_among_faces_is_boxed() -> None:
    count = SpreadCount(Deck())
    count.add([*row(CARDS[:51]), down(60)])

    assert count.report().boxed == 1


def test_backs_of_another_colour_are_foreign() -> None:
    count = SpreadCount(Deck())
    count.add(row(CARDS))
    count.add([*(down(n) for n in range(50)), down(50, "blue"), down(51, "blue")])
    report = count.report()

    assert dict(report.backs) == {"blue": 2, "red": 50}
    assert report.foreign == 2
    assert not report.is_complete


def test_the_colour_that_the_deck_should_have_decides_what_is_foreign() -> None:
    count = SpreadCount(Deck(), back="blue")
    count.add([down(n) for n in range(52)])

    assert count.report().foreign == 52


def test_a_card_face_up_in_the_deck_turned_over_is_boxed() -> None:
    count = SpreadCount(Deck())
    count.add([*(down(n) for n in range(51)), seen("As", 51)])

    assert count.report().boxed == 1


def test_a_misreading_in_one_picture_of_a_video_is_no_card() -> None:
    count = SpreadCount(Deck(), looks=2)
    for number in range(5):
        wrong = [seen("8h", 60, 0.7)] if number == 2 else []
        count.add([*row(CARDS), *wrong])

    assert count.report().is_complete


def passages(cards: Iterable[SeenCard], looks: int = 3) -> list[list[SeenCard]]:
    """What the camera sees of cards that pass one by one: looks at each, then none."""
    return [look for card in cards for look in ([[card]] * looks + [[]])]


def counted(looks: Iterable[list[SeenCard]], deck: Deck | None = None) -> PassageCount:
    count = PassageCount(deck or Deck())
    for look in looks:
        count.look(look)
    return count


def test_each_card_that_passes_is_counted_once() -> None:
    count = counted(passages(seen(card) for card in CARDS))

    assert count.report().is_complete
    assert count.passed == 52


def test_cards_that_pass_without_a_gap_are_told_apart_by_their_names() -> None:
    looks = [[seen(card)] for card in ("As", "As", "As", "Kd", "Kd", "Kd", "2c", "2c")]
    count = counted(looks)

    report = count.report()
    assert report.counted == 3
    assert not {"As", "Kd", "2c"} & set(report.missing)


def test_one_wrong_look_does_not_make_another_card() -> None:
    looks = [[seen("As")], [seen("4s", confidence=0.9)], [seen("As")], [seen("As")], []]

    assert counted(looks).report().counted == 1


def test_a_boxed_card_is_counted_as_boxed() -> None:
    cards = [*map(seen, CARDS[:51]), down()]
    report = counted(passages(cards)).report()

    assert (report.boxed, report.missing, report.counted) == (1, (CARDS[51],), 52)


def test_a_card_never_read_is_unread() -> None:
    report = counted(passages([seen(UNKNOWN, confidence=0.3)])).report()

    assert (report.unread, report.counted) == (1, 1)


def test_a_card_still_in_view_at_the_end_is_counted() -> None:
    assert counted([[seen("As")], [seen("As")]]).report().counted == 1


@given(st.randoms(use_true_random=False))
def test_nothing_of_the_order_is_kept(rng: random.Random) -> None:
    """Two decks in different order leave the same bytes behind."""
    shuffled = rng.sample(CARDS, 52)

    assert pickle.dumps(counted(passages(map(seen, shuffled), 1))) == pickle.dumps(
        counted(passages(map(seen, CARDS), 1))
    )


# --- with the real recogniser -------------------------------------------------------------


def through_inner_camera(card: str, face: Face, number: int) -> NDArray[np.uint8]:
    """A card close to the lens, on the dark inside of a machine."""
    rng = np.random.default_rng(number)
    picture = draw_face(card, 110) if face is Face.UP else draw_back("red", 110)
    height, width = picture.shape[:2]
    place = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(-3, 3)), 1.0)
    place[:, 2] += ((190 - width) / 2 + rng.uniform(-8, 8), (220 - height) / 2)
    seen_card = cv2.warpAffine(picture, place, (190, 220)).astype(np.float32)
    alpha = seen_card[..., 3:] / 255
    image = np.full((220, 190, 3), 28.0) * (1 - alpha) + seen_card[..., :3] * alpha * 0.93
    image = cv2.GaussianBlur(image, (0, 0), 0.8) + rng.normal(0, 3, image.shape)
    return np.asarray(np.clip(image, 0, 255), dtype=np.uint8)


def test_a_shuffler_sees_its_whole_deck_with_one_boxed_one_missing_one_double() -> None:
    reader, rng = CardReader.load(), random.Random(3)
    deck = [card for card in CARDS if card not in {"7d", "Qc"}] + ["9s"]
    order = [(card, Face.UP) for card in deck] + [("Qc", Face.DOWN)]
    rng.shuffle(order)
    empty = np.full((220, 190, 3), 28, np.uint8)
    count = PassageCount(Deck())
    for number, (card, face) in enumerate(order):
        count.look(reader.read(through_inner_camera(card, face, number)))
        count.look(reader.read(empty))
    report = count.report()

    assert report.missing == ("Qc", "7d")
    assert report.double == ("9s",)
    assert (report.boxed, report.unread, report.counted) == (1, 0, 52)


def test_a_deck_laid_out_in_rows_is_counted_from_one_picture() -> None:
    rng = random.Random(5)
    cards = [card for card in CARDS if card != "Jh"] + ["3c"]
    rng.shuffle(cards)
    placed = tuple(
        PlacedCard(card, Face.UP, 180.0 + 90.0 * (n % 13), 190.0 + 120.0 * (n // 13))
        for n, card in enumerate(cards)
    )
    count = SpreadCount(Deck())
    count.add(CardReader.load().read(render(Scene(placed), RenderedCamera())))
    report = count.report()

    assert (report.missing, report.double) == (("Jh",), ("3c",))
    assert report.counted == 52


def test_marred_cards_are_named_and_leave_the_deck_complete() -> None:
    count = SpreadCount(Deck())
    count.add(row(CARDS), marred=("Kd", "2c"))

    assert count.report().marred == ("2c", "Kd")
    assert count.report().is_complete


def test_a_card_that_looks_marred_once_in_a_video_is_not() -> None:
    count = SpreadCount(Deck(), looks=2)
    count.add(row(CARDS), marred=("Kd", "2c"))
    count.add(row(CARDS), marred=("2c",))

    assert count.report().marred == ("2c",)
