"""The host's guard: which device is ours, and which frames are its own.

Without keys every shuffler is taken, as on a bench. With keys nothing goes on
before the device's proof, and afterwards nothing counts that is not sealed. The
guard is pure: nonces are drawn by a callable, time comes in as data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import Frame
from firmware_bridge.messages import (
    Capability,
    Challenge,
    Challenged,
    Identity,
    Prove,
    Proven,
    Refusal,
    Refused,
    Sealed,
    SealedCommand,
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

LATE_S: Final = 2.0
"""After a proof, frames of before may still be under way; refused, but no incident."""

KEEPS_PLAIN: Final = (Identity, Challenged, Proven)
"""Replies that are never sealed: those of the handshake."""

PLAIN_REFUSALS: Final = (Refusal.SESSION, Refusal.EPOCH, Refusal.SEAL, Refusal.VERSION)
"""Refusals of a device that does not take our seal for valid; they only make us prove anew."""


class Breach(Enum):
    """What speaks for a stranger on the cable."""

    FOREIGN_DEVICE = "foreign device"
    DOWNGRADE = "downgrade"
    KEY_REFUSED = "key refused"
    FALSE_PROOF = "false proof"
    UNSEALED = "unsealed"
    FALSE_TAG = "false tag"
    REPLAY = "replay"
    MALFORMED = "malformed"
    FALSE_OPENING = "false opening"


@dataclass(frozen=True, slots=True)
class SecurityIncident:
    """Something that the genuine machine does not do; it was refused.

    ``serial_number`` is what the device says of itself, proved or not.
    """

    breach: Breach
    serial_number: str
    detail: str


class HostGuard:
    """Proof and seals of one link.

    Args:
        keys: the key of each device by serial number; None takes every device, unproved.
        draw_nonce: gives 32 fresh random bytes.
    """

    def __init__(
        self, keys: Mapping[str, DeviceKey] | None, draw_nonce: Callable[[], bytes]
    ) -> None:
        self._keys = keys
        self._draw_nonce = draw_nonce
        self._identity: Identity | None = None
        self._where = (0, 0)
        self._nonce = b""
        self._transcript: Transcript | None = None
        self._session_key = b""
        self._counter = 0
        self._proved_at_s = -math.inf

    @property
    def is_required(self) -> bool:
        """Whether a device must prove itself."""
        return self._keys is not None

    @property
    def is_proved(self) -> bool:
        """Whether both ends have proved themselves and everything is sealed."""
        return bool(self._session_key)

    def forget(self) -> None:
        """The line is gone, or another session begins: prove anew."""
        self._transcript, self._session_key = None, b""

    # --- proof ----------------------------------------------------------------------------

    def begin(self, identity: Identity, session: int, epoch: int) -> Challenge | SecurityIncident:
        """Start the proof with the device that says it is ``identity``."""
        self.forget()
        self._identity, self._where = identity, (session, epoch)
        if self._keys is None or identity.serial_number not in self._keys:
            return self._incident(Breach.FOREIGN_DEVICE, "no key is known for it")
        if not identity.capabilities & Capability.SEALED:
            return self._incident(Breach.DOWNGRADE, "it says that it cannot seal")
        self._nonce = self._draw_nonce()
        return Challenge(self._nonce)

    def answer(self, challenged: Challenged) -> Prove | SecurityIncident:
        """Our proof, over the device's nonce."""
        if challenged.nonce == self._nonce:
            return self._incident(Breach.FALSE_PROOF, "it gave our own challenge back")
        identity, key = self._claimed()
        about = covered_identity(identity)
        self._transcript = Transcript(*self._where, self._nonce, challenged.nonce, about)
        return Prove(derive(key, Purpose.HOST_PROOF, self._transcript))

    def conclude(
        self, answer: Proven | Refused, newest: int, now_s: float
    ) -> SecurityIncident | None:
        """Check the device's proof; afterwards everything is sealed. None when it is proved.

        Args:
            answer: to our proof.
            newest: the newest event as the answer's header has it.
            now_s: the link's clock.
        """
        if isinstance(answer, Refused):
            return self._incident(Breach.KEY_REFUSED, "it does not take our key")
        _, key = self._claimed()
        transcript = self._transcript
        if transcript is None or not is_proof(
            answer.proof, key, Purpose.DEVICE_PROOF, transcript, newest
        ):
            return self._incident(Breach.FALSE_PROOF, "it does not hold the key")
        self._session_key = derive(key, Purpose.SESSION_KEY, transcript)
        self._counter, self._proved_at_s = 0, now_s
        return None

    def _claimed(self) -> tuple[Identity, DeviceKey]:
        """The identity that is to be proved, and its key."""
        if self._keys is None or self._identity is None:
            raise ProtocolError("a proof must be begun before it is answered")
        return self._identity, self._keys[self._identity.serial_number]

    def is_out_of_step(self, refused: Refused) -> bool:
        """Whether the device has forgotten the session, or the proof of it."""
        return refused.reason is Refusal.SESSION or (
            refused.reason is Refusal.SEAL and self.is_required
        )

    # --- seals ----------------------------------------------------------------------------

    def close(self, frame: Frame) -> Frame:
        """The frame as it goes out: sealed once the device is proved."""
        if not self.is_proved or not fits_envelope(frame.message):
            return frame
        self._counter += 1
        return seal(frame, self._session_key, self._counter)

    def open(self, frame: Frame, now_s: float) -> Frame | SecurityIncident | None:
        """The frame as it was meant, what is wrong with it, or None where it is merely late."""
        if not self.is_proved:
            return None if isinstance(frame.message, Sealed) else frame
        breach = self._breach_of(frame)
        if breach is None:
            return self._unsealed(frame)
        if now_s - self._proved_at_s < LATE_S:
            return None
        return self._incident(breach, f"{type(frame.message).__name__} was refused")

    def malformed(self, count: int, now_s: float) -> SecurityIncident | None:
        """What frames of wrong length or value mean: a short tag comes as such a frame."""
        if not count or not self.is_proved or now_s - self._proved_at_s < LATE_S:
            return None
        return self._incident(Breach.MALFORMED, "a sound frame has a wrong length or value")

    def _breach_of(self, frame: Frame) -> Breach | None:
        message = frame.message
        if isinstance(message, Refused) and message.reason in PLAIN_REFUSALS:
            return None
        if isinstance(message, KEEPS_PLAIN):
            return None
        if not isinstance(message, Sealed):
            return Breach.UNSEALED
        if frame.session != self._where[0] or frame.epoch != self._where[1]:
            return Breach.REPLAY
        if isinstance(message, SealedCommand) or not has_true_tag(frame, self._session_key):
            return Breach.FALSE_TAG
        return None

    def _unsealed(self, frame: Frame) -> Frame | SecurityIncident:
        if not isinstance(frame.message, Sealed):
            return frame
        try:
            return unseal(frame)
        except ProtocolError as error:
            return self._incident(Breach.MALFORMED, str(error))

    def _incident(self, breach: Breach, detail: str) -> SecurityIncident:
        serial_number = self._identity.serial_number if self._identity else ""
        return SecurityIncident(breach, serial_number, detail)
