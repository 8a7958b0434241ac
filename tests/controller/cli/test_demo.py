"""``cutcard demo``: what it prints of each hand, and how it ends."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator, Callable

import pytest

from controller.cli import main
from controller.cli.demo import has_display, in_words
from controller.demo import DemoOptions, HandReport, RulingLine

GOOD = HandReport(
    hand=1,
    injected=("exposed_card",),
    rulings=(RulingLine("exposed_card", "continue", ("ck.exposed.6",)),),
    missed=(),
    false=(),
    consistent=True,
)
BAD = HandReport(
    hand=2, injected=("missing_burn",), rulings=(), missed=("missing_burn",), false=(),
    consistent=True,
)  # fmt: skip


def played(*reports: HandReport) -> Callable[..., AsyncIterator[HandReport]]:
    async def play(
        options: DemoOptions, served: Callable[[str], None]
    ) -> AsyncIterator[HandReport]:
        for report in reports:
            yield report

    return play


def test_a_hand_of_the_real_loop_is_one_json_line(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["demo", "--hands", "1", "--seed", "1", "--seats", "2", "--no-browser", "--json"])

    (line,) = capsys.readouterr().out.splitlines()
    hand = json.loads(line)
    assert {"hand", "injected", "rulings", "missed", "false", "consistent"} <= set(hand)
    assert code == (0 if hand["consistent"] and not hand["missed"] + hand["false"] else 1)


@pytest.mark.parametrize(("reports", "code"), [((GOOD,), 0), ((GOOD, BAD), 1)])
def test_a_missed_mistake_is_a_failure(
    reports: tuple[HandReport, ...],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("controller.cli.demo.play", played(*reports))

    assert main(["demo", "--no-browser", "--json"]) == code
    assert len(capsys.readouterr().out.splitlines()) == len(reports)


def test_a_person_reads_one_line_per_hand() -> None:
    assert in_words(GOOD) == "hand 1: exposed card | exposed card: continue"
    assert "MISSED missing_burn" in in_words(BAD)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--hands", "-1"], "--hands"),
        (["--seats", "11"], "--seats"),
        (["--rulebook", "vegas", "--no-browser"], "vegas"),
        (["--language", "de"], "--language"),
    ],
)
def test_wrong_options_are_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", *arguments]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert word in err


def test_a_taken_port_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])

        assert main(["demo", "--hands", "1", "--port", port]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert port in err


def test_without_a_display_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_display()

    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()


@pytest.mark.parametrize("words", [["--camera", "-3"], ["--seed", "-5"]])
def test_a_number_below_zero_is_wrong_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--no-browser", *words]) == 2
    assert words[0] in capsys.readouterr().err
