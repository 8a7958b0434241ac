"""The part of a card or of the history that shows the pictures of what it tells."""

from __future__ import annotations

from nicegui import ui

from controller.web.floor_evidence import evidence_html
from controller.web.following import ShownTable


class EvidencePart:
    """Pictures on the page; they are sent anew only when they changed.

    Args:
        table: The running table.
        lang: ``en`` or ``fr``.
    """

    def __init__(self, table: ShownTable, lang: str) -> None:
        self._table, self._lang, self._sent = table, lang, ""
        self._shown = ui.html("", sanitize=False).classes("evidence")

    def show(self, *subjects: str) -> None:
        """Show the pictures of these rulings and alarms; none for a table that keeps none."""
        album = self._table.album
        views = [album.evidence(subject, self._lang) for subject in subjects] if album else []
        html = evidence_html(views, self._lang)
        if html != self._sent:
            self._sent = html
            self._shown.set_content(html)
