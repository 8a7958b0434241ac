"""What the manager is shown: counts in order, differences with both answers."""

from __future__ import annotations

import pytest

from controller.irregularities import Kind
from controller.rulebook import Answer, load_rulebook
from controller.view.house import answer_words, difference_views, house_view

CK, FR3 = load_rulebook("ck"), load_rulebook("fr3")


def test_irregularities_are_counted_the_most_frequent_first() -> None:
    counts = {Kind.JOKER: 1, Kind.EXPOSED_CARD: 4, Kind.MISSING_BURN: 2, Kind.DOUBT: 0}

    view = house_view("T", CK, 50, counts, "en")

    assert [(c.name, c.count, c.share) for c in view.counts] == [
        ("Exposed card", 4, 1.0),
        ("Missing burn", 2, 0.5),
        ("Joker", 1, 0.25),
    ]
    assert (view.hands, view.rulings) == (50, 7)


def test_a_table_at_which_nothing_went_wrong_has_no_bars() -> None:
    assert house_view("T", CK, 3, {}, "fr").counts == ()


def test_the_rulebook_is_named_with_its_source() -> None:
    view = house_view("T", CK, 0, {}, "en")

    assert (view.rulebook, view.source) == ("ck", "ck_dealers_deal_deck.txt")
    assert 0 < view.left_to_floor < view.questions


def test_a_difference_shows_both_answers_and_the_others_clauses() -> None:
    found = {each.key: each for each in difference_views(CK, FR3, "en")}

    assert all(each.here != each.there for each in found.values())
    assert any("fr3.exposed.3" in each.clauses for each in found.values())


def test_a_rulebook_does_not_differ_from_itself() -> None:
    assert difference_views(CK, CK, "fr") == ()


@pytest.mark.parametrize(
    ("answer", "lang", "words"),
    [
        (Answer(value=True), "fr", "oui"),
        (Answer(value=(1, 2)), "en", "1, 2"),
        (Answer(value=()), "en", "any"),
        (Answer(value="set_aside"), "en", "set aside"),
        (Answer(value=False, floor=True), "en", "the floor decides; proposed: no"),
    ],
)
def test_answers_are_said_in_words(answer: Answer, lang: str, words: str) -> None:
    assert answer_words(answer, lang) == words
