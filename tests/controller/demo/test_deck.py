"""Shuffles that bring one boxed card to a wanted place."""

from __future__ import annotations

import pytest

from controller.demo.deck import DeckRandom
from firmware_bridge import MagazineCard


def deck() -> list[MagazineCard]:
    return [MagazineCard(str(n), boxed=n == 0) for n in range(52)]


@pytest.mark.parametrize("place", [0, 4, 13, 51])
def test_the_boxed_card_lies_where_it_is_wanted(place: int) -> None:
    cards = deck()
    shuffles = DeckRandom(7)
    shuffles.boxed_at = place

    shuffles.shuffle(cards)

    assert cards[place].boxed
    assert sorted(int(card.token) for card in cards) == list(range(52))


def test_only_the_next_shuffle_is_bent() -> None:
    bent, plain = DeckRandom(7), DeckRandom(7)
    bent.boxed_at = 13
    first, second = deck(), deck()
    bent.shuffle(first)
    plain.shuffle(second)

    bent.shuffle(first := deck())
    plain.shuffle(second := deck())

    assert first == second
