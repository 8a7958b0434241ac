"""A rulebook file is read, or refused with line, key and what to write instead."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from controller.rulebook import PARAMETERS, RulebookError, list_rulebooks, load_rulebook

CK = (files("controller") / "rulebooks" / "ck.toml").read_text("utf-8")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(CK.replace('name = "ck"', 'name = "house"'), "utf-8")
    return file


def _change(file: Path, old: str, new: str) -> int:
    """Change one line of the file; returns its number."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def _refusal(file: Path) -> RulebookError:
    with pytest.raises(RulebookError) as refused:
        load_rulebook(file)
    return refused.value


@pytest.mark.parametrize("name", list_rulebooks())
def test_every_rulebook_answers_every_question(name: str) -> None:
    book = load_rulebook(name)

    assert list(book.answers) == list(PARAMETERS)


@pytest.mark.parametrize("name", list_rulebooks())
def test_an_answer_rests_on_a_clause_or_is_marked_as_the_houses(name: str) -> None:
    text = (files("controller") / "rulebooks" / f"{name}.toml").read_text("utf-8")
    lines = text.splitlines()

    for number, line in enumerate(lines):
        if "{ value =" in line and "clause" not in line:
            assert lines[number - 1].startswith("#") or name == "ck", f"{name}: {line}"


def test_a_house_may_change_a_value(house: Path) -> None:
    _change(
        house,
        'misdeal_count = { value = 2, clause = "ck.misdeal.h" }',
        "misdeal_count = { value = 3 }",
    )

    assert load_rulebook(house)["exposed.misdeal_count"].number == 3


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("[premature]", "[prematur]", "prematur", "did you mean 'premature'"),
        ("fate = {", "fat = {", "exposed.fat", "did you mean 'exposed.fate'"),
        (
            'fate = { value = "becomes_the_burn"',
            'fate = { value = "burned"',
            "exposed.fate",
            "write one of becomes_the_burn, on_top_then_burn",
        ),
        ("{ value = [1, 2]", "{ value = [0, 2]", "exposed.misdeal_positions", "from 1 to 20"),
        (
            "{ value = [1, 2]",
            "{ valeu = [1, 2]",
            "exposed.misdeal_positions",
            "did you mean 'value'",
        ),
        ('"RBRR"]', '"RBRX"]', "shuffle.sequences", "a list of words such as 'RRBR'"),
        (
            'wrong_button = { fallback = "fr1"',
            'wrong_button = { fallback = "fr9"',
            "deal.wrong_button",
            "no rulebook",
        ),
        (
            'wrong_button = { fallback = "fr1", floor = true }',
            "wrong_button = { floor = true }",
            "deal.wrong_button",
            "either a value or a fallback",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_to_write(
    house: Path, old: str, new: str, key: str, says: str
) -> None:
    line = _change(house, old, new)

    refused = _refusal(house)
    assert refused.key == key
    assert refused.line == line
    assert says in refused.problem


@pytest.mark.parametrize(
    ("old", "new", "against"),
    [
        ("most_pushed_back = { value = 2", "most_pushed_back = { value = 0", "card_to_wrong_seat"),
        (
            "too_many_misdeal_count = { value = 2",
            "too_many_misdeal_count = { value = 1",
            "one_card",
        ),
        ("change_laps = { value = 2", "change_laps = { value = 0", "change_on_request"),
        ("gather_blinds = { value = false", "gather_blinds = { value = true", "gather_blinds"),
        (
            'big_blind_may_be_missing = { fallback = "faq" }',
            "big_blind_may_be_missing = { value = true }",
            "button.rule",
        ),
    ],
)
def test_answers_that_cannot_stand_together_are_refused(
    house: Path, old: str, new: str, against: str
) -> None:
    _change(house, old, new)

    assert against in _refusal(house).problem


def test_a_forgotten_question_is_named(house: Path) -> None:
    _change(house, 'single = { value = "next_card_instead", clause', 'x = { value = "y", clause')

    refused = _refusal(house)
    assert refused.key == "boxed.x"
    assert "unknown key" in refused.problem
