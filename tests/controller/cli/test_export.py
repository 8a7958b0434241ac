"""``cutcard export``: hands for other programs, and which were left out."""

from __future__ import annotations

import csv
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from pokerkit import HandHistory

from controller.cli import main
from controller.events import HandStarted
from controller.runtime.journal import Journal
from tests.controller.histories.test_histories import TO_THE_RIVER
from tests.controller.runtime.journal.places import Clock, ruling

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """Hands 1 and 3 played to the river, hand 2 begun only; a ruling in hand 1."""
    where = str(tmp_path / "t.journal")
    with closing(Journal.open(where, table_id="Table 1", clock=Clock())) as recorded:
        for number in (1, 2, 3):
            start, *events = TO_THE_RIVER.events
            assert isinstance(start, HandStarted)
            seq = recorded.append(msgspec.structs.replace(start, hand=number), hand=number)
            if number == 1:
                recorded.record(seq, (ruling(1),))
            for event in events if number != 2 else ():
                recorded.append(event, hand=number)
    return where


def test_hands_are_written_as_a_file_that_poker_software_reads(
    journal: str, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "night.phhs"

    assert main(["export", journal, "--phh", "--output", str(path)]) == 1

    with path.open("rb") as file:
        read = list(HandHistory.load_all(file))
    assert [history.hand for history in read] == [1, 3]
    assert all(not tuple(history)[-1].status for history in read)
    assert capsys.readouterr().err == ("cutcard: left out: hand 2: it was not played to its end\n")


def test_one_hand_goes_to_standard_output(journal: str, capsys: Captured) -> None:
    assert main(["export", journal, "--phh", "--hand", "3"]) == 0

    (read,) = HandHistory.loads_all(capsys.readouterr().out)
    assert read.hand == 3


def test_a_table_has_a_line_for_every_hand(journal: str, capsys: Captured) -> None:
    assert main(["export", journal, "--csv"]) == 0

    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["hand"] for row in rows] == ["1", "2", "3"]
    assert rows[0]["board"] == "As Td 9c 2h 3h"
    assert (rows[0]["rulings"], rows[0]["kinds"]) == ("1/1", "boxed_card")
    assert rows[1]["winners"] == ""


@pytest.mark.parametrize("flags", [[], ["--phh", "--csv"]])
def test_one_form_must_be_named(flags: list[str], journal: str, capsys: Captured) -> None:
    assert main(["export", journal, *flags]) == 2
    assert "say which form is wanted: --phh, --csv" in capsys.readouterr().err


def test_a_file_that_cannot_be_made_is_one_line(journal: str, capsys: Captured) -> None:
    assert main(["export", journal, "--csv", "-o", "/nowhere/night.csv"]) == 2
    assert "/nowhere/night.csv: No such file or directory" in capsys.readouterr().err
