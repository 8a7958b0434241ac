"""Evidence on the command line: bundles, and pictures checked, copied and let go with a journal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from controller.cli import main
from tests.controller.runtime.filmed import END, EXPOSED, NEXT_HAND, exposed_card, filmed

Captured = pytest.CaptureFixture[str]


@pytest.fixture
async def journal(tmp_path: Path) -> str:
    """Hand 1 with a ruling and its six pictures is over, hand 2 has begun."""
    with filmed(tmp_path) as table:
        await exposed_card(table)
        table.happen(*END, NEXT_HAND)
    return str(tmp_path / "t.journal")


def folder(journal: str) -> Path:
    return Path(f"{journal}.evidence")


def out(capsys: Captured) -> list[str]:
    return capsys.readouterr().out.splitlines()


# --- bundles ----------------------------------------------------------------------------------


@pytest.mark.parametrize("of", [["--hand", "1"], ["--ruling", "1/1"]])
def test_a_bundle_is_made_and_checks(
    journal: str, of: list[str], tmp_path: Path, capsys: Captured
) -> None:
    bundle = str(tmp_path / "b.zip")

    assert main(["export", journal, "--bundle", bundle, *of]) == 0
    assert out(capsys)[0].startswith(f"{bundle}: 10 files, signed with key ")
    assert main(["export", "--verify", bundle, "--public-key", f"{journal[:-8]}.journal.pub"]) == 0
    assert out(capsys)[0].endswith("10 files: nothing was changed")


def test_without_the_tables_key_it_is_said_who_vouches(
    journal: str, tmp_path: Path, capsys: Captured
) -> None:
    bundle = str(tmp_path / "b.zip")
    main(["export", journal, "--bundle", bundle, "--hand", "1"])
    capsys.readouterr()

    assert main(["export", "--verify", bundle]) == 0
    assert "which is in the bundle itself" in out(capsys)[-1]


def test_a_changed_bundle_is_told(journal: str, tmp_path: Path, capsys: Captured) -> None:
    bundle, unpacked = tmp_path / "b.zip", tmp_path / "b"
    main(["export", journal, "--bundle", str(bundle), "--hand", "1"])
    shutil.unpack_archive(bundle, unpacked)
    (unpacked / "events.jsonl").write_text("")
    shutil.make_archive(str(tmp_path / "b"), "zip", unpacked)
    capsys.readouterr()

    assert main(["export", "--verify", str(bundle)]) == 1
    assert "events.jsonl was changed" in out(capsys)


async def test_pictures_of_a_hand_in_play_stay_out(tmp_path: Path, capsys: Captured) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
    words = ["export", str(tmp_path / "t.journal"), "--bundle", str(tmp_path / "b.zip")]

    assert main([*words, "--hand", "1"]) == 1
    assert "5 pictures are left out, as their hand is not over" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--hand N or --ruling ID"),
        (["--ruling", "first"], "such as 12/1"),
        (["--ruling", "1/1", "--hand", "2"], "is not of hand 2"),
        (["--hand", "9"], "there is no hand 9"),
    ],
)
def test_what_cannot_be_bundled_is_said(
    journal: str, words: list[str], said: str, tmp_path: Path, capsys: Captured
) -> None:
    assert main(["export", journal, "--bundle", str(tmp_path / "b.zip"), *words]) == 2
    assert said in capsys.readouterr().err


def test_without_the_private_key_nothing_is_signed(
    journal: str, tmp_path: Path, capsys: Captured
) -> None:
    Path(f"{journal}.key").unlink()

    assert main(["export", journal, "--bundle", str(tmp_path / "b.zip"), "--hand", "1"]) == 2
    assert "give the private key with --key" in capsys.readouterr().err
    assert not Path(f"{journal}.key").exists(), "and no new one is made"


# --- pictures beside a journal ----------------------------------------------------------------


def test_pictures_are_checked_with_the_journal(journal: str, capsys: Captured) -> None:
    assert main(["journal", "verify", journal]) == 0
    assert ", 6 pictures, signed to the end: nothing was changed" in out(capsys)[-1]


def test_a_picture_exchanged_or_taken_away_is_told(journal: str, capsys: Captured) -> None:
    (folder(journal) / "00000006-05.jpg").write_bytes(b"another")
    (folder(journal) / "00000006-01.jpg.sealed").unlink()

    assert main(["journal", "verify", journal]) == 1
    first, second, last = out(capsys)
    assert first.startswith("picture 00000006-01 is missing: ")
    assert second.startswith("picture 00000006-05 is not the one that was noted: ")
    assert last.endswith("2 findings")
    assert main(["journal", "verify", journal, "--json"]) == 1
    problems = [json.loads(line).get("problem") for line in out(capsys)]
    assert problems == ["picture_missing", "picture_changed", None]


def test_a_copy_of_a_journal_has_its_pictures(
    journal: str, tmp_path: Path, capsys: Captured
) -> None:
    copy = str(tmp_path / "copy.journal")

    assert main(["journal", "copy", journal, copy]) == 0
    assert out(capsys)[0].endswith(" with 6 pictures")
    public = f"{journal}.pub"
    assert main(["journal", "verify", copy, "--public-key", public]) == 0
    assert {f.name for f in folder(copy).iterdir()} == {f.name for f in folder(journal).iterdir()}


def test_pictures_go_with_their_hands(journal: str, capsys: Captured) -> None:
    """Everything is older than no day; the newest hand stays."""
    assert main(["journal", "retain", journal, "--days", "0"]) == 0
    assert out(capsys)[-1] == "6 pictures removed"
    assert list(folder(journal).iterdir()) == []
    assert main(["journal", "verify", journal]) == 0


async def test_a_picture_whose_record_stays_is_kept(tmp_path: Path, capsys: Captured) -> None:
    """The one after the ruling of hand 1 was noted when hand 2 had begun."""
    journal = str(tmp_path / "t.journal")
    with filmed(tmp_path) as table:
        table.happen(*EXPOSED, *END)
        table.film()
        table.happen(NEXT_HAND, *EXPOSED[1:])
        await table.keeper.finish()
    kept = sorted(file.name for file in folder(journal).iterdir())

    assert main(["journal", "retain", journal, "--days", "0"]) == 0
    assert sorted(file.name for file in folder(journal).iterdir()) == kept
    assert [name[:8] for name in kept] == ["00000006", "00000012", "00000012"]
    assert main(["journal", "verify", journal]) == 0
