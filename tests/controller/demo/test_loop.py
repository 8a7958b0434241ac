"""The closed loop, whole: real bytes over a pty, rendered frames through the real recogniser."""

from __future__ import annotations

import pytest

from controller.demo import DemoOptions, HandReport, play
from controller.demo import loop as demo_loop
from controller.simulate.mistakes import EXPECTED, HandPlan, Mistake

PLANS = {
    Mistake.NONE: (),
    Mistake.EXPOSED_FIRST: (1,),
    Mistake.EXPOSED_LATER: (5,),
    Mistake.BOXED_IN_DEAL: (4,),
    Mistake.JOKER_REPORTED: (3,),
    Mistake.DUPLICATE_ON_BOARD: (),
    Mistake.WRONG_BACK: (6,),
    Mistake.DECK_SHORT: (),
    Mistake.DECK_LONG: (),
    Mistake.NO_BURN_TURN: (),
    Mistake.FLOP_EARLY: (),
    Mistake.TURN_EARLY: (),
    Mistake.RIVER_EARLY: (),
    Mistake.FOUR_CARD_FLOP: (),
}
"""Mistakes with the cards of the deal they hit, for three players."""


async def reports(options: DemoOptions) -> list[HandReport]:
    return [report async for report in play(options)]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("book", ["ck", "fr2"])
async def test_every_mistake_is_found_ruled_on_and_put_right(
    book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = iter([HandPlan(mistake, indices) for mistake, indices in PLANS.items()])
    monkeypatch.setattr(demo_loop, "plan_hand", lambda *_: next(plans))

    played = await reports(DemoOptions(hands=len(PLANS), seed=5, seats=3, rulebook=book))

    assert [report.injected for report in played] == [
        () if mistake is Mistake.NONE else (mistake.value,) for mistake in PLANS
    ]
    for report, mistake in zip(played, PLANS, strict=True):
        kinds = {ruling.irregularity for ruling in report.rulings}
        assert kinds == ({EXPECTED[mistake].value} if mistake in EXPECTED else set()), report
        assert report.problems == (), report


async def test_the_same_seed_plays_the_same_hands() -> None:
    first = await reports(DemoOptions(hands=2, seed=11, seats=2))
    second = await reports(DemoOptions(hands=2, seed=11, seats=2))

    assert [(r.injected, r.rulings) for r in first] == [(r.injected, r.rulings) for r in second]
