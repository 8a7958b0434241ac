"""Bad input is refused in the words that were promised for it: no other error, and no hang.

``FUZZ_EXAMPLES=20000`` tries longer (``make fuzz``); without it each parser gets a few dozen.
"""

from __future__ import annotations

import logging
import os
import resource
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzzing.mutating import NASTY, damaged
from tests.fuzzing.parsers import PARSERS, Parser

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "0"))
IN_THE_SUITE = 120

SLOWEST_S = 10.0
"""No single input of at most 200 kB may keep a parser longer, on a busy computer."""

MOST_MIB = 700
"""What the process may grow by over all examples of one parser."""


def count(parser: Parser) -> int:
    return max(8, (EXAMPLES or IN_THE_SUITE) // parser.cost)


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    """What is refused may also be logged; with thousands of examples nobody reads it."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def refused(parser: Parser, data: bytes, folder: Path) -> None:
    """Parse; an error other than those that are promised is a finding."""
    began_s = time.monotonic()
    with suppress(*parser.refuses):
        parser.parse(data, folder)
    assert time.monotonic() - began_s < SLOWEST_S


@pytest.mark.timeout(120 if not EXAMPLES else 7200)
@pytest.mark.parametrize("name", PARSERS)
def test_anything_at_all_is_read_or_refused_as_promised(name: str, tmp_path: Path) -> None:
    parser = PARSERS[name]
    before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    @settings(
        max_examples=count(parser),
        deadline=None,
        derandomize=not EXAMPLES,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def tried(data: st.DataObject) -> None:
        refused(parser, data.draw(damaged(parser.seeds())), tmp_path)

    tried()

    grown_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib
    assert grown_kib < MOST_MIB * 1024


@pytest.mark.parametrize("name", PARSERS)
def test_good_input_is_taken_and_nasty_pieces_alone_are_refused(name: str, tmp_path: Path) -> None:
    parser = PARSERS[name]
    taken = []

    for seed in parser.seeds():
        try:
            parser.parse(seed, tmp_path)
        except parser.refuses:
            continue
        taken.append(seed)
    for piece in NASTY:
        refused(parser, piece, tmp_path)

    assert taken or not parser.seeds()
