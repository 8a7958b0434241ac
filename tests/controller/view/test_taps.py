"""The page's buttons: each with words of its own, in its place, and only where it fits."""

from __future__ import annotations

from random import Random

import pytest

from controller.cards import Card
from controller.events import (
    BettingClosed,
    BlindPosted,
    CardDealt,
    CardsGathered,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    FirstDealerDrawn,
    HandStarted,
    PlayerOut,
    PotPushed,
    StubCounted,
    TableEvent,
)
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import advance, new_table
from controller.table import TableState
from controller.view import Button, Surroundings, TableView, table_view
from controller.view.texts import TEXTS, text

CK = load_rulebook("ck")
SENSED = Surroundings(name="T", seats=6, devices={"shuffler": "ready", "camera": "ready"})
BARE = Surroundings(name="T", seats=6, devices={"shuffler": "absent", "camera": "absent"})
START = HandStarted(hand=1, seats=(1, 2, 3, 4), button=4, small_blind=1, big_blind=2)
READY = (START, DeckShuffled(count=52), DeckCut())


def after(*events: TableEvent, book: Rulebook = CK) -> TableState:
    state = new_table(book)
    for event in events:
        state = advance(state, event, book).state
    return state


def page(state: TableState, around: Surroundings = SENSED, book: Rulebook = CK) -> TableView:
    return table_view(state, book, "en", around)


def events(view: TableView) -> list[TableEvent]:
    return [button.event for button in view.buttons]


def button(view: TableView, event: TableEvent) -> Button:
    (found,) = (b for b in view.buttons if b.event == event and not b.asks_amount)
    return found


@pytest.mark.parametrize("name", ["ck", "fr2"])
@pytest.mark.parametrize("seed", range(4))
def test_every_report_has_words_of_its_own_under_a_heading(name: str, seed: int) -> None:
    rng, book = Random(seed), load_rulebook(name)
    state = after(*READY, book=book)
    for _ in range(60):
        shown = page(state, BARE, book).buttons
        reports = [b for b in shown if b.group == "report"]

        assert all(b.topic for b in reports)
        assert not {b.label for b in reports} & {TEXTS["tap.done"][0], ""}
        assert len({b.label for b in reports}) == len(reports)

        if not shown:
            return
        state = advance(state, rng.choice(shown).event, book).state


@pytest.mark.parametrize("around", [SENSED, BARE])
def test_the_whole_deal_is_tapped_only_where_no_camera_sees_it(around: Surroundings) -> None:
    view = page(after(*READY), around)

    assert (DealCompleted() in events(view)) is (around is BARE)


def test_a_blind_is_tapped_with_its_amount() -> None:
    posting = HandStarted(
        hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2, must_post=True
    )
    view = page(after(posting, DeckShuffled(count=52), DeckCut()))

    blind = view.buttons[0]
    assert blind.event == BlindPosted(seat=1, amount=0, kind="small")
    assert blind.asks_amount
    assert blind.label == "Seat 1 posted the small blind"


def test_a_stub_count_is_one_tap_when_right_and_a_number_when_not() -> None:
    view = page(after(*READY, *(CardDealt(seat=1 + n % 4) for n in range(8))))

    right, other = (b for b in view.buttons if isinstance(b.event, StubCounted))
    assert (right.label, right.asks_amount) == ("Stub counted: 44", False)
    assert other.asks_amount


def test_reports_are_folded_away_by_seat() -> None:
    view = page(after(*READY, *(CardDealt(seat=1 + n % 4) for n in range(8))))

    headings = {b.topic for b in view.buttons if b.group == "report"}
    assert {"Seat 1", "Seat 2", "Seat 3", "Seat 4", text("topic.deck", "en")} <= headings


def test_the_page_says_what_to_mind_besides() -> None:
    dealt = after(*READY, *(CardDealt(seat=1 + n % 4) for n in range(8)))

    assert "Announce: 4 players (before the flop)." in page(dealt).prompts
    assert "Tap the table before the burn." in page(after_betting(dealt)).prompts


def after_betting(state: TableState) -> TableState:
    return advance(state, BettingClosed(), CK).state


def ended(*out: int, book: Rulebook = CK) -> TableState:
    """A hand of four is over, and some of its players are out of the game."""
    gone = (PlayerOut(seat=seat) for seat in out)
    return after(*READY, DealCompleted(), PotPushed(), *gone, CardsGathered(), book=book)


def next_start(state: TableState, book: Rulebook = CK) -> HandStarted:
    first = events(page(state, book=book))[0]
    assert isinstance(first, HandStarted)
    return first


@pytest.mark.clause("ck.end.7")
def test_the_next_hand_has_its_button_one_seat_on() -> None:
    start = next_start(ended())

    assert (start.button, start.small_blind, start.big_blind, start.dealer) == (1, 2, 3, 0)


@pytest.mark.clause("fr1.button.1")
def test_under_the_dead_button_a_player_who_is_out_leaves_his_place() -> None:
    fr1 = load_rulebook("fr1")

    start = next_start(ended(1, book=fr1), fr1)

    assert start.seats == (2, 3, 4)
    assert (start.button, start.small_blind, start.big_blind) == (4, 2, 3)
    assert start.dealer == 4


@pytest.mark.clause("fr1.first-dealer.1")
def test_who_wins_the_draw_has_the_button_of_the_first_hand() -> None:
    won = FirstDealerDrawn(seats=(4,), cards=())
    assert button(page(after()), won).label == "Seat 4 deals first"

    drawn = after(FirstDealerDrawn(seats=(1, 2, 3), cards=(Card.D3, Card.SA, Card.H4)))

    start = next_start(drawn)
    assert (start.button, start.small_blind, start.big_blind) == (2, 3, 4)
    assert not any(isinstance(e, FirstDealerDrawn) for e in events(page(after(*READY))))


def test_with_one_player_left_no_hand_can_start() -> None:
    view = page(ended(1, 2, 3))

    assert not any(isinstance(event, HandStarted) for event in events(view))


def test_a_tap_for_the_deck_stands_under_its_heading() -> None:
    view = page(after(*READY))

    counted = button(view, StubCounted(count=52))
    assert counted.topic == text("topic.deck", "en")
