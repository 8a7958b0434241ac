"""Pictures in the journal: chained and signed as all else, and nothing a hand rests on."""

from __future__ import annotations

from contextlib import closing

import msgspec
import pytest

from controller.runtime.errors import JournalError
from controller.runtime.journal.findings import Problem
from controller.runtime.journal.keys import load_public_keys
from controller.runtime.journal.values import Picture
from controller.runtime.journal.verifying import verify

from .places import EVENTS, Place, ruling


def picture(n: int) -> Picture:
    return Picture(
        name=f"00000002-{n:02d}",
        rulings=("1/1",),
        taken_ms=8,
        moment="best",
        sha256="a" * 64,
        file_sha256="b" * 64,
    )


def written(place: Place) -> None:
    with closing(place.open()) as journal:
        for event in EVENTS[:2]:
            journal.append(event, hand=1)
        journal.record(2, (ruling(1),))
        journal.keep(2, (picture(1), picture(2)))
        journal.append(EVENTS[2], hand=1)


def checked(place: Place) -> list[tuple[Problem, int]]:
    found = verify(place.where, load_public_keys([place.public]))
    return [(finding.problem, finding.first) for finding in found.findings]


def test_pictures_are_read_as_they_were_noted(place: Place) -> None:
    written(place)

    with closing(place.read()) as journal:
        assert tuple(journal.pictures()) == (picture(1), picture(2))
        assert tuple(entry.event for entry in journal.read()) == EVENTS
        assert len(journal.rulings()) == 1


def test_a_journal_with_pictures_verifies(place: Place) -> None:
    written(place)

    assert checked(place) == []


def test_another_hash_for_a_picture_is_found(place: Place) -> None:
    written(place)
    other = msgspec.json.encode(msgspec.structs.replace(picture(2), sha256="c" * 64))

    place.tamper("UPDATE journal_records SET body = :body WHERE seq = 6", body=other)

    assert checked(place) == [(Problem.ALTERED, 6)]


def test_a_signature_taken_from_the_last_picture_is_missed(file_place: Place) -> None:
    """Opened, two events, a ruling, two pictures: the sixth record is signed."""
    written(file_place)

    file_place.tamper("DELETE FROM journal_heads WHERE seq = 6")

    assert checked(file_place) == [(Problem.UNSIGNED, 6)]


def test_no_picture_is_noted_for_an_event_that_is_not_there(file_place: Place) -> None:
    with (
        closing(file_place.open()) as journal,
        pytest.raises(JournalError, match="no event 7"),
    ):
        journal.keep(7, (picture(1),))


def test_a_reader_has_no_key_to_sign_with(file_place: Place) -> None:
    written(file_place)

    with closing(file_place.read()) as journal, pytest.raises(JournalError, match="read-only"):
        _ = journal.signer
