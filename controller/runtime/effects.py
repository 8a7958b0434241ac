"""What leaves the table for the machine: gate and shuffle, reconciled from the state.

The wish is computed from the state and compared with what the machine reports,
so that a command is sent once for each difference and never on a mere repeat.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from controller.runtime.devices import Health, Machine
from firmware_bridge import (
    CommandRefusedError,
    DeviceFact,
    DeviceFaultError,
    DeviceRestarted,
    FaultCleared,
    Gate,
    GateChanged,
    LinkChanged,
    LinkError,
    LinkLostError,
    LinkState,
    OutcomeUnknownError,
)

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the state wants of the machine: gate open or held, and the step it has to shuffle for.

    ``shuffle_for`` is the key of the step, empty when no shuffle is due.
    """

    is_open: bool
    shuffle_for: str = ""


class Effects:
    """Drives the machine towards the wish.

    Args:
        machine: The shuffler.
        report: Called when a command shows how the machine is.
    """

    def __init__(self, machine: Machine, report: Callable[[Health, str], None]) -> None:
        self._machine, self._report = machine, report
        self._gate: bool | None = None
        self._shuffled_for = ""
        self._blocked = False

    def note(self, fact: DeviceFact) -> None:
        """Learn from a fact where the gate stands and whether commands make sense again."""
        match fact:
            case GateChanged(gate=gate):
                self._gate = gate is not Gate.HELD
            case FaultCleared() | LinkChanged(new=LinkState.READY) | DeviceRestarted():
                self._blocked = False
                self._gate = None
            case _:
                pass

    async def reconcile(self, wish: Wish) -> None:
        """Send what is missing between the wish and what the machine reports."""
        if wish.shuffle_for != self._shuffled_for and not wish.shuffle_for:
            self._shuffled_for = ""
        if self._blocked:
            return
        try:
            await self._send(wish)
        except LinkLostError:
            self._blocked, self._gate, self._shuffled_for = True, None, ""
        except OutcomeUnknownError as error:
            self._gate = None
            self._report("unknown_outcome", str(error))
        except (DeviceFaultError, CommandRefusedError) as error:
            self._blocked, self._shuffled_for = True, ""
            self._report("fault", str(error))

    async def hold(self) -> None:
        """Hold the gate whatever the state wishes: the table has stopped."""
        try:
            await self._machine.hold()
        except LinkError as error:
            _LOGGER.error("the shoe could not be held: %s", error)

    async def _send(self, wish: Wish) -> None:
        if wish.shuffle_for and wish.shuffle_for != self._shuffled_for:
            self._shuffled_for = wish.shuffle_for
            await self._machine.shuffle()
            self._gate = None
            return
        if self._gate is wish.is_open:
            return
        if wish.is_open:
            await self._machine.resume()
        else:
            await self._machine.hold()
        self._gate = wish.is_open
