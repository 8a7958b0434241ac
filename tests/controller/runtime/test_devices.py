"""What the facts of a machine mean for the table."""

from __future__ import annotations

from controller.events import DeckPrepared, DeviceReported, TableEvent, Witness
from controller.observer import Input, MachineShuffled
from controller.runtime.decks import TwoDecks
from controller.runtime.devices import FactReader, shuffler_report
from firmware_bridge import (
    CardsIn,
    Deck,
    DeckSelected,
    DeviceFact,
    FaultCleared,
    FaultCode,
    FaultLocated,
    FaultRaised,
    Part,
    ShuffleFinished,
)


def read(reader: FactReader, *facts: DeviceFact, in_play: str = "") -> list[Input | TableEvent]:
    """All that the facts mean."""
    told = (reader.read(fact, 0, in_play) for fact in facts)
    return [meaning for meaning in told if meaning is not None]


def test_a_fault_is_told_with_the_part_where_it_lies() -> None:
    told = read(
        FactReader(),
        FaultLocated(FaultCode.JAM, Part.FEED, 3),
        FaultRaised(FaultCode.JAM),
        FaultRaised(FaultCode.LID_OPEN),
    )

    assert told == [
        shuffler_report("fault", "jam at the feed, 3 tries", 0, code="jam"),
        shuffler_report("fault", "lid open", 0, code="lid_open"),
    ]


def test_the_machine_is_well_only_when_its_last_fault_is_gone() -> None:
    reader = FactReader()
    read(reader, FaultRaised(FaultCode.JAM), FaultRaised(FaultCode.LID_OPEN))

    assert read(reader, FaultCleared(FaultCode.LID_OPEN)) == []
    (well,) = read(reader, FaultCleared(FaultCode.JAM))
    assert isinstance(well, DeviceReported)
    assert well.health == "ready"


def test_a_shuffle_of_the_other_deck_makes_it_ready_and_is_none_of_the_deck_in_play() -> None:
    reader = FactReader(TwoDecks("red", "blue"))
    told = read(reader, DeckSelected(Deck.B), CardsIn(51), ShuffleFinished(51, 0), in_play="red")

    assert told == [DeckPrepared(by=Witness.MACHINE, back="blue", count=51)]
    assert read(reader, ShuffleFinished(52, 0), in_play="blue") == [MachineShuffled(52, 0)]


def test_another_deck_with_boxed_cards_is_not_ready() -> None:
    reader = FactReader(TwoDecks("red", "blue"))

    assert read(reader, DeckSelected(Deck.B), ShuffleFinished(52, 1), in_play="red") == []
