"""A copy is the journal itself: it verifies, plays on, and may move between file and server."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from controller.runtime.errors import JournalError
from controller.runtime.journal.copying import copy
from controller.runtime.journal.keys import load_public_keys
from controller.runtime.journal.retention import retain
from controller.runtime.journal.verifying import Verification, verify
from tests.controller.runtime.journal.places import EVENTS, NOON_MS, Clock, Place, play_hands
from tests.postgres import Server


@pytest.fixture
def played(place: Place) -> Place:
    """A journal of three hands, one a second."""
    clock = Clock()
    with closing(place.open(clock)) as journal:
        for _ in range(3):
            play_hands(journal, 2)
            clock.now_ms += 1_000
    return place


@pytest.fixture
def target(played: Place, tmp_path: Path) -> Place:
    """A file to copy to; the key of the original signs what is added to it."""
    return Place(str(tmp_path / "copy.journal"), played.key)


def check(place: Place) -> Verification:
    return verify(place.where, load_public_keys([place.public]))


def test_a_copy_holds_the_same_and_verifies_with_the_same_key(played: Place, target: Place) -> None:
    assert copy(played.where, target.where) == 43

    with closing(played.read()) as one, closing(target.read()) as other:
        assert tuple(one.records()) == tuple(other.records())
        assert one.head() == other.head()
    assert check(target) == check(played)
    assert check(target).is_whole


def test_a_table_goes_on_from_a_copy(played: Place, target: Place) -> None:
    copy(played.where, target.where)

    with closing(target.open()) as journal:
        assert journal.append(EVENTS[0], hand=2) == 37
    assert check(target).is_whole


def test_a_journal_that_was_shortened_is_copied_with_its_checkpoint(
    played: Place, target: Place
) -> None:
    retain(played.where, before_ms=NOON_MS + 500, now_ms=NOON_MS, key=played.key)
    first = check(played).first_seq

    copy(played.where, target.where)

    assert first > 1
    assert (check(target).is_whole, check(target).first_seq) == (True, first)


def test_while_the_table_plays_the_copy_is_whole(played: Place, target: Place) -> None:
    with closing(played.open(Clock(NOON_MS + 9_000))) as journal:
        journal.append(EVENTS[0], hand=2)
        copy(played.where, target.where)
        journal.append(EVENTS[1], hand=2)

    assert check(target).is_whole
    assert check(target).last_seq == check(played).last_seq - 1


def test_what_was_changed_is_changed_in_the_copy_too(played: Place, target: Place) -> None:
    played.tamper("UPDATE journal_records SET at_ms = at_ms + 1 WHERE seq = 7")
    copy(played.where, target.where)

    assert [found.first for found in check(target).findings] == [7]


def test_nothing_is_copied_over_a_journal(played: Place, target: Place) -> None:
    copy(played.where, target.where)

    with pytest.raises(JournalError, match="there is a journal in it already; name a new one"):
        copy(played.where, target.where)


def test_a_folder_that_is_missing_is_named(played: Place) -> None:
    with pytest.raises(JournalError, match="make the folder /nowhere first"):
        copy(played.where, "/nowhere/copy.journal")


def test_a_file_moves_to_a_server_and_back(
    file_place: Place, postgres: Server, tmp_path: Path
) -> None:
    with closing(file_place.open()) as journal:
        play_hands(journal, 2)
    url, back = postgres.database(), str(tmp_path / "back.journal")

    copy(file_place.where, url)
    copy(url, back, table_id="T1")

    assert check(Place(url, file_place.key)).is_whole
    assert check(Place(back, file_place.key)) == check(file_place)
