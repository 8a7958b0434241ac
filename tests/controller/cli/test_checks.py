"""``cutcard doctor`` without devices: Python, table file, journal folder, page port."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from controller.cli.checks import check_journal, check_page, check_python, check_table_file
from controller.cli.findings import Health

ROOT = Path(__file__).resolve().parents[3]


def test_the_python_that_runs_the_tests_is_new_enough() -> None:
    assert check_python().health is Health.OK


def test_an_old_python_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.checks.OLDEST_PYTHON", (99, 0))

    finding = check_python()

    assert finding.health is Health.FAILURE
    assert "install Python" in finding.remedy


def test_the_documented_table_file_is_read() -> None:
    finding, config = check_table_file(ROOT / "docs" / "examples" / "table.toml")

    assert finding.health is Health.OK
    assert config is not None


def test_a_wrong_key_in_a_table_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nname = "One"\nseets = 9\n')

    finding, config = check_table_file(path)

    assert config is None
    assert finding.health is Health.FAILURE
    assert "seets" in finding.fact
    assert ":3" in finding.fact


def test_a_journal_can_be_created_in_its_folder(tmp_path: Path) -> None:
    assert check_journal(tmp_path / "table.journal").health is Health.OK


def test_a_journal_in_a_folder_that_is_not_there_says_how_to_make_it(tmp_path: Path) -> None:
    finding = check_journal(tmp_path / "gone" / "table.journal")

    assert finding.health is Health.FAILURE
    assert finding.remedy.startswith("mkdir")


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    assert check_journal(tmp_path).health is Health.FAILURE


def test_a_journal_that_may_not_be_written_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.cli.checks.os.access", lambda path, mode: False)

    assert check_journal(tmp_path / "table.journal").health is Health.FAILURE


def test_a_taken_port_is_a_warning_and_a_free_one_is_well() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        taken = check_page("127.0.0.1", port)
    free = check_page("127.0.0.1", port)

    assert taken.health is Health.WARNING
    assert str(port) in taken.fact
    assert free.health is Health.OK


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "a" * 300])
def test_an_address_that_is_not_this_computers_is_a_failure(host: str) -> None:
    # 192.0.2.0/24 is set aside for documentation (RFC 5737): no computer has it.
    finding = check_page(host, 8080)

    assert finding.health is Health.FAILURE
    assert "[page] host" in finding.remedy


def test_a_file_of_something_else_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear dealer")

    finding = check_journal(path)

    assert finding.health is Health.FAILURE
    assert "not a journal" in finding.fact


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    path.touch()

    assert check_journal(path).health is Health.OK


def test_a_file_in_the_place_of_the_folder_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert check_journal(tmp_path / "file" / "table.journal").health is Health.FAILURE
