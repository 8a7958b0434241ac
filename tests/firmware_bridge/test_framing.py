"""Frames survive the wire whole, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import MAX_ENCODED, Decoder, ForeignFrame, Frame, encode
from firmware_bridge.messages import (
    BootCause,
    Capability,
    CardOut,
    Deal,
    Identity,
    Kind,
    Message,
    Shuffle,
    pack,
    unpack,
)

U16 = st.integers(0, 0xFFFF)
U32 = st.integers(0, 0xFFFF_FFFF)
TEXTS = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=8)
IDENTITIES = st.builds(
    Identity,
    st.sampled_from(Kind),
    TEXTS,
    TEXTS,
    TEXTS,
    st.just(Capability.LIGHT),
    st.sampled_from(BootCause),
    U16,
)
ANY_MESSAGE: st.SearchStrategy[Message] = st.one_of(
    st.builds(Deal, U16), st.builds(CardOut, U16, st.booleans()), st.just(Shuffle()), IDENTITIES
)
FRAMES = st.builds(Frame, ANY_MESSAGE, U16, U16, U32, U32)


@given(frames=st.lists(FRAMES, max_size=5), cut=st.integers(1, 40))
def test_frames_come_out_as_they_went_in_however_the_bytes_are_cut(
    frames: list[Frame], cut: int
) -> None:
    wire = b"".join(encode(frame) for frame in frames)
    decoder = Decoder()

    came = [f for n in range(0, len(wire), cut) for f in decoder.feed(wire[n : n + cut])]

    assert came == frames
    assert decoder.noise.total == 0


@given(noise=st.lists(st.binary(max_size=200), max_size=10), frame=FRAMES)
def test_any_noise_is_survived_and_the_next_frame_read(noise: list[bytes], frame: Frame) -> None:
    decoder = Decoder()
    for piece in noise:
        decoder.feed(piece)

    assert decoder.feed(encode(frame))[-1:] == [frame]


@given(frame=FRAMES, place=st.integers(0), bit=st.integers(0, 7))
def test_one_flipped_bit_never_makes_another_message(frame: Frame, place: int, bit: int) -> None:
    wire = bytearray(encode(frame))
    wire[place % len(wire)] ^= 1 << bit

    came = Decoder().feed(bytes(wire))

    assert came in ([], [frame])


def test_a_run_without_end_is_counted_and_not_kept() -> None:
    decoder = Decoder()

    for _ in range(1000):
        decoder.feed(b"\x01" * 100)

    assert decoder.noise.overlong_bytes == 100_000
    assert len(decoder._buffer) <= MAX_ENCODED


def test_a_half_frame_is_ended_by_the_next_ones_leading_zero() -> None:
    half, whole = encode(Frame(Deal(1)))[:-4], encode(Frame(Deal(2)))

    assert Decoder().feed(half + whole) == [Frame(Deal(2))]


def test_another_version_is_recognised_but_not_read() -> None:
    assert Decoder().feed(encode(Frame(Deal(1), version=9))) == [ForeignFrame(9)]


@pytest.mark.parametrize(
    ("id_", "payload", "message"),
    [
        (0x7F, b"", "no message has the id 0x7f"),
        (0x11, b"\1", "Deal has 2 payload bytes, got 1"),
        (0x46, b"\xee", "Refused holds a bad value"),
    ],
)
def test_unpack_says_what_is_wrong(id_: int, payload: bytes, message: str) -> None:
    with pytest.raises(ProtocolError, match=message):
        unpack(id_, payload)


@pytest.mark.parametrize("message", [Deal(70_000), Deal(-1)])
def test_a_number_that_does_not_fit_is_refused(message: Deal) -> None:
    with pytest.raises(ProtocolError, match="does not fit"):
        pack(message)


@pytest.mark.parametrize("text", ["seventeen letters", "é", "a\0b"])
def test_a_text_that_does_not_fit_is_refused(text: str) -> None:
    identity = Identity(Kind.SHUFFLER, text, "", "", Capability.NONE, BootCause.POWER)

    with pytest.raises(ProtocolError, match="does not fit"):
        pack(identity)
