"""How many orders of n cards have a given property: exact, in whole numbers.

An order is written as the old place of the card now at each place, from the top;
places count from 0. Everything the audit knows of uniform orders is here.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, factorial

Counts = tuple[int, ...]
"""The number of orders with 0, 1, 2, ... of the counted thing; they sum to n!."""


@lru_cache
def rising_sequences(cards: int) -> Counts:
    """Orders by rising sequences: the Eulerian numbers.

    A rising sequence is a longest run of old neighbours, top to bottom, that still
    lie in this order (Bayer and Diaconis 1992). There are 1 to n of them; a deck
    nobody touched has one, one riffle makes at most two.
    """
    row = [0, 1]
    for size in range(2, cards + 1):
        row = [
            0,
            *(
                (row[count] if count < size else 0) * count + row[count - 1] * (size - count + 1)
                for count in range(1, size + 1)
            ),
        ]
    return tuple(row)


@lru_cache
def valleys(cards: int) -> Counts:
    """Orders by valleys: cards inside that lie lower than both neighbours.

    Put the largest card into an order of n - 1 at one of n gaps: beside a peak the
    count of peaks stays, at the ends too, elsewhere it grows; peaks and valleys are
    alike by turning the numbers round.
    """
    row = [1]
    for size in range(2, cards + 1):
        grown = [0] * ((size - 1) // 2 + 1)
        for count, orders in enumerate(row):
            keeping = 2 * count + 2
            grown[count] += orders * keeping
            if count + 1 < len(grown):
                grown[count + 1] += orders * (size - keeping)
        row = grown
    return tuple(row)


@lru_cache
def followers(cards: int) -> Counts:
    """Orders by cards that still follow their old upper neighbour at once."""
    return _by_inclusion([comb(cards - 1, merged) for merged in range(cards)], cards)


@lru_cache
def neighbours(cards: int) -> Counts:
    """Orders by pairs of old neighbours that still lie side by side, either way round."""
    ways = [1]
    for merged in range(1, cards):
        ways.append(
            sum(
                2**blocks * comb(merged - 1, blocks - 1) * comb(cards - merged, blocks)
                for blocks in range(1, merged + 1)
            )
        )
    return _by_inclusion(ways, cards)


def _by_inclusion(ways: list[int], cards: int) -> Counts:
    """From the ways to glue some pairs together to the orders with exactly so many pairs."""
    glued = [count * factorial(cards - merged) for merged, count in enumerate(ways)]
    return tuple(
        sum(
            (-1) ** (merged - exactly) * comb(merged, exactly) * glued[merged]
            for merged in range(exactly, cards)
        )
        for exactly in range(cards)
    )


@lru_cache
def right_guesses(cards: int) -> Counts:
    """Orders by right guesses of somebody who sees every card and guesses one not yet seen.

    With k cards left any such guess is right with 1/k, whatever came before; so the
    counts are the same for every way to guess: the unsigned Stirling numbers.
    """
    row = [1]
    for left in range(1, cards + 1):
        row = [
            (row[count] * (left - 1) if count < len(row) else 0) + (row[count - 1] if count else 0)
            for count in range(left + 1)
        ]
    return tuple(row)


@lru_cache
def fixed_places(cards: int) -> Counts:
    """Orders by cards that lie where they lay: a choice of them and a derangement of the rest."""
    derangements = [1, 0]
    for size in range(2, cards + 1):
        derangements.append((size - 1) * (derangements[-1] + derangements[-2]))
    return tuple(comb(cards, fixed) * derangements[cards - fixed] for fixed in range(cards + 1))
