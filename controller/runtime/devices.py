"""From what the shuffler and the camera say to what the table takes in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from enum import Enum
from typing import Final, Literal, Protocol, runtime_checkable

from controller.cards import Card
from controller.events import DeckPrepared, DeviceReported, Witness
from controller.observer import (
    CardLeftShoe,
    CardsEnteredShoe,
    Input,
    LyingCard,
    MachineShuffled,
    ZoneContent,
)
from controller.runtime.decks import TwoDecks
from firmware_bridge import (
    CardOut,
    CardsIn,
    Deck,
    DeviceFact,
    DeviceRestarted,
    EventsLost,
    FaultCleared,
    FaultCode,
    FaultLocated,
    FaultRaised,
    LinkChanged,
    LinkState,
    SecurityIncident,
    ShuffleFinished,
)
from vision import Face, Sighting

Health = Literal["ready", "degraded", "lost", "fault", "unknown_outcome"]

UNKNOWN_SHUFFLE: Final = "unknown_shuffle"
"""The code of a shuffle of which nobody knows whether it was carried out."""


class Machine(Protocol):
    """What the table needs of a shuffler; ``firmware_bridge.Shuffler`` is one."""

    def facts(self) -> AsyncIterator[DeviceFact]:
        """Everything that happens to the machine."""
        ...

    async def shuffle(self) -> ShuffleFinished:
        """Shuffle every card in the machine."""
        ...

    async def hold(self) -> None:
        """Close the gate."""
        ...

    async def resume(self) -> None:
        """Open the gate."""
        ...


@runtime_checkable
class SelectsDecks(Protocol):
    """What the table needs besides of a machine with two decks."""

    async def select_deck(self, deck: Deck) -> None:
        """Bring this deck to the gate."""
        ...


_LINK_HEALTH: Final[dict[LinkState, Health]] = {
    LinkState.CONNECTING: "degraded",
    LinkState.READY: "ready",
    LinkState.DEGRADED: "degraded",
    LinkState.LOST: "lost",
}


class FactReader:
    """Reads the facts of one shuffler; tells where a fault lies, and when the last is gone.

    Args:
        decks: The two decks of a machine that has them.
    """

    def __init__(self, decks: TwoDecks | None = None) -> None:
        self._decks = decks
        self._place: FaultLocated | None = None
        self._standing: set[FaultCode] = set()

    def read(
        self, fact: DeviceFact, at_ms: int, in_play: str = ""
    ) -> Input | DeviceReported | DeckPrepared | None:
        """What a fact means for the table; None when it means nothing there.

        Args:
            fact: What the machine said.
            at_ms: On the table's clock.
            in_play: The back of the deck in play.
        """
        if self._decks is not None:
            self._decks.note(fact)
            if self._decks.at_gate not in ("", in_play) and isinstance(fact, _OF_A_DECK):
                return _of_other_deck(fact, self._decks.at_gate, at_ms)
        place = self._place
        self._place = fact if isinstance(fact, FaultLocated) else None
        self._follow(fact)
        if isinstance(fact, FaultRaised) and place is not None and place.code is fact.code:
            return shuffler_report("fault", _located(place), at_ms, code=fact.code.name.lower())
        if isinstance(fact, FaultCleared) and self._standing:
            return None  # it is no better than it was
        return from_fact(fact, at_ms)

    def _follow(self, fact: DeviceFact) -> None:
        match fact:
            case FaultRaised(code=code):
                self._standing.add(code)
            case FaultCleared(code=code):
                self._standing.discard(code)
            case DeviceRestarted() | EventsLost():
                self._standing.clear()
            case _:
                pass


_OF_A_DECK: Final = (CardOut, CardsIn, ShuffleFinished)
"""Facts about the cards of the deck at the gate."""


def _of_other_deck(fact: DeviceFact, back: str, at_ms: int) -> DeckPrepared | None:
    """A deck with boxed cards is not ready: it is shuffled and ruled on when it is in play."""
    if not isinstance(fact, ShuffleFinished) or fact.boxed:
        return None
    return DeckPrepared(at_ms=at_ms, by=Witness.MACHINE, back=back, count=fact.count)


def _located(place: FaultLocated) -> str:
    tried = f", {place.tries} tries" if place.tries else ""
    return f"{_words(place.code)} at the {_words(place.part)}{tried}"


def _words(value: Enum) -> str:
    return value.name.lower().replace("_", " ")


def from_fact(fact: DeviceFact, at_ms: int) -> Input | DeviceReported | None:
    """What a fact of the shuffler means for the table; None when it means nothing there."""
    match fact:
        case CardOut(number=number, boxed=boxed):
            return CardLeftShoe(number, boxed, at_ms)
        case CardsIn(count=count):
            return CardsEnteredShoe(count, at_ms)
        case ShuffleFinished(count=count, boxed=boxed):
            return MachineShuffled(count, at_ms, boxed)
        case FaultRaised(code=code):
            return shuffler_report("fault", _words(code), at_ms, code=code.name.lower())
        case FaultCleared():
            return shuffler_report("ready", "", at_ms)
        case LinkChanged(new=new, reason=reason):
            return shuffler_report(_LINK_HEALTH[new], reason, at_ms)
        case DeviceRestarted():
            return shuffler_report("unknown_outcome", "the shuffler restarted", at_ms)
        case SecurityIncident(breach=breach, detail=detail):
            words = f"a stranger on the cable: {breach.value}, {detail}"
            return shuffler_report("fault", words, at_ms, code="stranger")
        case EventsLost(first=first, last=last):
            words = f"its events {first} to {last} are lost"
            return shuffler_report("unknown_outcome", words, at_ms)
        case _:
            return None


def shuffler_report(health: Health, detail: str, at_ms: int, *, code: str = "") -> DeviceReported:
    """The event that says how the shuffler is."""
    return DeviceReported(
        at_ms=at_ms,
        by=Witness.SYSTEM,
        device="shuffler",
        health=health,
        detail=detail,
        code=code,
    )


def camera_report(health: Health, detail: str, at_ms: int) -> DeviceReported:
    """The event that says how the camera is."""
    return DeviceReported(
        at_ms=at_ms, by=Witness.SYSTEM, device="camera", health=health, detail=detail
    )


def from_sighting(sighting: Sighting, at_ms: int) -> ZoneContent:
    """A sighting in the table's words and on the table's clock."""
    cards = tuple(
        LyingCard(Card(seen.card), up=True)
        if seen.face is Face.UP
        else LyingCard(Card.UNKNOWN, up=False, back=seen.back)
        for seen in sighting.cards
    )
    return ZoneContent(sighting.zone, cards, at_ms)
