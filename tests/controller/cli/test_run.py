"""``cutcard run``: a table from a file, until Ctrl-C; what cannot be used is one line."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from controller.cli import main
from controller.runtime.holding import held

ROOT = Path(__file__).resolve().parents[3]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def table_file(folder: Path, more: str = "", port: int = 0) -> Path:
    path = folder / "table.toml"
    page = f"[page]\nport = {port or free_port()}\n"
    path.write_text(f'[table]\nname = "One"\n{more}\n[journal]\npath = "one.journal"\n{page}')
    return path


@pytest.mark.parametrize(("number", "ends_with"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_table_without_devices_serves_its_page_until_it_is_stopped(
    number: signal.Signals, ends_with: int, tmp_path: Path
) -> None:
    port = free_port()
    path = table_file(tmp_path, port=port)
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli", "run", str(path)],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
            status = answer.status
        process.send_signal(number)
        rest = process.stderr.read()
        code = process.wait(timeout=30)

    assert f"http://127.0.0.1:{port}/" in said
    assert status == 200
    assert (code, rest) == (ends_with, "")
    assert (tmp_path / "one.journal").exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ('rulebok = "ck"', "rulebok"),
        ('rulebook = "vegas"', "vegas"),
        ("seats = 14", "seats"),
        ('[shuffler]\nurl = "/dev/ttyNONE"', "/dev/ttyNONE"),
        ('[camera]\nsource = "camera:97"', "97"),
        ('[camera]\nsource = "gone.mp4"', "gone.mp4"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_code_2(
    more: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(table_file(tmp_path, more))]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err


def test_a_table_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "gone.toml"]) == 2
    assert "gone.toml" in capsys.readouterr().err


def test_a_taken_page_port_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])

        assert main(["run", str(table_file(tmp_path, port=port))]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert str(port) in err


def test_a_second_run_of_the_same_table_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table_file(tmp_path)

    with held(str(tmp_path / "one.journal")):
        assert main(["run", str(path)]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "another cutcard runs this table" in err


def test_the_key_of_the_table_file_signs_the_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nname = "One"\n[journal]\npath = "one.journal"\nkey = "one.pub"\n')

    assert main(["run", str(path)]) == 2
    assert f"journal key {tmp_path / 'one.pub'}: name the private key" in capsys.readouterr().err
