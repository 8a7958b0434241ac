"""When a misdeal can no longer be called: each text's own count of what has happened."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.events import Action, Street
from controller.rulebook import Answer, Rulebook, load_rulebook
from controller.rules import is_window_open
from controller.rules.window import is_action_substantial
from controller.table import Act, TableState, start

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE


def _acts(*acts: tuple[int, Action]) -> tuple[Act, ...]:
    return tuple(Act(seat, action) for seat, action in acts)


def _in_order(*actions: Action) -> tuple[Act, ...]:
    """Seats 3, 4, 5, 6 behind the blinds 1 and 2."""
    return _acts(*((3 + n, action) for n, action in enumerate(actions)))


def _house(definition: str) -> Rulebook:
    book = load_rulebook("ck")
    answers = {**book.answers, "misdeal.substantial_action": Answer(definition)}
    return replace(book, answers=answers)


@pytest.mark.parametrize(
    ("actions", "is_substantial"),
    [
        # Two acts with chips in one of them, or any three (TDA rule 36; WSOP tournament rule 88c).
        ((), False),
        ((FOLD, FOLD), False),
        ((CHECK, CHECK), False),
        ((FOLD, CHECK), False),
        ((FOLD, FOLD, FOLD), True),
        ((CALL, FOLD), True),
        ((RAISE,), False),
        ((RAISE, FOLD), True),
    ],
)
def test_two_acts_with_chips_or_any_three(
    actions: tuple[Action, ...], is_substantial: bool
) -> None:
    house = _house("two_with_chips_or_three_any")

    assert is_action_substantial(_in_order(*actions), house) is is_substantial


@pytest.mark.parametrize(
    ("actions", "is_substantial"),
    [
        # Three folds, three checks, or two acts other than two folds or two checks (WSOP live 105).
        ((FOLD, FOLD), False),
        ((CHECK, CHECK), False),
        ((FOLD, CHECK), True),
        ((CALL, FOLD), True),
        ((FOLD, FOLD, FOLD), True),
        ((CHECK, CHECK, CHECK), True),
        ((RAISE,), False),
    ],
)
def test_two_acts_unless_two_folds_or_two_checks(
    actions: tuple[Action, ...], is_substantial: bool
) -> None:
    house = _house("two_unless_alike_passive_or_three_alike")

    assert is_action_substantial(_in_order(*actions), house) is is_substantial


@pytest.mark.parametrize(("actions", "is_substantial"), [((FOLD,), False), ((FOLD, FOLD), True)])
def test_any_two_acts(actions: tuple[Action, ...], is_substantial: bool) -> None:
    assert is_action_substantial(_in_order(*actions), _house("two_any")) is is_substantial


def _preflop(*acts: tuple[int, Action]) -> TableState:
    return replace(
        start(),
        hand=1,
        street=Street.PREFLOP,
        seats=(1, 2, 3, 4, 5, 6),
        live=(1, 2, 3, 4, 5, 6),
        button=6,
        small_blind=1,
        big_blind=2,
        acts=_acts(*acts),
        betting_open=True,
    )


T1_TO_T6 = ((3, FOLD), (4, CALL), (5, FOLD), (6, CALL), (1, CALL), (2, CHECK))
"""The betting of the scenario of the five windows, act by act."""


@pytest.mark.scenario("SC-112")
@pytest.mark.parametrize(
    ("book", "closes_after"),
    [
        ("fr1", 6),  # once both blinds have played (fr1.window.1)
        ("fr2", 4),  # once two players after the blinds have bet (fr2.2-20)
        ("faq", 2),  # once two players have acted (faq.window.1)
        ("ck", 2),  # substantial action, here a fold and a call (ck.misdeal.0)
    ],
)
def test_each_text_closes_the_window_at_its_own_act(book: str, closes_after: int) -> None:
    rules = load_rulebook(book)

    still_open = [is_window_open(_preflop(*T1_TO_T6[:n]), rules) for n in range(7)]
    assert still_open == [n < closes_after for n in range(7)]


@pytest.mark.scenario("SC-112")
def test_a_text_that_states_no_limit_never_closes_the_window() -> None:
    rules = load_rulebook("fr3")

    assert is_window_open(_preflop(*T1_TO_T6), rules)
    assert is_window_open(replace(_preflop(*T1_TO_T6), street=Street.RIVER), rules)


@pytest.mark.parametrize("book", ["ck", "fr1", "fr2", "faq", "wsop", "tda"])
def test_on_the_flop_it_is_too_late(book: str) -> None:
    assert not is_window_open(replace(_preflop(), street=Street.FLOP), load_rulebook(book))


def test_one_player_who_bets_twice_is_one_bettor() -> None:
    # fr2.2-20 speaks of two players.
    acts = ((3, RAISE), (4, FOLD), (5, FOLD), (6, FOLD), (1, RAISE), (2, FOLD), (3, RAISE))

    assert is_window_open(_preflop(*acts), load_rulebook("fr2"))
