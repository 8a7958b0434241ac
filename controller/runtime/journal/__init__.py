"""The journal: every event of a table, on disk before anything acts on it."""

from controller.runtime.journal.journal import Journal, canonical
from controller.runtime.journal.values import Entry, Record, RecordedRuling

__all__ = ["Entry", "Journal", "Record", "RecordedRuling", "canonical"]
