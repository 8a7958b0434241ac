"""The topics of a table, as ``docs/mqtt.md`` describes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

ROOT: Final = "cutcard/v1"
"""Everything lies below it; the number changes when a receiver could no longer read a payload."""

TABLE_ID: Final = r"[A-Za-z0-9_-]{1,40}"
"""What a table may be called in a topic: none of the characters that mean something there."""

RECORD_WORDS: Final = {
    "event": "fact",
    "ruling": "ruling",
    "opened": "opened",
    "picture": "picture",
}
"""The last word of the topic, by the type of the record."""

_TOPIC: Final = re.compile(rf"{ROOT}/({TABLE_ID})/(fact|ruling|opened|picture|state|status|resend)")


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table."""

    table: str

    def record(self, of_type: str) -> str:
        """Where a record goes: each type has a topic."""
        return f"{ROOT}/{self.table}/{RECORD_WORDS[of_type]}"

    @property
    def state(self) -> str:
        """Retained: how the table stands."""
        return f"{ROOT}/{self.table}/state"

    @property
    def status(self) -> str:
        """Retained: whether it is connected; the broker speaks its last will here."""
        return f"{ROOT}/{self.table}/status"

    @property
    def resend(self) -> str:
        """Where a receiver asks for records once more."""
        return f"{ROOT}/{self.table}/resend"


PIT_SUBSCRIPTIONS: Final = tuple(
    f"{ROOT}/+/{word}" for word in (*RECORD_WORDS.values(), "state", "status")
)
"""What a pit listens to."""


def parsed(topic: str) -> tuple[str, str]:
    """The table and the last word of a topic; two empty texts for any other topic."""
    found = _TOPIC.fullmatch(topic)
    return (found[1], found[2]) if found else ("", "")
