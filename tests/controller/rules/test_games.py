"""Games as rows: what the engine asks for, hand by hand, in hold'em, Omaha, stud and draw."""

from __future__ import annotations

from random import Random

import pytest

from controller.cards import FULL_DECK
from controller.events import Action as Act
from controller.events import (
    BettingClosed,
    CardBurned,
    CardDealt,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PlayerActed,
    PlayerDrew,
    Shown,
    Street,
    TableEvent,
)
from controller.irregularities import Kind
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table, next_steps
from controller.rulings import Step, StepKind, Verdict
from controller.table import GAMES, Game

BOOK = load_rulebook("ck")


class Played:
    """A hand whose dealer does what is asked, without a fault."""

    def __init__(self, game: str, seats: tuple[int, ...] = (1, 2, 3)) -> None:
        self.state = new_table(BOOK)
        self.found: list[Kind] = []
        self.asked: list[tuple[StepKind, int]] = []
        self.deck = list(FULL_DECK)
        Random(4).shuffle(self.deck)
        self.tell(HandStarted(hand=1, seats=seats, button=seats[-1], game=game))
        self.tell(DeckShuffled())
        self.tell(DeckCut())

    def tell(self, event: TableEvent) -> None:
        outcome = advance(self.state, event, BOOK)
        self.state = outcome.state
        self.found += [irregularity.kind for irregularity in outcome.irregularities]

    @property
    def next(self) -> Step:
        return next_steps(self.state, BOOK)[0]

    def go_on(self, *, draws: int = 0) -> None:
        step = self.next
        self.asked.append((step.kind, step.seat))
        match step.kind:
            case StepKind.DEAL_TO_SEAT:
                self.tell(self._dealt(step.seat))
            case StepKind.BURN:
                self.deck.pop()
                self.tell(CardBurned())
            case StepKind.DRAW_CARDS:
                self.tell(PlayerDrew(seat=step.seat, count=draws))
            case StepKind.COMPLETE_BETTING:
                self.tell(BettingClosed())
            case _:
                raise AssertionError(f"not of this game: {step}")

    def _dealt(self, seat: int) -> CardDealt:
        """A card lies face up where the row of the game says so."""
        card, game, street = self.deck.pop(), self.state.rules_of_game, self.state.street
        lap = self.state.dealt // len(self.state.seats) + 1
        if street is not Street.DEAL:
            street = game.next_street(street)
        if not game.is_dealt_up(street, lap):
            return CardDealt(seat=seat)
        return CardDealt(seat=seat, card=card, shown=Shown.UP)

    def until(self, street: Street, *, draws: int = 0) -> None:
        for _ in range(200):
            if self.state.street is street:
                return
            self.go_on(draws=draws)
        raise AssertionError(f"{street} is never reached")


def test_stud_deals_two_down_one_up_three_up_one_down_with_a_burn_before_each_street() -> None:
    hand = Played("stud")
    hand.until(Street.SHOWDOWN)

    assert hand.found == []
    ups = [[held.is_up for held in hand.state.hands[seat]] for seat in (1, 2, 3)]
    assert ups == [[False, False, True, True, True, True, False]] * 3
    assert len(hand.state.burns) == 4
    assert hand.state.stub == 52 - 3 * 7 - 4


def test_stud_gives_a_street_to_the_players_left_in_order() -> None:
    hand = Played("stud", seats=(2, 5, 8))
    hand.until(Street.THIRD)
    hand.tell(PlayerActed(seat=5, action=Act.FOLD))
    hand.asked.clear()
    hand.until(Street.FOURTH)

    dealt = [seat for kind, seat in hand.asked if kind is StepKind.DEAL_TO_SEAT]
    assert dealt == [2, 8]


@pytest.mark.clause("ck.misdeal.k")
def test_a_card_to_the_wrong_player_of_a_later_street_is_for_the_floor() -> None:
    hand = Played("stud")
    hand.until(Street.THIRD)
    hand.tell(BettingClosed())
    hand.tell(CardBurned())
    hand.tell(CardDealt(seat=3, card=hand.deck.pop(), shown=Shown.UP))

    assert hand.found == [Kind.UNEXPECTED]
    assert hand.next.kind is StepKind.CALL_FLOOR


def test_a_flashed_down_card_in_stud_is_left_to_the_floor() -> None:
    hand = Played("stud")
    hand.go_on()
    hand.go_on()
    hand.tell(CardDealt(seat=3, card=hand.deck.pop(), shown=Shown.UP))

    assert hand.found == [Kind.EXPOSED_CARD]
    assert hand.state.open[0].ruling.verdict is Verdict.FLOOR_DECIDES


def test_draw_asks_each_player_burns_once_and_makes_hands_whole() -> None:
    hand = Played("draw", seats=(1, 2, 3, 4))
    hand.until(Street.PREDRAW)
    hand.tell(BettingClosed())
    hand.asked.clear()
    hand.until(Street.DRAW, draws=3)

    assert hand.found == []
    assert [seat for kind, seat in hand.asked if kind is StepKind.DRAW_CARDS] == [1, 2, 3, 4]
    assert [kind for kind, _ in hand.asked].count(StepKind.BURN) == 1
    assert all(len(held) == 5 for held in hand.state.hands.values())
    assert len(hand.state.muck) == 12


def test_a_player_who_stands_pat_gets_no_card() -> None:
    hand = Played("draw")
    hand.until(Street.PREDRAW)
    hand.tell(BettingClosed())
    hand.asked.clear()
    hand.until(Street.DRAW, draws=0)

    assert not [kind for kind, _ in hand.asked if kind is StepKind.DEAL_TO_SEAT]


@pytest.mark.clause("ck.last.1")
def test_a_draw_that_needs_the_last_card_is_said_before_it_is_dealt() -> None:
    # Eight players hold 40 cards; one burn leaves 11, and they ask for 16.
    hand = Played("draw", seats=(1, 2, 3, 4, 5, 6, 7, 8))
    hand.until(Street.PREDRAW)
    hand.tell(BettingClosed())
    for seat in (1, 2, 3, 4, 5, 6, 7, 8):
        hand.tell(PlayerDrew(seat=seat, count=2))

    assert hand.found == [Kind.NOT_ENOUGH_CARDS]


@pytest.mark.scenario("SC-084")
@pytest.mark.clause("ck.last.1")
@pytest.mark.parametrize(("players", "is_enough"), [(21, True), (22, False)])
def test_twenty_two_players_would_need_the_last_card(players: int, is_enough: bool) -> None:
    # 21 players need 42 + 8 = 50 cards; with 22 the river would be the last card.
    seats = tuple(range(1, players + 1))
    outcome = advance(new_table(BOOK), HandStarted(hand=1, seats=seats, button=1), BOOK)

    assert (outcome.irregularities == ()) is is_enough


def test_omaha_is_holdem_with_four_cards() -> None:
    hand = Played("omaha")
    hand.until(Street.PREFLOP)

    assert all(len(held) == 4 for held in hand.state.hands.values())


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_row_adds_up(game: Game) -> None:
    boards = [round_.board for round_ in game.rounds]

    assert boards == sorted(boards)
    assert game.cards_held(game.streets[-1]) == game.cards_each
    assert 2 * game.cards_each + game.shared_cards < 52
