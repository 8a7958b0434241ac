"""From an identity to a device that is ours: what each answer of the handshake leads to.

Pure, and apart from the link, which sends the steps, repeats them and carries on
with the claim that comes out. Nothing that a device says of itself counts before
its proof, where one is required.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_bridge.framing import Frame
from firmware_bridge.messages import (
    Challenge,
    Challenged,
    Command,
    Identify,
    Identity,
    Kind,
    Prove,
    Proven,
    Refusal,
    Refused,
)
from firmware_bridge.outputs import DeviceRefused, Expected
from firmware_bridge.security_host import HostGuard, SecurityIncident

Step = Identify | Challenge | Prove
"""What the host says next; none of them is numbered among the commands of the session."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a device says of itself: who it is, its start, its newest event."""

    identity: Identity
    epoch: int
    event: int

    @property
    def about(self) -> str:
        """Model and serial number."""
        return f"{self.identity.model} {self.identity.serial_number}"


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """It is not our device, and why."""

    output: DeviceRefused | SecurityIncident
    reason: str


class Greeting:
    """One handshake after another with whatever is on the line.

    Args:
        expected: which device to accept.
        guard: what it must prove.
    """

    def __init__(self, expected: Expected, guard: HostGuard) -> None:
        self._expected = expected
        self._guard = guard
        self._claim: Claim | None = None

    @property
    def epoch(self) -> int:
        """The start that the device claims; the steps of the proof are meant for it."""
        return self._claim.epoch if self._claim else 0

    def begin(self) -> Identify:
        """The first step; what was proved before counts no more."""
        self._guard.forget()
        self._claim = None
        return Identify()

    def take(self, asked: Command, frame: Frame, now_s: float) -> Step | Claim | TurnedAway | None:
        """What follows from an answer of this session and number.

        Returns:
            The next step; a claim that holds; that the device is not ours; or None
            where the frame answers something else.
        """
        answer = frame.message
        if isinstance(asked, Identify):
            return self._identified(frame, answer) if isinstance(answer, Identity) else None
        if isinstance(answer, Refused) and answer.reason in (Refusal.SESSION, Refusal.EPOCH):
            return self.begin()  # it restarted, or another host came between
        if isinstance(asked, Challenge) and isinstance(answer, Challenged):
            return _or_turned_away(self._guard.answer(answer))
        if isinstance(answer, Refused) or (isinstance(asked, Prove) and isinstance(answer, Proven)):
            return self._concluded(frame, answer, now_s)
        return None

    def _identified(self, frame: Frame, identity: Identity) -> Step | Claim | TurnedAway:
        wanted = self._expected.serial_number
        if identity.kind is not Kind.SHUFFLER or wanted not in ("", identity.serial_number):
            reason = f"{identity.serial_number} is another device"
            return TurnedAway(DeviceRefused(identity), reason)
        self._claim = Claim(identity, frame.epoch, frame.event)
        if not self._guard.is_required:
            return self._claim
        return _or_turned_away(self._guard.begin(identity, frame.session, frame.epoch))

    def _concluded(
        self, frame: Frame, answer: Proven | Refused, now_s: float
    ) -> Claim | TurnedAway | None:
        if self._claim is None:
            return None
        if incident := self._guard.conclude(answer, frame.event, now_s):
            return _turned_away(incident)
        return replace(self._claim, event=frame.event)


def _or_turned_away(step: Challenge | Prove | SecurityIncident) -> Step | TurnedAway:
    return _turned_away(step) if isinstance(step, SecurityIncident) else step


def _turned_away(incident: SecurityIncident) -> TurnedAway:
    return TurnedAway(incident, f"{incident.breach.value}: {incident.detail}")
