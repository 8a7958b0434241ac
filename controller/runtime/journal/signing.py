"""When a head is signed: fixed, so that a signature that was taken away is missed."""

from __future__ import annotations

from typing import Final

from controller.runtime.journal.values import EVENT, OPENED, RULING, Reason, Record

BLOCK: Final = 32
"""Most records between two signatures. A hand has about a hundred records and signing costs
a hundredth of a write to disk, so a block could be smaller; it need not, as whatever matters
(an opening, the start of a hand, a ruling) is signed at once anyway."""

_WHY: Final[dict[Reason, str]] = {
    "opened": "every opening is signed",
    "hand": "the start of every hand is signed",
    "ruling": "every ruling is signed",
    "block": f"one record in {BLOCK} is signed",
}


class SigningRule:
    """Goes along the records and says which must have been signed.

    Args:
        hand: The hand of the event before the first record, 0 for none.
    """

    def __init__(self, hand: int = 0) -> None:
        self._hand, self._unsigned = hand, 0
        self._ruling = 0

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
        missed = self.ended() if record.type != RULING else ()
        self._unsigned = 0 if is_signed else self._unsigned + 1
        if record.type == RULING:
            self._ruling = 0 if is_signed else record.seq
        reason = self._reason(record)
        if record.type == EVENT:
            self._hand = record.hand
        if reason is None or is_signed:
            return missed
        self._unsigned = 0
        return (*missed, (record.seq, _WHY[reason]))

    def ended(self) -> tuple[tuple[int, str], ...]:
        """What is missed once no further ruling of the same event comes."""
        seq, self._ruling = self._ruling, 0
        return ((seq, _WHY["ruling"]),) if seq else ()

    def skip(self, hand: int) -> None:
        """Records are missing: what was signed among them cannot be known."""
        self._hand, self._unsigned, self._ruling = hand, 0, 0

    def _reason(self, record: Record) -> Reason | None:
        if record.type == OPENED:
            return "opened"
        if record.type == EVENT and record.hand != self._hand:
            return "hand"
        return "block" if self._unsigned >= BLOCK else None
