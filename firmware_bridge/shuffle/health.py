"""Continuous health tests of a noise source: NIST SP 800-90B, section 4.4.

They find a source that has died or become much worse than claimed. They do not
show that a source is good: a counter passes both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from firmware_bridge.errors import ProtocolError

FALSE_ALARM_EXPONENT: Final = 30
"""A sound source fails one test of one sample with 2**-30: section 4.4.1 recommends
2**-20 to 2**-40."""

BINARY_WINDOW: Final = 1024
"""Samples of an adaptive proportion test where a sample is one bit (section 4.4.2)."""

WINDOW: Final = 512
"""Samples of an adaptive proportion test else (section 4.4.2)."""

STARTUP_SAMPLES: Final = 1024
"""Samples tested before the first is used (section 4.3, requirement 4)."""


class HealthTest(Enum):
    """Which test failed."""

    NONE = "none"
    REPETITION_COUNT = "repetition count"
    ADAPTIVE_PROPORTION = "adaptive proportion"


def rct_cutoff(entropy_bits: float, exponent: int = FALSE_ALARM_EXPONENT) -> int:
    """Equal samples in a row that fail: 1 + ceil(-log2(alpha) / H) (section 4.4.1)."""
    return 1 + math.ceil(exponent / _checked(entropy_bits))


@lru_cache
def apt_cutoff(
    entropy_bits: float, window: int = WINDOW, exponent: int = FALSE_ALARM_EXPONENT
) -> int:
    """Samples of a window equal to its first, itself included, that fail (section 4.4.2).

    The standard's formula counts the first sample among those that may differ from
    it; corrected (comment 10b of the public comments of 2019), as implementations do,
    the cutoff is 2 + CRITBINOM(W - 1, 2**-H, 1 - alpha); at most the whole window.
    """
    chance = 2.0 ** -_checked(entropy_bits)
    alpha = 2.0**-exponent
    tail = 0.0
    for count in range(window - 1, -1, -1):  # from the far end, where the terms are smallest
        tail += math.exp(_log_binomial(window - 1, count, chance))
        if tail > alpha:
            return min(count + 2, window)
    return 1


def _log_binomial(trials: int, count: int, chance: float) -> float:
    ways = math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
    return ways + count * math.log(chance) + (trials - count) * math.log1p(-chance)


def _checked(entropy_bits: float) -> float:
    if not 0.0 < entropy_bits <= 16.0:
        raise ProtocolError(f"a sample holds more than 0 and up to 16 bits, not {entropy_bits}")
    return entropy_bits


@dataclass(slots=True)
class HealthMonitor:
    """Both tests, sample by sample; a failure stays until ``restart``.

    Attributes:
        entropy_bits: the least entropy claimed of a sample.
        window: samples of the adaptive proportion test.
        failed: the first test that failed.
    """

    entropy_bits: float
    window: int = WINDOW
    failed: HealthTest = HealthTest.NONE
    _tested: int = 0
    _last: int = -1
    _run: int = 0
    _first: int = -1
    _equal: int = 0
    _seen: int = 0

    @property
    def is_usable(self) -> bool:
        """Whether the start-up test is over and nothing has failed."""
        return self.failed is HealthTest.NONE and self._tested >= STARTUP_SAMPLES

    def feed(self, samples: bytes) -> bool:
        """Test samples of one byte each; whether all is well so far."""
        rct = rct_cutoff(self.entropy_bits)
        apt = apt_cutoff(self.entropy_bits, self.window)
        for sample in samples:
            self._count_repetition(sample, rct)
            self._count_proportion(sample, apt)
        self._tested += len(samples)
        return self.failed is HealthTest.NONE

    def restart(self) -> None:
        """The source was repaired or restarted: test it anew from the start."""
        self.failed, self._tested = HealthTest.NONE, 0
        self._last = self._first = -1
        self._run = self._equal = self._seen = 0

    def _count_repetition(self, sample: int, cutoff: int) -> None:
        self._run = self._run + 1 if sample == self._last else 1
        self._last = sample
        if self._run >= cutoff:
            self._fail(HealthTest.REPETITION_COUNT)

    def _count_proportion(self, sample: int, cutoff: int) -> None:
        if self._seen == 0:
            self._first, self._equal = sample, 0
        self._equal += sample == self._first
        self._seen = (self._seen + 1) % self.window
        if self._equal >= cutoff:
            self._fail(HealthTest.ADAPTIVE_PROPORTION)

    def _fail(self, test: HealthTest) -> None:
        if self.failed is HealthTest.NONE:
            self.failed = test
