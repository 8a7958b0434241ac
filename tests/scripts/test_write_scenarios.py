"""The event files of the worked scenarios are those of the scenarios, and are judged the same."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.cli import main
from controller.events import TableEvent
from controller.rulings import Ruling
from scripts import write_scenarios
from scripts.write_scenarios import FOLDER, INDEX, line, played, stale
from tests.controller.rules.staging import Scenario, scenarios

ALL = {scenario.name: scenario for scenario in scenarios()}
JUDGED = ("SC-002-fr1", "SC-024-fr1", "SC-058-fr3", "SC-107-faq", "SC-110a-faq")


def test_the_files_are_those_of_the_scenarios() -> None:
    assert stale() == [], "run python -m scripts.write_scenarios"


@pytest.mark.parametrize("scenario", ALL.values(), ids=lambda s: s.name)
def test_a_line_says_all_that_was_told(scenario: Scenario) -> None:
    told = played(scenario).told

    lines = [line(event) for event in told]
    assert [msgspec.json.decode(text, type=TableEvent) for text in lines] == told
    assert not any('"at_ms": 0' in text for text in lines)


@pytest.mark.parametrize("name", JUDGED)
def test_a_file_is_judged_as_its_scenario(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    book, rulings = ALL[name].rulebook, played(ALL[name]).rulings

    assert main(["judge", str(FOLDER / f"{name}.jsonl"), "--rulebook", book, "--json"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [msgspec.json.decode(text, type=Ruling) for text in printed] == rulings


def test_every_scenario_stands_in_the_index() -> None:
    index = (FOLDER / INDEX).read_text("utf-8")

    assert [name for name in ALL if f"[{name}]({name}.jsonl)" not in index] == []


def test_a_stale_file_a_lost_one_and_a_stranger_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(write_scenarios, "FOLDER", tmp_path / "scenarios")
    assert write_scenarios.main([]) == 0
    assert write_scenarios.main(["--check"]) == 0
    (tmp_path / "scenarios" / "SC-002-fr1.jsonl").write_text("")
    (tmp_path / "scenarios" / "SC-003-fr1.jsonl").unlink()
    (tmp_path / "scenarios" / "SC-999-fr1.jsonl").write_text("")

    assert write_scenarios.main(["--check"]) == 1
    named = [text.split(".")[0] for text in capsys.readouterr().out.splitlines()]
    assert named == ["SC-002-fr1", "SC-003-fr1", "SC-999-fr1"]
    assert write_scenarios.main([]) == 0
    assert write_scenarios.stale() == []


def test_another_argument_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert write_scenarios.main(["--all"]) == 2
    assert "usage" in capsys.readouterr().err
