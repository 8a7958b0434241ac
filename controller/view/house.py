"""What the manager is shown: the rulebook in force, where others differ, what went wrong."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from controller.irregularities import Kind
from controller.rulebook import PARAMETERS, Answer, Rulebook, differences
from controller.view.kinds import kind_name
from controller.view.texts import text


class CountView(msgspec.Struct, frozen=True):
    """How often one irregularity was ruled on; ``share`` is of the most frequent, 0 to 1."""

    name: str
    count: int
    share: float


class DifferenceView(msgspec.Struct, frozen=True):
    """One question that another rulebook answers differently."""

    key: str
    question: str
    here: str
    there: str
    clauses: tuple[str, ...] = ()


class HouseView(msgspec.Struct, frozen=True, kw_only=True):
    """The manager's page in one language, without the differences."""

    lang: str
    name: str
    rulebook: str
    title: str
    edition: str
    source: str
    questions: int
    left_to_floor: int
    hands: int = 0
    rulings: int = 0
    counts: tuple[CountView, ...] = ()


def house_view(
    name: str, book: Rulebook, hands: int, counts: Mapping[Kind, int], lang: str
) -> HouseView:
    """The rulebook and the counts.

    Args:
        name: The table.
        book: The rulebook in force.
        hands: Hands played.
        counts: Rulings by irregularity.
        lang: ``en`` or ``fr``.
    """
    most = max(counts.values(), default=1)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0].value))
    return HouseView(
        lang=lang,
        name=name,
        rulebook=book.name,
        title=book.title,
        edition=book.edition,
        source=book.source,
        questions=len(book.answers),
        left_to_floor=sum(answer.floor for answer in book.answers.values()),
        hands=hands,
        rulings=sum(counts.values()),
        counts=tuple(
            CountView(kind_name(kind, lang), count, count / most)
            for kind, count in ordered
            if count
        ),
    )


def difference_views(book: Rulebook, other: Rulebook, lang: str) -> tuple[DifferenceView, ...]:
    """Every question that another rulebook answers differently, with its clauses."""
    return tuple(
        DifferenceView(
            found.key,
            PARAMETERS[found.key].meaning,
            answer_words(found.first, lang),
            answer_words(found.second, lang),
            found.second.clauses,
        )
        for found in differences(book, other)
    )


def answer_words(answer: Answer, lang: str) -> str:
    """An answer in words, and whether the floor decides."""
    value = answer.value
    if isinstance(value, bool):
        said = text("yes" if value else "no", lang)
    elif isinstance(value, tuple):
        said = ", ".join(map(str, value)) or text("any", lang)
    else:
        said = str(value).replace("_", " ")
    return text("floor_decides", lang, proposed=said) if answer.floor else said
