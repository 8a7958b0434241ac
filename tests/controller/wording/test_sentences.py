"""What a ruling says: which card is meant, and that every sentence is one in both languages."""

from __future__ import annotations

import pytest

from controller.cards import Card
from controller.events import Street
from controller.irregularities import Irregularity, Kind
from controller.rulings import Step, StepKind
from controller.wording import LANGUAGES, say, why


def moved(kind: StepKind, origin: str, count: int = 1, target: str = "burn") -> Step:
    """Cards that nobody has seen."""
    cards = (Card.UNKNOWN,) * count
    return Step(id="1/1.1", kind=kind, cards=cards, origin=origin, target=target)


@pytest.mark.parametrize(
    ("origin", "english", "french"),
    [
        ("seat:3", "the card of seat 3", "la carte du siège 3"),
        ("burn", "the last burn", "la dernière carte brûlée"),
        ("off_table", "the fallen card", "la carte tombée"),
    ],
)
def test_a_card_that_nobody_saw_is_named_by_its_place(
    origin: str, english: str, french: str
) -> None:
    step = moved(StepKind.MOVE_TO_BURN, origin)

    assert english in say(step, "en")
    assert french in say(step, "fr")


def test_several_burns_that_go_back_are_counted() -> None:
    step = moved(StepKind.RETURN_TO_STUB, "burn", count=2, target="stub")

    assert say(step, "en") == "Put the last 2 burns back into the shoe."
    assert say(step, "fr") == "Remettez les 2 dernières cartes brûlées dans le sabot."


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_the_street_of_the_board_needs_no_article(street: str) -> None:
    step = Step(id="1/1.1", kind=StepKind.DEAL_BOARD, count=5, street=street)

    assert "le " not in say(step, "fr").split("(")[1]
    assert "5 cards on the board in all" in say(step, "en")


def cut(*, count: int = 0, detail: str = "") -> Irregularity:
    """A cut that does not count."""
    return Irregularity(kind=Kind.BAD_CUT, street=Street.DEAL, seat=5, count=count, detail=detail)


def test_a_refused_cut_has_no_pile_to_speak_of() -> None:
    assert why(cut(detail="refused"), "en") == "The cut was refused at seat 5."
    assert why(cut(detail="refused"), "fr") == "La coupe a été refusée au siège 5."


def test_a_thin_pile_is_told_with_its_cards() -> None:
    assert why(cut(count=2), "en") == "The cut left too few cards in a pile: 2."


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("count", [4, 5, 6])
def test_the_cards_of_an_overfull_flop_are_counted(lang: str, count: int) -> None:
    fault = Irregularity(kind=Kind.FOUR_CARD_FLOP, street=Street.PREFLOP, count=count)

    assert why(fault, lang).startswith(f"{count} car")
