"""The search itself: every way of writing a card is found, and plain words are not."""

from __future__ import annotations

import json

import pytest

from controller.cards import Card
from controller.view import TableView
from controller.web.drawing import draw_table
from tests.controller.web.shown import full_view
from tests.hidden.marks import Watch, cards_in


@pytest.mark.parametrize(
    "text",
    [
        '{"card":"Td"}',
        json.dumps({"html": '<g class="card suit-d" data-card="Td">'}),
        "d dh p1 Td????",
        "board:1 now holds Td",
        "CardDealt(seat=2, card=<Card.DT: 'Td'>)",
        "Card.DT",
        "Seat 3 shows 10♦.",
        "the ten of diamonds",
        "le dix de carreau",
        "10 de carreau",
    ],
)
def test_a_card_is_found_however_it_is_written(text: str) -> None:
    assert set(cards_in(text)) == {Card.DT}


def test_cards_written_together_are_told_apart() -> None:
    assert list(cards_in("d db 9cTdAs")) == [Card.C9, Card.DT, Card.SA]


@pytest.mark.parametrize(
    "text",
    ["As soon as the stub is counted", "2cd84e", "a4c9dh", "seat:2", "Kanada", "id=9cTdx1", "??"],
)
def test_other_words_are_no_cards(text: str) -> None:
    assert list(cards_in(text)) == []


def test_the_drawn_table_is_read_card_by_card() -> None:
    view: TableView = full_view("en")

    assert {c.value for c in cards_in(draw_table(view))} == {"As", "Td", "9c", "Kh", "2d"}


def test_a_card_leaks_until_it_is_public_and_a_mark_always() -> None:
    watch = Watch(public={Card.C9}, tokens=("770000001",))

    for text in ("9c", "Td", "machine 770000001"):
        watch.hear("log", text)
    watch.public.add(Card.DT)
    watch.hear("log", "Td")

    assert [(leak.output, leak.card) for leak in watch.leaks] == [
        ("log", "Td"),
        ("log", "770000001"),
    ]
    assert watch.shown["log"] == {Card.C9, Card.DT}
