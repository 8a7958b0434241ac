"""When a head is signed: fixed, so that a signature that was taken away is missed."""

from __future__ import annotations

from typing import Final

from controller.runtime.journal.values import EVENT, OPENED, PICTURE, RULING, Reason, Record

BLOCK: Final = 32
"""Most records between two signatures. A hand has about a hundred records and signing costs
a hundredth of a write to disk, so a block could be smaller; it need not, as whatever matters
(an opening, the start of a hand, a ruling) is signed at once anyway."""

_WHY: Final[dict[Reason, str]] = {
    "opened": "every opening is signed",
    "hand": "the start of every hand is signed",
    "ruling": "every ruling is signed",
    "picture": "the last picture of an event is signed",
    "block": f"one record in {BLOCK} is signed",
}

_LAST_IS_SIGNED: Final[dict[str, Reason]] = {RULING: "ruling", PICTURE: "picture"}
"""Types of which several are written at once, under one signature at the last of them."""


class SigningRule:
    """Goes along the records and says which must have been signed.

    Args:
        hand: The hand of the event before the first record, 0 for none.
    """

    def __init__(self, hand: int = 0) -> None:
        self._hand, self._unsigned = hand, 0
        self._last_of: Reason | None = None
        self._waiting = 0

    def missed(
        self, record: Record, *, is_signed: bool, is_covered: bool
    ) -> tuple[tuple[int, str], ...]:
        """Take the next record; returns which must be signed and are not, and why they must.

        Args:
            record: The next.
            is_signed: A head is at it.
            is_covered: A head is at it or behind it.
        """
        if is_covered and not record.written_ms:
            # Taken over from a time before there were signatures, and vouched for since.
            self._hand = record.hand
            return ()
        missed = self.ended() if record.type != self._last_of else ()
        self._unsigned = 0 if is_signed else self._unsigned + 1
        if record.type in _LAST_IS_SIGNED:
            self._last_of = _LAST_IS_SIGNED[record.type]
            self._waiting = 0 if is_signed else record.seq
        reason = self._reason(record)
        if record.type == EVENT:
            self._hand = record.hand
        if reason is None or is_signed:
            return missed
        self._unsigned = 0
        return (*missed, (record.seq, _WHY[reason]))

    def ended(self) -> tuple[tuple[int, str], ...]:
        """What is missed once no further record of the same type comes."""
        seq, self._waiting = self._waiting, 0
        return ((seq, _WHY[self._last_of]),) if seq and self._last_of else ()

    def skip(self, hand: int) -> None:
        """Records are missing: what was signed among them cannot be known."""
        self._hand, self._unsigned, self._waiting = hand, 0, 0

    def _reason(self, record: Record) -> Reason | None:
        if record.type == OPENED:
            return "opened"
        if record.type == EVENT and record.hand != self._hand:
            return "hand"
        return "block" if self._unsigned >= BLOCK else None
