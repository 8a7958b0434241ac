"""``cutcard rulebook explain`` and ``diff``: what a house says, and where two houses differ."""

from __future__ import annotations

from collections import defaultdict
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from controller.cli.failures import CommandError, ExitCode
from controller.irregularities import Kind
from controller.rulebook import (
    PARAMETERS,
    Answer,
    Rulebook,
    differences,
    find_clause,
    list_clauses,
    list_rulebooks,
    load_rulebook,
    nearest,
)
from controller.rules import QUESTIONS

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]


class Explained(msgspec.Struct, frozen=True):
    """One question, the house's answer, its clauses, and what others answer."""

    key: str
    question: str
    answer: str
    floor: bool
    clauses: tuple[str, ...]
    elsewhere: dict[str, tuple[str, ...]]


def explain(
    matter: Annotated[
        str,
        typer.Argument(
            metavar="MATTER",
            help="An irregularity (exposed-card), a key or topic (exposed.fate, burn) "
            "or a clause (ck.exposed.6).",
        ),
    ],
    rulebook: Annotated[
        str, typer.Option("--rulebook", "-r", help="A name of `cutcard rulebook list`, or a file.")
    ] = "ck",
    as_json: AsJson = False,
) -> int:
    """Explain what a house does in a matter, by which clause, and what other houses do.

    Example: `cutcard rulebook explain exposed-card --rulebook fr3`
    """
    book = load_rulebook(rulebook)
    clause = find_clause(matter)
    if clause is not None and as_json:
        print(msgspec.json.encode(clause).decode())
    elif clause is not None:
        _print_clause(clause.id)
    others = [load_rulebook(name) for name in list_rulebooks() if name != book.name]
    for key in _keys(matter, book):
        line = _explained(key, book, others)
        if as_json:
            print(msgspec.json.encode(line).decode())
        else:
            _print(line)
    return ExitCode.DONE


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A rulebook or file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    as_json: AsJson = False,
) -> int:
    """Show every question that two rulebooks answer differently.

    Example: `cutcard rulebook diff ck faq`
    """
    one, other = load_rulebook(first), load_rulebook(second)
    found = differences(one, other)
    table = Table(Column("key", no_wrap=True), one.name, other.name, "question", box=None)
    for difference in found:
        key, meaning = difference.key, PARAMETERS[difference.key].meaning
        if as_json:
            line = {
                "key": key,
                one.name: difference.first,
                other.name: difference.second,
                "question": meaning,
            }
            print(msgspec.json.encode(line).decode())
        else:
            words = (answer_words(difference.first), answer_words(difference.second))
            table.add_row(Text(key), *(Text(word) for word in words), Text(meaning))
    if not as_json:
        Console().print(table)
        print(f"{len(found)} of {len(PARAMETERS)} questions answered differently")
    return ExitCode.DONE


def answer_words(answer: Answer) -> str:
    """The answer in words, and whether the floor decides."""
    value = answer.value
    if isinstance(value, bool):
        said = "yes" if value else "no"
    elif isinstance(value, tuple):
        said = ", ".join(str(item) for item in value) or "any"
    else:
        said = str(value).replace("_", " ")
    return f"the floor decides; proposed: {said}" if answer.floor else said


def _keys(matter: str, book: Rulebook) -> tuple[str, ...]:
    """The questions that a matter is about."""
    word = matter.lower().replace("-", "_")
    kinds = {kind.value: kind for kind in Kind}
    topics = {key.split(".")[0] for key in PARAMETERS}
    if word in kinds:
        return QUESTIONS[kinds[word]]
    if word in PARAMETERS:
        return (word,)
    if word in topics:
        return tuple(key for key in PARAMETERS if key.startswith(f"{word}."))
    if find_clause(matter) is not None:
        return tuple(key for key, answer in book.answers.items() if matter in answer.clauses)
    known = (*kinds, *PARAMETERS, *topics, *(clause.id for clause in list_clauses()))
    raise CommandError(
        f"{matter}: no such matter{nearest(word, known)}; give an irregularity such as "
        "exposed-card, a key of `cutcard rulebook show`, or a clause id"
    )


def _explained(key: str, book: Rulebook, others: list[Rulebook]) -> Explained:
    elsewhere: defaultdict[str, list[str]] = defaultdict(list)
    for other in others:
        if other[key].value != book[key].value:
            elsewhere[answer_words(other[key])].append(other.name)
    return Explained(
        key,
        PARAMETERS[key].meaning,
        answer_words(book[key]),
        book[key].floor,
        book[key].clauses,
        {words: tuple(names) for words, names in elsewhere.items()},
    )


def _print(line: Explained) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(f"{line.question}  ({line.key})", "bold"))
    console.print(Text(f"  {line.answer}"))
    if not line.clauses:
        console.print(Text("  a decision of the house: no clause says"))
    for clause in line.clauses:
        _print_clause(clause)
    for words, names in line.elsewhere.items():
        console.print(Text(f"  {', '.join(names)}: {words}", "dim"))


def _print_clause(clause_id: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    clause = find_clause(clause_id)
    if clause is None:
        console.print(Text(f"  {clause_id}"))
        return
    console.print(Text(f"  {clause.id} ({clause.place}): {clause.says}"))
    if clause.exempt:
        console.print(Text(f"    not done: {clause.exempt}"))
