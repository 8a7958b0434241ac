"""Bad input made of good input: cut, doubled, overwritten, or nested until it hurts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

NASTY: Final = (
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\r\n",
    b"-1",
    b"0",
    b"1e999",
    b"NaN",
    b"null",
    b"true",
    b"18446744073709551616",
    b"9" * 5000,
    b"\na = " + b"9" * 5000 + b"\n",
    b" " + b"9" * 5000 + b" ",
    b"[" * 3000,
    b'{"a":' * 3000,
    b"a=" + b"{a=" * 1500,
    b"[[" * 1500,
    b'"',
    b"'",
    b"\\",
    b"..",
    b"/",
    b"%00",
    "é²٣𝟗".encode(),
    b"A" * 70000,
)
"""Pieces that parsers have tripped over: huge numbers, deep nesting, odd characters."""

MOST_CHANGES: Final = 5
LARGEST: Final = 200_000


@st.composite
def damaged(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """A seed after some changes, or bytes that never were one."""
    data = draw(st.sampled_from(seeds)) if seeds else b""
    if not data or draw(st.integers(0, 9)) == 0:
        data = draw(st.binary(max_size=400))
    for _ in range(draw(st.integers(0, MOST_CHANGES))):
        data = _changed(draw, data)[:LARGEST]
    return data


def _changed(draw: st.DrawFn, data: bytes) -> bytes:
    first = draw(st.integers(0, len(data)))
    last = draw(st.integers(first, min(len(data), first + draw(st.sampled_from((1, 8, 400))))))
    match draw(st.integers(0, 5)):
        case 0:
            return data[:first] + data[last:]
        case 1:
            return data[:first]
        case 2:
            return data[:last] + data[first:last] + data[last:]
        case 3:
            return data[:first] + draw(st.binary(max_size=8)) + data[last:]
        case _:
            return data[:first] + draw(st.sampled_from(NASTY)) + data[last:]
