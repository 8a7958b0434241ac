"""Proofs and seals: how two ends of a line know each other (docs/protocol.md, "Keys and seals").

HMAC-SHA256 (FIPS 198-1) throughout, with its full 32 bytes. Pure: nonces come in
as data. Proofs show that somebody holds the key; they do not show that the
firmware behind it is sound (docs/security.md).
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import Frame, content_of
from firmware_bridge.messages import (
    PROTOCOL_VERSION,
    Command,
    DeviceEvent,
    Identity,
    Message,
    Reply,
    Sealed,
    SealedCommand,
    SealedEvent,
    SealedReply,
    pack,
    row_of,
    unpack,
)

KEY_BYTES: Final = 32
"""Of keys, nonces, proofs and tags: the output of SHA-256, the size for which its
HMAC keys are neither hashed first nor short (RFC 2104, section 3)."""

BODY_BYTES: Final = 32
"""Payload that fits into an envelope: all but ``Identity`` and the envelopes themselves."""

_NO_TAG: Final = bytes(KEY_BYTES)
_LAST_SEQUENCE_BYTES: Final = 2
"""At the end of an identity; it changes while the proof goes on, and is not covered."""


@dataclass(frozen=True, slots=True)
class DeviceKey:
    """The key of one device; never shown, never logged.

    Raises:
        ProtocolError: it is not 32 bytes, or all bytes are the same, as in erased memory.
    """

    value: bytes = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse what cannot be a key."""
        if len(self.value) != KEY_BYTES or len(set(self.value)) == 1:
            raise ProtocolError(f"a key has {KEY_BYTES} random bytes, this has {len(self.value)}")


@dataclass(frozen=True, slots=True)
class Transcript:
    """What both ends said before the proofs; every proof covers all of it."""

    session: int
    epoch: int
    host_nonce: bytes
    device_nonce: bytes
    identity: bytes

    def to_bytes(self) -> bytes:
        """The transcript as the proofs cover it."""
        return b"".join(
            (
                bytes([PROTOCOL_VERSION]),
                self.session.to_bytes(2, "little"),
                self.epoch.to_bytes(4, "little"),
                self.host_nonce,
                self.device_nonce,
                self.identity,
            )
        )


class Purpose(Enum):
    """What an HMAC is for; no proof of one purpose can stand for another."""

    HOST_PROOF = b"cutcard host proof\0"
    DEVICE_PROOF = b"cutcard device proof\0"
    SESSION_KEY = b"cutcard session key\0"


def covered_identity(identity: Identity) -> bytes:
    """What the proofs cover of an identity: all but the newest sequence number."""
    return pack(identity)[:-_LAST_SEQUENCE_BYTES]


def derive(key: DeviceKey, purpose: Purpose, transcript: Transcript, newest: int = 0) -> bytes:
    """The proof or the session key: HMAC-SHA256 over purpose and transcript.

    Args:
        key: the device's.
        purpose: what it is for.
        transcript: what was said.
        newest: of the device's proof alone: the newest event, as its header says it.
    """
    covered = purpose.value + transcript.to_bytes()
    if purpose is Purpose.DEVICE_PROOF:
        covered += newest.to_bytes(4, "little")
    return hmac.digest(key.value, covered, "sha256")


def is_proof(
    given: bytes, key: DeviceKey, purpose: Purpose, transcript: Transcript, newest: int = 0
) -> bool:
    """Whether ``given`` is the proof; takes the same time wherever it differs."""
    return hmac.compare_digest(given, derive(key, purpose, transcript, newest))


def fits_envelope(message: Message) -> bool:
    """Whether the message can be sealed: ``Identity`` and the envelopes are too long."""
    return row_of(message).layout.size <= BODY_BYTES


def seal(frame: Frame, session_key: bytes, counter: int = 0) -> Frame:
    """The frame with its message in a sealed envelope.

    Args:
        frame: a command, reply or event that fits an envelope.
        session_key: of the last proof.
        counter: of a command; replies and events have their number in the header.
    """
    envelope = _enclose(frame.message, counter)
    tag = _tag_of(replace(frame, message=envelope), session_key)
    return replace(frame, message=replace(envelope, tag=tag))


def has_true_tag(frame: Frame, session_key: bytes) -> bool:
    """Whether a sealed frame was sealed with this key, header included."""
    sealed = frame.message
    return isinstance(sealed, Sealed) and hmac.compare_digest(
        sealed.tag, _tag_of(frame, session_key)
    )


def unseal(frame: Frame) -> Frame:
    """The frame with the message inside; check the tag first.

    Raises:
        ProtocolError: the envelope holds no message of its own direction.
    """
    sealed = frame.message
    if not isinstance(sealed, Sealed):
        raise ProtocolError(f"{type(sealed).__name__} is not sealed")
    if sealed.length > BODY_BYTES or any(sealed.body[sealed.length :]):
        raise ProtocolError(f"an envelope of {sealed.length} bytes is filled up wrongly")
    inside = unpack(sealed.id, sealed.body[: sealed.length])
    if not isinstance(inside, _INSIDE[type(sealed)]):
        raise ProtocolError(f"{type(sealed).__name__} holds {type(inside).__name__}")
    return replace(frame, message=inside)


_INSIDE: Final = {SealedCommand: Command, SealedReply: Reply, SealedEvent: DeviceEvent}
"""What each envelope may hold; an envelope in an envelope is nothing."""


def _enclose(message: Message, counter: int) -> Sealed:
    payload = pack(message)
    row = row_of(message)
    if len(payload) > BODY_BYTES or isinstance(message, Sealed):
        raise ProtocolError(f"{row.type.__name__} does not fit an envelope")
    body = payload.ljust(BODY_BYTES, b"\0")
    if isinstance(message, Command):
        return SealedCommand(row.id, len(payload), body, counter, _NO_TAG)
    kind = SealedReply if isinstance(message, Reply) else SealedEvent
    return kind(row.id, len(payload), body, _NO_TAG)


def _tag_of(frame: Frame, session_key: bytes) -> bytes:
    covered = content_of(frame)[: -len(_NO_TAG)]
    return hmac.digest(session_key, covered, "sha256")
