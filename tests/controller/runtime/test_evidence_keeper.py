"""What is kept, what is sealed and for how long, and what a disk that refuses does to it."""

from __future__ import annotations

import asyncio
import logging
import stat
from pathlib import Path

import msgspec
import pytest

from controller.cards import Card
from controller.events import CutCardChecked, DeckCut, DeckShuffled, DeviceReported, Witness
from controller.runtime import Journal, replay
from controller.runtime.evidence import public_cards
from controller.runtime.evidence_album import EvidenceAlbum
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.evidence_seal import Seal

from .filmed import BEFORE_THE_CUT, END, EXPOSED, NEXT_HAND, exposed_card, filmed

JPEG_START = b"\xff\xd8"
JAM = DeviceReported(device="shuffler", health="fault", code="jam", by=Witness.MACHINE)


async def test_a_ruling_keeps_pictures_before_at_and_after_it(tmp_path: Path) -> None:
    """Taken at 1 to 6 s; the change is seen at 5 s."""
    with filmed(tmp_path) as table:
        await exposed_card(table)

        kept = table.keeper.of("1/1")

    assert [(p.taken_ms, p.moment) for p in kept if not p.is_covered] == [
        (1000, "before"),
        (3000, "before"),
        (4000, "before"),
        (5000, "best"),
        (6000, "after"),
    ]
    assert [p.taken_ms for p in kept if p.is_covered] == [5000]


async def test_what_is_kept_is_in_the_journal(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)

        assert set(table.journal.pictures()) == set(table.keeper.of("1/1"))


async def test_the_journal_replays_to_the_same_with_pictures_in_it(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)

        assert replay(table.journal).is_same


async def test_an_alarm_keeps_pictures_too(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        table.film()
        table.happen(JAM)
        await table.keeper.finish()
        (alarm,) = table.state.watch.alarms

        assert [p.moment for p in table.keeper.of(alarm.id)] == ["best"]


async def test_an_event_that_brings_nothing_keeps_nothing(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        table.film()
        table.happen(*EXPOSED[:-1])
        await table.keeper.finish()

        assert list(table.journal.pictures()) == []
        assert not (tmp_path / "t.journal.evidence").exists()


async def test_pictures_of_a_hand_are_sealed_until_it_is_over(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        kept = table.keeper.of("1/1")
        during = {p.name: table.keeper.content(p) for p in kept}
        table.happen(*END)
        afterwards = [table.keeper.content(p) for p in kept]

    assert {name for name, jpeg in during.items() if jpeg} == {p.name for p in kept if p.is_covered}
    assert all(jpeg.startswith(JPEG_START) for jpeg in afterwards)


async def test_they_are_open_in_the_next_hand_and_that_ones_are_sealed(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        table.happen(*END, NEXT_HAND, DeckShuffled(count=52, by=Witness.MACHINE), DeckCut())
        table.film()
        table.happen(JAM)
        await table.keeper.finish()
        (alarm,) = table.state.watch.alarms

        assert not any(table.keeper.is_sealed(p) for p in table.keeper.of("1/1"))
        assert all(table.keeper.is_sealed(p) for p in table.keeper.of(alarm.id) if not p.is_covered)


async def test_public_are_cards_that_were_shown_to_the_whole_table(tmp_path: Path) -> None:
    """Seat 4's ace was dealt face up; the cards of seats 2 and 3 were not."""
    with filmed(tmp_path) as table:
        table.happen(*EXPOSED)

        assert public_cards(table.state) == {("seat:4", "As")}


async def test_before_the_cut_there_is_nothing_to_hide(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        table.happen(*BEFORE_THE_CUT)
        table.film()
        table.happen(JAM)
        await table.keeper.finish()
        (alarm,) = table.state.watch.alarms

        assert [p.sealed_hand for p in table.keeper.of(alarm.id)] == [0]


async def test_a_picture_of_a_deal_that_was_taken_back_stays_sealed(tmp_path: Path) -> None:
    """A misdealt hand is dealt anew under its number: what was filmed before is not open yet."""
    with filmed(tmp_path) as table:
        table.happen(*BEFORE_THE_CUT, DeckCut())
        table.film()
        table.happen(CutCardChecked(is_there=True))
        table.state = msgspec.structs.replace(table.state, is_cut=False)
        table.happen(JAM)
        await table.keeper.finish()
        (alarm,) = table.state.watch.alarms

        assert [p.sealed_hand for p in table.keeper.of(alarm.id)] == [1, 0]


async def test_a_sealed_file_holds_no_picture_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
    files = sorted((tmp_path / "t.journal.evidence").iterdir())

    sealed = [file for file in files if file.suffix == ".sealed"]
    assert len(sealed) == 5
    assert not any(JPEG_START in file.read_bytes()[:64] for file in sealed)
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_a_seal_of_another_table_or_name_does_not_open(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        signer = table.journal.signer
        content = Seal(signer, "T").close("00000001-01", b"picture")

    assert Seal(signer, "T").open("00000001-01", content) == b"picture"
    assert Seal(signer, "U").open("00000001-01", content) == b""
    assert Seal(signer, "T").open("00000001-02", content) == b""
    assert Seal(signer, "T").open("00000001-01", content[:-1]) == b""


async def test_an_exchanged_file_is_not_shown(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        (covered,) = [p for p in table.keeper.of("1/1") if p.is_covered]
        folder = EvidenceFolder(tmp_path / "t.journal.evidence")
        assert table.keeper.content(covered)

        folder.file(covered).write_bytes(JPEG_START + b"another picture")

        assert table.keeper.content(covered) == b""


async def test_a_table_started_again_finds_what_was_kept(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        before = table.keeper.of("1/1")
    with filmed(tmp_path) as table:
        assert table.keeper.of("1/1") == before


async def test_a_folder_that_cannot_be_written_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file stands where the folder should be: nobody can write there, not even root."""
    taken = tmp_path / "taken"
    taken.touch()
    with caplog.at_level(logging.ERROR), filmed(tmp_path, pictures=taken) as table:
        await exposed_card(table)
        table.happen(JAM)
        await table.keeper.finish()

        assert table.keeper.is_failing
        assert list(table.journal.pictures()) == []
        assert table.state.hands[4][0].card is Card.SA, "the table went on"
    assert len(caplog.records) == 1
    assert str(taken) in caplog.text


async def test_once_there_is_room_pictures_are_kept_again(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    with filmed(tmp_path, pictures=taken) as table:
        await exposed_card(table)
        taken.unlink()
        table.happen(JAM)
        await table.keeper.finish()

        assert not table.keeper.is_failing
        assert {p.name[:8] for p in table.journal.pictures()} == {"00000007"}


async def test_pages_are_told_when_pictures_are_there(tmp_path: Path) -> None:
    told = asyncio.Event()
    with filmed(tmp_path) as table:
        running = asyncio.create_task(table.keeper.run(told.set))
        table.film(is_change=True)
        table.happen(*EXPOSED)
        await asyncio.wait_for(told.wait(), 30)

        assert table.keeper.of("1/1")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_the_album_says_what_each_picture_shows(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        folder = EvidenceFolder(tmp_path / "t.journal.evidence")
        album = EvidenceAlbum(table.keeper, table.journal, folder)

        during = album.evidence("1/1", "en").pictures
        best = next(p.name for p in during if p.is_best and not p.is_covered)
        assert album.picture(best) == b""
        table.happen(*END)
        afterwards = album.evidence("1/1", "fr").pictures

        assert (album.picture(best) or b"").startswith(JPEG_START)
        assert album.picture("00000099-01") is None
        assert album.picture("../t.journal") is None
    assert [p.words for p in during if not p.is_sealed] == [
        "What the whole table has seen; the rest is covered until the hand is over"
    ]
    assert [p.words for p in afterwards] == [
        "La table 4,0 s avant",
        "La table 2,0 s avant",
        "La table 1,0 s avant",
        "La table au moment du constat",
        "La table 1,0 s après",
    ]


def test_a_table_without_evidence_before_opens_as_ever(tmp_path: Path) -> None:
    Journal.open(tmp_path / "t.journal", table_id="T").close()

    with filmed(tmp_path) as table:
        assert table.keeper.of("1/1") == ()
