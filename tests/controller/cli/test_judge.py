"""``cutcard judge``: an event file in, rulings out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import main

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "exposed.jsonl"


def test_an_exposed_card_is_replaced_after_the_deal_and_becomes_the_burn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # ck.exposed.6: the deal is finished, the player gets the top card, the exposed card is
    # shown to everybody and used as the first burn.
    assert main(["judge", str(EXAMPLE), "--rulebook", "ck", "--json"]) == 0

    (line,) = capsys.readouterr().out.splitlines()
    ruling = json.loads(line)
    assert ruling["verdict"] == "continue"
    assert ruling["irregularity"]["kind"] == "exposed_card"
    assert ruling["irregularity"]["cards"] == ["Kh"]
    assert ruling["steps"][0]["kind"] == "finish_deal"
    assert ruling["steps"][-1]["kind"] == "move_to_burn"
    assert "ck.exposed.6" in ruling["clauses"]


@pytest.mark.parametrize(("language", "word"), [("en", "burn"), ("fr", "brûlées")])
def test_a_person_reads_the_steps_in_either_language(
    language: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", str(EXAMPLE), "--language", language]) == 0
    assert word in capsys.readouterr().out


def test_a_malformed_line_3000_keeps_the_rulings_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = EXAMPLE.read_text().splitlines()
    lines += ['{"event": "device_reported", "device": "camera", "health": "ready"}'] * 2986
    path = tmp_path / "events.jsonl"
    path.write_text("\n".join([*lines, '{"event": "card_dealt", "seat": 99}']) + "\n")
    assert len(path.read_text().splitlines()) == 3000

    assert main(["judge", str(path), "--json"]) == 2

    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert len(err.splitlines()) == 1
    assert "events.jsonl" in err
    assert "3000" in err


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "gone.jsonl"]) == 2
    assert "gone.jsonl" in capsys.readouterr().err


def test_an_unknown_rulebook_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(EXAMPLE), "--rulebook", "vegas"]) == 2

    err = capsys.readouterr().err
    assert "vegas" in err
    assert "ck" in err


def test_events_are_read_from_standard_input_as_a_process_of_its_own() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "controller.cli", "judge", "-", "--json"],
        input=EXAMPLE.read_bytes(),
        capture_output=True,
        check=False,
        cwd=ROOT,
    )

    assert (run.returncode, run.stderr) == (0, b"")
    assert len(run.stdout.splitlines()) == 1


def test_a_reader_that_leaves_early_is_told_nothing(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text(EXAMPLE.read_text() * 500)
    command = f"'{sys.executable}' -m controller.cli judge '{path}' --json | head -n 1"

    run = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=ROOT)

    assert run.stderr == b""
    assert len(run.stdout.splitlines()) == 1


def test_the_mark_that_some_editors_put_at_the_beginning_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.read_bytes().replace(b"\n", b"\r\n"))

    assert main(["judge", str(path), "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_line_nested_without_end_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(EXAMPLE.read_text() + '{"event":' * 100_000 + "\n")

    assert main(["judge", str(path), "--json"]) == 2

    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert f"line {len(EXAMPLE.read_text().splitlines()) + 1}: nested too deeply" in err


def test_a_file_without_any_irregularity_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()

    assert main(["judge", str(path)]) == 0
    assert "0 lines, nothing to rule on" in capsys.readouterr().out


def test_explaining_adds_places_both_languages_and_other_houses(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = str(ROOT / "docs" / "examples" / "premature_turn.jsonl")

    assert main(["judge", file, "--rulebook", "ck", "--explain", "--json"]) == 0

    (line,) = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert line["words"]["en"][0] != line["words"]["fr"][0]
    assert "MIS-DEALT TURN" in line["clauses"][0]["place"]
    # fr1.turn.premature says the same; WSOP live rule 167 has the turn shuffled back at once.
    others = {other["rulebook"]: other for other in line["alternatives"]}
    assert "fr1.turn.premature" in others["fr1"]["clauses"]
    assert "wsop.167" in others["wsop"]["clauses"]
