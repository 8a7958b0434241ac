"""``cutcard export``: recorded hands for other programs."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.evidence import bundled, verified, wanted
from controller.cli.failures import CommandError, ExitCode
from controller.cli.files import write_whole
from controller.histories import COLUMNS, NoHistoryError, RecordedHand, history, summary
from controller.runtime.journal import Journal
from controller.runtime.journal.hands import recorded_hands


def export(
    place: Annotated[
        str,
        typer.Argument(
            metavar="JOURNAL", help="A table's journal: a file, or postgresql://user@host/database."
        ),
    ] = "",
    phh: Annotated[
        bool, typer.Option("--phh", help="Hand histories in the PHH format (hold'em).")
    ] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="One line a hand, for a spreadsheet.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; otherwise standard output.")
    ] = None,
    hand: Annotated[int, typer.Option("--hand", min=0, help="Only this hand; 0 for all.")] = 0,
    table: Annotated[
        str, typer.Option("--table", help="The table, where a database holds several.")
    ] = "",
    bundle: Annotated[
        Path | None,
        typer.Option(
            "--bundle", metavar="FILE.zip", help="All evidence of --hand or --ruling, signed."
        ),
    ] = None,
    ruling: Annotated[
        str, typer.Option("--ruling", metavar="ID", help="Only this ruling, such as 12/1.")
    ] = "",
    key: Annotated[
        Path | None,
        typer.Option("--key", help="The private key, where it is not in its usual place."),
    ] = None,
    verify: Annotated[
        Path | None, typer.Option("--verify", metavar="FILE.zip", help="Check such a bundle.")
    ] = None,
    public_key: Annotated[
        list[Path] | None,
        typer.Option("--public-key", help="A trusted public key for --verify; several possible."),
    ] = None,
) -> int:
    """Write recorded hands as hand histories or as a table; exit code 1 when some were left out.

    A hand history tells the play that remains once irregularities have been put right. A hand that
    cannot be told so is left out, and standard error says which and why. Cards that nobody at the
    table could see stay unknown. Events go out with `cutcard journal export`.

    --bundle packs events, rulings, pictures and signature of one hand or ruling into a zip file,
    for whoever decides a dispute (docs/evidence.md); pictures of a hand that is not over stay out.
    --verify says what in such a file was changed, with exit code 1.

    Example: `cutcard export table.journal --phh --output night.phhs`
    """
    if sum((phh, as_csv, bundle is not None, verify is not None)) != 1:
        raise CommandError("say which form is wanted: --phh, --csv, --bundle or --verify")
    if verify is not None:
        return verified(verify, public_key or [])
    if not place:
        raise CommandError("name the journal")
    if bundle is not None:
        return bundled(place, table, key, bundle, wanted(hand, ruling))
    recorded = Journal.open(place, read_only=True, table_id=table)
    left_out: list[NoHistoryError] = []
    try:
        hands = recorded_hands(recorded, hand)
        write_whole(_histories(hands, left_out) if phh else _rows(hands), output)
    finally:
        recorded.close()
    for reason in left_out:
        print(f"cutcard: left out: {reason}", file=sys.stderr)
    return ExitCode.FOUND_FAILURE if left_out else ExitCode.DONE


def _histories(hands: Iterable[RecordedHand], left_out: list[NoHistoryError]) -> Iterator[str]:
    section = 1
    for hand in hands:
        try:
            yield history(hand, section)
            section += 1
        except NoHistoryError as reason:
            left_out.append(reason)


def _rows(hands: Iterable[RecordedHand]) -> Iterator[str]:
    yield _row(COLUMNS)
    for hand in hands:
        yield _row(summary(hand).cells)


def _row(cells: Iterable[str | int]) -> str:
    """One line as RFC 4180 has it, but for the line's end."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
