"""``cutcard rulebook``: list, show, check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli import main
from controller.rulebook import PARAMETERS

ROOT = Path(__file__).resolve().parents[3]
BOOKS = ROOT / "controller" / "rulebooks"


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_list_names_every_rulebook_that_ships(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "list", "--json"]) == 0

    assert [line["name"] for line in lines(capsys)] == sorted(p.stem for p in BOOKS.glob("*.toml"))


def test_show_answers_every_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "show", "ck", "--json"]) == 0

    shown = lines(capsys)
    assert {line["key"] for line in shown} == set(PARAMETERS)
    assert set(shown[0]) == {"key", "value", "clauses", "floor", "question"}


def test_show_is_readable_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "show", "ck"]) == 0
    assert "Caro & Cooke" in capsys.readouterr().out


def test_a_copy_of_a_good_rulebook_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house.toml"
    house.write_text((BOOKS / "ck.toml").read_text())

    assert main(["rulebook", "check", str(house)]) == 0
    assert "good" in capsys.readouterr().out


def test_a_wrong_key_is_one_line_with_the_file_and_the_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house.toml"
    house.write_text((BOOKS / "ck.toml").read_text().replace("[misdeal]", "[misdeal]\nwindwo = 1"))

    assert main(["rulebook", "check", str(house)]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "house.toml" in err
    assert "windwo" in err


@pytest.mark.parametrize("command", ["show", "check"])
def test_a_rulebook_that_does_not_exist_is_bad_input(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rulebook", command, "vegas"]) == 2
    assert "vegas" in capsys.readouterr().err


def test_the_mark_that_some_editors_put_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text("\ufeff" + (BOOKS / "ck.toml").read_text("utf-8"), "utf-8")

    assert main(["rulebook", "check", str(house)]) == 0


def test_a_file_nested_without_end_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house.toml"
    house.write_text("name = " + "[" * 9999)

    assert main(["rulebook", "check", str(house)]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "house.toml" in err
