"""What the user sees of a failure: one line, on standard error."""

import pytest

from controller.cli.failures import complain


def test_a_failure_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    complain("first line\n  second line")

    assert capsys.readouterr() == ("", "cutcard: first line second line\n")
