"""A card whose face nobody may know is named by the place it comes from."""

from __future__ import annotations

import pytest

from controller.cards import Card
from controller.rulings import Step, StepKind
from controller.wording import say

UNSEEN = Card.UNKNOWN


@pytest.mark.parametrize(
    ("kind", "origin", "count", "english", "french"),
    [
        (
            StepKind.MOVE_TO_BOARD,
            "burn",
            1,
            "Turn the last burn up on the board.",
            "Retournez la dernière carte brûlée au tableau.",
        ),
        (
            StepKind.RETURN_TO_STUB,
            "burn",
            2,
            "Put the last 2 burns back into the shoe.",
            "Remettez les 2 dernières cartes brûlées dans le sabot.",
        ),
        (
            StepKind.MOVE_TO_BURN,
            "seat:4",
            1,
            "Put the card of seat 4 on the burn pile.",
            "Mettez la carte du siège 4 avec les cartes brûlées.",
        ),
        (
            StepKind.MOVE_TO_BURN,
            "off_table",
            1,
            "Put the fallen card on the burn pile.",
            "Mettez la carte tombée avec les cartes brûlées.",
        ),
    ],
)
def test_an_unseen_card_is_named_by_its_place(
    kind: StepKind, origin: str, count: int, english: str, french: str
) -> None:
    step = Step(id="1/1.1", kind=kind, cards=(UNSEEN,) * count, origin=origin)

    assert say(step, "en") == english
    assert say(step, "fr") == french


def test_a_card_that_everybody_saw_is_named_by_its_face() -> None:
    step = Step(id="1/1.1", kind=StepKind.MOVE_TO_BURN, cards=(Card("Ts"),), origin="seat:4")

    assert say(step, "en") == "Put 10♠ on the burn pile."
