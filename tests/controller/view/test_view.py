"""The page's values: every card that is not public stays out, every word is in both languages."""

from __future__ import annotations

import random
import re

import msgspec
import pytest

from controller.cards import FULL_DECK, Card
from controller.events import (
    Action,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PlayerActed,
    Shown,
    Street,
    TableEvent,
)
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.table import Held, TableState
from controller.view import Surroundings, TableView, next_hand, table_view
from controller.view.texts import TEXTS

CK = load_rulebook("ck")
AROUND = Surroundings(
    name="T", seats=6, devices={"shuffler": "ready", "camera": "ready"}, deck_back="red"
)
START = HandStarted(hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2)
READY = (START, DeckShuffled(count=52), DeckCut())
CARD = re.compile(r"\"([2-9TJQKA][cdhs]|Jk)\"|([2-9]|10|[JQKA])[♣♦♥♠]")


def after(*events: TableEvent) -> TableState:
    state = new_table(CK)
    for event in events:
        state = advance(state, event, CK).state
    return state


def page(state: TableState, lang: str = "en", around: Surroundings = AROUND) -> TableView:
    return table_view(state, CK, lang, around)


def named_cards(view: TableView) -> set[str]:
    return {found.group() for found in CARD.finditer(msgspec.json.encode(view).decode())}


@pytest.mark.parametrize("seed", range(20))
def test_a_card_that_nobody_has_seen_is_named_nowhere(seed: int) -> None:
    deck = list(FULL_DECK)
    random.Random(seed).shuffle(deck)
    state = after(*READY, *(CardDealt(seat=1 + n % 3) for n in range(6)))
    marked = msgspec.structs.replace(
        state,
        hands={s: tuple(Held(deck.pop()) for _ in held) for s, held in state.hands.items()},
        muck=(deck.pop(), deck.pop()),
    )

    for lang in ("en", "fr"):
        assert named_cards(page(marked, lang)) == set()


def test_cards_that_all_have_seen_are_named() -> None:
    state = after(*READY, CardDealt(seat=1, card=Card.SA, shown=Shown.UP))

    view = page(state)

    assert view.seats[0].cards == ("As",)
    assert '"As"' in named_cards(view)


def test_the_page_counts_cards_and_chips() -> None:
    dealt = [CardDealt(seat=1 + n % 3) for n in range(6)]
    bet = PlayerActed(seat=3, action=Action.BET, amount=20)

    view = page(after(*READY, *dealt, bet))

    assert [seat.down for seat in view.seats[:3]] == [2, 2, 2]
    assert [seat.blind for seat in view.seats[:3]] == ["SB", "BB", ""]
    assert view.seats[2].button
    assert view.seats[2].bet == view.pot == 20
    assert [seat.to_act for seat in view.seats[:3]] == [True, False, False]
    assert [seat.dealt_in for seat in view.seats] == [True] * 3 + [False] * 3


def test_the_instruction_lights_its_place() -> None:
    view = page(after(*READY))

    assert view.instruction.zones == ("seat:1",)
    assert "1" in view.instruction.text


def test_board_and_burns_lie_as_dealt() -> None:
    dealt = [CardDealt(seat=1 + n % 3) for n in range(6)]
    flop = BoardShown(cards=(Card.C2, Card.D3, Card.H4))

    view = page(after(*READY, *dealt, BettingClosed(), CardBurned(), flop))

    assert view.board == ("2c", "3d", "4h")
    burns = view.piles[0]
    assert (burns.count, burns.cards) == (1, ())
    assert view.street == "Flop"


def test_a_ruling_is_a_list_of_steps_with_the_present_one_marked() -> None:
    view = page(after(*READY, CardDealt(seat=1), CardDealt(seat=2, card=Card.SA, shown=Shown.UP)))

    assert view.instruction.verdict
    assert sum(step.present for step in view.steps) == 1


def test_between_hands_one_button_starts_the_next_with_the_button_moved() -> None:
    state = TableState(hand=4, seats=(1, 2, 5), button=5, street=Street.BETWEEN)

    start = next_hand(state, CK, AROUND)

    assert (start.hand, start.button, start.small_blind, start.big_blind) == (5, 1, 2, 5)
    assert page(state).buttons[0].event == start


def test_with_two_players_the_button_has_the_small_blind() -> None:
    start = next_hand(TableState(hand=1, seats=(2, 6), button=2), CK, AROUND)

    assert (start.button, start.small_blind, start.big_blind) == (6, 6, 2)


def test_a_stopped_table_offers_no_button_and_calls_the_floor() -> None:
    stopped = Surroundings(name="T", seats=6, devices=AROUND.devices, stopped="the disk is full")

    view = page(after(*READY), around=stopped)

    assert view.buttons == ()
    assert view.alarm
    assert "the disk is full" in view.instruction.why


def test_without_devices_the_dealer_taps_the_cards() -> None:
    bare = Surroundings(name="T", seats=3, devices={"shuffler": "absent", "camera": "absent"})

    view = page(after(*READY), around=bare)

    assert view.buttons[0].event == CardDealt(seat=1)
    assert view.gate == ""


def test_a_lost_camera_offers_what_it_would_have_seen() -> None:
    lost = Surroundings(name="T", seats=3, devices={"shuffler": "ready", "camera": "lost"})

    view = page(after(*READY, CardDealt(seat=1)), around=lost)

    assert CardExposed(seat=1) in [button.event for button in view.buttons]
    assert [device.sign for device in view.devices] == ["ok", "failure"]


@pytest.mark.parametrize("key", sorted(TEXTS))
def test_every_text_takes_the_same_facts_in_both_languages(key: str) -> None:
    english, french = TEXTS[key]

    assert english
    assert french
    assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", french))
