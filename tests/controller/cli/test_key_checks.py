"""``cutcard doctor`` and the keys of a table: usable, of this machine, and no incident unread."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli import main
from controller.cli.device_checks import check_keys
from controller.cli.findings import Health
from firmware_bridge import AuditFile, Breach, KeyStore, SecurityIncident, draw_key


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    KeyStore(tmp_path / "keys.json").store("SN-77", draw_key())
    return tmp_path / "keys.json"


def test_a_sound_file_is_ok(keys: Path) -> None:
    finding = check_keys(keys, "SN-77")

    assert finding.health is Health.OK
    assert "1 keys, no incident" in finding.fact


def test_keys_without_this_machine_s_are_a_failure(keys: Path) -> None:
    finding = check_keys(keys, "SN-78")

    assert finding.health is Health.FAILURE
    assert "no key of SN-78" in finding.fact


def test_a_missing_or_open_file_is_a_failure_with_what_to_do(keys: Path) -> None:
    keys.chmod(0o644)

    assert "chmod 600" in check_keys(keys, "").remedy
    assert "cutcard device pair" in check_keys(keys.with_name("none.json"), "").remedy


def test_incidents_are_to_be_read(keys: Path) -> None:
    AuditFile(keys.with_name("audit.jsonl")).record(SecurityIncident(Breach.REPLAY, "S", "x"))

    finding = check_keys(keys, "")

    assert finding.health is Health.WARNING
    assert "1 incidents" in finding.fact


def test_a_broken_record_is_a_failure(keys: Path) -> None:
    keys.with_name("audit.jsonl").write_text("rubbish\n")

    finding = check_keys(keys, "")

    assert finding.health is Health.FAILURE
    assert "line 1" in finding.fact


def test_the_doctor_looks_at_the_keys_that_a_table_names(
    keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = keys.with_name("table.toml")
    table.write_text(
        '[table]\nname = "T"\n[shuffler]\nurl = "/dev/none"\nkeys = "keys.json"\n',
        encoding="utf-8",
    )

    main(["doctor", str(table), "--json"])

    assert '"check": "keys", "health": "ok"' in capsys.readouterr().out
