"""The ``cutcard`` program as a whole: help, wrong words, interruption, a closed pipe."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from controller.cli import main
from controller.cli.app import app

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = [sys.executable, "-m", "controller.cli"]


def say(arguments: Sequence[str]) -> str:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "100"}).output


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"cutcard {project['version']}\n"


def test_help_names_the_exit_codes() -> None:
    assert re.search(r"0 done; 1 ran and found a failure; 2 wrong usage", say(["--help"]))


def test_without_a_command_the_help_is_shown_and_it_counts_as_wrong_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    assert "cutcard demo" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["dael"], "No such command 'dael'"),
        (["--loud"], "No such option: --loud"),
    ],
)
def test_wrong_words_are_one_line_and_exit_code_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
    assert "--help" in err


def test_the_program_runs_as_a_process_of_its_own() -> None:
    run = subprocess.run(
        [*PROGRAM, "--version"], capture_output=True, text=True, check=False, cwd=ROOT
    )

    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("cutcard ")
