"""The device's guard: whom it obeys. What a firmware does, in Python.

The key lies in memory that outlives restarts (``KeyMemory``); the guard lives from
one start to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import Frame
from firmware_bridge.messages import (
    Accepted,
    Challenge,
    Challenged,
    Command,
    DeviceEvent,
    Identity,
    Prove,
    Proven,
    Refusal,
    Refused,
    Reply,
    SealedCommand,
    SetKey,
)
from firmware_bridge.security import (
    DeviceKey,
    Purpose,
    Transcript,
    covered_identity,
    derive,
    fits_envelope,
    has_true_tag,
    is_proof,
    seal,
    unseal,
)


@dataclass(slots=True)
class KeyMemory:
    """What the device keeps over restarts.

    Attributes:
        key: None until one was set.
        is_trusted: the switch inside the case; a key can be set only while it is on.
        refused: what strangers tried, counted by reason, for the technician.
    """

    key: DeviceKey | None = None
    is_trusted: bool = False
    refused: Counter[str] = field(default_factory=Counter)


class DeviceGuard:
    """Proof and seals of a device from one start to the next.

    Args:
        memory: key and switch.
        identity: what the device says of itself.
        epoch: of this start.
        draw_nonce: gives 32 fresh random bytes.
    """

    def __init__(
        self, memory: KeyMemory, identity: Identity, epoch: int, draw_nonce: Callable[[], bytes]
    ) -> None:
        self._memory = memory
        self._identity = covered_identity(identity)
        self._epoch = epoch
        self._draw_nonce = draw_nonce
        self._challenge = b""
        self._offered: Transcript | None = None
        self._proved: Transcript | None = None
        self._session_key = b""
        self._counter = 0

    @property
    def is_silent(self) -> bool:
        """Whether events wait for a proof."""
        return self._memory.key is not None and self._proved is None

    def forget(self) -> None:
        """Another session begins."""
        self._challenge, self._offered, self._proved, self._session_key = b"", None, None, b""

    # --- proof ----------------------------------------------------------------------------

    def shake(self, frame: Frame, command: Challenge | Prove, newest: int) -> Reply:
        """Answer one step of the proof.

        Args:
            frame: of this session and epoch.
            command: the step.
            newest: the newest event, which our proof covers.
        """
        if isinstance(command, Challenge):
            return self._challenged(frame, command.nonce)
        return self._prove(command.proof, newest)

    def set_key(self, key: bytes) -> Reply:
        """Take a key, in the trusted mode alone; the proof begins anew."""
        if not self._memory.is_trusted:
            return self._refuse(Refusal.TRUST)
        try:
            self._memory.key = DeviceKey(key)
        except ProtocolError:
            return self._refuse(Refusal.BAD_VALUE)
        self.forget()
        return Accepted()

    def _challenged(self, frame: Frame, nonce: bytes) -> Reply:
        if self._memory.key is None:
            return self._refuse(Refusal.SEAL)
        if self._offered is None or nonce != self._challenge:
            self._challenge = nonce
            ours = self._draw_nonce()
            self._offered = Transcript(frame.session, self._epoch, nonce, ours, self._identity)
        return Challenged(self._offered.device_nonce)

    def _prove(self, proof: bytes, newest: int) -> Reply:
        key, offered = self._memory.key, self._offered
        if key is None or offered is None or not is_proof(proof, key, Purpose.HOST_PROOF, offered):
            return self._refuse(Refusal.SEAL)
        if offered != self._proved:
            self._proved, self._counter = offered, 0
            self._session_key = derive(key, Purpose.SESSION_KEY, offered)
        return Proven(derive(key, Purpose.DEVICE_PROOF, offered, newest))

    # --- seals ----------------------------------------------------------------------------

    def open(self, frame: Frame, is_next: bool) -> Command | Refused:
        """The command that was meant, or the refusal.

        Args:
            frame: of this session and epoch.
            is_next: whether its sequence number is the next, so that it would be executed.
        """
        message = frame.message
        if not isinstance(message, SealedCommand):
            return self._open_plain(message)
        if not self._session_key or not has_true_tag(frame, self._session_key):
            return self._refuse(Refusal.SEAL)
        if is_next and message.counter <= self._counter:
            return self._refuse(Refusal.SEAL)
        try:
            inside = unseal(frame).message
        except ProtocolError:
            return self._refuse(Refusal.BAD_VALUE)
        if is_next:
            self._counter = message.counter
        assert isinstance(inside, Command)
        return inside

    def _open_plain(self, message: object) -> Command | Refused:
        if not isinstance(message, Command):
            return self._refuse(Refusal.UNKNOWN_COMMAND)
        if self._memory.key is None or (isinstance(message, SetKey) and self._memory.is_trusted):
            return message
        return self._refuse(Refusal.TRUST if isinstance(message, SetKey) else Refusal.SEAL)

    def close(self, frame: Frame, session: int) -> Frame:
        """The frame as it goes out; an event gets the session in its header."""
        if not self._session_key or not fits_envelope(frame.message):
            return frame
        if isinstance(frame.message, DeviceEvent):
            frame = replace(frame, session=session)
        return seal(frame, self._session_key)

    def _refuse(self, reason: Refusal) -> Refused:
        self._memory.refused[reason.name.lower()] += 1
        return Refused(reason)
