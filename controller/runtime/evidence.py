"""Pictures kept as evidence: their folder, their names, and what is public of a table.

A picture is a file of a folder beside the journal. The journal's chain holds its name and
its hash (``Picture``), so that it cannot be exchanged unnoticed. ``docs/evidence.md`` says
who may see which picture, and when.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final
from urllib.parse import quote

from platformdirs import user_data_path

from controller.events import Street
from controller.runtime.journal.location import Location
from controller.table import TableState

PUBLIC_ZONES: Final = ("board", "aside")
"""Zones in which every card that lies face up was shown to the whole table. A seat, the muck,
the burns and the stub may hold a card that a camera above sees and nobody else."""

PublicCards = frozenset[tuple[str, str]]
"""Cards that everybody at the table has seen, each with the zone in which it lies."""

SUFFIX: Final = ".jpg"
SEALED_SUFFIX: Final = ".jpg.sealed"

_NAME: Final = re.compile(r"\d{8,12}-\d{2}")


def picture_name(event: int, number: int) -> str:
    """The name of a picture: the event in the journal, and which of its pictures."""
    return f"{event:08d}-{number:02d}"


def is_picture_name(name: str) -> bool:
    """Whether it is a name as ``picture_name`` gives; nothing else is looked for on the disk."""
    return _NAME.fullmatch(name) is not None


def event_of(name: str) -> int:
    """The event that a picture belongs to, by its name; far beyond any for another name."""
    return int(name.partition("-")[0]) if is_picture_name(name) else sys.maxsize


def evidence_folder(location: Location, table_id: str) -> Path:
    """Where the pictures of a table lie.

    Beside a file: ``x.journal.evidence``. For a database in the user's own data folder.
    """
    if location.is_file:
        return location.path.with_name(f"{location.path.name}.evidence")
    folder = user_data_path("cutcard", appauthor=False) / "evidence"
    return folder / quote(table_id, safe=" ")


def is_under_way(state: TableState, hand: int) -> bool:
    """Whether a hand is still being played, so that its sealed pictures stay closed."""
    return state.hand == hand and state.street is not Street.BETWEEN


def public_cards(state: TableState) -> PublicCards:
    """The cards in other places than ``PUBLIC_ZONES`` that were shown to the whole table."""
    held = {
        ("off_table" if card.off_table else f"seat:{seat}", str(card.card))
        for seat, hand in state.hands.items()
        for card in hand
        if card.is_up and card.card.is_known
    }
    burnt = {("burn", str(card)) for card in state.burns if card.is_known}
    return frozenset(held | burnt)


def may_hide_cards(state: TableState) -> bool:
    """Whether a camera may see a card now that nobody at the table may know.

    Before the cut no card has left the deck. From then on one may flash, be looked at or
    lie face up at a seat at any moment, seen by the recogniser or not.
    """
    untouched = state.cards_out == 0 and not state.is_cut
    return state.street is not Street.BETWEEN and not untouched
