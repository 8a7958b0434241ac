"""``cutcard shuffle``: hold recorded deck orders against theory, or make some."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from controller.cards import FULL_DECK
from controller.cli.failures import CommandError, ExitCode
from controller.shuffle import (
    Audit,
    Kind,
    Model,
    Recording,
    audit,
    greatest_excess,
    mean_class,
    parse_model,
    read_orders,
    separation,
    simulate,
    total_variation,
)

shuffle = typer.Typer(
    name="shuffle",
    help="Shuffles: audit recorded orders, make example files, print what theory says.",
    no_args_is_help=True,
)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]

RIFFLES = range(1, 13)
SHELVES = (10, 15, 20, 25, 30, 35, 50, 100, 150, 200, 250, 300)
"""The rows that Bayer and Diaconis, and Diaconis, Fulman and Holmes print."""


@shuffle.command("audit")
def audit_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One order a line, top card first.")],
    model: Annotated[
        str, typer.Option("--model", help="What the orders should be: uniform, riffle:N, shelf:M.")
    ] = "uniform",
    alpha: Annotated[
        float,
        typer.Option("--alpha", min=1e-9, max=0.5, help="The chance to accuse a sound machine."),
    ] = 0.01,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line per test, then a summary.")
    ] = False,
) -> int:
    """Test whether recorded deck orders are what a model says.

    Each line of the file is one order, top card first: cards such as `As Td 9c`, or the card's
    old places, counted from 1. Exit code 1 when the orders are not what the model says, with at
    most the chance `--alpha` to say so of orders that are.

    Example: `cutcard shuffle audit orders.txt --model uniform`
    """
    against = parse_model(model)
    with Console(stderr=True).status(f"auditing {file}"):
        recording = read_orders(file)
        result = audit(recording.orders, against, alpha)
    (_print_json if as_json else _print_report)(result, recording)
    return ExitCode.DONE if result.is_passed else ExitCode.FOUND_FAILURE


@shuffle.command("simulate")
def simulate_orders(
    model: Annotated[
        str,
        typer.Option(
            "--model",
            help="uniform, riffle:N, shelf:M, or a defect: none, cut, overhand:N,"
            " top-stays:PERCENT, unmixed:PACKS, repeats:PERIOD, missed:PERCENT.",
        ),
    ] = "uniform",
    decks: Annotated[int, typer.Option("--decks", min=1, max=100_000, help="Orders.")] = 100,
    cards: Annotated[int, typer.Option("--cards", min=10, max=416, help="Cards of a deck.")] = 52,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Same seed, same orders.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write to this file, not to the terminal.")
    ] = None,
) -> int:
    """Make a file of orders for `cutcard shuffle audit`, good ones or bad.

    Decks of 52 are written as cards, from a new deck; others as old places.

    Example: `cutcard shuffle simulate --model shelf:10 --decks 50 --out orders.txt`
    """
    orders = simulate(model, decks, cards, seed)
    lines = [f"# {decks} orders of {cards} cards, model {model}, seed {seed}; top card first"]
    if cards == len(FULL_DECK):
        names = [str(card) for card in FULL_DECK]
        lines.append(f"input: {' '.join(names)}")
        lines.extend(" ".join(names[place] for place in order) for order in orders.tolist())
    else:
        lines.extend(" ".join(str(place + 1) for place in order) for order in orders.tolist())
    _write("\n".join(lines) + "\n", out)
    return ExitCode.DONE


@shuffle.command()
def theory(
    cards: Annotated[int, typer.Option("--cards", min=10, max=416, help="Cards of a deck.")] = 52,
    as_json: AsJson = False,
) -> int:
    """Print how far riffles and shelf machines are from random, exactly.

    Total variation, separation and the largest excess of one order over its uniform chance, as
    Bayer and Diaconis (1992) and Diaconis, Fulman and Holmes (2013) define them.

    Example: `cutcard shuffle theory --cards 52`
    """
    models = [Model(Kind.RIFFLE, riffles) for riffles in RIFFLES]
    models += [Model(Kind.SHELF, shelves) for shelves in SHELVES]
    table = Table("model", "total variation", "separation", "greatest excess", "mean", box=None)
    for model in models:
        numbers = (
            total_variation(model, cards),
            separation(model, cards),
            greatest_excess(model, cards),
            mean_class(model, cards),
        )
        if as_json:
            names = ("total_variation", "separation", "greatest_excess", "mean")
            line = {"model": str(model), "cards": cards, **dict(zip(names, numbers, strict=True))}
            print(json.dumps(line))
        else:
            table.add_row(Text(str(model)), *(Text(f"{number:.4g}") for number in numbers))
    if not as_json:
        Console().print(table)
        print("mean: of rising sequences for riffles, of valleys for shelves")
    return ExitCode.DONE


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{out} cannot be written ({error.strerror})") from error


def _print_json(result: Audit, recording: Recording) -> None:
    for test in result.tests:
        line = {
            "test": test.name,
            "seen": test.seen,
            "expected": test.expected,
            "p_value": test.p_value,
            "adjusted": test.adjusted,
            "failed": test.adjusted < result.alpha,
        }
        print(json.dumps(line))
    summary = {
        "model": str(result.model),
        "decks": result.decks,
        "cards": result.cards,
        "reference": recording.reference,
        "alpha": result.alpha,
        "passed": result.is_passed,
        "closest": str(result.closest.model),
        "closest_bits": result.closest.bits,
    }
    print(json.dumps(summary))


def _print_report(result: Audit, recording: Recording) -> None:
    table = Table("test", "seen", "expected", "p", "p adjusted", "", box=None, pad_edge=False)
    for test in result.tests:
        is_failed = test.adjusted < result.alpha
        table.add_row(
            Text(test.name),
            Text(f"{test.seen:.4g}"),
            Text(f"{test.expected:.4g}"),
            Text(f"{test.p_value:.2g}"),
            Text(f"{test.adjusted:.2g}"),
            Text("fails" if is_failed else "", "bold red"),
        )
    Console().print(table)
    print(f"{result.decks} orders of {result.cards} cards, from {recording.reference}")
    print(_verdict(result))


def _verdict(result: Audit) -> str:
    if result.is_passed:
        return f"nothing speaks against {result.model}; more orders see more"
    names = ", ".join(test.name for test in result.failed)
    best = result.closest.model
    near = "" if best == result.model else f"; of the known models {best} fits best"
    return f"not {result.model}: {names}{near}"
