"""The worked scenarios of the five texts, acted out to their end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from controller.cards import Card
from controller.rules import judge, next_steps
from controller.rulings import StepKind
from controller.table.button import Blind
from tests.controller.rules.playing import cards
from tests.controller.rules.staging import CardsLie, Part, Scenario, Stage, scenarios

ALL = list(scenarios())


@pytest.mark.parametrize("scenario", ALL, ids=lambda s: s.name)
def test_the_scenario_ends_as_its_text_says(scenario: Scenario) -> None:
    stage = Stage(scenario)
    for part in scenario.part:
        for act in part.do:
            stage.act(act)
        _assert_ruled(stage, part)
        _assert_lie(stage, part.cards)


@pytest.mark.parametrize("scenario", ALL, ids=lambda s: s.name)
def test_an_event_file_of_the_scenario_is_judged_the_same(scenario: Scenario) -> None:
    stage = Stage(scenario)
    for part in scenario.part:
        for act in part.do:
            stage.act(act)

    lines = [msgspec.json.encode(event) for event in stage.told]
    assert list(judge(enumerate(lines, start=1), stage.book)) == stage.rulings


def _assert_ruled(stage: Stage, part: Part) -> None:
    """What the part says of the last ruling, and what it says of the table."""
    for name, look in _LOOKS.items():
        wanted = getattr(part, name)
        if wanted not in (None, ""):
            assert look(stage) == wanted, f"{name}: {stage.rulings}"
    if part.rests_on:
        assert set(stage.ruling.clauses) >= set(part.rests_on)


_LOOKS: Final[dict[str, Callable[[Stage], object]]] = {
    "rulings": lambda stage: len(stage.rulings),
    "verdict": lambda stage: stage.ruling.verdict.value,
    "floor": lambda stage: stage.ruling.call_floor,
    "steps": lambda stage: [step.kind.value for step in stage.ruling.steps],
    "announced": lambda stage: _cards_of(stage, StepKind.ANNOUNCE),
    "money": lambda stage: {
        str(money.seat): money.amount for step in stage.ruling.steps for money in step.money
    },
    "live": lambda stage: list(stage.state.live),
    "button": lambda stage: stage.state.button,
    "small_blinds": lambda stage: list(stage.state.positions.pays(Blind.SMALL)),
    "big_blinds": lambda stage: list(stage.state.positions.pays(Blind.BIG)),
    "next_step": lambda stage: next_steps(stage.state, stage.book)[0].kind.value,
}


def _cards_of(stage: Stage, kind: StepKind) -> str:
    return " ".join(c.value for step in stage.ruling.steps if step.kind is kind for c in step.cards)


def _assert_lie(stage: Stage, lie: CardsLie) -> None:
    for seat in range(1, 7):
        _assert_same(getattr(lie, f"seat{seat}"), stage.hands[seat])
    _assert_same(lie.board, stage.board)
    _assert_same(lie.burns, stage.burns)
    _assert_same(lie.muck, stage.muck)
    _assert_same(lie.aside, stage.aside)
    if lie.top is not None:
        top = list(cards(lie.top))
        assert stage.stub[: len(top)] == top
    if lie.stub is not None:
        assert len(stage.stub) == lie.stub
    if lie.stub_without is not None:
        assert not set(cards(lie.stub_without)) & set(stage.stub)


def _assert_same(wanted: str | None, there: list[Card]) -> None:
    if wanted is not None:
        assert Counter(there) == Counter(cards(wanted))
