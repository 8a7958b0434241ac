"""The worked scenarios of the five texts, acted out to their end."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from controller.cards import Card
from controller.rules import judge, next_steps
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
    cited = {clause for ruling in stage.rulings for clause in ruling.clauses}
    assert cited >= {c for part in scenario.part for c in part.rests_on}


@pytest.mark.parametrize("scenario", ALL, ids=lambda s: s.name)
def test_an_event_file_of_the_scenario_is_judged_the_same(scenario: Scenario) -> None:
    stage = Stage(scenario)
    for part in scenario.part:
        for act in part.do:
            stage.act(act)

    lines = [msgspec.json.encode(event) for event in stage.told]
    assert list(judge(enumerate(lines, start=1), stage.book)) == stage.rulings


def _assert_ruled(stage: Stage, part: Part) -> None:
    if part.rulings is not None:
        assert len(stage.rulings) == part.rulings, stage.rulings
    if part.verdict:
        assert stage.ruling.verdict.value == part.verdict, stage.ruling
    if part.floor is not None:
        assert stage.ruling.call_floor is part.floor, stage.ruling
    if part.steps is not None:
        assert [step.kind.value for step in stage.ruling.steps] == part.steps
    if part.announced is not None:
        told = [s.cards for s in stage.ruling.steps if s.kind.value == "announce"]
        assert told == [cards(part.announced)]
    if part.money is not None:
        paid = {str(m.seat): m.amount for step in stage.ruling.steps for m in step.money}
        assert paid == part.money
    if part.live is not None:
        assert list(stage.state.live) == part.live
    if part.button is not None:
        assert stage.state.button == part.button
    if part.next_step:
        assert next_steps(stage.state, stage.book)[0].kind.value == part.next_step


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
