"""What leaves the table for the machine: gate and shuffle, reconciled from the state.

The wish is computed from the state and compared with what the machine reports,
so that a command is sent once for each difference and never on a mere repeat.

A shuffle of which nobody knows whether it was carried out is not ordered again by
itself: it raises an alarm, and once a person has answered for that, the step that was
not seen done is ordered anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from controller.runtime.decks import TwoDecks
from controller.runtime.devices import UNKNOWN_SHUFFLE, Health, Machine, SelectsDecks
from firmware_bridge import (
    CardsIn,
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
    ShuffleFinished,
)

_LOGGER = logging.getLogger(__name__)

BUSY: Final = "busy"
"""The refusal of a machine that still moves by itself, or that gathers entropy."""

BUSY_PAUSE_S: Final = 0.25
BUSY_TRIES: Final = 480
"""Two minutes, twice the slowest shuffle known; a machine that moves for longer is out of order."""


_NO_DOUBT: Final = -1


def _unheard(finished: ShuffleFinished) -> None:
    """A machine with one deck makes none ready."""


class Report(Protocol):
    """Tells the table how the machine is."""

    def __call__(self, health: Health, detail: str, *, code: str = "") -> None:
        """Health in one word, what it rests on, and the name of the fault where it has one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the state wants of the machine: gate open or held, and the step it has to shuffle for.

    ``shuffle_for`` is the key of the step, empty when no shuffle is due. ``has_alarm`` says
    that a person has to answer for the machine, ``answered`` how many alarms were answered for.
    ``deck`` is the back of the deck in play, and ``prepares`` says that no card of it is wanted
    any more, so that a machine with two decks can shuffle the other one.
    """

    is_open: bool
    shuffle_for: str = ""
    has_alarm: bool = False
    answered: int = 0
    deck: str = ""
    prepares: bool = False


class Effects:
    """Drives the machine towards the wish.

    Args:
        machine: The shuffler.
        report: Called when a command shows how the machine is.
        decks: The two decks of a machine that has them.
        shuffled: Called for a deck that comes into play as it was made ready before.
    """

    def __init__(
        self,
        machine: Machine,
        report: Report,
        decks: TwoDecks | None = None,
        shuffled: Callable[[ShuffleFinished], None] = _unheard,
    ) -> None:
        self._decks, self._shuffled = decks, shuffled
        self._asked_for = ""
        self._machine, self._tell = machine, report
        self._gate: bool | None = None
        self._shuffled_for = ""
        self._blocked = False
        self._answered_before = _NO_DOUBT
        self._is_amiss = False
        self._busy = 0

    def note(self, fact: DeviceFact) -> None:
        """Learn from a fact where the gate stands and whether commands make sense again."""
        match fact:
            case GateChanged(gate=gate):
                self._gate = gate is not Gate.HELD
            case FaultCleared() | LinkChanged(new=LinkState.READY) | DeviceRestarted():
                self._blocked = self._is_amiss = False
                self._gate, self._asked_for = None, ""
            case CardsIn():
                self._blocked = False
            case _:
                pass

    async def reconcile(self, wish: Wish) -> bool:
        """Send what is missing between the wish and what the machine reports.

        Returns:
            Whether nothing is left to be tried again; a busy machine was waited for a little.
        """
        self._settle_doubt(wish)
        if not wish.shuffle_for and self._answered_before == _NO_DOUBT:
            self._shuffled_for = ""
        if self._blocked:
            return True
        try:
            was_sent = await self._send(wish)
        except LinkLostError:
            self._blocked, self._gate, self._shuffled_for = True, None, ""
        except OutcomeUnknownError as error:
            self._in_doubt(wish, str(error))
        except CommandRefusedError as error:
            if error.reason == BUSY and self._busy < BUSY_TRIES:
                return await self._let_it_move()
            self._stand_still(str(error))
        except DeviceFaultError as error:
            self._stand_still(str(error))
        else:
            self._well(was_sent)
        self._busy = 0
        return True

    async def hold(self) -> None:
        """Hold the gate whatever the state wishes: the table has stopped."""
        try:
            await self._machine.hold()
        except LinkError as error:
            _LOGGER.error("the shoe could not be held: %s", error)

    def _settle_doubt(self, wish: Wish) -> None:
        """A person has answered for the shuffle in doubt: what was not seen done is done anew."""
        if self._answered_before == _NO_DOUBT or wish.has_alarm:
            return
        if wish.answered > self._answered_before:
            self._answered_before, self._shuffled_for = _NO_DOUBT, ""

    def _in_doubt(self, wish: Wish, detail: str) -> None:
        """Where the gate stands shows again by itself; whether cards were shuffled does not."""
        self._gate = None
        is_shuffle = bool(wish.shuffle_for)
        if is_shuffle:
            self._answered_before = wish.answered
        self._is_amiss = True
        self._tell("unknown_outcome", detail, code=UNKNOWN_SHUFFLE if is_shuffle else "")

    async def _let_it_move(self) -> bool:
        self._busy += 1
        self._shuffled_for = ""
        await asyncio.sleep(BUSY_PAUSE_S)
        return False

    def _stand_still(self, detail: str) -> None:
        """No command makes sense before a person has put the machine right."""
        self._blocked, self._shuffled_for, self._is_amiss = True, "", True
        self._tell("fault", detail)

    def _well(self, was_sent: bool) -> None:
        """A command was carried out: what was told of the machine before is over."""
        if self._is_amiss and was_sent:
            self._is_amiss = False
            self._tell("ready", "")

    async def _send(self, wish: Wish) -> bool:
        """Send one command, if one is due; whether it was."""
        if await self._bring_deck(wish):
            return True
        if wish.shuffle_for and wish.shuffle_for != self._shuffled_for:
            self._shuffled_for = wish.shuffle_for
            await self._shuffle(wish)
            self._gate = None
            return True
        if self._gate is wish.is_open:
            return False
        if wish.is_open:
            await self._machine.resume()
        else:
            await self._machine.hold()
        self._gate = wish.is_open
        return True

    async def _shuffle(self, wish: Wish) -> None:
        """Have the deck in play shuffled; one that lies ready was."""
        ready = self._decks.take_ready(wish.deck) if self._decks else None
        if ready is not None:
            self._shuffled(ready)
        else:
            await self._machine.shuffle()

    async def _bring_deck(self, wish: Wish) -> bool:
        """Have the right deck at the gate; whether that was sent, or is waited for."""
        decks, machine = self._decks, self._machine
        if decks is None or not decks.knows(wish.deck) or not isinstance(machine, SelectsDecks):
            return False
        other = decks.other(wish.deck)
        prepares = wish.prepares and decks.wants_shuffle(other)
        wanted = other if prepares else wish.deck
        if decks.at_gate != wanted:
            if self._asked_for != wanted:
                await machine.select_deck(decks.side(wanted))
                self._asked_for, self._gate = wanted, None
            return True
        self._asked_for = ""
        if prepares:
            await self._make_ready(decks, other)
        return prepares

    async def _make_ready(self, decks: TwoDecks, back: str) -> None:
        """Shuffle the other deck; where that cannot be, the one in play goes on alone."""
        try:
            decks.made_ready(back, await self._machine.shuffle())
        except CommandRefusedError as error:
            if error.reason == BUSY:
                raise
            decks.spoil(back)
        except (DeviceFaultError, OutcomeUnknownError):
            decks.spoil(back)
            raise
