"""The commands that wait for an answer: one on the way, the others behind it.

A command keeps its sequence number until it is answered or given up, so that its
repetition is known as one. Pure: what is sent, and when, is the link's work.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

from firmware_bridge.errors import ProtocolError
from firmware_bridge.messages import Command, ReadStatus, ReplayEvents, is_motion

LAST_NUMBER = 0xFFFF
"""Sessions and sequence numbers go from 1 to this, and then from 1 again."""


@dataclass(slots=True)
class Pending:
    """A command waiting for its answer; ticket 0 is the link's own."""

    ticket: int
    command: Command
    sequence: int = 0
    sends: int = 0
    has_left: bool = False
    sent_at_s: float = -math.inf

    @property
    def may_have_run(self) -> bool:
        """Whether it moves cards and nobody can say whether it was carried out."""
        return self.has_left and is_motion(self.command)


class Outstanding:
    """The commands of one host, numbered within its sessions.

    Args:
        session: of the host, 1 to 65535; it changes when late copies must be refused.

    Raises:
        ProtocolError: there is no such session.
    """

    def __init__(self, session: int) -> None:
        if not 1 <= session <= LAST_NUMBER:
            raise ProtocolError(f"a session is 1 to {LAST_NUMBER}, not {session}")
        self.session = session
        self.open: Pending | None = None
        """The command on the way, kept through a lost line."""
        self._queue: deque[Pending] = deque()
        self._sequence = 0
        self._tickets = 0

    @property
    def is_unused(self) -> bool:
        """Whether no command of this session has been numbered yet."""
        return self._sequence == 0

    def add(self, command: Command) -> int:
        """Queue a caller's command; returns its ticket."""
        self._tickets += 1
        self._queue.append(Pending(self._tickets, command))
        return self._tickets

    def ask_first(self, command: ReadStatus | ReplayEvents) -> None:
        """A question of the link's own, before all that waits."""
        self._queue.appendleft(Pending(0, command))

    def is_replay_asked(self) -> bool:
        """Whether missed events are asked for already."""
        waiting = (self.open, *self._queue)
        return any(p is not None and isinstance(p.command, ReplayEvents) for p in waiting)

    def due(self, heard: int) -> Pending | None:
        """The command to send now: the open one where it has not left, else the next in turn.

        Args:
            heard: the number of the last event heard, after which missed ones are asked for.
        """
        if self.open is not None:
            return self.open if self.open.sends == 0 else None
        if not self._queue:
            return None
        self.open = self._queue.popleft()
        self._sequence = self._sequence % LAST_NUMBER + 1
        self.open.sequence = self._sequence
        if isinstance(self.open.command, ReplayEvents):
            self.open.command = ReplayEvents(heard)
        return self.open

    def asked(self, sequence: int) -> Pending | None:
        """The open command, if it has this number."""
        return self.open if self.open is not None and self.open.sequence == sequence else None

    def is_forgotten(self, last_sequence: int) -> bool:
        """Whether a device that executed this number last has lost what it knew of this session.

        It last executed either the open command or the one before it; anything else
        means that it restarted, or that another host came between. The first
        command of a session is always a ``ReadStatus``, so that 0 never stands
        before a motion command.
        """
        if self.open is None:
            return last_sequence != self._sequence
        return last_sequence not in (self._sequence, self._sequence - 1 or LAST_NUMBER)

    def change_session(self) -> None:
        """Number from the start in another session: late copies fit nothing any more."""
        self.session = self.session % LAST_NUMBER + 1
        self._sequence = 0

    def drop_open(self) -> Pending | None:
        """Give the open command up if it moves cards and may have run; else start it afresh.

        Returns:
            The command given up; None where there is none.
        """
        pending, self.open = self.open, None
        if pending is None or pending.may_have_run:
            return pending
        self._queue.appendleft(Pending(pending.ticket, pending.command))
        return None

    def give_up(self) -> list[Pending]:
        """Give every command up, the open one first."""
        dropped = [pending for pending in (self.open, *self._queue) if pending]
        self.open = None
        self._queue.clear()
        return dropped

    def line_lost(self) -> None:
        """Keep what a caller waits for, to be sent again under its old number."""
        self._queue = deque(pending for pending in self._queue if pending.ticket)
        if self.open is not None:
            self.open.sends = 0
