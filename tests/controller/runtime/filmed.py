"""A table whose camera is played by the test: pictures, a hand, and its evidence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from controller.cards import Card
from controller.events import (
    CardDealt,
    CardsGathered,
    DeckCut,
    DeckShuffled,
    HandStarted,
    PotPushed,
    Shown,
    TableEvent,
    Witness,
)
from controller.rulebook import load_rulebook
from controller.rules import advance, new_table
from controller.runtime import Journal
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.evidence_keeper import EvidenceKeeper
from controller.table import TableState
from vision import Face, Frame, Quad, SeenCard, Sighting, Zone, Zones

CK = load_rulebook("ck")
SIZE = (48, 64)
ZONES = Zones(
    (
        Zone("board:1", ((0, 0), (32, 0), (32, 24), (0, 24))),
        Zone("seat:1", ((32, 0), (64, 0), (64, 24), (32, 24))),
        Zone("muck", ((0, 24), (64, 24), (64, 48), (0, 48))),
    )
)
QUAD: Quad = ((40, 4), (50, 4), (50, 18), (40, 18))
"""Where a card lies at seat 1."""

CHANGE = (Sighting("seat:1", (SeenCard("As", Face.UP, QUAD, 1.0),), 0, 0.0),)
BEFORE_THE_CUT: tuple[TableEvent, ...] = (
    HandStarted(hand=1, seats=(1, 2, 3, 4), button=1, small_blind=2, big_blind=3),
    DeckShuffled(count=52, by=Witness.MACHINE),
)
EXPOSED: tuple[TableEvent, ...] = (
    *BEFORE_THE_CUT,
    DeckCut(),
    CardDealt(seat=2),
    CardDealt(seat=3),
    CardDealt(seat=4, card=Card.SA, shown=Shown.UP, by=Witness.CAMERA),
)
"""The last card is dealt face up: ruling 1/1 (ck.exposed.6)."""

END: tuple[TableEvent, ...] = (PotPushed(seats=(1,)), CardsGathered(count=52))
NEXT_HAND = HandStarted(hand=2, seats=(1, 2, 3, 4), button=2, small_blind=3, big_blind=4)


def frame(shade: int = 90, number: int = 0) -> Frame:
    return Frame(np.full((*SIZE, 3), shade, np.uint8), number / 30, number)


@dataclass
class FilmedTable:
    """Journal, rules and keeper, without devices and clock."""

    journal: Journal
    keeper: EvidenceKeeper
    state: TableState = field(default_factory=lambda: new_table(CK))
    now_ms: int = 0

    def film(self, *, is_change: bool = False, zones: Zones | None = ZONES) -> None:
        """A second passes, and a picture comes."""
        self.now_ms += 1000
        self.keeper.film(frame(), zones, self.now_ms, CHANGE if is_change else ())

    def happen(self, *events: TableEvent) -> None:
        """Events as the supervisor takes them: disk, rules, evidence."""
        for event in events:
            hand = event.hand if isinstance(event, HandStarted) else self.state.hand
            seq = self.journal.append(event, hand=hand)
            outcome = advance(self.state, event, CK)
            self.journal.record(seq, outcome.rulings)
            self.state = outcome.state
            self.keeper.follow(seq, self.now_ms, outcome.state, outcome.rulings)


@contextmanager
def filmed(folder: Path, pictures: Path | None = None) -> Iterator[FilmedTable]:
    """A table with its journal in a folder."""
    with closing(Journal.open(folder / "t.journal", table_id="T", rulebook="ck")) as journal:
        keeper = EvidenceKeeper(
            journal, EvidenceFolder(pictures or folder / "t.journal.evidence"), after_s=0.0
        )
        table = FilmedTable(journal, keeper)
        keeper.resume(table.state)
        yield table


async def exposed_card(table: FilmedTable) -> None:
    """A hand in which a card is dealt face up, filmed and kept."""
    for _ in range(4):
        table.film()
    table.happen(*EXPOSED[:-1])
    table.film(is_change=True)
    table.happen(EXPOSED[-1])
    table.film()
    await table.keeper.finish()
