"""Many hands with known faults, and what the engine made of them."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

from controller.irregularities import Kind
from controller.rulebook import Rulebook
from controller.rules import new_table
from controller.simulate.errors import TableSizeError, UnknownFaultError
from controller.simulate.hand import Hand
from controller.simulate.mistakes import FAULTS, HandPlan, Mistake, plan_hand
from controller.simulate.report import KindCount, Report

LEAST, MOST = 3, 10
"""Players: three, so that every fault has a card of the deal to hit; ten, the seats there are."""

ALL_FAULTS: Final = ("all",)


def simulate(
    hands: int,
    *,
    seed: int,
    book: Rulebook,
    faults: Sequence[str] = (),
    players: tuple[int, int] = (3, 10),
) -> Report:
    """Play hold'em hands on the level of events and count what the engine detects.

    Three hands in four get one fault of those named, where any are named.

    Args:
        hands: How many hands.
        seed: Same seed, same hands and faults.
        book: The rulebook in force.
        faults: Names of FAULTS; ``all`` for every one; none for hands without fault.
        players: Fewest and most players of a hand, 3 to 10.

    Raises:
        UnknownFaultError: A name is not on the list.
        TableSizeError: The players cannot be seated.
    """
    among = _mistakes(faults)
    least, most = players
    if not LEAST <= least <= most <= MOST:
        raise TableSizeError(least, most)
    rng = random.Random(seed)
    state = new_table(book)
    injected, detected, false = Counter[Kind](), Counter[Kind](), Counter[Kind]()
    inconsistent: list[str] = []
    events = 0
    started = time.perf_counter()
    for number in range(1, hands + 1):
        seats = tuple(sorted(rng.sample(range(1, MOST + 1), rng.randint(least, most))))
        plan = plan_hand(rng, len(seats), among=among) if among else HandPlan(Mistake.NONE)
        hand = Hand(plan, seats, state, book, rng)
        hand.play(number)
        state = hand.state if not hand.problems else new_table(book)
        injected += hand.injected
        detected += hand.detected
        false += hand.false
        events += len(hand.events)
        if hand.problems:
            inconsistent.append(f"hand {number} ({plan.mistake.value}): {hand.problems[0]}")
    elapsed_s = time.perf_counter() - started
    kinds = {kind: KindCount(injected[kind], detected[kind], false[kind]) for kind in Kind}
    return Report(hands, book.name, seed, kinds, tuple(inconsistent), events, elapsed_s)


def _mistakes(faults: Sequence[str]) -> tuple[Mistake, ...]:
    if tuple(faults) == ALL_FAULTS:
        return tuple(mistake for mistake in Mistake if mistake is not Mistake.NONE)
    for name in faults:
        if name not in FAULTS:
            raise UnknownFaultError(name, FAULTS)
    return tuple(Mistake(name) for name in faults)
