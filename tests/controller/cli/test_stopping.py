"""What ends a command that goes on until it is stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from controller.cli.failures import ExitCode
from controller.cli.stopping import StoppedError, run_until_stopped


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """SIGHUP is heard, as in a terminal; whoever runs these tests under nohup ignores it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


class Held:
    """Something that must be let go of."""

    def __init__(self) -> None:
        self.is_free = False

    async def wait(self, *signals: signal.Signals) -> None:
        try:
            for number in signals:
                signal.raise_signal(number)
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # letting go may take its time
            self.is_free = True


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, ExitCode.TERMINATED), (signal.SIGHUP, ExitCode.HUNG_UP)],
)
def test_a_signal_ends_the_work_after_everything_was_let_go_of(
    number: signal.Signals, code: ExitCode
) -> None:
    held = Held()

    with pytest.raises(StoppedError) as stopped:
        run_until_stopped(held.wait(number))

    assert held.is_free
    assert stopped.value.exit_code is code
    assert code == 128 + number


def test_a_second_signal_does_not_cut_the_end_short() -> None:
    held = Held()

    with pytest.raises(StoppedError) as stopped:
        run_until_stopped(held.wait(signal.SIGTERM, signal.SIGHUP))

    assert held.is_free
    assert stopped.value.exit_code is ExitCode.TERMINATED


def test_ctrl_c_is_heard_as_before() -> None:
    held = Held()

    with pytest.raises(KeyboardInterrupt):
        run_until_stopped(held.wait(signal.SIGINT))

    assert held.is_free


def test_the_result_of_work_that_ends_by_itself_is_handed_on() -> None:
    async def work() -> int:
        return 7

    assert run_until_stopped(work()) == 7
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_hang_up_that_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:

        async def work() -> str:
            signal.raise_signal(signal.SIGHUP)
            await asyncio.sleep(0)
            return "went on"

        assert run_until_stopped(work()) == "went on"
    finally:
        signal.signal(signal.SIGHUP, before)
