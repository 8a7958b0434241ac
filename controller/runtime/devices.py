"""From what the shuffler and the camera say to what the table takes in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final, Literal, Protocol

from controller.cards import Card
from controller.events import DeviceReported, Witness
from controller.observer import (
    CardLeftShoe,
    CardsEnteredShoe,
    Input,
    LyingCard,
    MachineShuffled,
    ZoneContent,
)
from firmware_bridge import (
    CardOut,
    CardsIn,
    DeviceFact,
    DeviceRestarted,
    EventsLost,
    FaultCleared,
    FaultRaised,
    LinkChanged,
    LinkState,
    SecurityIncident,
    ShuffleFinished,
)
from vision import Face, Sighting

Health = Literal["ready", "degraded", "lost", "fault", "unknown_outcome"]


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


_LINK_HEALTH: Final[dict[LinkState, Health]] = {
    LinkState.CONNECTING: "degraded",
    LinkState.READY: "ready",
    LinkState.DEGRADED: "degraded",
    LinkState.LOST: "lost",
}


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
            name = code.name.lower()
            return shuffler_report("fault", name.replace("_", " "), at_ms, code=name)
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
