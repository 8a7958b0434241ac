"""What the user sees of a failure: one line, on standard error."""

import pytest

from controller.cli.failures import complain


def test_a_failure_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    complain("first line\n  second line")

    assert capsys.readouterr() == ("", "cutcard: first line second line\n")


def test_a_word_of_a_hundred_megabytes_is_not_shown_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    complain("no event is called " + "x" * 100_000 + "; look into docs/events.md")

    err = capsys.readouterr().err
    assert len(err) < 1100
    assert err.startswith("cutcard: no event is called xxx")
    assert err.endswith("docs/events.md\n")


def test_what_would_command_the_terminal_is_shown_as_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    complain("no file \x1b[2J\x00\udcff here")

    assert capsys.readouterr().err == "cutcard: no file \\x1b[2J\\x00\\udcff here\n"
