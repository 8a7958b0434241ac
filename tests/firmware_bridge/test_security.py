"""Proofs and tags are those of docs/protocol.md, and nothing else passes for one."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import MAX_ENCODED, Decoder, Frame, encode
from firmware_bridge.messages import (
    MESSAGES,
    Accepted,
    BootCause,
    Capability,
    CardOut,
    Deal,
    Direction,
    Identify,
    Identity,
    Kind,
    Message,
    Row,
    Sealed,
    SealedCommand,
    SealedEvent,
    SealedReply,
    SetKey,
    pack,
    row_of,
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

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
KEY = DeviceKey(bytes(range(32)))
WHO = Identity(Kind.SHUFFLER, "bench", "S-1", "1.0", Capability(16385), BootCause.POWER, 9)
SAID = Transcript(7, 1000, b"\x11" * 32, b"\x22" * 32, covered_identity(WHO))
SESSION_KEY = derive(KEY, Purpose.SESSION_KEY, SAID)
DEAL = Frame(Deal(3), sequence=5, session=7, epoch=1000, event=12)


def documented(what: str) -> str:
    """The value that the page gives in the row of this name."""
    found = re.search(rf"^\| {re.escape(what)} \| `([0-9a-f]{{64}})` \|$", PAGE, re.M)
    assert found, what
    return found[1]


def hmac_by_definition(key: bytes, text: bytes) -> bytes:
    """RFC 2104: H(K xor opad, H(K xor ipad, text)), B = 64 bytes."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + text).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def tag_of(frame: Frame) -> bytes:
    assert isinstance(frame.message, Sealed)
    return frame.message.tag


@pytest.mark.parametrize("purpose", Purpose, ids=lambda p: p.name.lower().replace("_", " "))
def test_proofs_and_session_key_are_the_documents(purpose: Purpose) -> None:
    name = purpose.name.lower().replace("_", " ")
    row = f"{name}, event 13" if purpose is Purpose.DEVICE_PROOF else name

    assert derive(KEY, purpose, SAID, newest=13).hex() == documented(row)
    assert f'"cutcard {name}"' in re.sub(r" +", " ", PAGE)


@pytest.mark.parametrize(
    ("name", "frame", "counter"),
    [
        ("tag of Deal(count=3), sequence 5, event 12, counter 1", DEAL, 1),
        ("tag of Accepted(), sequence 5, event 13", Frame(Accepted(), 5, 7, 1000, 13), 0),
        (
            "tag of CardOut(number=4, boxed=1), sequence 0, event 13",
            Frame(CardOut(4, True), 0, 7, 1000, 13),
            0,
        ),
    ],
)
def test_tags_are_the_documents(name: str, frame: Frame, counter: int) -> None:
    assert tag_of(seal(frame, SESSION_KEY, counter)).hex() == documented(name)


def test_a_tag_covers_the_bytes_as_they_lie_in_the_frame() -> None:
    header = bytes([1, 0x33]) + b"\5\0" + b"\7\0" + b"\xe8\3\0\0" + b"\x0c\0\0\0"
    payload = bytes([0x11, 2]) + b"\3\0".ljust(32, b"\0") + b"\1\0\0\0"

    assert tag_of(seal(DEAL, SESSION_KEY, 1)) == hmac_by_definition(SESSION_KEY, header + payload)


SEALABLE = [row for row in MESSAGES if row.type not in (SealedCommand, SealedReply, SealedEvent)]


@pytest.mark.parametrize("row", SEALABLE, ids=lambda row: row.type.__name__)
def test_every_message_but_identity_and_envelopes_fits_an_envelope(row: Row) -> None:
    assert (row.layout.size <= 32) is (row.type is not Identity)


def test_a_sealed_frame_fits_the_line() -> None:
    assert len(encode(seal(DEAL, SESSION_KEY, 0xFFFFFFFF))) - 2 <= MAX_ENCODED


@settings(deadline=None)
@given(count=st.integers(0, 0xFFFF), counter=st.integers(0, 0xFFFFFFFF))
def test_what_was_sealed_comes_out_again(count: int, counter: int) -> None:
    frame = replace(DEAL, message=Deal(count))

    [arrived] = Decoder().feed(encode(seal(frame, SESSION_KEY, counter)))

    assert isinstance(arrived, Frame)
    assert has_true_tag(arrived, SESSION_KEY)
    assert unseal(arrived) == frame


@settings(deadline=None)
@given(bit=st.integers(0, 14 * 8 + 70 * 8 - 1))
def test_any_changed_bit_makes_the_tag_false(bit: int) -> None:
    """Every bit of header and payload but the version's, which the decoder refuses."""
    sealed = seal(DEAL, SESSION_KEY, 1)
    assert isinstance(sealed.message, SealedCommand)
    fields = {"sequence": 16, "session": 16, "epoch": 32, "event": 32}
    for name, width in fields.items():
        if bit < width:
            changed = replace(sealed, **{name: getattr(sealed, name) ^ (1 << bit)})
            assert not has_true_tag(changed, SESSION_KEY)
            return
        bit -= width
    payload = bytearray(pack(sealed.message))
    payload[bit // 8 % len(payload)] ^= 1 << bit % 8
    row = row_of(sealed.message)
    changed = replace(sealed, message=SealedCommand(*row.layout.unpack(payload)))

    assert not has_true_tag(changed, SESSION_KEY)


@pytest.mark.parametrize(
    "other",
    [
        replace(SAID, session=8),
        replace(SAID, epoch=1001),
        replace(SAID, host_nonce=b"\x12" * 32),
        replace(SAID, device_nonce=b"\x23" * 32),
        replace(SAID, identity=covered_identity(replace(WHO, serial_number="S-2"))),
        replace(SAID, identity=covered_identity(replace(WHO, capabilities=Capability.NONE))),
    ],
)
def test_a_proof_covers_all_that_was_said(other: Transcript) -> None:
    assert not is_proof(derive(KEY, Purpose.DEVICE_PROOF, SAID), KEY, Purpose.DEVICE_PROOF, other)


def test_a_device_proof_covers_the_newest_event_and_no_proof_the_newest_command() -> None:
    proof = derive(KEY, Purpose.DEVICE_PROOF, SAID, newest=13)

    assert is_proof(proof, KEY, Purpose.DEVICE_PROOF, SAID, newest=13)
    assert not is_proof(proof, KEY, Purpose.DEVICE_PROOF, SAID, newest=14)
    assert covered_identity(WHO) == covered_identity(replace(WHO, last_sequence=10))


def test_a_host_proof_is_no_device_proof() -> None:
    """Else a stranger could give our own proof back to us."""
    ours = derive(KEY, Purpose.HOST_PROOF, SAID)

    assert not is_proof(ours, KEY, Purpose.DEVICE_PROOF, SAID)
    assert not is_proof(ours[:16], KEY, Purpose.HOST_PROOF, SAID)
    assert is_proof(ours, KEY, Purpose.HOST_PROOF, SAID)


@pytest.mark.parametrize("value", [b"", bytes(31), bytes(33), bytes(32), b"\xff" * 32])
def test_what_cannot_be_a_key_is_refused(value: bytes) -> None:
    with pytest.raises(ProtocolError, match="32 random bytes"):
        DeviceKey(value)


def test_a_key_is_never_shown() -> None:
    shown = repr(KEY) + repr(SetKey(KEY.value)) + repr(Frame(SetKey(KEY.value)))

    assert KEY.value.hex() not in shown
    assert repr(KEY.value)[2:20] not in shown


@pytest.mark.parametrize(
    "sealed",
    [
        SealedCommand(0x45, 0, bytes(32), 1, bytes(32)),
        SealedReply(0x11, 2, bytes(32), bytes(32)),
        SealedEvent(0x45, 0, bytes(32), bytes(32)),
        SealedReply(0x45, 0, b"\1" + bytes(31), bytes(32)),
        SealedReply(0x45, 33, bytes(32), bytes(32)),
        SealedReply(0x46, 1, b"\xff" + bytes(31), bytes(32)),
        SealedReply(0xC0, 0, bytes(32), bytes(32)),
        Identify(),
    ],
)
def test_an_envelope_with_the_wrong_thing_in_it_is_refused(sealed: Message) -> None:
    with pytest.raises(ProtocolError):
        unseal(Frame(sealed))


def test_identity_and_envelopes_cannot_be_sealed() -> None:
    sealed = seal(DEAL, SESSION_KEY, 1)

    assert not fits_envelope(sealed.message)
    with pytest.raises(ProtocolError, match="does not fit an envelope"):
        seal(sealed, SESSION_KEY, 2)


def test_every_envelope_has_its_direction() -> None:
    directions = {SealedCommand: "command", SealedReply: "reply", SealedEvent: "event"}

    assert {row.type: row.direction for row in MESSAGES if row.type in directions} == {
        kind: Direction(name) for kind, name in directions.items()
    }


CAN_HOLD_226_BITS = {
    "Identity",
    "Challenge",
    "Prove",
    "SetKey",
    "MixEntropy",
    "SealedCommand",
    "Challenged",
    "Proven",
    "SealedReply",
    "EntropyCommitted",
    "EntropyOpened",
    "SealedEvent",
}
"""Who it is, keys, proofs and entropy; an envelope holds no more than what is in it."""


def test_no_message_has_room_for_an_order_but_those_known_to_hold_something_else() -> None:
    """An order of 52 cards is log2 52! = 225.6 bits, 29 bytes; one card is 6 bits."""
    roomy = {row.type.__name__ for row in MESSAGES if row.layout.size * 8 >= 226}

    assert roomy == CAN_HOLD_226_BITS


def test_what_the_machine_says_of_cards_are_counts_and_flags_alone() -> None:
    said = {
        field.name
        for row in MESSAGES
        if row.direction is Direction.EVENT and row.type is not SealedEvent
        for field in row.fields
    }

    assert said == {
        "boxed",
        "cause",
        "code",
        "count",
        "deck",
        "gate",
        "is_locked",
        "is_passed",
        "number",
        "part",
        "permitted",
        "silent_ms",
        "tries",
    }
