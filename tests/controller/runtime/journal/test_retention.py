"""Old hands go, and what is left verifies and plays on."""

from __future__ import annotations

from contextlib import closing

import pytest

from controller.events import CardDealt, HandStarted
from controller.runtime.errors import JournalDamagedError
from controller.runtime.journal import retention
from controller.runtime.journal.findings import Problem
from controller.runtime.journal.keys import load_public_keys
from controller.runtime.journal.retention import Retention, retain
from controller.runtime.journal.verifying import Verification, verify
from tests.controller.runtime.journal.places import EVENTS, NOON_MS, Clock, Place

DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def days(place: Place) -> Place:
    """Five hands on five days: record 1 opens, hand n begins at record 3n - 1."""
    clock = Clock()
    with closing(place.open(clock)) as journal:
        for hand in range(1, 6):
            journal.append(HandStarted(hand=hand, seats=(1, 2), button=1), hand=hand)
            journal.append(CardDealt(seat=1), hand=hand)
            journal.append(CardDealt(seat=2), hand=hand)
            clock.now_ms += DAY_MS
    return place


def keep(place: Place, days: float, *, is_trial: bool = False) -> Retention:
    """Keep the days since a time, counted from the first hand."""
    before_ms = NOON_MS + int(days * DAY_MS)
    return retain(
        place.where, before_ms=before_ms, now_ms=before_ms, key=place.key, is_trial=is_trial
    )


def check(place: Place) -> Verification:
    return verify(place.where, load_public_keys([place.public]))


def hands(place: Place) -> list[int]:
    with closing(place.read()) as journal:
        return sorted({entry.hand for entry in journal.read()})


def test_old_hands_go_and_the_rest_verifies(days: Place) -> None:
    done = keep(days, 1.5)

    assert done == Retention("T1", removed=7, first_seq=8)
    assert hands(days) == [3, 4, 5]
    found = check(days)
    assert found.is_whole
    assert (found.first_seq, found.last_seq, found.records) == (8, 16, 9)


def test_the_table_plays_on_and_keeps_its_numbers_and_its_rulebook(days: Place) -> None:
    keep(days, 1.5)

    with closing(days.open(rulebook="")) as journal:
        assert journal.append(EVENTS[0], hand=5) == 16
        assert journal.rulebook == "ck"
    assert check(days).is_whole


def test_the_newest_hand_always_stays(days: Place) -> None:
    keep(days, 1000)

    assert hands(days) == [5]
    assert check(days).is_whole


def test_where_nothing_is_old_nothing_is_done(days: Place) -> None:
    assert keep(days, 0).removed == 0
    assert check(days).first_seq == 1


def test_a_trial_only_says_what_would_go(days: Place) -> None:
    assert keep(days, 1.5, is_trial=True).removed == 7
    assert hands(days) == [1, 2, 3, 4, 5]


def test_retention_again_and_again(days: Place) -> None:
    for day in (0.5, 1.5, 2.5):
        keep(days, day)

        assert check(days).is_whole
    assert hands(days) == [4, 5]


def test_while_the_table_plays(days: Place) -> None:
    with closing(days.open(Clock(NOON_MS + 5 * DAY_MS))) as journal:
        keep(days, 2.5)
        journal.append(EVENTS[1], hand=5)

        assert [entry.hand for entry in journal.read()] == [4, 4, 4, 5, 5, 5, 5]
    assert check(days).is_whole


def test_a_retention_cut_short_is_ended_by_the_next(
    days: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PowerCutError(Exception):
        pass

    def cut(*_: object) -> tuple[int, ...]:
        raise PowerCutError

    monkeypatch.setattr(retention, "_turns", cut)
    with pytest.raises(PowerCutError):
        keep(days, 1.5)
    monkeypatch.undo()

    assert hands(days) == [3, 4, 5]
    assert (check(days).is_whole, check(days).waiting) == (True, 7)
    assert keep(days, 1.5).removed == 7
    assert check(days).waiting == 0


def test_many_records_are_deleted_in_short_turns(
    days: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "TURN", 2)
    keep(days, 2.5)

    assert hands(days) == [4, 5]
    assert check(days).is_whole


def test_more_taken_away_than_was_signed_is_found(days: Place) -> None:
    keep(days, 1.5)
    days.tamper("DELETE FROM journal_records WHERE seq < 11")

    assert [(f.problem, f.first, f.last) for f in check(days).findings] == [
        (Problem.MISSING, 8, 10)
    ]


@pytest.mark.parametrize("column", ["first_seq = 9", "previous = signature", "rulebook = 'x'"])
def test_a_forged_checkpoint_is_found(days: Place, column: str) -> None:
    keep(days, 1.5)
    days.tamper(f"UPDATE journal_checkpoints SET {column}")

    assert Problem.FORGED in {found.problem for found in check(days).findings}


def test_a_journal_with_something_wrong_is_left_as_it_is(days: Place) -> None:
    days.tamper("UPDATE journal_records SET at_ms = 5 WHERE seq = 3")

    with pytest.raises(JournalDamagedError, match="nothing was removed, as record 3 does not"):
        keep(days, 1.5)
    assert hands(days) == [1, 2, 3, 4, 5]


def test_a_clock_set_back_makes_nothing_older(place: Place) -> None:
    clock = Clock()
    with closing(place.open(clock)) as journal:
        for hand, days in enumerate((0, 5, 1, 6), start=1):
            clock.now_ms = NOON_MS + days * DAY_MS
            journal.append(HandStarted(hand=hand, seats=(1, 2), button=1), hand=hand)

    keep(place, 4)

    assert hands(place) == [2, 3, 4]


def test_a_clock_that_was_never_set_makes_nothing_old(place: Place) -> None:
    """A small computer without a battery wakes in 1970 and learns the time later."""
    clock = Clock(5_000)
    with closing(place.open(clock)) as journal:
        for hand in (1, 2, 3, 4):
            if hand == 3:
                clock.now_ms = NOON_MS
            journal.append(HandStarted(hand=hand, seats=(1, 2), button=1), hand=hand)

    assert keep(place, 0).removed == 0
    keep(place, 1)

    assert hands(place) == [4]
