"""Whatever is done to a journal afterwards is found, and the place is named.

Two hands of six events with a ruling each make 15 records: 1 the opening, 2 to 8 the
first hand (its ruling is 5), 9 to 15 the second (its ruling is 12). Signed are 1, the
starts of the hands, the rulings, and 15 at the closing.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.events import CardDealt
from controller.runtime.errors import JournalError
from controller.runtime.journal.chain import chained, head_text
from controller.runtime.journal.findings import ClockSetBack, Finding, Problem
from controller.runtime.journal.keys import KeyFiles, load_public_keys, load_signer
from controller.runtime.journal.ledger import Ledger
from controller.runtime.journal.values import Head
from controller.runtime.journal.verifying import Verification, verify
from tests.controller.runtime.journal.places import NOON_MS, Clock, Place, play_hands

RECORDS: Final = 15
HEADS: Final = (1, 2, 5, 9, 12, 15)

SWAP: Final = tuple(
    f"UPDATE journal_records SET seq = {to} WHERE seq = {of}"
    for of, to in ((6, -6), (7, 6), (-6, 7))
)
CLOSE_THE_GAP: Final = (
    "DELETE FROM journal_records WHERE seq = 7",
    "UPDATE journal_records SET seq = -seq WHERE seq > 7",
    "UPDATE journal_records SET seq = -seq - 1 WHERE seq < 0",
)
PUT_ONE_IN: Final = (
    "UPDATE journal_records SET seq = -seq WHERE seq >= 7",
    "UPDATE journal_records SET seq = 1 - seq WHERE seq < 0",
    "INSERT INTO journal_records SELECT table_id, 7, type, event, hand, at_ms, written_ms, kind,"
    " body, hash FROM journal_records WHERE seq = 6",
)


@pytest.fixture
def played(place: Place) -> Place:
    """A closed journal of two hands."""
    with closing(place.open()) as journal:
        play_hands(journal, 2)
    return place


def check(place: Place, noted: Head | None = None) -> Verification:
    return verify(place.where, load_public_keys([place.public]), noted=noted)


def places(found: Verification) -> list[tuple[Problem, int, int]]:
    return [(f.problem, f.first, f.last) for f in found.findings]


def test_an_untouched_journal_is_whole_and_signed_to_its_end(played: Place) -> None:
    found = check(played)

    assert found.is_whole
    assert (found.table_id, found.first_seq, found.last_seq) == ("T1", 1, RECORDS)
    assert (found.records, found.signed_seq, found.waiting, found.clock) == (
        RECORDS,
        RECORDS,
        0,
        (),
    )


def test_it_stays_whole_through_restarts_and_long_hands(place: Place) -> None:
    for hands in (1, 2):
        with closing(place.open()) as journal:
            play_hands(journal, hands, cards=80)
    journal = place.open()
    for n in range(7):
        journal.append(CardDealt(at_ms=n, seat=1), hand=2)

    found = check(place)

    journal.close()
    assert found.is_whole
    assert found.last_seq - found.signed_seq == 7


def test_what_is_written_while_it_is_checked_is_no_finding(
    played: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = Ledger.heads
    with closing(played.open()) as journal:

        def plays_on(ledger: Ledger) -> tuple[Head, ...]:
            found = heads(ledger)
            play_hands(journal, 1)
            return found

        monkeypatch.setattr(Ledger, "heads", plays_on)
        found = check(played)

    assert found.is_whole
    assert found.last_seq == RECORDS + 1


@pytest.mark.parametrize(
    "column",
    [
        "type = 'opened'",
        "event = 1",
        "hand = 3",
        "at_ms = at_ms + 1",
        "written_ms = written_ms - 1",
        "kind = 'deck_cut'",
        "body = hash",
    ],
)
def test_a_change_in_any_column_is_found_at_its_record(played: Place, column: str) -> None:
    played.tamper(f"UPDATE journal_records SET {column} WHERE seq = 7")

    assert places(check(played))[0] == (Problem.ALTERED, 7, 7)


def test_a_change_of_a_hash_alone_is_found(played: Place) -> None:
    played.tamper("UPDATE journal_records SET hash = body WHERE seq = 7")

    assert places(check(played)) == [(Problem.ALTERED, 7, 7), (Problem.ALTERED, 8, 8)]


@pytest.mark.parametrize(
    ("statements", "wanted"),
    [
        (("DELETE FROM journal_records WHERE seq = 7",), (Problem.MISSING, 7, 7)),
        (("DELETE FROM journal_records WHERE seq IN (6, 7)",), (Problem.MISSING, 6, 7)),
        (("DELETE FROM journal_records WHERE seq = 1",), (Problem.MISSING, 1, 1)),
        (("DELETE FROM journal_records WHERE seq >= 14",), (Problem.CUT, 14, 15)),
        (CLOSE_THE_GAP, (Problem.ALTERED, 7, 7)),
        (SWAP, (Problem.ALTERED, 6, 6)),
        (PUT_ONE_IN, (Problem.ALTERED, 7, 7)),
    ],
    ids=["one", "two", "first", "end", "renumbered", "swapped", "put in"],
)
def test_records_removed_added_or_moved_are_found_where_it_begins(
    played: Place, statements: tuple[str, ...], wanted: tuple[Problem, int, int]
) -> None:
    played.tamper(*statements)

    assert places(check(played))[0] == wanted


def test_the_finding_says_which_record_when_and_what(played: Place) -> None:
    played.tamper("UPDATE journal_records SET at_ms = 1005 WHERE seq = 7")

    (finding,) = check(played).findings

    assert finding.sentence.startswith("record 7 does not follow from the one before")
    assert finding.where == (
        "record 7, hand 1, event card_dealt, 2026-01-01 12:00:00 UTC, table clock 1.005 s"
    )


def test_records_written_anew_with_their_hashes_are_found_at_the_next_signature(
    played: Place,
) -> None:
    forge(played, 6)

    assert places(check(played)) == [
        (Problem.REWRITTEN, 9, 9),
        (Problem.REWRITTEN, 12, 12),
        (Problem.REWRITTEN, 15, 15),
    ]


def forge(place: Place, seq: int) -> None:
    """Change a record and compute all hashes from there on, as anybody can."""
    with closing(place.read()) as journal:
        records = list(journal.records())
    previous = records[seq - 2].hash
    for record in records[seq - 1 :]:
        body = record.body.replace(b'"seat":', b'"seat":1') if record.seq == seq else record.body
        record = chained(previous, msgspec.structs.replace(record, body=body))
        previous = record.hash
        place.tamper(
            "UPDATE journal_records SET body = :body, hash = :hash WHERE seq = :seq",
            body=record.body,
            hash=record.hash,
            seq=record.seq,
        )


@pytest.mark.parametrize("seq", [s for s in HEADS if s != RECORDS])
def test_a_signature_taken_away_is_missed(played: Place, seq: int) -> None:
    played.tamper(f"DELETE FROM journal_heads WHERE seq = {seq}")

    assert places(check(played)) == [(Problem.UNSIGNED, seq, seq)]


def test_a_forged_end_that_claims_to_be_older_than_signatures_is_found(played: Place) -> None:
    """Records without a time come from before there were signatures, and only a head vouches."""
    played.tamper(
        "DELETE FROM journal_heads WHERE seq > 8",
        "UPDATE journal_records SET written_ms = 0 WHERE seq > 8",
    )
    forge(played, 9)

    assert (Problem.UNSIGNED, 9, 9) in places(check(played))
    assert (Problem.UNSIGNED, 12, 12) in places(check(played))


def test_in_a_long_hand_a_missing_signature_of_a_block_is_noticed(place: Place) -> None:
    with closing(place.open()) as journal:
        play_hands(journal, 1, cards=80)
        blocks = [n for n in range(1, 90) if n > 5 and (n - 5) % 32 == 0]
    place.tamper(f"DELETE FROM journal_heads WHERE seq = {blocks[0]}")

    assert places(check(place)) == [(Problem.UNSIGNED, blocks[0], blocks[0])]


def test_an_end_cut_off_with_its_signatures_goes_unnoticed(played: Place) -> None:
    """The limit that the page states: the journal is what it was earlier."""
    played.tamper(
        "DELETE FROM journal_heads WHERE seq = 15", "DELETE FROM journal_records WHERE seq > 12"
    )

    assert check(played).is_whole
    assert check(played).signed_seq == 12


def test_a_head_noted_elsewhere_finds_that_too(played: Place) -> None:
    with closing(played.read()) as journal:
        noted = journal.head()
    played.tamper(
        "DELETE FROM journal_heads WHERE seq = 15", "DELETE FROM journal_records WHERE seq > 12"
    )

    assert places(check(played, noted)) == [(Problem.CUT, 13, 15)]


def test_a_head_noted_elsewhere_finds_a_journal_put_in_its_place(
    played: Place, tmp_path: Path
) -> None:
    with closing(played.read()) as journal:
        noted = journal.head()
    other = Place(str(tmp_path / "other.journal"), played.key)
    with closing(other.open(Clock(NOON_MS + 1))) as journal:
        play_hands(journal, 2)

    assert check(other).is_whole
    assert places(check(other, noted)) == [(Problem.REWRITTEN, 15, 15)]


def test_a_signature_by_another_key_is_not_trusted(played: Place, tmp_path: Path) -> None:
    stranger = load_signer(KeyFiles.named(tmp_path / "other.key"))
    sign_as(played, 12, stranger.key_id, tmp_path / "other.key")

    assert places(check(played)) == [(Problem.UNKNOWN_KEY, 12, 12)]


def test_a_signature_under_a_false_name_is_found(played: Place, tmp_path: Path) -> None:
    load_signer(KeyFiles.named(tmp_path / "other.key"))
    sign_as(played, 12, load_signer(KeyFiles.named(played.key)).key_id, tmp_path / "other.key")

    assert places(check(played)) == [(Problem.FORGED, 12, 12)]


def sign_as(place: Place, seq: int, key_id: str, key: Path) -> None:
    """Replace the head at a record by one made with a key under a name."""
    with closing(place.read()) as journal:
        digested = next(r.hash for r in journal.records() if r.seq == seq)
    head = Head(
        table_id="T1", seq=seq, hash=digested, made_ms=NOON_MS, reason="ruling", key_id=key_id
    )
    place.tamper(
        "UPDATE journal_heads SET key_id = :key_id, signature = :signature WHERE seq = :seq",
        key_id=key_id,
        signature=load_signer(KeyFiles.named(key)).sign(head_text(head)),
        seq=seq,
    )


def test_records_signed_after_the_key_was_lost_are_told_apart(played: Place) -> None:
    old = played.public.read_bytes()
    played.key.unlink()
    with closing(played.open()) as journal:
        play_hands(journal, 1)

    assert check(played).is_whole
    played.public.write_bytes(old)
    assert places(check(played)) == [(Problem.UNKNOWN_KEY, 16, 16)]


def test_a_clock_set_back_is_told_but_is_no_fault(place: Place) -> None:
    clock = Clock()
    with closing(place.open(clock)) as journal:
        play_hands(journal, 1)
        clock.now_ms -= 7_200_000
        play_hands(journal, 1)

    found = check(place)

    assert found.is_whole
    assert found.clock == (ClockSetBack(9, 7_200_000),)


def test_guards_taken_out_are_noticed(played: Place) -> None:
    drop = "DROP TRIGGER journal_records_kept"
    played.execute(drop if played.is_file else f"{drop} ON journal_records")

    (finding,) = check(played).findings
    assert finding.sentence.endswith("taken out of the database: journal_records_kept")


def test_another_kind_of_value_in_a_column_is_found(file_place: Place) -> None:
    with closing(file_place.open()) as journal:
        play_hands(journal, 2)
    file_place.tamper(
        "UPDATE journal_records SET at_ms = 'noon' WHERE seq = 7",
        "UPDATE journal_records SET body = 'text' WHERE seq = 8",
        "UPDATE journal_records SET seq = 'last' WHERE seq = 15",
    )

    found = places(check(file_place))

    assert (Problem.UNREADABLE, 7, 7) in found
    assert (Problem.UNREADABLE, 8, 8) in found
    assert (Problem.UNREADABLE, 15, 15) in found


def test_a_page_of_the_file_overwritten_is_found(file_place: Place) -> None:
    with closing(file_place.open()) as journal:
        play_hands(journal, 40)
    content = bytearray(Path(file_place.where).read_bytes())
    content[10 * 4096 : 11 * 4096] = b"\xff" * 4096
    Path(file_place.where).write_bytes(content)

    found = check(file_place)

    assert not found.is_whole
    assert found.findings[-1].sentence


def test_a_table_that_is_not_there_is_one_line(played: Place) -> None:
    with pytest.raises(JournalError, match="no table 'T9' in it, only T1"):
        verify(played.where, load_public_keys([played.public]), table_id="T9")


# --- whatever it is, it is found --------------------------------------------------------


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A closed journal of two hands, to be copied."""
    folder = tmp_path_factory.mktemp("original")
    place = Place(str(folder / "t.journal"), folder / "t.journal.key")
    with closing(place.open()) as journal:
        play_hands(journal, 2)
    return place


NUMBERS = st.integers(1, RECORDS)
ACTS = st.one_of(
    st.tuples(st.just("DELETE FROM journal_records WHERE seq = {0}"), NUMBERS, NUMBERS),
    st.tuples(
        st.sampled_from(
            [
                "UPDATE journal_records SET body = CAST(body || ' ' AS BLOB) WHERE seq = {0}",
                "UPDATE journal_records SET at_ms = at_ms + {1} WHERE seq = {0}",
                "UPDATE journal_records SET hand = hand + {1} WHERE seq = {0}",
                "UPDATE journal_records SET event = event + {1} WHERE seq = {0}",
                "UPDATE journal_records SET kind = kind || '{1}' WHERE seq = {0}",
                "UPDATE journal_records SET written_ms = written_ms - {1} WHERE seq = {0}",
                "UPDATE journal_records SET seq = seq + 100 * {1} WHERE seq = {0}",
            ]
        ),
        NUMBERS,
        NUMBERS,
    ),
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(act=ACTS)
def test_any_change_of_any_record_is_found_at_that_record(
    original: Place, tmp_path: Path, act: tuple[str, int, int]
) -> None:
    statement, seq, amount = act
    copy = Place(str(tmp_path / "copy.journal"), original.key)
    shutil.copy(original.where, copy.where)
    copy.tamper(statement.format(seq, amount))

    findings: tuple[Finding, ...] = check(copy).findings

    assert findings
    assert findings[0].first in (seq, seq + 1)
    Path(copy.where).unlink()
