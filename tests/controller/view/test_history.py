"""A hand as it went: words for every event, the table after each, no card before it was shown."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import Card
from controller.events import (
    Action,
    BoardShown,
    CardDealt,
    CardExposed,
    CardsMoved,
    DeckCut,
    DeckShuffled,
    FloorDecided,
    HandShown,
    HandStarted,
    PlayerActed,
    Shown,
    StepConfirmed,
    TableEvent,
    Witness,
)
from controller.rulebook import load_rulebook
from controller.rules import new_table
from controller.view import LANGUAGES, HandView, Surroundings, event_words, hand_view
from tests.controller.rules.any_events import ANY_EVENT

CK = load_rulebook("ck")
AROUND = Surroundings(name="T", seats=3, devices={})
HAND: tuple[TableEvent, ...] = (
    HandStarted(hand=7, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2, at_ms=1000),
    DeckShuffled(count=52, at_ms=2000),
    DeckCut(at_ms=61_500),
    CardDealt(seat=1, at_ms=62_000),
    CardDealt(seat=2, at_ms=63_000),
    CardDealt(seat=3, card=Card.SA, shown=Shown.UP, at_ms=64_000, by=Witness.CAMERA),
)
CARD = re.compile(r"\"[2-9TJQKA][cdhs]\"|(?:10|[2-9JQKA])[♣♦♥♠]")


def seen(number: int, lang: str = "en") -> HandView:
    return hand_view(new_table(CK), HAND, number, CK, (lang, AROUND))


def test_the_table_is_shown_as_it_was_after_each_event() -> None:
    assert [seat.down for seat in seen(4).table.seats] == [1, 0, 0]
    assert [seat.down for seat in seen(5).table.seats] == [1, 1, 0]
    assert seen(6).table.seats[2].cards == ("As",)


def test_a_ruling_stands_at_the_event_that_brought_it() -> None:
    assert seen(5).rulings == ()
    (ruling,) = seen(6).rulings
    assert ruling.kind == "Exposed card"
    assert [line.kinds for line in seen(6).lines][-2:] == [(), ("Exposed card",)]


@pytest.mark.parametrize("number", [0, 7, -3])
def test_an_event_that_is_not_there_is_the_last(number: int) -> None:
    assert seen(number).number == 6


def test_time_is_counted_from_the_start_of_the_hand_and_the_witness_named() -> None:
    lines = seen(6, "fr").lines

    assert [line.at for line in lines[:3]] == ["0:00.0", "0:01.0", "1:00.5"]
    assert [line.by for line in lines[-2:]] == ["", "caméra"]
    assert lines[-1].text == "Carte donnée au siège 3: A♠"


def test_a_hand_of_the_past_offers_nothing_to_press() -> None:
    table = seen(6).table

    assert (table.buttons, table.devices, table.gate) == ((), (), "")


def test_no_card_is_named_before_it_was_shown() -> None:
    before = msgspec.json.encode(seen(5).table).decode()

    assert not CARD.search(before)


def test_a_card_dealt_face_down_is_not_named_even_when_the_event_knows_it() -> None:
    known = CardDealt(seat=1, card=Card.SA)

    assert not CARD.search(event_words(known, "en", new_table(CK)))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (PlayerActed(seat=2, action=Action.BET, amount=40), "Seat 2: Bet 40"),
        (BoardShown(cards=(Card.C7, Card.DT)), "Card on the board: 7♣ 10♦"),
        (StepConfirmed(step="7/1.2"), "Step done: 7/1.2"),
        (CardsMoved(cards=(), origin="seat:3", target="muck"), "Cards moved: Seat 3 to the muck"),
        (
            FloorDecided(ruling="7/1", decision="overruled", reason="No one saw", who="Ana"),
            "Floor: ruling overruled (Ana): No one saw",
        ),
    ],
)
def test_an_event_in_words(event: TableEvent, words: str) -> None:
    assert event_words(event, "en", new_table(CK)) == words


@given(event=ANY_EVENT, lang=st.sampled_from(LANGUAGES))
def test_any_event_has_words_and_names_only_cards_that_it_shows(
    event: TableEvent, lang: str
) -> None:
    words = event_words(event, lang, new_table(CK))

    assert words.strip()
    if not isinstance(event, BoardShown | HandShown | CardExposed | CardDealt):
        assert not CARD.search(words)
