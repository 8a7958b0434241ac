"""What holds of every prompt, whatever happens and under every rulebook."""

from __future__ import annotations

from random import Random

import pytest

from controller.rulebook import list_rulebooks
from controller.rules import advance, legal_taps
from controller.rulings import PromptKind

from .prompted import Told, house

FLAGS = {
    kind: f"prompts.{kind.value}"
    for kind in PromptKind
    if kind
    not in (
        PromptKind.TELL_HIGH_HAND,
        PromptKind.TELL_FIRST_DEALER,
        PromptKind.COUNT_STUB,
        PromptKind.OTHER_RULES_APPLY,
        PromptKind.REPEATED_MISDEALS,
        PromptKind.DECK_WORN,
        PromptKind.DECK_READY,
    )
}


def walk(table: Told, seed: int, taps: int) -> None:
    """Tap whatever fits, at random."""
    rng = Random(seed)
    for _ in range(taps):
        offered = legal_taps(table.state, table.book)
        if not offered:
            return
        event = rng.choice(offered)
        told = advance(table.state, event, table.book).prompts
        table.tell(event)
        assert told == table.prompts, "the same event told something else"
        for prompt in table.prompts:
            answers = table.book.answers
            cited = {clause for answer in answers.values() for clause in answer.clauses}
            assert set(prompt.clauses) <= cited
            if prompt.kind in FLAGS:
                assert set(answers[FLAGS[prompt.kind]].clauses) <= set(prompt.clauses)


@pytest.mark.parametrize("book", list_rulebooks())
def test_a_prompt_rests_on_the_clauses_of_the_answer_that_asks_for_it(book: str) -> None:
    for seed in range(3):
        table = Told(book)
        table.deal()
        walk(table, seed, 40)


def test_every_kind_that_a_house_can_want_has_a_question_of_its_own() -> None:
    answers = Told("ck").book.answers

    assert {flag for flag in FLAGS.values() if flag not in answers} == set()


@pytest.mark.parametrize("seed", range(3))
def test_a_house_that_wants_nothing_said_is_told_nothing(seed: int) -> None:
    silent = {name.replace(".", "__"): False for name in FLAGS.values()}
    book = house("ck", **silent, stub__count_minutes=0, misdeal__alert_after=0)
    table = Told(book)
    table.deal()
    rng = Random(seed)

    for _ in range(60):
        offered = legal_taps(table.state, book)
        told = table.tell(rng.choice(offered)) if offered else ()
        kinds = {prompt.kind for prompt in told}
        assert kinds <= {PromptKind.TOP_RETRIEVABLE}, "only the alternate rule is told"
