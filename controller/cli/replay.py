"""``cutcard replay``: decide a recorded table anew and show what comes out differently."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from controller.cli.failures import ExitCode
from controller.rulebook import load_rulebook
from controller.runtime.journal import Journal
from controller.runtime.replay import Difference, Replay
from controller.runtime.replay import replay as replay_journal


def replay(
    journal: Annotated[
        str,
        typer.Argument(
            metavar="JOURNAL", help="A table's journal: a file, or postgresql://user@host/database."
        ),
    ],
    rulebook: Annotated[
        str,
        typer.Option("--rulebook", "-r", help="Another rulebook than the one the table ran under."),
    ] = "",
    table: Annotated[
        str, typer.Option("--table", help="The table, where a database holds several.")
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line per difference, then a summary.")
    ] = False,
) -> int:
    """Decide a recorded table anew; exit code 1 when a ruling comes out differently.

    Each event is decided by the rulebook that was in force when it was written. The journal is only
    read. With `--rulebook` the differences show what another house would have ruled on the same
    events.

    Example: `cutcard replay table.journal --rulebook fr2`
    """
    recorded = Journal.open(journal, read_only=True, table_id=table)
    try:
        outcome = replay_journal(recorded, load_rulebook(rulebook) if rulebook else None)
    finally:
        recorded.close()
    (_print_json if as_json else _print_text)(
        outcome, ", ".join(outcome.rulebooks) or recorded.rulebook
    )
    return ExitCode.DONE if outcome.is_same else ExitCode.FOUND_FAILURE


def _print_json(outcome: Replay, rulebook: str) -> None:
    for difference in outcome.differences:
        print(
            json.dumps(
                {
                    "event": difference.event_seq,
                    "stored": json.loads(difference.stored or b"null"),
                    "computed": json.loads(difference.computed or b"null"),
                }
            )
        )
    summary = {
        "rulebook": rulebook,
        "events": outcome.events,
        "rulings": len(outcome.rulings),
        "differences": len(outcome.differences),
    }
    print(json.dumps(summary))


def _print_text(outcome: Replay, rulebook: str) -> None:
    for difference in outcome.differences:
        print(f"event {difference.event_seq}: {_sides(difference)}")
    print(
        f"{outcome.events} events, {len(outcome.rulings)} rulings under {rulebook}, "
        f"{len(outcome.differences)} differences"
    )


def _sides(difference: Difference) -> str:
    """The two verdicts, for a person; where they read the same, which parts differ."""
    stored, computed = _brief(difference.stored), _brief(difference.computed)
    if stored != computed:
        return f"was {stored}, is now {computed}"
    before, after = json.loads(difference.stored), json.loads(difference.computed)
    parts = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return f"{stored} as before, but {', '.join(parts)} not the same (--json shows both)"


def _brief(ruling: bytes) -> str:
    if not ruling:
        return "no ruling"
    content = json.loads(ruling)
    return f"{content['verdict']} with {len(content['steps'])} steps"
