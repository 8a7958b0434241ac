"""``cutcard simulate``: what was injected, what was found."""

from __future__ import annotations

import json

import pytest

from controller.cli import main


def test_json_has_one_line_per_kind_and_a_summary(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["simulate", "--hands", "40", "--seed", "3", "--json"])

    *kinds, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(set(k) == {"kind", "injected", "detected", "missed", "false"} for k in kinds)
    assert sum(k["injected"] for k in kinds) > 0
    assert summary["hands"] == 40
    faultless = not summary["inconsistent"] and not any(k["missed"] or k["false"] for k in kinds)
    assert code == (0 if faultless else 1)


def test_only_the_mistakes_asked_for_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    main(["simulate", "--hands", "40", "--faults", "four_card_flop", "--json"])

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {k["kind"] for k in lines[:-1] if k["injected"]} == {"four_card_flop"}


def test_a_person_reads_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["simulate", "--hands", "5"])

    assert "5 hands under ck" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--faults", "earthquake"], "earthquake"),
        (["--hands", "0"], "--hands"),
        (["--rulebook", "vegas"], "vegas"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", *arguments]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert word in err
