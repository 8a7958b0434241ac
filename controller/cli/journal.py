"""``cutcard journal``: check a journal, take events out of it, let old hands go."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.failures import CommandError, ExitCode
from controller.cli.files import write_whole
from controller.runtime.evidence_files import (
    PictureCheck,
    check_pictures,
    copy_pictures,
    let_go,
)
from controller.runtime.journal import Journal
from controller.runtime.journal.copying import copy
from controller.runtime.journal.exporting import (
    event_lines,
    finding_line,
    head_line,
    read_head,
    record_lines,
)
from controller.runtime.journal.findings import ClockSetBack, Finding
from controller.runtime.journal.journal import open_ledger, wall_ms
from controller.runtime.journal.keys import PublicKeys, load_public_keys
from controller.runtime.journal.location import Location
from controller.runtime.journal.retention import retain
from controller.runtime.journal.verifying import Verification, check_age
from controller.runtime.journal.verifying import verify as verify_journal

DAY_MS = 24 * 3600 * 1000

journal = typer.Typer(
    name="journal",
    help="Check a table's journal, take events out of it, let old hands go (docs/journal.md).",
    no_args_is_help=True,
)

Place = Annotated[
    str,
    typer.Argument(
        metavar="JOURNAL", help="A table's journal: a file, or postgresql://user@host/database."
    ),
]
TableName = Annotated[
    str, typer.Option("--table", help="The table, where a database holds several.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]
Key = Annotated[
    Path | None,
    typer.Option("--key", help="The private key, where it is not in its usual place."),
]


@journal.command()
def verify(
    place: Place,
    table: TableName = "",
    public_key: Annotated[
        list[Path] | None,
        typer.Option("--public-key", help="A trusted public key; several are possible."),
    ] = None,
    head: Annotated[
        Path | None,
        typer.Option("--head", help="What `journal head` printed earlier: finds a cut-off end."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check every record, signature and picture; exit code 1 when something was changed.

    Without --public-key the key beside the journal is trusted. A copy of it kept elsewhere is
    worth more: whoever can replace the journal can replace a key beside it.

    Example: `cutcard journal verify table.journal --public-key safe/table.journal.pub`
    """
    noted = read_head(_content(head), str(head)) if head else None
    keys = load_public_keys(public_key) if public_key else _usual_keys(place, table)
    found = verify_journal(place, keys, table_id=table, noted=noted)
    pictures = check_pictures(place, table) if found.is_whole else PictureCheck(0, ())
    (_print_json if as_json else _print_text)(found, pictures)
    is_whole = found.is_whole and not pictures.findings
    return ExitCode.DONE if is_whole else ExitCode.FOUND_FAILURE


@journal.command()
def head(place: Place, table: TableName = "") -> int:
    """Print the newest signature, to be noted elsewhere: `verify --head` holds the journal to it.

    Example: `cutcard journal head table.journal > tonight.head`
    """
    recorded = Journal.open(place, read_only=True, table_id=table)
    try:
        newest = recorded.head()
    finally:
        recorded.close()
    if newest is None:
        raise CommandError(f"{recorded.path}: nothing in it is signed yet; start the table once")
    print(head_line(newest).decode())
    return ExitCode.DONE


@journal.command()
def export(
    place: Place,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; otherwise standard output.")
    ] = None,
    table: TableName = "",
    hand: Annotated[int, typer.Option("--hand", min=0, help="Only this hand; 0 for all.")] = 0,
    records: Annotated[
        bool,
        typer.Option("--records", help="All records with numbers, times and hashes, not events."),
    ] = False,
) -> int:
    """Write the events as an event file that `cutcard judge` reads (docs/events.md).

    Example: `cutcard journal export table.journal --output night.jsonl`
    """
    recorded = Journal.open(place, read_only=True, table_id=table)
    try:
        lines = (record_lines if records else event_lines)(recorded, hand)
        write_whole((line.decode() + "\n" for line in lines), output)
    finally:
        recorded.close()
    return ExitCode.DONE


@journal.command("retain")
def retain_hands(
    place: Place,
    days: Annotated[float, typer.Option("--days", min=0, help="Keep the hands of so many days.")],
    table: TableName = "",
    key: Key = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be removed.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Remove old hands and their pictures for good, so that the rest still verifies.

    A signed checkpoint takes their place. The journal is checked first, and nothing is removed
    from one that was changed. The newest hand always stays. The table may be playing meanwhile.

    Example: `cutcard journal retain table.journal --days 90`
    """
    now_ms = wall_ms()
    done = retain(
        place,
        before_ms=now_ms - int(days * DAY_MS),
        now_ms=now_ms,
        table_id=table,
        key=key,
        is_trial=dry_run,
    )
    pictures = 0 if dry_run else let_go(place, table)
    if as_json:
        print(json.dumps({**asdict(done), "pictures": pictures, "dry_run": dry_run}))
    else:
        did = "would be removed" if dry_run else "removed"
        print(f"{done.removed} records {did}; the journal begins at record {done.first_seq}")
        if pictures:
            print(f"{pictures} pictures removed")
    return ExitCode.DONE


@journal.command("copy")
def copy_to(
    place: Place,
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="A new file, or a PostgreSQL URL.")
    ],
    table: TableName = "",
) -> int:
    """Copy a journal with chain and signatures: a backup, evidence, or a move to a database.

    The copy verifies with the same public key. The table may be playing meanwhile. To restore a
    backup, name the copy as the table's journal and put the private key beside it.

    Example: `cutcard journal copy table.journal backup.journal`
    """
    count = copy(place, target, table_id=table)
    pictures = copy_pictures(place, target, table)
    with_pictures = f" with {pictures} pictures" if pictures else ""
    print(f"{count} records copied to {Location.of(target).shown}{with_pictures}")
    return ExitCode.DONE


@journal.command()
def migrate(place: Place, key: Key = None) -> int:
    """Bring a journal of an older version up to date; a table does so too when it starts.

    Example: `cutcard journal migrate table.journal`
    """
    location = Location.of(place)
    if location.is_file and not location.path.is_file():
        raise CommandError(f"{location.shown}: there is no such file; give the path of a journal")
    Journal.open(place, key=key).close()
    print(f"{location.shown} is up to date and signed from now on")
    return ExitCode.DONE


def _usual_keys(place: str, table: str) -> PublicKeys:
    """The public key where the table has put it."""
    ledger = open_ledger(place, table)
    ledger.engine.dispose()
    check_age(place)
    public = ledger.location.keys(ledger.table_id).public
    if not public.exists():
        raise CommandError(f"{public} is not there; give the public key with --public-key")
    return load_public_keys([public])


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}; give a file of `journal head`") from error


def _print_json(found: Verification, pictures: PictureCheck) -> None:
    for finding in found.findings:
        print(finding_line(finding).decode())
    for wrong in pictures.findings:
        problem = "picture_missing" if wrong.is_missing else "picture_changed"
        print(json.dumps({"problem": problem, "kind": wrong.name, "sentence": wrong.sentence}))
    summary = {
        "table": found.table_id,
        "whole": found.is_whole and not pictures.findings,
        "first": found.first_seq,
        "last": found.last_seq,
        "records": found.records,
        "signed": found.signed_seq,
        "findings": len(found.findings) + len(pictures.findings),
        "pictures": pictures.count,
        "clock_set_back": [asdict(back) for back in found.clock],
        "waiting": found.waiting,
    }
    print(json.dumps(summary))


def _print_text(found: Verification, pictures: PictureCheck) -> None:
    for finding in found.findings:
        print(_told(finding))
    for wrong in pictures.findings:
        print(wrong.sentence)
    for back in found.clock:
        print(_clock_told(back))
    if found.waiting:
        print(f"note: {found.waiting} records wait for deletion; cutcard journal retain ends it")
    unsigned = found.last_seq - found.signed_seq
    end = f"the last {unsigned} are not signed yet" if unsigned else "signed to the end"
    findings = len(found.findings) + len(pictures.findings)
    verdict = f"{findings} findings" if findings else "nothing was changed"
    with_pictures = f", {pictures.count} pictures" if pictures.count else ""
    print(
        f"table {found.table_id}: {found.records} records from {found.first_seq} to "
        f"{found.last_seq}{with_pictures}, {end}: {verdict}"
    )


def _told(finding: Finding) -> str:
    return f"{finding.sentence} ({finding.where})" if finding.where else finding.sentence


def _clock_told(back: ClockSetBack) -> str:
    return (
        f"note: the computer's clock was set back by {back.back_ms / 1000:.1f} s "
        f"before record {back.seq}"
    )
