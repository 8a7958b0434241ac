"""``cutcard pit`` and the checks of what lies beyond a table."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli import main
from controller.cli.findings import Health
from controller.cli.house_checks import check_broker, check_database, check_metrics
from controller.fleet import PitStore
from controller.fleet.messages import StateMessage, StatusMessage
from controller.runtime.config import MqttSection, TableConfig, TableSection
from tests.postgres import free_port

STATE = StateMessage(
    table="t1", name="One", rulebook="ck", seq=0, id="", hand=7, street="flop", devices={}
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    store = PitStore.open(tmp_path / "pit.db", lambda: 0)
    store.take((StatusMessage(table="t1", is_online=True), STATE))
    store.close()
    return tmp_path / "pit.db"


def test_every_table_is_a_line_of_json(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["pit", "tables", "--database", str(database), "--json"])
    line = json.loads(capsys.readouterr().out)

    assert code == 0
    assert (line["table"], line["is_online"], line["state"]["hand"]) == ("t1", True, 7)


def test_every_table_is_a_row(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pit", "tables", "--database", str(database)]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("t1", "online", "flop"))


def test_a_database_that_is_not_there_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pit", "tables", "--database", str(tmp_path / "pit.db")]) == 2
    assert "no such file" in capsys.readouterr().err
    assert not (tmp_path / "pit.db").exists()


def test_a_pit_without_a_broker_says_so_and_ends_in_order(tmp_path: Path) -> None:
    where = ["--broker", f"mqtt://127.0.0.1:{free_port()}", "--database", str(tmp_path / "p.db")]
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli", "pit", "listen", *where],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        code = process.wait(timeout=30)

    assert "cannot be reached" in said
    assert code == 143


def test_a_broker_that_is_not_there_is_a_warning_for_the_table_plays_on() -> None:
    mqtt = MqttSection(url=f"mqtt://127.0.0.1:{free_port()}", table="t1")
    finding = check_broker(TableConfig(table=TableSection(name="One"), mqtt=mqtt))

    assert finding.health is Health.WARNING


def test_a_database_that_is_not_there_is_a_failure() -> None:
    finding = check_database(f"postgresql://nobody:secret@127.0.0.1:{free_port()}/x")

    assert finding.health is Health.FAILURE
    assert "secret" not in finding.fact


def test_a_free_port_is_fine() -> None:
    assert check_metrics(free_port()).health is Health.OK
