"""Shuffles of the simulated machine, with one card brought where a mistake wants it."""

from __future__ import annotations

import random
from collections.abc import MutableSequence
from typing import Any

from firmware_bridge import MagazineCard


class DeckRandom(random.Random):
    """A seeded source of shuffles that can bring a boxed card to a place in the deck.

    The mistake of a hand needs its boxed card to come out in that hand; where
    it lies among the 52 is otherwise left to the shuffle.
    """

    boxed_at: int | None = None
    """Index from the top where the next shuffle leaves the boxed card; None anywhere."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Shuffle in place."""
        super().shuffle(x)
        if self.boxed_at is None:
            return
        for index, card in enumerate(x):
            if isinstance(card, MagazineCard) and card.boxed:
                x[index], x[self.boxed_at] = x[self.boxed_at], x[index]
                break
        self.boxed_at = None
