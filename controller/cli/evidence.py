"""The part of ``cutcard export`` that makes and checks bundles of evidence."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from controller.cli.failures import CommandError, ExitCode
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.runtime.evidence import evidence_folder
from controller.runtime.evidence_bundle import Archive, Wanted, build
from controller.runtime.evidence_check import BundleCheck, check_bundle
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.journal import Journal
from controller.runtime.journal.journal import wall_ms
from controller.runtime.journal.keys import KeyFiles, load_public_keys, load_signer
from controller.table import TableState


def wanted(hand: int, ruling: str) -> Wanted:
    """What a bundle is to be of.

    Raises:
        CommandError: Neither a hand nor a ruling is named, or one that cannot be.
    """
    of_ruling, _, number = ruling.partition("/")
    if ruling and not (of_ruling.isdigit() and number.isdigit()):
        raise CommandError(f"--ruling {ruling}: a ruling is named by hand and number, such as 12/1")
    if ruling and hand not in (0, int(of_ruling)):
        raise CommandError(f"ruling {ruling} is not of hand {hand}; leave --hand out")
    if not ruling and not hand:
        raise CommandError("say what the bundle is of: --hand N or --ruling ID")
    return Wanted(int(of_ruling) if ruling else hand, ruling)


def bundled(place: str, table: str, key: Path | None, target: Path, of: Wanted) -> int:
    """Write a bundle and say what is in it.

    Raises:
        CommandError: The private key is not there, or the file cannot be written.
        JournalError: The journal cannot be read, or holds no such hand or ruling.
    """
    journal = Journal.open(place, read_only=True, table_id=table)
    try:
        files = KeyFiles.named(key) if key else journal.location.keys(journal.table_id)
        if not files.private.exists():
            raise CommandError(f"{files.private} is not there; give the private key with --key")
        folder = EvidenceFolder(evidence_folder(journal.location, journal.table_id))
        archive = Archive(journal, folder, load_signer(files))
        content = build(archive, of, _state_at_end(journal), wall_ms())
    finally:
        journal.close()
    try:
        target.write_bytes(content)
    except OSError as error:
        raise CommandError(f"{target}: {error.strerror}; name another file") from error
    return _say_what_is_in_it(check_bundle(target), target)


def verified(path: Path, public_keys: Sequence[Path]) -> int:
    """Check a bundle and say what was changed.

    Raises:
        BundleError: It cannot be read, or is none.
    """
    found = check_bundle(path, load_public_keys(public_keys) if public_keys else None)
    for sentence in found.findings:
        print(sentence)
    manifest = found.manifest
    of = f"ruling {manifest.ruling}" if manifest.ruling else f"hand {manifest.hand}"
    verdict = f"{len(found.findings)} findings" if found.findings else "nothing was changed"
    print(f"table {manifest.table}, {of}, {len(manifest.files)} files: {verdict}")
    if found.is_own_key and not found.findings:
        print(
            f"signed with key {manifest.key_id}, which is in the bundle itself: give the table's "
            "public key with --public-key to know that the table made it"
        )
    return ExitCode.FOUND_FAILURE if found.findings else ExitCode.DONE


def _say_what_is_in_it(made: BundleCheck, target: Path) -> int:
    left_out = made.manifest.left_out
    print(f"{target}: {len(made.manifest.files)} files, signed with key {made.manifest.key_id}")
    for reason, words in (
        ("sealed", "pictures are left out, as their hand is not over"),
        ("damaged", "pictures are missing or not those that were noted"),
    ):
        count = sum(1 for picture in left_out if picture.reason == reason)
        if count:
            print(f"cutcard: {count} {words}", file=sys.stderr)
    return ExitCode.FOUND_FAILURE if left_out else ExitCode.DONE


def _state_at_end(journal: Journal) -> TableState:
    """The table where the journal ends: whether its last hand is over."""
    book = load_rulebook(journal.rulebook)
    state = new_table(book)
    for entry in journal.read():
        state = advance(state, entry.event, book).state
    return state
