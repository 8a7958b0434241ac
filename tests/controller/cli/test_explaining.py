"""``cutcard rulebook explain`` and ``diff``, as a card-room manager uses them."""

from __future__ import annotations

import json

import pytest

from controller.cli import main
from controller.irregularities import Kind


def test_explaining_an_irregularity_names_answer_clause_place_and_other_houses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rulebook", "explain", "exposed-card", "--rulebook", "fr3"]) == 0

    shown = capsys.readouterr().out
    # fr3 alone makes only the first card a misdeal (fr3.exposed.1, line 8 of its text).
    assert "fr3.exposed.1 (Erreurs du donneur, line 8)" in shown
    assert "1, 2" in shown


@pytest.mark.parametrize(
    "kind", [k for k in Kind if k is not Kind.UNEXPECTED], ids=lambda k: k.value
)
def test_every_irregularity_can_be_explained(
    kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rulebook", "explain", kind.value, "--json"]) == 0

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines
    assert all(line["question"] and line["answer"] for line in lines)


def test_a_clause_is_explained_with_what_rests_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "explain", "ck.exposed.6"]) == 0

    shown = capsys.readouterr().out
    assert "EXPOSED CARDS, line 37" in shown
    assert "exposed.fate" in shown


def test_an_unknown_matter_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "explain", "exposd-card"]) == 2

    assert "did you mean 'exposed_card'" in capsys.readouterr().err


def test_the_difference_of_two_houses_shows_both_answers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rulebook", "diff", "ck", "faq", "--json"]) == 0

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    missing = next(line for line in lines if line["key"] == "fouled.missing")
    # A missing card: misdeal or fouled deck (ck.misdeal.j), or the result stands (faq.missing.1).
    assert missing["ck"]["value"] == "misdeal_then_fouled_deck"
    assert missing["faq"]["value"] == "play_on"


def test_a_house_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "diff", "fr2", "fr2"]) == 0

    assert "0 of " in capsys.readouterr().out
