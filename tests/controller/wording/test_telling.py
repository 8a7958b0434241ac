"""Every prompt has its sentence in both languages, with the same facts in it."""

from __future__ import annotations

import re

import pytest

from controller.rulings import Money, Prompt, PromptKind
from controller.wording import LANGUAGES, tell
from controller.wording.telling import PROMPTS, VARIANTS

SENTENCES = [*PROMPTS.items(), *VARIANTS.items()]


def named(sentence: str) -> list[str]:
    """The facts that a sentence names."""
    return sorted(re.findall(r"{\w+}", sentence))


def test_no_kind_is_without_words_and_no_words_without_a_kind() -> None:
    assert set(PROMPTS) == set(PromptKind)
    assert {kind for kind, _ in VARIANTS} <= set(PromptKind)


@pytest.mark.parametrize(("key", "pair"), SENTENCES, ids=lambda value: str(value)[:60])
def test_both_languages_name_the_same_facts(key: object, pair: tuple[str, str]) -> None:
    english, french = pair

    assert english
    assert french
    assert english != french
    assert named(english) == named(french)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", PromptKind)
def test_a_prompt_is_one_finished_sentence(kind: PromptKind, lang: str) -> None:
    full = Prompt(
        kind=kind,
        seat=3,
        seats=(1, 2),
        count=2,
        amount=40,
        street="flop",
        money=(Money(1, 20), Money(2, 20)),
    )

    for prompt in (full, Prompt(kind=kind)):
        words = tell(prompt, lang)
        assert words.endswith((".", "?"))
        assert "{" not in words
        assert "  " not in words


def test_amounts_are_said_where_they_are_known() -> None:
    raised = Prompt(kind=PromptKind.TELL_RAISE, seat=3, amount=40)

    assert tell(raised, "en") == "Announce: seat 3 raises (40)."
    assert tell(Prompt(kind=PromptKind.TELL_RAISE, seat=3), "fr") == (
        "Annoncez : le siège 3 relance."
    )


def test_the_bets_to_verify_are_listed() -> None:
    scoop = Prompt(kind=PromptKind.VERIFY_AND_SCOOP, money=(Money(1, 20), Money(4, 20)))

    assert "(seat 1: 20, seat 4: 20)" in tell(scoop, "en")
    assert "(siège 1 : 20, siège 4 : 20)" in tell(scoop, "fr")


def test_one_deck_is_the_deck_and_two_are_numbered() -> None:
    one, second = (Prompt(kind=PromptKind.SAY_WHO_SHUFFLES, seat=5, count=n) for n in (0, 2))

    assert tell(one, "en") == "Seat 5 shuffles the deck."
    assert tell(second, "en") == "Seat 5 shuffles deck 2."


def test_a_detail_chooses_its_own_sentence() -> None:
    again = Prompt(kind=PromptKind.TELL_FIRST_DEALER, seats=(2, 4), detail="again")

    assert tell(again, "en") == "Equal cards: seats 2, 4 draw again."


def test_misdeals_of_the_house_dealer_name_no_seat() -> None:
    told = Prompt(kind=PromptKind.REPEATED_MISDEALS, count=3, for_floor=True)

    assert tell(told, "en") == "Floor: misdeals by the dealer: 3."
