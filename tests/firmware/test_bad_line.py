"""The firmware's core behind bad lines in simulated time: once, in order, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_bridge import WIRES
from scripts.bench_firmware import EXCHANGE, endure
from tests.firmware.conftest import build

COMMANDS = 1500


@pytest.fixture(scope="module")
def library(native_build: Path) -> Path:
    assert native_build.exists()
    return build("simulated")


@pytest.mark.parametrize("wire", [name for name in WIRES if name != "silent"])
def test_every_command_runs_once_and_every_event_is_heard_in_order(
    library: Path, wire: str
) -> None:
    assert library.exists()

    endured = endure(COMMANDS, WIRES[wire], seed=11)

    assert endured.executed == endured.accepted == COMMANDS
    assert endured.seen == tuple(range(1, COMMANDS + 1))


def test_the_wires_are_as_bad_as_they_say(library: Path) -> None:
    assert library.exists()

    perfect, bad = endure(300, WIRES["perfect"], seed=1), endure(300, WIRES["bad"], seed=1)

    assert bad.sends > 1.5 * perfect.sends
    assert bad.line_s > perfect.line_s


def test_the_exchange_measured_has_the_documents_size() -> None:
    """Headers of 14, a status of 10, two checksums, two COBS codes, four delimiters."""
    assert EXCHANGE == 14 + 14 + 10 + 2 * 2 + 2 * 1 + 2 * 2
