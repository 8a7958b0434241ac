"""Recorded hands in the forms of other programs: PHH for poker software, CSV for tables."""

from controller.histories.played import Act, NoHistoryError, PlayedHand, RecordedHand, played
from controller.histories.summary import COLUMNS, Summary, summary
from controller.histories.writing import history

__all__ = [
    "COLUMNS",
    "Act",
    "NoHistoryError",
    "PlayedHand",
    "RecordedHand",
    "Summary",
    "history",
    "played",
    "summary",
]
