"""What has been kept as evidence, found by name and by what it belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from controller.runtime.evidence_folder import EvidenceFolder, sha256
from controller.runtime.evidence_seal import Seal
from controller.runtime.journal.values import Picture


class EvidenceIndex:
    """Pictures by name, and by ruling or alarm.

    A table that starts its hands at 1 again uses the id of a ruling twice: the newest counts.

    Args:
        pictures: What was kept before, oldest first.
    """

    def __init__(self, pictures: Iterable[Picture] = ()) -> None:
        self._named: dict[str, Picture] = {}
        self._of: dict[str, list[Picture]] = {}
        self.add(pictures)

    def add(self, pictures: Iterable[Picture]) -> None:
        """Take in pictures that were kept."""
        for picture in pictures:
            self._named[picture.name] = picture
            for subject in (*picture.rulings, *picture.alarms):
                listed = self._of.setdefault(subject, [])
                if listed and _event(listed[0]) != _event(picture):
                    listed.clear()
                listed.append(picture)

    def of(self, subject: str) -> tuple[Picture, ...]:
        """The pictures of a ruling or an alarm, in the order in which they were taken."""
        found = self._of.get(subject, ())
        return tuple(sorted(found, key=lambda picture: (picture.taken_ms, picture.name)))

    def named(self, name: str) -> Picture | None:
        """The picture of that name; None where none was kept."""
        return self._named.get(name)


def read_picture(folder: EvidenceFolder, seal: Seal, picture: Picture) -> bytes:
    """A picture from its file; empty when the file is missing or not the one that was noted."""
    content = folder.read(picture)
    jpeg = seal.open(picture.name, content) if picture.sealed_hand else content
    return jpeg if sha256(jpeg) == picture.sha256 else b""


def _event(picture: Picture) -> str:
    return picture.name.partition("-")[0]
