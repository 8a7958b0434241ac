"""``cutcard run`` with a broker and a port for Prometheus in its table file."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import main
from tests.controller.fleet.house import Pit, broker_at, until
from tests.mosquitto import Mosquitto, running
from tests.postgres import free_port


@pytest.fixture
def mosquitto() -> Iterator[Mosquitto]:
    with running() as broker:
        yield broker


def table_file(folder: Path, metrics: int, url: str) -> Path:
    path = folder / "table.toml"
    path.write_text(
        f'[table]\nname = "One"\n[page]\nport = {free_port()}\n[metrics]\nport = {metrics}\n'
        f'[mqtt]\nurl = "{url}"\ntable = "t1"\n'
    )
    return path


def test_a_running_table_is_seen_by_pit_and_prometheus(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    pit, port = Pit(str(tmp_path / "pit.db")), free_port()
    pit.listen(broker_at(mosquitto))
    path = table_file(tmp_path, port, mosquitto.url)
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli", "run", str(path)], stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()
        until(lambda: len(pit.ids("t1")) == 1, "the opening of the journal")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            numbers = answer.read().decode()
        process.send_signal(signal.SIGTERM)
        rest, code = process.stderr.read(), process.wait(timeout=30)
    until(lambda: pit.online("t1") is False, "its last word")
    pit.close()

    assert 'cutcard_device_health{device="camera",health="absent",table="One"} 1.0' in numbers
    assert 'cutcard_outbox_records{table="One"} 0.0' in numbers
    assert (code, rest) == (143, b"")


def test_a_broker_needs_a_name_for_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nname = "One"\n[mqtt]\nurl = "mqtt://b"\n')

    assert main(["run", str(path)]) == 2
    assert "mqtt.table" in capsys.readouterr().err


def test_a_port_of_the_metrics_that_is_taken_is_one_line(
    mosquitto: Mosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table_file(tmp_path, mosquitto.port, "none")

    assert main(["run", str(path)]) == 2
    assert "[metrics] port" in capsys.readouterr().err
