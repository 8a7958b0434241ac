"""How far a journal has been handed to the broker, remembered beside it."""

from __future__ import annotations

from pathlib import Path

import msgspec
from platformdirs import user_data_path

from controller.runtime.journal import Journal


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """The newest record that the broker has acknowledged, and its hash; 0 before the first."""

    seq: int = 0
    id: str = ""


class PositionFile:
    """Keeps a position across restarts.

    Losing it costs nothing but time: the table then sends the whole journal once more, and
    receivers count each record once. So it need not be forced to disk.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, journal: Journal) -> PositionFile:
        """Beside a journal's file; for a database in the user's own data folder."""
        if "://" not in journal.path:
            return cls(Path(f"{journal.path}.sent"))
        folder = user_data_path("cutcard", appauthor=False) / "sent"
        return cls(folder / f"{journal.table_id.replace('/', '_')}.sent")

    def read(self) -> Position:
        """What was remembered; the very beginning where nothing is, or nothing legible."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Position)
        except (OSError, ValueError, RecursionError):  # msgspec.DecodeError is a ValueError
            return Position()

    def write(self, position: Position) -> None:
        """Remember it.

        Raises:
            OSError: The file cannot be written.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_name(f"{self._path.name}.new")
        new.write_bytes(msgspec.json.encode(position))
        new.replace(self._path)
