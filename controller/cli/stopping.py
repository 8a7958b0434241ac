"""Commands that go on until they are stopped: every signal ends them in order.

Ctrl-C reaches a command through ``asyncio.Runner``; the signals of a service
manager and of a closed terminal are made to do the same, so that the shoe, the
journal and temporary files are let go of before the process ends.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from controller.cli.failures import ExitCode

_ENDING: Final = {
    signal.SIGTERM: ExitCode.TERMINATED,
    signal.SIGHUP: ExitCode.HUNG_UP,
}

ResultT = TypeVar("ResultT")


class StoppedError(Exception):
    """A signal ended the command; everything was let go of."""

    def __init__(self, exit_code: ExitCode) -> None:
        super().__init__(exit_code.name)
        self.exit_code = exit_code


def run_until_stopped(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run work in an event loop of its own until it ends or a signal cancels it.

    Raises:
        StoppedError: SIGTERM or SIGHUP came; for Ctrl-C it is KeyboardInterrupt.
    """
    return asyncio.run(_cancelled_by_signals(work))


async def _cancelled_by_signals(work: Coroutine[Any, Any, ResultT]) -> ResultT:
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    came: list[ExitCode] = []

    def stop(code: ExitCode) -> None:
        if task is not None and not came:  # a second one must not cut the end short
            task.cancel()
        came.append(code)

    heard = [s for s in _ENDING if signal.getsignal(s) is not signal.SIG_IGN]  # nohup ignores
    for number in heard:
        loop.add_signal_handler(number, stop, _ENDING[number])
    try:
        return await work
    except asyncio.CancelledError:
        if came:
            raise StoppedError(came[0]) from None
        raise
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
