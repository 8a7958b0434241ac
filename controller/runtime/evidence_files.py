"""The pictures beside a journal: checked with it, copied with it, let go with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.runtime.errors import JournalError
from controller.runtime.evidence import event_of, evidence_folder
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.journal import Journal
from controller.runtime.journal.location import Location
from controller.runtime.journal.values import EVENT, Picture


@dataclass(frozen=True, slots=True)
class PictureFinding:
    """A picture that is not as the journal says: missing, or another one lies there."""

    name: str
    path: Path
    is_missing: bool

    @property
    def sentence(self) -> str:
        """What is wrong and where."""
        what = "is missing" if self.is_missing else "is not the one that was noted"
        return f"picture {self.name} {what}: {self.path}"


@dataclass(frozen=True, slots=True)
class PictureCheck:
    """How many pictures a journal names, and which are not as it says."""

    count: int
    findings: tuple[PictureFinding, ...]


def check_pictures(place: Path | str, table_id: str = "") -> PictureCheck:
    """Hold the files in the folder of evidence against the journal.

    Raises:
        JournalError: The journal cannot be read.
    """
    pictures, folder = _kept(place, table_id)
    wrong = [picture for picture in pictures if not folder.read(picture)]
    return PictureCheck(
        len(pictures),
        tuple(PictureFinding(p.name, folder.file(p), not folder.file(p).exists()) for p in wrong),
    )


def copy_pictures(place: Path | str, target: Path | str, table_id: str = "") -> int:
    """Copy the files to where the copy of the journal looks for them; returns how many.

    A file that is not as the journal says is copied all the same, for it is evidence of that.

    Raises:
        JournalError: The journal cannot be read, or the files not be written.
    """
    pictures, folder = _kept(place, table_id)
    with_files = [picture for picture in pictures if folder.file(picture).is_file()]
    new = EvidenceFolder(evidence_folder(Location.of(target), _table(place, table_id)))
    try:
        for picture in with_files:
            new.write(picture, folder.file(picture).read_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        raise JournalError(str(new.path), f"{reason}; the pictures were not all copied") from error
    return len(with_files)


def let_go(place: Path | str, table_id: str = "") -> int:
    """Remove the files that a retention took out of the journal; returns how many.

    A picture taken after a ruling may be noted behind the start of the next hand: while its
    record stays, so does its file.

    Raises:
        JournalError: The journal cannot be read, or a file not be removed.
    """
    journal = Journal.open(place, read_only=True, table_id=table_id)
    try:
        folder = evidence_folder(journal.location, journal.table_id)
        first = next((r.event for r in journal.records() if r.type == EVENT), 0)
        named = {picture.name for picture in journal.pictures()}
    finally:
        journal.close()
    names = {file: file.name.split(".")[0] for file in folder.glob("*.jpg*")}
    gone = [f for f, name in names.items() if event_of(name) < first and name not in named]
    try:
        for file in gone:
            file.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise JournalError(str(folder), f"{reason}; remove the old pictures there") from error
    return len(gone)


def _kept(place: Path | str, table_id: str) -> tuple[tuple[Picture, ...], EvidenceFolder]:
    journal = Journal.open(place, read_only=True, table_id=table_id)
    try:
        folder = evidence_folder(journal.location, journal.table_id)
        return tuple(journal.pictures()), EvidenceFolder(folder)
    finally:
        journal.close()


def _table(place: Path | str, table_id: str) -> str:
    journal = Journal.open(place, read_only=True, table_id=table_id)
    journal.close()
    return journal.table_id
