"""Entropy of two ends: the values of docs/protocol.md, and who can control what."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.shuffle import EntropyMixer, Stream, commitment_to, is_opening, mix

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
SECRET, NONCE = b"\x33" * 32, b"\x44" * 32
TWO_BYTES = st.binary(min_size=32, max_size=32)


def documented(what: str) -> str:
    found = re.search(rf"^\| {re.escape(what)} \| `([0-9a-f]{{64}})` \|$", PAGE, re.M)
    assert found, what
    return found[1]


def test_commitment_seed_and_stream_are_the_documents() -> None:
    seed = mix(SECRET, NONCE)

    assert commitment_to(SECRET).hex() == documented("commitment")
    assert seed.hex() == documented("seed")
    assert Stream(seed).take(32).hex() == documented("stream, n = 0")


@settings(deadline=None)
@given(secret=TWO_BYTES, other=TWO_BYTES)
def test_a_commitment_binds_the_machine(secret: bytes, other: bytes) -> None:
    assert is_opening(commitment_to(secret), secret)
    assert is_opening(commitment_to(secret), other) is (other == secret)
    assert not is_opening(commitment_to(secret), secret[:31])


@settings(deadline=None)
@given(secret=TWO_BYTES, nonce=TWO_BYTES, bit=st.integers(0, 255))
def test_each_end_changes_the_whole_seed(secret: bytes, nonce: bytes, bit: int) -> None:
    flip = (1 << bit).to_bytes(32, "little")
    other_secret = bytes(a ^ b for a, b in zip(secret, flip, strict=True))
    other_nonce = bytes(a ^ b for a, b in zip(nonce, flip, strict=True))

    seeds = [mix(secret, nonce), mix(other_secret, nonce), mix(secret, other_nonce)]

    for one, two in ((0, 1), (0, 2), (1, 2)):
        same = sum(a == b for a, b in zip(seeds[one], seeds[two], strict=True))
        assert same < 8  # of 32 bytes 1/8 are equal by chance; 8 or more in 1e-11 of cases


@pytest.mark.parametrize("length", [0, 31, 33])
def test_entropy_of_another_length_is_refused(length: int) -> None:
    short = bytes(length)
    for refused in (
        lambda: mix(short, NONCE),
        lambda: mix(SECRET, short),
        lambda: commitment_to(short),
        lambda: Stream(short),
    ):
        with pytest.raises(ProtocolError, match="32 bytes"):
            refused()


@settings(deadline=None)
@given(pieces=st.lists(st.integers(0, 70), max_size=8))
def test_a_stream_is_the_same_in_any_pieces(pieces: list[int]) -> None:
    seed = mix(SECRET, NONCE)
    stream = Stream(seed)

    assert b"".join(stream.take(n) for n in pieces) == Stream(seed).take(sum(pieces))


@settings(deadline=None)
@given(bound=st.integers(1, 65536), seed=TWO_BYTES)
def test_a_draw_is_below_its_bound(bound: int, seed: bytes) -> None:
    assert 0 <= Stream(seed).below(bound) < bound


class Counting(Stream):
    """A stream that gives every byte value in turn, or every pair."""

    def __init__(self, width: int) -> None:
        super().__init__(bytes(32))
        self._width, self._next = width, 0

    def take(self, count: int) -> bytes:
        assert count == self._width
        self._next += 1
        return (self._next - 1).to_bytes(count, "little")


@pytest.mark.parametrize(("bound", "width"), [(3, 1), (52, 1), (76, 1), (256, 1), (416, 2)])
def test_no_value_is_favoured_by_the_uneven_rest(bound: int, width: int) -> None:
    """Every byte (or pair) once: each value is drawn equally often, the rest is thrown away."""
    whole = 256**width
    stream = Counting(width)

    drawn = [stream.below(bound) for _ in range(whole // bound * bound)]

    assert {drawn.count(value) for value in range(bound)} == {whole // bound}


class Given(Stream):
    """A stream that gives these numbers."""

    def __init__(self, *numbers: int) -> None:
        super().__init__(bytes(32))
        self._numbers = list(numbers)

    def take(self, count: int) -> bytes:
        return self._numbers.pop(0).to_bytes(count, "little")


@pytest.mark.parametrize(("bound", "whole"), [(3, 256), (52, 256), (76, 256), (416, 65536)])
def test_a_draw_in_the_uneven_rest_is_thrown_away(bound: int, whole: int) -> None:
    rest = range(whole - whole % bound, whole)

    assert len(rest) == whole % bound > 0
    assert {Given(number, number, 1).below(bound) for number in rest} == {1}


@pytest.mark.parametrize("bound", [0, -1, 65537])
def test_a_draw_out_of_nothing_is_refused(bound: int) -> None:
    with pytest.raises(ProtocolError, match="1 to 65536"):
        Stream(SECRET).below(bound)


def test_a_round_goes_commit_mix_use_open() -> None:
    mixer = EntropyMixer()

    commitment = mixer.commit(SECRET)

    assert mixer.mix(NONCE)
    assert mixer.begin_shuffle() == mix(SECRET, NONCE)
    assert mixer.opening() == b"", "the order is in play"
    mixer.commit(bytes(range(32)))
    mixer.mix(NONCE)
    assert mixer.opening() == b"", "the order is still in play"
    assert mixer.begin_shuffle() != b""
    assert is_opening(commitment, mixer.opening())


def test_a_shuffle_of_the_machine_alone_ends_a_round_too() -> None:
    mixer = EntropyMixer()
    commitment = mixer.commit(SECRET)
    mixer.mix(NONCE)
    mixer.begin_shuffle()

    assert mixer.begin_shuffle() == b""
    assert is_opening(commitment, mixer.opening())
    assert mixer.begin_shuffle() == b""
    assert mixer.opening() == b""


def test_nothing_comes_out_of_turn() -> None:
    mixer = EntropyMixer()

    assert not mixer.mix(NONCE)
    assert mixer.begin_shuffle() == b""
    mixer.commit(SECRET)
    assert mixer.begin_shuffle() == b""
    assert mixer.opening() == b"", "a secret that is still to be used"
    assert not mixer.mix(NONCE[:31])
    assert mixer.mix(NONCE)
    assert not mixer.mix(bytes(32)), "a host must not choose again"
    assert mixer.begin_shuffle() != b""
    assert mixer.begin_shuffle() == b"", "a seed is used once"
