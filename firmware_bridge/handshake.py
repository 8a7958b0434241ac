"""The handshake as messages on the way: its steps numbered apart from the session's commands."""

from __future__ import annotations

from firmware_bridge.framing import Frame
from firmware_bridge.greeting import Claim, Greeting, Step, TurnedAway
from firmware_bridge.messages import Command, Identify
from firmware_bridge.outstanding import LAST_NUMBER, Pending


class Handshake:
    """The step that waits for its answer, if a handshake is going on.

    Args:
        greeting: says what each answer leads to.
    """

    def __init__(self, greeting: Greeting) -> None:
        self._greeting = greeting
        self._number = 0
        self.pending: Pending | None = None
        """The step on the way; None while no handshake is going on."""

    def begin(self) -> Pending:
        """The first step of another handshake."""
        return self._next(self._greeting.begin())

    def end(self) -> None:
        """It has come to its end, or the line is lost."""
        self.pending = None

    def take(self, frame: Frame, session: int, now_s: float) -> Pending | Claim | TurnedAway | None:
        """What follows from a frame; None where it does not answer the step on the way."""
        waiting = self.pending
        if waiting is None or (frame.session, frame.sequence) != (session, waiting.sequence):
            return None
        found = self._greeting.take(waiting.command, frame, now_s)
        if found is None or isinstance(found, Claim | TurnedAway):
            return found
        return self._next(found)

    def epoch_meant(self, step: Command) -> int:
        """The device start that a step is meant for; 0 where it may be any."""
        return 0 if isinstance(step, Identify) else self._greeting.epoch

    def _next(self, step: Step) -> Pending:
        self._number = self._number % LAST_NUMBER + 1
        self.pending = Pending(0, step, sequence=self._number)
        return self.pending
