"""The audit file: every incident, in a chain in which a missing line shows."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from firmware_bridge.errors import AuditFileError
from firmware_bridge.security_audit import AuditFile, verify_audit
from firmware_bridge.security_host import Breach, SecurityIncident

AT = datetime(2026, 11, 30, 20, 15, 1, 250000, tzinfo=UTC)
INCIDENTS = [
    SecurityIncident(breach, f"S-{number}", "was refused") for number, breach in enumerate(Breach)
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cutcard" / "audit.jsonl"


def recorded(path: Path) -> list[dict[str, object]]:
    audit = AuditFile(path, lambda: AT)
    for incident in INCIDENTS:
        audit.record(incident)
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_says_when_what_and_who(path: Path) -> None:
    lines = recorded(path)

    assert [line["breach"] for line in lines] == [breach.value for breach in Breach]
    assert lines[0]["at"] == "2026-11-30T20:15:01.250+00:00"
    assert lines[0]["serial_number"] == "S-0"
    assert lines[0]["detail"] == "was refused"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_chain_goes_on_after_a_restart(path: Path) -> None:
    recorded(path)
    AuditFile(path).record(INCIDENTS[0])

    assert verify_audit(path)[0] == len(INCIDENTS) + 1


@pytest.mark.parametrize("change", ["changed", "removed", "added", "not JSON"])
def test_a_line_that_was_tampered_with_shows(path: Path, change: str) -> None:
    recorded(path)
    lines = path.read_text().splitlines()
    lines[2:3] = {
        "changed": [lines[2].replace("S-2", "S-9")],
        "removed": [],
        "added": [lines[2], lines[2]],
        "not JSON": ["rubbish"],
    }[change]
    path.write_text("\n".join(lines) + "\n")

    with pytest.raises(AuditFileError, match=r"line [34] does not follow"):
        verify_audit(path)
    with pytest.raises(AuditFileError, match="does not follow"):
        AuditFile(path)


def test_the_same_incident_over_and_over_does_not_fill_the_disk(path: Path) -> None:
    """A stranger that stays plugged in is met again every two seconds."""
    audit = AuditFile(path, lambda: AT)
    for _ in range(40_000):
        audit.record(INCIDENTS[0])

    times = [json.loads(line)["times"] for line in path.read_text().splitlines()]
    assert times == [2**n for n in range(16)]


def test_a_file_that_cannot_be_written_or_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    audit = AuditFile(tmp_path / "file" / "audit.jsonl")

    with pytest.raises(AuditFileError, match="cannot be written"):
        audit.record(INCIDENTS[0])
    with pytest.raises(AuditFileError, match="cannot be read"):
        verify_audit(tmp_path)
