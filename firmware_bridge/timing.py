"""How long the link waits for an answer, learnt from the answers it gets.

Smoothed round trip and its variation as in RFC 6298: the timeout is
``srtt + 4 rttvar`` within bounds, and doubles at each expiry.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinkTiming:
    """The link's bounds.

    ``tries`` 12 with these timeouts finds a dead line in about 5 s. Three sends for one
    answer is strained: on a sound line even the second is rare. A lost event
    shows within ``keep_alive_s``.
    """

    first_timeout_s: float = 0.25
    min_timeout_s: float = 0.03
    max_timeout_s: float = 0.5
    tries: int = 12
    strained_sends: int = 3
    clean_answers: int = 8
    keep_alive_s: float = 0.25


class RoundTrip:
    """The estimate of one line."""

    def __init__(self, timing: LinkTiming) -> None:
        self._timing = timing
        self.reset()

    def reset(self) -> None:
        """Forget what was learnt; the line may be another one."""
        self._smoothed_s = 0.0
        self._variation_s = 0.0
        self.timeout_s = self._timing.first_timeout_s

    def measured(self, sample_s: float) -> None:
        """An answer came ``sample_s`` after its only send (RFC 6298, 2.2 and 2.3)."""
        if self._smoothed_s == 0.0:
            self._smoothed_s, self._variation_s = sample_s, sample_s / 2
        else:
            deviation_s = abs(self._smoothed_s - sample_s)
            self._variation_s = 0.75 * self._variation_s + 0.25 * deviation_s
            self._smoothed_s = 0.875 * self._smoothed_s + 0.125 * sample_s
        self.timeout_s = self._bounded(self._smoothed_s + 4 * self._variation_s)

    def expired(self) -> None:
        """No answer came in time: wait twice as long (RFC 6298, 5.5)."""
        self.timeout_s = self._bounded(2 * self.timeout_s)

    def _bounded(self, timeout_s: float) -> float:
        return min(max(timeout_s, self._timing.min_timeout_s), self._timing.max_timeout_s)
