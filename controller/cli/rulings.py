"""A ruling as a person at a terminal reads it, or a program that wants the reasons too."""

from __future__ import annotations

import msgspec
from rich.console import Console
from rich.text import Text

from controller.rulebook import find_clause
from controller.rules import Compared
from controller.rulings import Ruling, Verdict
from controller.wording import LANGUAGES, describe, judge_words, say


class ClauseLine(msgspec.Struct, frozen=True):
    """A clause with where it stands and what it says; only the id for a house's own text."""

    id: str
    place: str = ""
    says: str = ""


class OtherLine(msgspec.Struct, frozen=True):
    """What another rulebook would rule; no verdict where it finds nothing wrong."""

    rulebook: str
    verdict: Verdict | None
    clauses: tuple[str, ...]
    steps: dict[str, tuple[str, ...]]


class Explanation(msgspec.Struct, frozen=True):
    """A ruling with its words, its clauses and what others would rule."""

    ruling: Ruling
    words: dict[str, tuple[str, ...]]
    clauses: tuple[ClauseLine, ...]
    alternatives: tuple[OtherLine, ...]


def explained(compared: Compared) -> Explanation:
    """Everything there is to say about a ruling."""
    return Explanation(
        compared.ruling,
        {language: describe(compared.ruling, language) for language in LANGUAGES},
        tuple(_clause(clause) for clause in compared.ruling.clauses),
        tuple(
            OtherLine(
                other.rulebook,
                other.verdict,
                other.clauses,
                {lang: tuple(say(step, lang) for step in other.steps) for lang in LANGUAGES},
            )
            for other in compared.alternatives
        ),
    )


def _clause(clause_id: str) -> ClauseLine:
    clause = find_clause(clause_id)
    return ClauseLine(clause_id, clause.place, clause.says) if clause else ClauseLine(clause_id)


def print_ruling(ruling: Ruling, language: str) -> None:
    """Print reason, verdict, steps and clauses.

    Args:
        ruling: What was decided.
        language: ``en`` or ``fr``.
    """
    console = Console(highlight=False, soft_wrap=True)
    reason, verdict, *steps = describe(ruling, language)
    console.print(Text(f"{ruling.id}  {reason}", "bold"))
    console.print(Text(f"  {verdict} ({', '.join(ruling.clauses)})"))
    for step in steps:
        console.print(Text(f"  {step}"))


def print_explanation(compared: Compared, language: str) -> None:
    """Print each clause with its place, and what other rulebooks would rule."""
    console = Console(highlight=False, soft_wrap=True)
    told = explained(compared)
    for clause in told.clauses:
        console.print(Text(f"    {clause.id} ({clause.place}): {clause.says}"))
    for other in told.alternatives:
        verdict = judge_words(other.verdict, language) if other.verdict else "-"
        steps = " ".join(other.steps[language])
        console.print(Text(f"    {other.rulebook}: {verdict}. {steps}", "dim"))
