"""Other rulebooks rule on the same irregularity, found on the same table."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.cards import Card
from controller.events import CardDealt, DeckCut, DeckShuffled, HandStarted, Shown, TableEvent
from controller.rulebook import load_rulebook
from controller.rules import advance, alternatives, new_table
from controller.rulings import Step, Verdict

SCENARIOS = sorted((Path(__file__).parents[3] / "docs/examples/scenarios").glob("*.jsonl"))[::6]
"""Every sixth: all of them are ruled on where they are tested."""
DECODER = msgspec.json.Decoder(TableEvent)


def unnumbered(steps: tuple[Step, ...]) -> list[Step]:
    return [msgspec.structs.replace(step, id="") for step in steps]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_asked_again_the_house_itself_says_what_it_ruled(file: Path) -> None:
    book = load_rulebook(file.stem.rsplit("-", 1)[1])
    state = new_table(book)
    for line in file.read_bytes().splitlines():
        event = DECODER.decode(line)
        outcome = advance(state, event, book)
        if len(outcome.rulings) == 1:  # the second of two is ruled on with the first in force
            ruling = outcome.rulings[0]
            (same,) = alternatives(state, event, ruling.irregularity, [book])

            assert (same.verdict, same.clauses) == (ruling.verdict, ruling.clauses)
            assert unnumbered(same.steps) == unnumbered(ruling.steps)
        state = outcome.state


def test_houses_differ_on_the_second_card_of_the_deal() -> None:
    """Exposed, it is a misdeal by fr2.2-17.1, and replaced by fr3.exposed.3."""
    ck, state = load_rulebook("ck"), new_table(load_rulebook("ck"))
    start = HandStarted(hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2)
    for event in (start, DeckShuffled(count=52), DeckCut(), CardDealt(seat=1)):
        state = advance(state, event, ck).state
    exposed = CardDealt(seat=2, card=Card.SA, shown=Shown.UP)
    (found,) = advance(state, exposed, ck).irregularities

    fr2, fr3 = alternatives(state, exposed, found, map(load_rulebook, ("fr2", "fr3")))

    assert (fr2.rulebook, fr2.verdict) == ("fr2", Verdict.MISDEAL)
    assert (fr3.rulebook, fr3.verdict) == ("fr3", Verdict.CONTINUE)
    assert "fr2.2-17.1" in fr2.clauses
    assert "fr3.exposed.3" in fr3.clauses
