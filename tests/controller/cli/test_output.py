"""Output where the terminal lacks a character, the reader has gone, or the disk is full."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.output import escape

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = [sys.executable, "-m", "controller.cli"]
EXAMPLE = "docs/examples/exposed.jsonl"


def escaped(text: str) -> str:
    """What an ASCII terminal is sent for a text."""
    parts = []
    for character in text:
        if character.isascii():
            parts.append(character)
        else:
            error = UnicodeEncodeError("ascii", character, 0, 1, "ordinal not in range(128)")
            parts.append(escape(error)[0])
    return "".join(parts)


@given(st.text(st.characters(exclude_categories=["Cc"], exclude_characters='"\\')))
def test_what_cannot_be_encoded_is_written_as_json_writes_it(text: str) -> None:
    assert json.loads(f'"{escaped(text)}"') == text


def test_bytes_that_are_no_text_are_not_ours_to_escape() -> None:
    error = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    with pytest.raises(UnicodeDecodeError):
        escape(error)


def run(words: list[str], redirection: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program under a shell that redirects its output or input."""
    return subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *PROGRAM, *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def test_a_terminal_without_utf_8_sees_the_cards() -> None:
    done = run(["judge", EXAMPLE], "", PYTHONIOENCODING="ascii")

    assert (done.returncode, done.stderr) == (0, "")
    assert "K\\u2665" in done.stdout


@pytest.mark.parametrize(
    ("words", "redirection", "code", "said"),
    [
        (["judge", EXAMPLE], ">/dev/full", 2, "No space left"),
        (["judge", "gone.jsonl"], "2>/dev/full", 2, ""),
        (["judge", EXAMPLE], ">&-", 0, ""),
        (["judge", "-"], "<&-", 2, "standard input is closed"),
        (["judge", EXAMPLE, "--json"], "| true; exit 0", 0, ""),
    ],
)
def test_output_that_goes_nowhere_is_one_line_at_most(
    words: list[str], redirection: str, code: int, said: str
) -> None:
    done = run(words, redirection)

    assert done.returncode == code
    assert done.stderr.count("\n") == bool(said)
    assert said in done.stderr


def test_a_reader_that_has_gone_is_no_failure_of_the_table() -> None:
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [*PROGRAM, "judge", EXAMPLE, "--json"],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
        cwd=ROOT,
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (128 + 13, b"")  # as a shell counts SIGPIPE
