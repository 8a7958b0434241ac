"""Disks that are full, forbidden or broken, and power that is cut: said in a line, nothing lost."""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text

from controller.cards import Card
from controller.events import BoardShown, CardDealt, TableEvent
from controller.runtime.errors import JournalError
from controller.runtime.journal import Journal
from controller.runtime.journal.database import connect
from controller.runtime.journal.keys import load_public_keys
from controller.runtime.journal.location import Location
from controller.runtime.journal.verifying import verify
from tests.controller.runtime.journal.places import EVENTS, Place, play_hands
from tests.postgres import Server

NOBODY: Final = 65534
"""The user number that Unix systems give to nobody, who owns nothing."""


def fill(journal: Journal) -> tuple[int, str]:
    """Write until it is refused; returns how many events were taken, and what was said."""
    for n in range(1, 10_000):
        try:
            journal.append(BoardShown(at_ms=n, cards=(Card.SA,) * 52), hand=1)
        except JournalError as error:
            return n - 1, str(error)
    raise AssertionError("nothing was refused")


def is_whole(place: Place) -> bool:
    return verify(place.where, load_public_keys([place.public])).is_whole


# --- the disk is full -----------------------------------------------------------------------


@contextmanager
def small_disk() -> Iterator[Path]:
    """A disk of 256 KiB; skips where none can be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="cutcard-disk-"))
    words = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(words, check=False, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("mounting a small disk takes the rights of root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def test_a_full_disk_is_one_clear_line_and_writing_goes_on_when_there_is_space() -> None:
    with small_disk() as disk:
        place = Place(str(disk / "t.journal"), disk / "t.journal.key")
        (disk / "filler").write_bytes(b"x" * 100_000)
        with closing(place.open()) as journal:
            taken, said = fill(journal)
            (disk / "filler").unlink()

            assert journal.append(EVENTS[0]) == taken + 1
        with closing(place.read()) as again:
            assert len(tuple(again.read())) == taken + 1
        assert is_whole(place)
    assert said.endswith("the disk is full; free some space, everything recorded so far is kept")


def test_a_full_database_is_one_clear_line_and_loses_nothing(file_place: Place) -> None:
    with closing(file_place.open()) as journal:
        journal.append(EVENTS[0])
        with journal._ledger.engine.connect() as connection:
            # Above its page limit SQLite answers as on a full disk.
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
        taken, said = fill(journal)

    with closing(file_place.open()) as again:
        assert len(tuple(again.read())) == 1 + taken
    assert "t.journal: the disk is full; free some space" in said
    assert is_whole(file_place)


def test_a_disk_that_refuses_to_write_is_one_clear_line(file_place: Place) -> None:
    with closing(file_place.open()) as journal:
        size = Path(f"{file_place.where}-wal").stat().st_size
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, hard))
        try:
            taken, said = fill(journal)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert journal.append(EVENTS[0], hand=1) == taken + 1

    assert said.endswith("the disk refused to write or read; free some space and check the disk")
    assert is_whole(file_place)


@pytest.fixture
def database(postgres: Server, tmp_path: Path) -> Place:
    return Place(postgres.database(), tmp_path / "t.key")


def test_a_full_database_server_is_one_clear_line(database: Place) -> None:
    with closing(database.open()) as journal:
        database.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
        )
        database.execute(
            "CREATE TRIGGER full_disk BEFORE INSERT ON journal_records "
            "FOR EACH ROW EXECUTE FUNCTION full_disk()"
        )
        with pytest.raises(JournalError, match="the disk is full; free some space"):
            journal.append(EVENTS[0])
        database.execute("DROP TRIGGER full_disk ON journal_records")

        assert journal.append(EVENTS[0]) == 1


# --- it may not be written ------------------------------------------------------------------


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, which pytest's own are not."""
    folder = Path(tempfile.mkdtemp(prefix="cutcard-open-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Nobody may write in the folder; root, who always may, becomes nobody meanwhile."""
    folder.chmod(0o555)
    for path in folder.iterdir():
        path.chmod(0o444)
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(was)


def test_a_read_only_journal_is_read_and_refuses_to_be_written() -> None:
    with open_folder() as folder:
        place = Place(str(folder / "t.journal"), folder / "t.journal.key")
        with closing(place.open()) as journal:
            play_hands(journal, 1)

        with without_rights(folder):
            with closing(place.read()) as journal:
                assert len(tuple(journal.read())) == 6
            assert is_whole(place)
            with pytest.raises(JournalError, match=r"read-only; make the file and its folder"):
                place.open()


def test_a_folder_in_which_nothing_may_be_made_is_one_clear_line() -> None:
    with open_folder() as folder:
        place = Place(str(folder / "t.journal"), folder / "t.journal.key")

        with (
            without_rights(folder),
            pytest.raises(JournalError, match=r"cannot be opened; check the permissions"),
        ):
            place.open()


def test_a_user_of_the_database_without_the_right_to_write_is_told(
    database: Place, postgres: Server
) -> None:
    database.open().close()
    database.execute("CREATE ROLE guest LOGIN")
    database.execute("GRANT USAGE ON SCHEMA public TO guest")
    database.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
    guest = database.where.replace("postgres@", "guest@")
    try:
        with closing(Journal.open(guest, read_only=True)) as journal:
            assert journal.table_id == "T1"
        with pytest.raises(JournalError, match="this user may not do that"):
            Journal.open(guest, table_id="T1", key=database.key)
    finally:
        database.execute("DROP OWNED BY guest")
        database.execute("DROP ROLE guest")


# --- bits that are not those that were written ----------------------------------------------


def test_no_flipped_byte_of_the_file_changes_an_event_in_silence(
    file_place: Place, tmp_path: Path
) -> None:
    with closing(file_place.open()) as journal:
        play_hands(journal, 12)
        events = tuple(entry.event for entry in journal.read())
    content = Path(file_place.where).read_bytes()
    copy = Place(str(tmp_path / "copy.journal"), file_place.key)
    rng = random.Random(1)
    found = 0
    for _ in range(60):
        at = rng.randrange(len(content))
        flipped = bytes([content[at] ^ (1 << rng.randrange(8))])
        Path(copy.where).write_bytes(content[:at] + flipped + content[at + 1 :])
        seen, is_clean = look(copy)

        assert seen == events or not is_clean
        found += not is_clean
    assert found > 20


def look(place: Place) -> tuple[tuple[TableEvent, ...], bool]:
    """The events that can be read, and whether nothing was found wrong."""
    try:
        is_clean = is_whole(place)
        with closing(place.read()) as journal:
            return tuple(entry.event for entry in journal.read()), is_clean
    except JournalError as error:
        return (), "\n" in str(error)


# --- power cuts -----------------------------------------------------------------------------


def test_a_commit_waits_for_the_disk(place: Place) -> None:
    engine = connect(Location.of(place.where), read_only=False)
    setting = "PRAGMA synchronous" if place.is_file else "SHOW synchronous_commit"
    with engine.connect() as connection:
        found = connection.execute(text(setting)).scalar_one()
    engine.dispose()

    # FULL is 2 (https://sqlite.org/pragma.html#pragma_synchronous).
    assert found == (2 if place.is_file else "on")


@pytest.mark.parametrize("torn", [b"", b"\x00", b"\xa5"], ids=["cut", "zeros", "garbage"])
def test_power_cut_within_a_write_loses_only_that_write(
    file_place: Place, tmp_path: Path, torn: bytes
) -> None:
    """The log is cut, or filled with rubbish, at many places within each event's write."""
    wal = Path(f"{file_place.where}-wal")
    sizes = []
    with closing(file_place.open()) as journal:
        sizes.append(wal.stat().st_size)
        for n in range(6):
            journal.append(CardDealt(at_ms=n, seat=1))
            sizes.append(wal.stat().st_size)
        log, base = wal.read_bytes(), Path(file_place.where).read_bytes()
    assert len(log) == sizes[-1]
    copy = Place(str(tmp_path / "copy.journal"), file_place.key)
    rng = random.Random(2)
    for durable, (start, end) in enumerate(pairwise(sizes)):
        for cut in (start, end - 1, rng.randrange(start, end), rng.randrange(start, end)):
            Path(copy.where).write_bytes(base)
            Path(f"{copy.where}-wal").write_bytes(log[:cut] + torn * (len(log) - cut))
            with closing(copy.open()) as journal:
                assert [e.event.at_ms for e in journal.read()] == list(range(durable))
            assert is_whole(copy)


def test_a_server_that_crashes_keeps_what_was_acknowledged(
    database: Place, postgres: Server
) -> None:
    journal = database.open()
    for event in EVENTS:
        journal.append(event)
    postgres.stop("immediate")
    postgres.start()
    journal.close()

    with closing(database.open()) as again:
        assert tuple(entry.event for entry in again.read()) == EVENTS
    assert is_whole(database)
