"""The pictures on the floor's page, and the addresses from which they and bundles are fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Final, Protocol

from fastapi import FastAPI, Response

from controller.runtime.access import EVIDENCE
from controller.runtime.errors import JournalError
from controller.view import text
from controller.view.floor_evidence import EvidenceView, PictureView


class Album(Protocol):
    """The evidence of a table."""

    def evidence(self, subject: str, lang: str) -> EvidenceView:
        """The pictures of a ruling or an alarm."""
        ...

    def picture(self, name: str) -> bytes | None:
        """A JPEG picture; empty while it is sealed, None where there is none of that name."""
        ...

    async def bundle(self, hand: int) -> bytes:
        """The signed zip file of a hand.

        Raises:
            JournalError: There is no such hand.
        """
        ...


_SEALED: Final = 423
"""Locked (RFC 4918): it is there, and closed for now."""


def register_evidence(app: FastAPI, album: Callable[[], Album | None]) -> None:
    """Put pictures and bundles at their addresses; the gate has let only the floor through.

    Args:
        app: What serves the pages.
        album: The evidence of the table; None for a table that keeps none.
    """

    @app.get(f"{EVIDENCE}{{name}}.jpg")
    def picture(name: str) -> Response:
        kept = album()
        jpeg = kept.picture(name) if kept else None
        if jpeg is None:
            return Response("No such picture.", 404, media_type="text/plain")
        if not jpeg:
            return Response("Sealed until the hand is over.", _SEALED, media_type="text/plain")
        return Response(jpeg, media_type="image/jpeg")

    @app.get(f"{EVIDENCE}hand-{{hand:int}}.zip")
    async def bundle(hand: int) -> Response:
        kept = album()
        try:
            content = await kept.bundle(hand) if kept else b""
        except JournalError:
            content = b""
        if not content:
            return Response("No such hand.", 404, media_type="text/plain")
        named = {"content-disposition": f'attachment; filename="hand-{hand}.zip"'}
        return Response(content, media_type="application/zip", headers=named)


def evidence_html(evidence: Iterable[EvidenceView], lang: str) -> str:
    """The pictures of what belongs together; what is sealed is said, not shown."""
    views = tuple(evidence)
    pictures = tuple(picture for view in views for picture in view.pictures)
    if not views:
        return ""
    shown = "".join(_figure(picture) for picture in pictures if not picture.is_sealed)
    parts = [f'<div class="pictures">{shown}</div>' if shown else ""]
    if sealed := sum(picture.is_sealed for picture in pictures):
        parts.append(_note("sealed", "▣", text(_sealed_key(sealed), lang, n=sealed)))
    if not pictures:
        parts.append(f'<p class="none">{escape(text("picture.none", lang))}</p>')
    if any(view.is_failing for view in views):
        parts.append(_note("failing", "!", text("picture.failing", lang)))
    return "".join(parts)


def bundle_html(hand: int, lang: str) -> str:
    """The link that fetches all evidence of a hand."""
    words = escape(text("picture.bundle", lang, n=hand))
    return f'<a class="tap bundle" href="{EVIDENCE}hand-{hand}.zip" download>{words}</a>'


def _figure(picture: PictureView) -> str:
    address = f"{EVIDENCE}{escape(picture.name)}.jpg"
    kind = "best" if picture.is_best else "beside"
    words = escape(picture.words)
    return (
        f'<figure class="{kind}"><a href="{address}" target="_blank" rel="noopener">'
        f'<img src="{address}" alt="{words}" data-picture="{escape(picture.name)}"></a>'
        f'<figcaption aria-hidden="true">{words}</figcaption></figure>'
    )


def _sealed_key(count: int) -> str:
    return "picture.sealed" if count == 1 else "picture.sealed_many"


def _note(kind: str, sign: str, words: str) -> str:
    return f'<p class="{kind}"><b aria-hidden="true">{sign}</b> {escape(words)}</p>'
