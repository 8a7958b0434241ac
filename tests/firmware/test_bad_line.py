"""The firmware's core behind bad lines in simulated time: once, in order, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import WIRES, FaultPlan
from firmware_bridge.messages import Deal
from firmware_bridge.outputs import Answered, Unanswered
from scripts.bench_firmware import EXCHANGE, SimulatedLine, endure
from tests.firmware.conftest import build

COMMANDS = 1500


@pytest.fixture(scope="module", autouse=True)
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


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 2**20),
    lose=st.floats(0, 0.3),
    flip=st.floats(0, 0.02),
    double=st.floats(0, 0.3),
    steps=st.lists(st.integers(1, 6), max_size=5),
)
def test_no_deal_runs_twice_and_none_is_lost_unsaid_whatever_line_and_device_do(
    seed: int, lose: float, flip: float, double: float, steps: list[int]
) -> None:
    """The device restarts that many steps after every third deal was handed over."""
    line = SimulatedLine(FaultPlan(lose=lose, flip=flip, double=double), seed)
    line.host.port_opened(line.now_s)
    unknown = settled = 0
    for n in range(1, 16):
        line.host.send(Deal(n), line.now_s)
        if n % 3 == 0 and steps:
            for _ in range(steps.pop()):
                line.step()
            line.device.restart()
        while settled < n:
            line.step()
            settled += sum(isinstance(o, Answered | Unanswered) for o in line.outputs)
            unknown += sum(isinstance(o, Unanswered) and o.may_have_run for o in line.outputs)
            line.outputs.clear()
    ran = line.device.motions
    line.device.close()

    assert 15 - unknown <= ran <= 15


def test_the_wires_are_as_bad_as_they_say(library: Path) -> None:
    assert library.exists()

    perfect, bad = endure(300, WIRES["perfect"], seed=1), endure(300, WIRES["bad"], seed=1)

    assert bad.sends > 1.5 * perfect.sends
    assert bad.line_s > perfect.line_s


def test_the_exchange_measured_has_the_documents_size() -> None:
    """Headers of 14, a status of 10, two checksums, two COBS codes, four delimiters."""
    assert EXCHANGE == 14 + 14 + 10 + 2 * 2 + 2 * 1 + 2 * 2
