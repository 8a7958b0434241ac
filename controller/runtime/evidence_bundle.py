"""Puts all that belongs to a hand or a ruling into one signed zip file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

import msgspec

from controller.events import HandStarted
from controller.rulings import Ruling
from controller.runtime.errors import JournalError
from controller.runtime.evidence import is_under_way
from controller.runtime.evidence_folder import EvidenceFolder, sha256
from controller.runtime.evidence_index import read_picture
from controller.runtime.evidence_seal import Seal
from controller.runtime.journal import Journal
from controller.runtime.journal.exporting import HeadLine, head_line, record_line
from controller.runtime.journal.journal import picture_of
from controller.runtime.journal.keys import Signer
from controller.runtime.journal.values import EVENT, PICTURE, RULING, Picture, Record
from controller.table import OpenRuling, TableState
from controller.view import LANGUAGES
from controller.view.floor import ruling_view

FORM: Final = "cutcard bundle 1"
MANIFEST: Final = "manifest.json"
SIGNATURE: Final = "manifest.sig"
PUBLIC_KEY: Final = "public.pem"
RECORDS: Final = "records.jsonl"
HEADS: Final = "heads.jsonl"
EVENTS: Final = "events.jsonl"
RULINGS: Final = "rulings.json"
PICTURES: Final = "pictures/"

UNLISTED: Final = frozenset({MANIFEST, SIGNATURE, PUBLIC_KEY})
"""Files that the manifest cannot list: itself, and what it is checked with."""

_STARTED: Final = HandStarted.__struct_config__.tag
_ENCODER: Final = msgspec.json.Encoder()
_RULINGS: Final = msgspec.json.Decoder(Ruling)
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest date of a zip file: the manifest says when it was made."""


class ListedFile(msgspec.Struct, frozen=True):
    """A file of the bundle."""

    sha256: str
    size: int


class LeftOut(msgspec.Struct, frozen=True):
    """A picture that is not in the bundle, and why.

    ``sealed``: its hand was still being played; ``damaged``: its file is missing or not the
    one that was noted.
    """

    picture: str
    reason: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a bundle, and of what; ``head`` is the journal's newest signature then."""

    form: str = FORM
    table: str
    program: str
    rulebook: str
    made_ms: int
    hand: int
    ruling: str
    first_record: int
    last_record: int
    head: HeadLine | None
    key_id: str
    files: dict[str, ListedFile]
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Archive:
    """Where the evidence of a table lies, and what signs and opens it.

    Attributes:
        journal: Open; reading is enough.
        folder: The pictures.
        signer: The journal's private key.
    """

    journal: Journal
    folder: EvidenceFolder
    signer: Signer

    def seal(self) -> Seal:
        """What opens sealed pictures."""
        return Seal(self.signer, self.journal.table_id)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a bundle is of: a hand, or one ruling of it."""

    hand: int
    ruling: str = ""


def build(archive: Archive, wanted: Wanted, state: TableState, now_ms: int) -> bytes:
    """The zip file of a hand or a ruling.

    Args:
        archive: The evidence.
        wanted: Of what; of a number used twice the newest.
        state: The table now: pictures of a hand that is being played are left out.
        now_ms: Unix time, for the manifest.

    Raises:
        JournalError: There is no such hand or ruling, or the journal is damaged.
    """
    records = _of_hand(archive.journal, wanted)
    files: dict[str, bytes] = dict(_texts(archive.journal, records, wanted))
    left_out: list[LeftOut] = []
    for picture in _pictures(records, wanted, archive.journal.path):
        if is_under_way(state, picture.sealed_hand):
            left_out.append(LeftOut(picture.name, "sealed"))
        elif jpeg := read_picture(archive.folder, archive.seal(), picture):
            files[f"{PICTURES}{picture.name}.jpg"] = jpeg
        else:
            left_out.append(LeftOut(picture.name, "damaged"))
    manifest = msgspec.structs.replace(
        _manifest(archive, wanted, records, now_ms),
        files={name: ListedFile(sha256(c), len(c)) for name, c in sorted(files.items())},
        left_out=tuple(left_out),
    )
    return _zipped(files, msgspec.json.format(_ENCODER.encode(manifest)), archive.signer)


def _manifest(archive: Archive, wanted: Wanted, records: list[Record], now_ms: int) -> Manifest:
    """What can be said before the files are there."""
    head = archive.journal.head()
    return Manifest(
        table=archive.journal.table_id,
        program=version("cutcard"),
        rulebook=archive.journal.rulebook,
        made_ms=now_ms,
        hand=wanted.hand,
        ruling=wanted.ruling,
        first_record=records[0].seq,
        last_record=records[-1].seq,
        head=msgspec.json.decode(head_line(head), type=HeadLine) if head else None,
        key_id=archive.signer.key_id,
        files={},
    )


def _of_hand(journal: Journal, wanted: Wanted) -> list[Record]:
    """From the start of the hand to the last record that belongs to it, without a gap."""
    found: list[Record] = []
    last = 0
    for record in journal.records():
        if record.kind == _STARTED and record.hand == wanted.hand:
            found, last = [], 0
        elif not found:
            continue
        found.append(record)
        if record.hand == wanted.hand:
            last = len(found)
    if not found:
        raise JournalError(journal.path, f"there is no hand {wanted.hand} in it")
    kept = found[:last]
    if wanted.ruling and not any(r.kind == wanted.ruling for r in kept if r.type == RULING):
        raise JournalError(journal.path, f"there is no ruling {wanted.ruling} in it")
    return kept


def _texts(journal: Journal, records: list[Record], wanted: Wanted) -> Iterator[tuple[str, bytes]]:
    """Everything but the pictures: files and what is in them."""
    mine = [record for record in records if record.hand == wanted.hand]
    yield RECORDS, _lines(record_line(record) for record in records)
    yield HEADS, _lines(map(head_line, journal.heads(records[0].seq, records[-1].seq)))
    yield EVENTS, _lines(record.body for record in mine if record.type == EVENT)
    rulings = [_RULINGS.decode(r.body) for r in mine if r.type == RULING]
    told = [_told(r) for r in rulings if wanted.ruling in ("", r.id)]
    yield RULINGS, msgspec.json.format(_ENCODER.encode(told))


def _told(ruling: Ruling) -> dict[str, object]:
    """A ruling as it was stored, and in words with the places of its clauses."""
    words = {lang: ruling_view(OpenRuling(ruling), lang) for lang in LANGUAGES}
    return {"id": ruling.id, **words, "stored": ruling}


def _pictures(records: Iterable[Record], wanted: Wanted, shown: str) -> Iterator[Picture]:
    for record in records:
        if record.type == PICTURE and record.hand == wanted.hand:
            picture = picture_of(record, shown)
            if wanted.ruling in ("", *picture.rulings):
                yield picture


def _lines(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _zipped(files: dict[str, bytes], manifest: bytes, signer: Signer) -> bytes:
    target = io.BytesIO()
    signed = {
        MANIFEST: manifest,
        SIGNATURE: signer.sign(manifest),
        PUBLIC_KEY: signer.public_pem,
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in (*signed.items(), *sorted(files.items())):
            bundle.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()
