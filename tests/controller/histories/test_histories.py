"""Hand histories are read back by PokerKit, a program that knows nothing of this one."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pokerkit import HandHistory, State

from controller.cards import Card
from controller.events import (
    Action,
    BlindPosted,
    BoardShown,
    CardsGathered,
    CardsMoved,
    HandShown,
    HandStarted,
    PlayerActed,
    PotPushed,
    TableEvent,
)
from controller.histories import NoHistoryError, RecordedHand, history, played, summary
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.rulings import Ruling
from controller.simulate.hand import Hand
from controller.simulate.mistakes import plan_hand

CK = load_rulebook("ck")
NOON_MS = 1_767_268_800_000
"""2026-01-01 12:00 UTC."""

START = HandStarted(hand=7, seats=(2, 5, 9), button=9, small_blind=2, big_blind=5)
BLINDS = (
    BlindPosted(seat=2, amount=1, kind="small"),
    BlindPosted(seat=5, amount=2, kind="big"),
)
FLOP = BoardShown(cards=(Card.SA, Card.DT, Card.C9))
TURN, RIVER = BoardShown(cards=(Card.H2,)), BoardShown(cards=(Card.H3,))
PUSHED = PotPushed(seats=(2,))


def act(seat: int, action: Action, amount: int = 0) -> PlayerActed:
    return PlayerActed(seat=seat, action=action, amount=amount)


def checks(*seats: int) -> tuple[PlayerActed, ...]:
    return tuple(act(seat, Action.CHECK) for seat in seats)


def hand(*events: TableEvent, start: HandStarted = START) -> RecordedHand:
    return RecordedHand((start, *events), (), "Table 1", NOON_MS)


def read_back(*hands: RecordedHand) -> list[tuple[HandHistory, State]]:
    """What PokerKit makes of a file of hands: each history and its last state."""
    text = "\n".join(history(one, n) for n, one in enumerate(hands, start=1))
    return [(read, tuple(read)[-1]) for read in HandHistory.loads_all(text)]


def board(state: State) -> list[str]:
    return [repr(card) for cards in state.board_cards for card in cards]


TO_THE_RIVER = hand(
    *BLINDS,
    act(9, Action.RAISE, 6),
    act(2, Action.CALL, 6),
    act(5, Action.FOLD),
    FLOP,
    *checks(2, 9),
    TURN,
    act(2, Action.BET, 10),
    act(9, Action.CALL, 10),
    RIVER,
    *checks(2, 9),
    HandShown(seat=2, cards=(Card.CA, Card.DA)),
    HandShown(seat=9, cards=(Card.CK, Card.DK)),
    PUSHED,
)


def test_a_hand_to_the_river_comes_back_as_it_was_played() -> None:
    ((read, state),) = read_back(TO_THE_RIVER)

    assert not state.status
    assert board(state) == ["As", "Td", "9c", "2h", "3h"]
    assert state.payoffs == [18, -2, -16]
    assert (read.hand, read.seats, read.table) == (7, [2, 5, 9], "Table 1")
    assert (read.year, read.month, read.day, str(read.time)) == (2026, 1, 1, "12:00:00")


def test_cards_that_nobody_saw_stay_unknown() -> None:
    text = history(TO_THE_RIVER, 1)

    assert '"d dh p1 ????", "d dh p2 ????", "d dh p3 ????"' in text
    assert '"p1 sm AcAd", "p3 sm KcKd"' in text


def test_a_hand_that_does_not_come_to_a_showdown() -> None:
    folded = hand(*BLINDS, act(9, Action.RAISE, 6), *(act(s, Action.FOLD) for s in (2, 5)), PUSHED)

    ((_, state),) = read_back(folded)

    assert not state.status
    assert state.payoffs == [-1, -2, 3]
    assert board(state) == []


def test_between_two_players_the_button_has_the_small_blind_and_speaks_first() -> None:
    start = HandStarted(hand=1, seats=(3, 8), button=3, small_blind=3, big_blind=8)
    duel = hand(
        BlindPosted(seat=3, amount=1, kind="small"),
        BlindPosted(seat=8, amount=2, kind="big"),
        act(3, Action.CALL, 2),
        *checks(8),
        FLOP,
        act(8, Action.BET, 2),
        act(3, Action.FOLD),
        PUSHED,
        start=start,
    )

    ((read, state),) = read_back(duel)

    assert not state.status
    assert read.seats == [8, 3]
    assert state.payoffs == [2, -2]


def test_all_in_before_the_flop_the_hands_are_shown_before_the_board() -> None:
    early = hand(
        *BLINDS,
        act(9, Action.ALL_IN, 40),
        act(2, Action.CALL, 40),
        act(5, Action.FOLD),
        FLOP,
        TURN,
        RIVER,
        HandShown(seat=2, cards=(Card.C4, Card.D5)),
        HandShown(seat=9, cards=(Card.CK, Card.DK)),
        PUSHED,
    )

    ((read, state),) = read_back(early)

    assert not state.status
    assert board(state) == ["As", "Td", "9c", "2h", "3h"]
    # 4 and 5 with ace, 2 and 3 are a straight: it beats two kings.
    assert state.payoffs == [42, -2, -40]
    assert read.starting_stacks == [float("inf"), float("inf"), 40]


def test_antes_are_told_by_seat() -> None:
    with_antes = hand(
        *(BlindPosted(seat=seat, amount=1, kind="ante") for seat in (2, 5, 9)),
        *BLINDS,
        act(9, Action.FOLD),
        act(2, Action.FOLD),
        PUSHED,
    )

    ((read, state),) = read_back(with_antes)

    assert read.antes == [1, 1, 1]
    assert state.payoffs == [-2, 3, -1]


def test_a_flop_that_came_too_early_and_went_back_leaves_the_play_as_it_was() -> None:
    early = hand(
        *BLINDS,
        act(9, Action.CALL, 2),
        BoardShown(cards=(Card.CK, Card.DK, Card.HK)),
        CardsMoved(cards=(Card.CK, Card.DK, Card.HK), origin="board", target="stub"),
        act(2, Action.CALL, 2),
        *checks(5),
        FLOP,
        *checks(2, 5, 9),
        TURN,
        *checks(2, 5, 9),
        RIVER,
        *checks(2, 5),
        act(9, Action.BET, 4),
        act(2, Action.FOLD),
        act(5, Action.FOLD),
        PUSHED,
    )

    ((_, state),) = read_back(early)

    assert not state.status
    assert board(state) == ["As", "Td", "9c", "2h", "3h"]
    assert state.payoffs == [-2, -2, 4]


@pytest.mark.parametrize(
    ("events", "reason"),
    [
        ((*BLINDS, act(9, Action.FOLD)), "it was not played to its end"),
        ((*BLINDS, FLOP, TURN, RIVER, PUSHED), "no bets were entered"),
        ((*BLINDS, CardsGathered()), "it was dealt again"),
        ((*BLINDS, act(2, Action.CALL, 2), PUSHED), "seat 2 acted out of turn"),
        ((*BLINDS, act(9, Action.RAISE, 3), PUSHED), "less than a raise can be"),
        ((*BLINDS, act(9, Action.CALL, 2), PUSHED), "its betting does not go with its board"),
        (
            (BLINDS[0], *(act(s, Action.FOLD) for s in (9, 2)), PUSHED),
            "the blinds were not those of an ordinary hand",
        ),
        (
            (*BLINDS, BlindPosted(seat=9, amount=2, kind="make_up"), PUSHED),
            "a bet was posted out of turn",
        ),
    ],
)
def test_what_is_no_ordinary_play_has_no_history(
    events: tuple[TableEvent, ...], reason: str
) -> None:
    with pytest.raises(NoHistoryError, match=f"hand 7: .*{reason}"):
        played(hand(*events))


def test_other_games_have_no_history() -> None:
    omaha = HandStarted(hand=3, seats=(2, 5), button=2, game="omaha")

    with pytest.raises(NoHistoryError, match="hand 3: the game omaha is not told"):
        played(hand(start=omaha))


def test_every_hand_of_a_night_with_mistakes_is_read_back_or_left_out_with_a_reason() -> None:
    rng, state = random.Random(5), new_table(CK)
    told, reasons = [], set()
    for number in range(1, 61):
        seats = tuple(sorted(rng.sample(range(1, 11), rng.randint(3, 9))))
        dealt = Hand(plan_hand(rng, len(seats)), seats, state, CK, rng)
        dealt.play(number)
        recorded = RecordedHand(tuple(dealt.events), rulings_on(dealt, state), "T", NOON_MS)
        state = dealt.state
        try:
            history(recorded, 1)
            told.append(recorded)
        except NoHistoryError as error:
            reasons.add(error.reason)

    for (read, last), recorded in zip(read_back(*told), told, strict=True):
        assert not last.status
        assert read.hand == summary(recorded).hand
        assert sum(last.payoffs) == 0
        assert set(board(last)) <= set(summary(recorded).board.split())
    assert len(told) > 30
    assert reasons <= {
        "it was no ordinary hand (misdeal)",
        "it was no ordinary hand (fouled_deck)",
    }


def rulings_on(dealt: Hand, state: Any) -> tuple[Ruling, ...]:
    """The rulings of a hand, decided anew."""
    rulings: list[Ruling] = []
    for event in dealt.events:
        outcome = advance(state, event, CK)
        state = outcome.state
        rulings.extend(outcome.rulings)
    return tuple(rulings)


def test_a_hand_is_one_line_of_a_table() -> None:
    line = summary(TO_THE_RIVER)

    assert line.cells == (
        "Table 1", 7, "2026-01-01 12:00:00", "holdem", "2 5 9", 9, "As Td 9c 2h 3h", 9, "2", "", "",
    )  # fmt: skip
