"""Evidence of the simulated table: rendered frames, the real recogniser, nothing hidden shown."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.demo import DemoOptions
from controller.demo import loop as demo_loop
from controller.demo.loop import SimulatedTable
from controller.events import BoardShown, CardDealt, Shown
from controller.rulebook import load_rulebook
from controller.runtime import Journal
from controller.runtime.journal.values import Picture
from controller.simulate.mistakes import HandPlan, Mistake
from vision import CardReader


async def played(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A hand in which the fifth card of the deal was exposed, then one with a premature turn."""
    plans = iter([HandPlan(Mistake.EXPOSED_LATER, (5,)), HandPlan(Mistake.TURN_EARLY, ())])
    monkeypatch.setattr(demo_loop, "plan_hand", lambda *_: next(plans))
    journal = folder / "d.journal"
    options = DemoOptions(hands=2, seed=5, seats=3, journal=journal)
    async with SimulatedTable(options, load_rulebook("ck")) as table:
        for number in (1, 2):
            await table.play_hand(number)
    return journal


def covered(journal: Path, ruling: str) -> Picture:
    with closing(Journal.open(journal, read_only=True)) as recorded:
        (picture,) = [p for p in recorded.pictures() if p.is_covered and ruling in p.rulings]
    return picture


def seen(journal: Path, picture: Picture) -> set[str]:
    """What the recogniser finds in an open picture."""
    content = (Path(f"{journal}.evidence") / f"{picture.name}.jpg").read_bytes()
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    return {card.card for card in CardReader.load().read(np.asarray(image, np.uint8))}


@pytest.mark.timeout(300)
async def test_a_covered_picture_shows_what_the_whole_table_has_seen_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = await played(tmp_path, monkeypatch)
    with closing(Journal.open(journal, read_only=True)) as recorded:
        events = [(entry.hand, entry.event) for entry in recorded.read()]
    exposed = {str(e.card) for _, e in events if isinstance(e, CardDealt) and e.shown is Shown.UP}
    shown = [e.cards for hand, e in events if hand == 2 and isinstance(e, BoardShown)]
    early = [str(card) for cards in shown for card in cards][:4]

    assert seen(journal, covered(journal, "1/1")) == exposed
    assert len(exposed) == 1
    assert seen(journal, covered(journal, "2/1")) == set(early)


@pytest.mark.timeout(300)
async def test_every_other_picture_of_a_hand_is_encrypted_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = await played(tmp_path, monkeypatch)
    with closing(Journal.open(journal, read_only=True)) as recorded:
        pictures = [p for p in recorded.pictures() if p.moment == "best" and not p.is_covered]

    assert [p.sealed_hand for p in pictures] == [1, 2]
    for picture in pictures:
        content = (Path(f"{journal}.evidence") / f"{picture.name}.jpg.sealed").read_bytes()
        assert cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) is None
