"""``cutcard rulebook``: which house rules there are, what they say, whether a file is right."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from controller.cli.explaining import answer_words, diff, explain
from controller.cli.failures import ExitCode
from controller.rulebook import PARAMETERS, list_rulebooks, load_rulebook

rulebook = typer.Typer(
    name="rulebook",
    help="House rules: list, show, explain and compare them, check a file of your own.",
    no_args_is_help=True,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `list`, or a TOML file.")]


@rulebook.command("list")
def list_books(as_json: AsJson = False) -> int:
    """Name the rulebooks that come with the program.

    Example: `cutcard rulebook list`
    """
    table = Table("name", "title", "edition", box=None, pad_edge=False)
    for name in list_rulebooks():
        book = load_rulebook(name)
        if as_json:
            _print_json({"name": name, "title": book.title, "edition": book.edition})
        else:
            table.add_row(Text(name), Text(book.title), Text(book.edition))
    if not as_json:
        Console().print(table)
    return ExitCode.DONE


@rulebook.command()
def show(name: Name, as_json: AsJson = False) -> int:
    """Show what a rulebook says, question by question, with the clauses it rests on.

    Example: `cutcard rulebook show ck`
    """
    book = load_rulebook(name)
    if not as_json:
        Console().print(Text(f"{book.title} ({book.edition}), from {book.source}", "bold"))
    table = Table(Column("key", no_wrap=True), "answer", "clauses", "question", box=None)
    for key, answer in book.answers.items():
        if as_json:
            _print_json(
                {
                    "key": key,
                    "value": answer.value,
                    "clauses": answer.clauses,
                    "floor": answer.floor,
                    "question": PARAMETERS[key].meaning,
                }
            )
        else:
            clauses = Text(", ".join(answer.clauses))
            table.add_row(
                Text(key), Text(answer_words(answer)), clauses, Text(PARAMETERS[key].meaning)
            )
    if not as_json:
        Console().print(table)
    return ExitCode.DONE


@rulebook.command()
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The rulebook file.")],
    as_json: AsJson = False,
) -> int:
    """Check a rulebook file; exit code 2 and one line with place and remedy when it is wrong.

    Example: `cutcard rulebook check house.toml`
    """
    book = load_rulebook(file)
    floor = sum(answer.floor for answer in book.answers.values())
    if as_json:
        _print_json({"name": book.name, "answers": len(book.answers), "floor": floor})
    else:
        print(f"{file}: good; {len(book.answers)} questions answered, {floor} left to the floor")
    return ExitCode.DONE


def _print_json(line: dict[str, object]) -> None:
    print(msgspec.json.encode(line).decode())


rulebook.command()(explain)
rulebook.command()(diff)
