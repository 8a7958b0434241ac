"""Checks a bundle of evidence, trusting nothing in it: what was changed, removed or added."""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from controller.runtime.errors import BundleError, JournalError
from controller.runtime.evidence_bundle import (
    FORM,
    HEADS,
    MANIFEST,
    PICTURES,
    PUBLIC_KEY,
    RECORDS,
    SIGNATURE,
    UNLISTED,
    Manifest,
)
from controller.runtime.evidence_folder import sha256
from controller.runtime.journal.chain import digest, head_text
from controller.runtime.journal.exporting import read_head, read_record
from controller.runtime.journal.keys import PublicKeys
from controller.runtime.journal.values import PICTURE, Picture, Record

MOST_BYTES: Final = 400_000_000
"""Size of all files together beyond which a bundle is not unpacked: a hand's is a hundredth."""

_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What the zip library raises for a damaged, encrypted or foreign archive."""


@dataclass(frozen=True, slots=True)
class BundleCheck:
    """The outcome of checking a bundle.

    Attributes:
        manifest: What it says that it is.
        findings: What is wrong, one sentence each; none when nothing was changed.
        is_own_key: Whether only the key in the bundle itself vouches for it.
    """

    manifest: Manifest
    findings: tuple[str, ...]
    is_own_key: bool


def check_bundle(path: Path, keys: PublicKeys | None = None) -> BundleCheck:
    """Check a bundle.

    Args:
        path: The zip file.
        keys: The public keys that are trusted; without them the one in the bundle, which
            shows that nothing was changed since, and not by whom it was made.

    Raises:
        BundleError: It cannot be read, or is no bundle at all.
    """
    files, twice = _unpacked(path)
    try:
        manifest = msgspec.json.decode(files.get(MANIFEST, b""), type=Manifest)
    except msgspec.DecodeError as error:
        raise BundleError(path, f"its {MANIFEST} is missing or cannot be read ({error})") from error
    if manifest.form != FORM:
        raise BundleError(path, f"it is of another form ({manifest.form}); use a newer program")
    trusted = keys or _own_key(files)
    findings = (
        *(f"{name} is in it twice" for name in twice),
        *_signature(files, manifest, trusted),
        *_listed(files, manifest),
        *_recorded(files, manifest, trusted),
    )
    return BundleCheck(manifest, findings, is_own_key=keys is None)


def _unpacked(path: Path) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The files by name, and the names that stand in the archive more than once."""
    try:
        with zipfile.ZipFile(path) as bundle:
            infos = bundle.infolist()
            if sum(info.file_size for info in infos) > MOST_BYTES:
                raise BundleError(path, "it unpacks to more than any bundle holds")
            files = {info.filename: bundle.read(info) for info in infos}
    except OSError as error:
        raise BundleError(path, f"{error.strerror or error}; give a bundle's zip file") from error
    except _BROKEN as error:
        raise BundleError(path, f"it is no whole zip file ({error})") from error
    counts = Counter(info.filename for info in infos)
    return files, tuple(sorted(name for name, count in counts.items() if count > 1))


def _own_key(files: dict[str, bytes]) -> PublicKeys:
    try:
        key = load_pem_public_key(files.get(PUBLIC_KEY, b""))
    except (ValueError, UnsupportedAlgorithm):
        return PublicKeys()
    return PublicKeys([key] if isinstance(key, Ed25519PublicKey) else [])


def _signature(files: dict[str, bytes], manifest: Manifest, keys: PublicKeys) -> Iterator[str]:
    """Whether the manifest is the one that was signed, by a key that is trusted."""
    if manifest.key_id not in keys.ids:
        yield f"it is signed with key {manifest.key_id}, which is not among those given"
    elif not keys.has_signed(manifest.key_id, files[MANIFEST], files.get(SIGNATURE, b"")):
        yield f"{MANIFEST} is not the one that was signed: it or {SIGNATURE} was changed"


def _listed(files: dict[str, bytes], manifest: Manifest) -> Iterator[str]:
    """Whether each file is the one that the manifest lists, and there is no other."""
    for name, listed in sorted(manifest.files.items()):
        if name not in files:
            yield f"{name} was removed"
        elif sha256(files[name]) != listed.sha256:
            yield f"{name} was changed"
    for name in sorted(files.keys() - manifest.files.keys() - UNLISTED):
        yield f"{name} was added"


def _recorded(files: dict[str, bytes], manifest: Manifest, keys: PublicKeys) -> Iterator[str]:
    """Whether records follow from one another, are signed, and name the pictures."""
    try:
        records = [read_record(line) for line in files.get(RECORDS, b"").splitlines()]
        heads = [read_head(line, HEADS) for line in files.get(HEADS, b"").splitlines()]
        noted = dict(_noted(records))
    except (ValueError, JournalError) as error:  # msgspec.DecodeError is a ValueError
        yield f"{RECORDS} or {HEADS} cannot be read ({error})"
        return
    yield from _chain(records, manifest)
    hashes = {record.seq: record.hash for record in records}
    for head in heads:
        if head.key_id in keys.ids and not keys.has_signed(
            head.key_id, head_text(head), head.signature
        ):
            yield f"{HEADS}: the signature at record {head.seq} was not made with its key"
        elif hashes.get(head.seq, head.hash) != head.hash:
            yield f"{RECORDS}: record {head.seq} is not the one that was signed"
    for name in sorted(files):
        if name.startswith(PICTURES) and sha256(files[name]) != noted.get(name, ""):
            yield f"{name} is not the picture that the journal names"


def _chain(records: list[Record], manifest: Manifest) -> Iterator[str]:
    numbers = [record.seq for record in records]
    if numbers != list(range(manifest.first_record, manifest.last_record + 1)):
        yield f"{RECORDS}: not all records from {manifest.first_record} on are there"
    for before, record in pairwise(records):
        if digest(before.hash, record) != record.hash:
            yield f"{RECORDS}: record {record.seq} does not follow from the one before"


def _noted(records: list[Record]) -> Iterator[tuple[str, str]]:
    """The hash of each picture that the records name, by its file in the bundle."""
    for record in records:
        if record.type == PICTURE:
            picture = msgspec.json.decode(record.body, type=Picture)
            yield f"{PICTURES}{picture.name}.jpg", picture.sha256
