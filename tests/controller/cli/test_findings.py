"""How ``cutcard doctor`` says what it found."""

import json

import pytest

from controller.cli.findings import failure, has_failure, ok, print_findings, warning

FINDINGS = (
    ok("python", "Python 3.11.7"),
    warning("ports", "no USB serial port", "connect the shuffler"),
    failure("camera", "the picture is black", "take off the lens cover"),
)


def test_only_a_failure_fails() -> None:
    assert not has_failure(FINDINGS[:2])
    assert has_failure(FINDINGS)


def test_json_is_one_object_per_check(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(FINDINGS, as_json=True)

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["health"] for line in lines] == ["ok", "warning", "failure"]
    assert lines[2] == {
        "check": "camera",
        "health": "failure",
        "fact": "the picture is black",
        "remedy": "take off the lens cover",
    }


def test_a_person_reads_fact_and_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings(FINDINGS, as_json=False)

    shown = capsys.readouterr().out
    assert "the picture is black" in shown
    assert "take off the lens cover" in shown


def test_words_in_brackets_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_findings([failure("journal", "is a folder", "name a file in [journal] path")], False)

    assert "[journal]" in capsys.readouterr().out
