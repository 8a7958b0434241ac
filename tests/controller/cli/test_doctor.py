"""``cutcard doctor`` as a whole: works with no hardware, fails when something must be done."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from controller.cli import main
from controller.cli.findings import warning
from firmware_bridge import SoftwareShuffler

Lines = list[dict[str, str]]


@pytest.fixture(autouse=True)
def no_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer that runs the tests may have ports; nobody asks them."""
    none = (warning("ports", "no USB serial port", "connect the shuffler"),)
    monkeypatch.setattr("controller.cli.doctor.check_ports", lambda: none)


def report(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, Lines]:
    code = main(["doctor", "--json", *arguments])
    return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def health(lines: Lines, check: str) -> str:
    return next(line["health"] for line in lines if line["check"] == check)


def test_without_hardware_nothing_fails(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = report([], capsys)

    assert code == 0
    assert health(lines, "model") == "ok"
    assert health(lines, "rulebook ck") == "ok"
    assert health(lines, "ports") == "warning"
    assert health(lines, "camera") == "warning"


def test_everything_that_is_not_ok_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    _, lines = report(["--camera", "no/such/file"], capsys)

    assert all(line["remedy"] for line in lines if line["health"] != "ok")


def test_a_named_camera_that_is_not_there_fails(capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = report(["--camera", "no/such/file"], capsys)

    assert code == 1
    assert health(lines, "camera") == "failure"


def test_a_shuffler_is_asked_who_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-77") as machine:
        url = machine.url
        code, lines = report(["--port", url], capsys)

    assert code == 0
    assert health(lines, f"port {url}") == "ok"


def test_a_table_file_is_checked_with_all_that_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.toml"
    table.write_text('[table]\nname = "One"\nrulebook = "vegas"\n[journal]\npath = "gone/journal"')

    code, lines = report([str(table)], capsys)

    assert code == 1
    assert health(lines, "table file") == "ok"
    assert health(lines, "rulebook vegas") == "failure"
    assert health(lines, "journal") == "failure"


def test_a_table_file_that_is_not_there_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = report([str(tmp_path / "gone.toml")], capsys)

    assert code == 1
    assert health(lines, "table file") == "failure"
