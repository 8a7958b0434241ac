"""p-values: how often chance alone gives something as far out as what was seen.

Counts have exact distributions; sums over decks are their convolutions, without an
approximation. Only where no exact distribution can be computed an approximation
stands, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special  # type: ignore[import-untyped]  # it ships no types

SMALLEST: Final = 1e-40
"""Tails are cut off below this; a p-value of it says "at most"."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Chances of the whole numbers ``first``, ``first + 1``, ...

    The tails that are cut off hold less than ``SMALLEST`` each.
    """

    first: int
    chances: NDArray[np.float64]

    @classmethod
    def of(cls, counts: Sequence[int | Fraction]) -> Distribution:
        """The distribution in which 0, 1, 2, ... have these weights."""
        total = sum(counts, Fraction(0))
        return _trimmed(0, np.array([float(count / total) for count in counts]))

    @property
    def mean(self) -> float:
        """The expected number."""
        numbers = np.arange(len(self.chances)) + self.first
        return float(np.dot(numbers, self.chances))

    def summed(self, times: int) -> Distribution:
        """The sum of ``times`` independent numbers of this distribution."""
        result, power = Distribution(0, np.ones(1)), self
        while times:
            if times % 2:
                result = result.plus(power)
            times //= 2
            if times:
                power = power.plus(power)
        return result

    def plus(self, other: Distribution) -> Distribution:
        """The sum of two independent numbers."""
        return _trimmed(self.first + other.first, np.convolve(self.chances, other.chances))

    def at_most(self, number: int) -> float:
        """The chance of ``number`` or less."""
        return self._of(self.chances[: max(number - self.first + 1, 0)])

    def at_least(self, number: int) -> float:
        """The chance of ``number`` or more."""
        return self._of(self.chances[max(number - self.first, 0) :])

    def two_sided(self, number: int) -> float:
        """Twice the smaller tail, at most 1: valid, if anything too large."""
        return min(1.0, 2 * min(self.at_most(number), self.at_least(number)))

    def _of(self, chances: NDArray[np.float64]) -> float:
        return min(1.0, max(SMALLEST, float(chances.sum())))


def _trimmed(first: int, chances: NDArray[np.float64]) -> Distribution:
    """Without the tails that hold less than ``SMALLEST``."""
    low = int(np.searchsorted(np.cumsum(chances), SMALLEST))
    high = len(chances) - int(np.searchsorted(np.cumsum(chances[::-1]), SMALLEST))
    return Distribution(first + low, chances[low:high])


def binomial_at_least(number: int, trials: int, chance: float) -> float:
    """The chance of ``number`` or more successes in ``trials``, exactly."""
    if number <= 0:
        return 1.0
    return max(SMALLEST, float(special.bdtrc(number - 1, trials, chance)))


def normal_two_sided(deviations: float) -> float:
    """The chance to be that many standard deviations from the mean, or more."""
    return max(SMALLEST, 2 * float(special.ndtr(-abs(deviations))))


def chi_square_at_least(statistic: float, freedom: int) -> float:
    """The chance of this chi-square or a larger one."""
    return max(SMALLEST, float(special.chdtrc(freedom, statistic)))


def skewed_two_sided(number: int, mean: float, variance: float, third: float) -> float:
    """Both tails of a count whose first three central moments are known.

    Pearson's type III (a shifted gamma) with these moments, with a correction for
    continuity. An approximation, exact in the limit: it joins the Poisson of few
    decks and the chi-square of many.
    """
    shape = 4 * variance**3 / third**2
    scale = third / (2 * variance)
    shift = mean - shape * scale
    upper = float(special.gammaincc(shape, max(0.0, (number - 0.5 - shift) / scale)))
    lower = float(special.gammainc(shape, max(0.0, (number + 0.5 - shift) / scale)))
    return min(1.0, max(SMALLEST, 2 * min(upper, lower)))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """p-values adjusted for their number (Holm 1979): in the order given.

    Compare them with the level wanted for all tests together: the chance that a
    sound thing fails any of them is at most that level, however they depend.
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = least
    return tuple(adjusted)
