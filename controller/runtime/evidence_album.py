"""The evidence of a running table as its pages show it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from controller.runtime.evidence_bundle import Archive, Wanted, build
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.evidence_keeper import EvidenceKeeper
from controller.runtime.journal import Journal
from controller.runtime.journal.journal import wall_ms
from controller.runtime.journal.values import Picture
from controller.view.floor_evidence import EvidenceView, PictureView, picture_words


class EvidenceAlbum:
    """What pages may show of the evidence; who may open a page is not decided here.

    Args:
        keeper: Keeps the evidence of the table.
        journal: The table's journal, open for writing.
        folder: Where the pictures are.
    """

    def __init__(self, keeper: EvidenceKeeper, journal: Journal, folder: EvidenceFolder) -> None:
        self._keeper, self._archive = keeper, Archive(journal, folder, journal.signer)

    def evidence(self, subject: str, lang: str) -> EvidenceView:
        """The pictures of a ruling or an alarm, in ``en`` or ``fr``."""
        pictures = self._keeper.of(subject)
        best_ms = next((p.taken_ms for p in pictures if p.moment == "best"), 0)
        return EvidenceView(
            pictures=tuple(self._view(p, best_ms, lang) for p in self._shown(pictures)),
            is_failing=self._keeper.is_failing,
        )

    def picture(self, name: str) -> bytes | None:
        """A JPEG picture; empty while it is sealed, None where there is none of that name.

        A file that is missing or not the one that was noted is none.
        """
        picture = self._keeper.named(name)
        if picture is None:
            return None
        if self._keeper.is_sealed(picture):
            return b""
        return self._keeper.content(picture) or None

    async def bundle(self, hand: int) -> bytes:
        """The signed zip file of a hand.

        Raises:
            JournalError: There is no such hand, or the journal cannot be read.
        """
        state = self._keeper.state
        return await asyncio.to_thread(build, self._archive, Wanted(hand), state, wall_ms())

    def _shown(self, pictures: Sequence[Picture]) -> list[Picture]:
        """Without the covered one, once the one that it stands for is open."""
        is_sealed = any(p.moment == "best" and self._keeper.is_sealed(p) for p in pictures)
        return [p for p in pictures if is_sealed or not p.is_covered]

    def _view(self, picture: Picture, best_ms: int, lang: str) -> PictureView:
        away_ms = picture.taken_ms - best_ms
        return PictureView(
            name=picture.name,
            words=picture_words(picture.moment, away_ms, lang, is_covered=picture.is_covered),
            is_best=picture.moment == "best",
            is_covered=picture.is_covered,
            is_sealed=self._keeper.is_sealed(picture),
        )
