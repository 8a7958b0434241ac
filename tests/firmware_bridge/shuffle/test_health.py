"""The health tests of NIST SP 800-90B, section 4.4: cutoffs, alarms, and no false ones."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.errors import ProtocolError
from firmware_bridge.shuffle import HealthMonitor, HealthTest, apt_cutoff, rct_cutoff

PUBLISHED_APT_30 = (325, 422, 459, 477, 488, 494, 499, 502, 505, 507, 508, 509, 510, 511, 512)
PUBLISHED_APT_60 = (355, 447, 479, 494, 502, 507, 510, 512, 512)
"""Cutoffs for H = 1/1, 1/2, ... bit, window 512, alpha 2**-30 and 2**-60, as the
jitter entropy source of Linux has them (crypto/jitterentropy.c)."""


@pytest.mark.parametrize(("rate", "cutoff"), list(enumerate(PUBLISHED_APT_30, start=1)))
def test_adaptive_proportion_cutoffs_are_the_published_ones(rate: int, cutoff: int) -> None:
    assert apt_cutoff(1 / rate) == cutoff


@pytest.mark.parametrize(("rate", "cutoff"), list(enumerate(PUBLISHED_APT_60, start=1)))
def test_they_are_so_for_the_permanent_alarm_too(rate: int, cutoff: int) -> None:
    assert apt_cutoff(1 / rate, exponent=60) == cutoff


@pytest.mark.parametrize(
    ("entropy_bits", "exponent", "cutoff"),
    [(1, 20, 21), (1, 30, 31), (8, 30, 5), (0.5, 30, 61), (2, 20, 11)],
)
def test_repetition_count_cutoffs_are_the_formula(
    entropy_bits: float, exponent: int, cutoff: int
) -> None:
    """Section 4.4.1: C = 1 + ceil(-log2 alpha / H); its example is 21 for H = 1, 2**-20."""
    assert rct_cutoff(entropy_bits, exponent) == cutoff


@pytest.mark.parametrize("bits", [0, -1, 17])
def test_an_impossible_claim_is_refused(bits: float) -> None:
    with pytest.raises(ProtocolError, match="bits"):
        rct_cutoff(bits)


def noise(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


def test_a_sound_source_is_usable_after_the_start_up_test() -> None:
    monitor = HealthMonitor(entropy_bits=7.0)

    assert monitor.feed(noise(1023))
    assert not monitor.is_usable
    assert monitor.feed(noise(1, seed=2))
    assert monitor.is_usable


def test_a_sound_source_is_not_accused_in_a_million_samples() -> None:
    monitor = HealthMonitor(entropy_bits=7.0)

    assert monitor.feed(noise(1_000_000))


@pytest.mark.parametrize(
    ("samples", "failed"),
    [
        (noise(2000) + bytes(20), HealthTest.REPETITION_COUNT),
        (bytes(2000), HealthTest.REPETITION_COUNT),
        (bytes([1, 2, 1, 3]) * 1000, HealthTest.ADAPTIVE_PROPORTION),
    ],
)
def test_a_dead_source_is_found(samples: bytes, failed: HealthTest) -> None:
    monitor = HealthMonitor(entropy_bits=7.0)

    assert not monitor.feed(samples)
    assert monitor.failed is failed
    assert not monitor.is_usable


def test_a_source_with_far_less_than_it_claims_is_found() -> None:
    """It claims 7 bits; three quarters of its samples are one value."""
    rng = random.Random(3)
    weak = bytes(rng.choice((0, 0, 0, rng.randrange(256))) for _ in range(5000))

    assert not HealthMonitor(entropy_bits=7.0).feed(weak)


@pytest.mark.parametrize("length", [4, 5])
def test_a_run_fails_exactly_at_the_cutoff(length: int) -> None:
    """7.5 bits: 1 + ceil(30 / 7.5) = 5 equal samples in a row."""
    samples = b"".join(bytes([value]) * length for value in range(1, 60))

    assert HealthMonitor(entropy_bits=7.5).feed(samples) is (length < 5)


def test_an_alarm_stays_until_a_restart() -> None:
    monitor = HealthMonitor(entropy_bits=7.0)
    monitor.feed(bytes(100))

    assert not monitor.feed(noise(5000))
    monitor.restart()
    assert monitor.feed(noise(5000))
    assert monitor.is_usable
