"""``cutcard simulate``: many hands with known mistakes, on the level of events."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from controller.cli.failures import ExitCode
from controller.rulebook import load_rulebook
from controller.simulate import Report
from controller.simulate import simulate as play


def simulate(
    hands: Annotated[int, typer.Option("--hands", min=1, help="Hands to play.")] = 1000,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Same seed, same hands and mistakes.")
    ] = 1,
    faults: Annotated[
        str,
        typer.Option("--faults", help="Mistakes to make, separated by commas; `all` for each."),
    ] = "all",
    rulebook: Annotated[
        str, typer.Option("--rulebook", "-r", help="A name of `cutcard rulebook list`, or a file.")
    ] = "ck",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line per kind, then a summary.")
    ] = False,
) -> int:
    """Play many hands with known mistakes and count what the rules engine finds.

    Works on events: no pictures, no serial line. Exit code 1 when a mistake was missed, something
    was found that had not happened, or a table ended inconsistent.

    Example: `cutcard simulate --hands 1000 --faults exposed_later,four_card_flop`
    """
    names = tuple(name.strip() for name in faults.split(","))
    report = play(hands, seed=seed, faults=names, book=load_rulebook(rulebook))
    (_print_json if as_json else _print_table)(report)
    return ExitCode.DONE if report.is_faultless else ExitCode.FOUND_FAILURE


def _print_json(report: Report) -> None:
    for kind, count in report.kinds.items():
        line = {
            "kind": kind.value,
            "injected": count.injected,
            "detected": count.detected,
            "missed": count.missed,
            "false": count.false,
        }
        print(json.dumps(line))
    summary = {
        "hands": report.hands,
        "seed": report.seed,
        "rulebook": report.rulebook,
        "events": report.events,
        "inconsistent": report.inconsistent,
        "s": round(report.elapsed_s, 3),
    }
    print(json.dumps(summary))


def _print_table(report: Report) -> None:
    table = Table("irregularity", "injected", "detected", "missed", "false", box=None)
    for kind, c in report.kinds.items():
        numbers = (c.injected, c.detected, c.missed, c.false)
        table.add_row(Text(kind.value.replace("_", " ")), *(str(number) for number in numbers))
    Console().print(table)
    for sentence in report.inconsistent:
        print(sentence)
    print(
        f"{report.hands} hands under {report.rulebook}, {report.events} events, "
        f"{len(report.inconsistent)} ended inconsistent"
    )
