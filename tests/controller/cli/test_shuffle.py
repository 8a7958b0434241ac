"""``cutcard shuffle``: files of orders in, verdicts out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.cli import main


def made(path: Path, *arguments: str) -> str:
    """A file of simulated orders."""
    file = path / "orders.txt"
    assert main(["shuffle", "simulate", *arguments, "--out", str(file)]) == 0
    return str(file)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_good_machine_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = made(tmp_path, "--model", "uniform", "--decks", "80")

    assert main(["shuffle", "audit", file]) == 0
    out = capsys.readouterr().out
    assert "80 orders of 52 cards" in out
    assert "nothing speaks against uniform" in out


def test_a_bad_machine_is_a_found_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = made(tmp_path, "--model", "shelf:10", "--decks", "20")

    assert main(["shuffle", "audit", file]) == 1
    out = capsys.readouterr().out
    assert "not uniform" in out
    assert "valleys" in out
    assert "shelf:10 fits best" in out


def test_json_has_one_line_per_test_and_a_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = made(tmp_path, "--model", "riffle:4", "--decks", "30")
    code = main(["shuffle", "audit", file, "--json"])

    *tests, summary = lines(capsys)
    assert code == 1
    assert len(tests) == 13
    assert set(tests[0]) == {"test", "seen", "expected", "p_value", "adjusted", "failed"}
    assert summary["decks"] == 30
    assert summary["passed"] is False
    assert summary["closest"] == "riffle:4"
    assert any(test["failed"] for test in tests)


def test_orders_are_held_against_the_model_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = made(tmp_path, "--model", "riffle:7", "--decks", "60")

    assert main(["shuffle", "audit", file, "--model", "riffle:7"]) == 0
    assert main(["shuffle", "audit", file, "--model", "riffle:5"]) == 1
    assert "not riffle:5" in capsys.readouterr().out


def test_a_shoe_is_written_and_read_as_old_places(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = made(tmp_path, "--model", "unmixed:6", "--decks", "3", "--cards", "312")

    assert main(["shuffle", "audit", file]) == 1
    assert "drift" in capsys.readouterr().out


def test_the_same_seed_prints_the_same_file(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("4", "4", "5"):
        main(["shuffle", "simulate", "--decks", "2", "--seed", seed])

    first, second, third = capsys.readouterr().out.split("# 2 orders")[1:]
    assert first == second
    assert first.splitlines()[2:] != third.splitlines()[2:]


def test_theory_prints_the_published_distances(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shuffle", "theory", "--json"]) == 0

    found = {line["model"]: line for line in lines(capsys)}
    assert round(float(str(found["riffle:7"]["total_variation"])), 3) == 0.334
    assert round(float(str(found["shelf:20"]["total_variation"])), 3) == 0.720
    main(["shuffle", "theory", "--cards", "36"])
    assert "shelf:300" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["audit", "nothing.txt"], "no such file"),
        (["audit", __file__], "is no card"),
        (["audit", "nothing.txt", "--alpha", "2"], "--alpha"),
        (["simulate", "--model", "wash"], "no model 'wash'"),
        (["simulate", "--decks", "0"], "--decks"),
        (["simulate", "--out", "/no/such/folder/file"], "cannot be written"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shuffle", *arguments]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert word in err


def test_an_unknown_model_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = made(tmp_path, "--decks", "2")

    assert main(["shuffle", "audit", file, "--model", "riffle:0"]) == 2
    assert "riffle:N" in capsys.readouterr().err
