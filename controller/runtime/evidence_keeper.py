"""Keeps the pictures that belong to a ruling or an alarm, and shows them to those who may look.

The camera's thread gives pictures, the table says what it decided. What is kept is written
by a task of its own, so that a slow or full disk does not hold the table up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Literal

from controller.rulings import Ruling
from controller.runtime.errors import RuntimeFault
from controller.runtime.evidence import (
    PublicCards,
    is_under_way,
    may_hide_cards,
    picture_name,
    public_cards,
)
from controller.runtime.evidence_folder import EvidenceFolder, sha256
from controller.runtime.evidence_index import EvidenceIndex, read_picture
from controller.runtime.evidence_ring import FrameRing, Still, best_of, spread
from controller.runtime.evidence_seal import Seal
from controller.runtime.journal import Journal
from controller.runtime.journal.values import Picture
from controller.table import TableState
from vision import Frame, Sighting, Zones

_LOGGER = logging.getLogger(__name__)

Moment = Literal["before", "best", "after"]

BEFORE_MS: Final = (4_000, 2_000, 1_000)
AFTER_MS: Final = (1_000, 2_000, 3_000)
"""When the pictures before and after the best one are taken, as far as there are some."""

BEST_WITHIN_MS: Final = 2_000
"""How old the best picture may be: longer than the watcher and the observer wait to be sure."""

_NOTHING_HIDDEN: Final = -1


@dataclass(frozen=True, slots=True)
class Case:
    """What pictures are kept for: an event, and the rulings and alarms that followed from it.

    ``kept`` are how many pictures it has already; ``at_ms`` is the time of the best one.
    """

    event: int
    at_ms: int
    rulings: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    kept: int = 0


@dataclass(frozen=True, slots=True)
class _Taken:
    """One picture to be written: ``sealed_hand`` 0 for one that may be seen at once.

    ``public`` are cards that are left in a covered one.
    """

    still: Still
    moment: Moment
    sealed_hand: int
    is_covered: bool = False
    public: PublicCards = frozenset()


class EvidenceKeeper:
    """The evidence of a running table.

    Args:
        journal: Open for writing.
        folder: Where pictures go.
        after_s: How long after a ruling the last pictures are taken.

    Raises:
        JournalError: What was kept before cannot be read.
    """

    def __init__(
        self,
        journal: Journal,
        folder: EvidenceFolder,
        *,
        after_s: float = AFTER_MS[-1] / 1000,
    ) -> None:
        self._journal, self._folder, self._after_s = journal, folder, after_s
        self._seal = Seal(journal.signer, journal.table_id)
        self._ring, self._index = FrameRing(), EvidenceIndex(journal.pictures())
        self._now: deque[tuple[Case, tuple[_Taken, ...]]] = deque()
        self._later: list[tuple[float, Case]] = []
        self._wake, self._turn = asyncio.Event(), asyncio.Lock()
        self._hidden_until_ms = _NOTHING_HIDDEN
        self._state: TableState | None = None
        self._is_failing = False

    @property
    def state(self) -> TableState:
        """The table as it was followed so far.

        Raises:
            RuntimeError: It was not told where to go on: ``resume`` first.
        """
        if self._state is None:
            raise RuntimeError("the keeper was given no table: call resume first")
        return self._state

    @property
    def is_failing(self) -> bool:
        """Whether the last picture could not be written."""
        return self._is_failing

    # --- what the table says ----------------------------------------------------------------

    def film(
        self, frame: Frame, zones: Zones | None, at_ms: int, seen: tuple[Sighting, ...] = ()
    ) -> None:
        """Take a picture; called in the camera's thread.

        Args:
            frame: The picture.
            zones: Where the zones lie in it; None where that is not known.
            at_ms: When it came, on the table's own clock.
            seen: The changes that the watcher saw on it.
        """
        self._ring.take(Still(frame.image, at_ms, seen, zones))

    def follow(
        self, seq: int, at_ms: int, after: TableState, rulings: Sequence[Ruling] = ()
    ) -> None:
        """Take in what an event did; pictures are kept when it brought a ruling or an alarm.

        Args:
            seq: The number of the event in the journal.
            at_ms: Its time.
            after: The table after it.
            rulings: Those that followed from it.
        """
        before, self._state = self._state, after
        if before is None or before.hand != after.hand:
            self._hidden_until_ms = _NOTHING_HIDDEN
        if may_hide_cards(after):
            self._hidden_until_ms = at_ms
        known = {alarm.id for alarm in before.watch.alarms} if before else set()
        alarms = tuple(a.id for a in after.watch.alarms if a.id not in known)
        if rulings or alarms:
            self._open(Case(seq, at_ms, tuple(r.id for r in rulings), alarms))

    def resume(self, state: TableState) -> None:
        """Go on at a table that a journal led to."""
        self._state = state

    def _open(self, case: Case) -> None:
        stills = self._ring.between(case.at_ms - BEFORE_MS[0] - BEST_WITHIN_MS, case.at_ms)
        best = best_of(s for s in stills if s.taken_ms >= case.at_ms - BEST_WITHIN_MS)
        if best is not None:
            older = (s for s in stills if s.taken_ms < best.taken_ms)
            chosen = spread(older, (best.taken_ms - ms for ms in BEFORE_MS))
            taken = [self._taken(still, "before") for still in chosen]
            taken.append(self._taken(best, "best"))
            if taken[-1].sealed_hand:
                public = public_cards(self.state)
                taken.append(replace(taken[-1], sealed_hand=0, is_covered=True, public=public))
            self._now.append((case, tuple(taken)))
            case = replace(case, kept=len(taken))
        self._later.append((asyncio.get_running_loop().time() + self._after_s, case))
        self._wake.set()

    def _taken(self, still: Still, moment: Moment) -> _Taken:
        """A picture with the hand for which it is sealed: in doubt it is."""
        state = self._state
        if state is None or not is_under_way(state, state.hand):
            return _Taken(still, moment, 0)
        is_hidden = may_hide_cards(state) or still.taken_ms <= self._hidden_until_ms
        return _Taken(still, moment, state.hand if is_hidden else 0)

    # --- the task that writes -----------------------------------------------------------------

    async def run(self, changed: Callable[[], None]) -> None:
        """Write what is to be kept until cancelled; ``changed`` is called after each case."""
        while True:
            self._take_later(asyncio.get_running_loop().time())
            if self._now:
                await self._keep_next()
                changed()
                continue
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self._patience())

    async def finish(self) -> None:
        """Write what is waiting, with the pictures that have come so far."""
        self._take_later(float("inf"))
        async with self._turn:  # a picture that is being written is not waiting any more
            pass
        while self._now:
            await self._keep_next()

    def _patience(self) -> float | None:
        times = [due for due, _ in self._later]
        return max(0.0, min(times) - asyncio.get_running_loop().time()) if times else None

    def _take_later(self, now_s: float) -> None:
        """The pictures after a ruling, once their time has come."""
        for due, case in [(due, case) for due, case in self._later if due <= now_s]:
            self._later.remove((due, case))
            stills = self._ring.between(case.at_ms + 1, case.at_ms + AFTER_MS[-1] + BEST_WITHIN_MS)
            chosen = spread(stills, (case.at_ms + ms for ms in AFTER_MS))
            if chosen:
                taken = tuple(self._taken(still, "after") for still in chosen)
                self._now.append((case, taken))

    async def _keep_next(self) -> None:
        async with self._turn:
            if self._now:
                await self._keep(*self._now.popleft())

    async def _keep(self, case: Case, taken: tuple[_Taken, ...]) -> None:
        try:
            kept = await asyncio.to_thread(self._write, case, taken)
        except (OSError, RuntimeFault) as error:
            if not self._is_failing:
                _LOGGER.error(
                    "no evidence can be kept in %s (%s); the table goes on without, make room "
                    "there or let its owner write to it",
                    self._folder.path,
                    getattr(error, "strerror", None) or error,
                )
            self._is_failing = True
        else:
            self._index.add(kept)
            self._is_failing = False

    def _write(self, case: Case, taken: tuple[_Taken, ...]) -> tuple[Picture, ...]:
        """Files first, then the journal: what it names was on the disk."""
        kept: list[Picture] = []
        try:
            for each in taken:
                jpeg = each.still.covered(each.public) if each.is_covered else each.still.jpeg()
                if jpeg:
                    kept.append(self._put(case, len(kept), each, jpeg))
            self._journal.keep(case.event, kept)
        except (OSError, RuntimeFault):
            with suppress(OSError):
                for picture in kept:
                    self._folder.remove(picture)
            raise
        return tuple(kept)

    def _put(self, case: Case, number: int, each: _Taken, jpeg: bytes) -> Picture:
        name = picture_name(case.event, case.kept + number + 1)
        content = self._seal.close(name, jpeg) if each.sealed_hand else jpeg
        picture = Picture(
            name=name,
            rulings=case.rulings,
            alarms=case.alarms,
            taken_ms=each.still.taken_ms,
            moment=each.moment,
            is_covered=each.is_covered,
            sealed_hand=each.sealed_hand,
            sha256=sha256(jpeg),
            file_sha256=sha256(content),
        )
        self._folder.write(picture, content)
        return picture

    # --- who looks -------------------------------------------------------------------------------

    def of(self, subject: str) -> tuple[Picture, ...]:
        """The pictures of a ruling or an alarm, in the order of their time."""
        return self._index.of(subject)

    def is_sealed(self, picture: Picture) -> bool:
        """Whether nobody may see it now, since its hand is being played."""
        state = self._state
        return bool(picture.sealed_hand) and (
            state is None or is_under_way(state, picture.sealed_hand)
        )

    def named(self, name: str) -> Picture | None:
        """The picture of that name; None where none was kept."""
        return self._index.named(name)

    def content(self, picture: Picture) -> bytes:
        """The JPEG picture; empty while it is sealed, or when its file is not what was noted."""
        if self.is_sealed(picture):
            return b""
        return read_picture(self._folder, self._seal, picture)
