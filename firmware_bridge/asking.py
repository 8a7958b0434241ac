"""What a machine can be asked, a method for each command, and what its refusals mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from firmware_bridge.errors import (
    CommandRefusedError,
    DeviceFaultError,
    LinkError,
    ProtocolError,
)
from firmware_bridge.messages import (
    Burn,
    Capacity,
    Command,
    Deal,
    Deck,
    DeviceStatus,
    Eject,
    Hold,
    Light,
    Lock,
    Meters,
    Part,
    ReadCapacity,
    ReadMeters,
    ReadStatus,
    Refusal,
    Refused,
    Reply,
    Resume,
    SelectDeck,
    SelfTest,
    SelfTested,
    SetKey,
    SetLight,
    TestPart,
)
from firmware_bridge.security import DeviceKey

_ReplyT = TypeVar("_ReplyT")


class Commands(ABC):
    """The commands of a machine.

    Each raises LinkLostError (not carried out, or harmless), OutcomeUnknownError (a motion
    that may have been carried out), CommandRefusedError and DeviceFaultError.
    """

    @abstractmethod
    async def _ask(self, command: Command) -> Reply:
        """The machine's answer to a command, which is no refusal."""

    async def status(self) -> DeviceStatus:
        """State of gate, magazine and faults."""
        return _expect(DeviceStatus, await self._ask(ReadStatus()))

    async def deal(self, n: int) -> None:
        """Permit exactly ``n`` cards at the gate."""
        await self._ask(Deal(n))

    async def burn(self) -> None:
        """Permit exactly one card at the gate, the burn."""
        await self._ask(Burn())

    async def hold(self) -> None:
        """Close the gate."""
        await self._ask(Hold())

    async def resume(self) -> None:
        """Open the gate: cards may be drawn one after another."""
        await self._ask(Resume())

    async def eject(self) -> None:
        """Give every card in the machine out at the lid."""
        await self._ask(Eject())

    async def light(self, light: Light, tone_ms: int = 0) -> None:
        """Set the lamp, and sound the buzzer for ``tone_ms`` milliseconds."""
        await self._ask(SetLight(light, tone_ms))

    async def lock(self, is_locked: bool) -> None:
        """Lock or unlock the lid."""
        await self._ask(Lock(is_locked))

    async def select_deck(self, deck: Deck) -> None:
        """Bring this deck to the gate; ``DeckSelected`` tells when it is there."""
        await self._ask(SelectDeck(deck))

    async def capacity(self) -> Capacity:
        """How the machine is built."""
        return _expect(Capacity, await self._ask(ReadCapacity()))

    async def meters(self) -> Meters:
        """What the machine has counted since its start."""
        return _expect(Meters, await self._ask(ReadMeters()))

    async def test_part(self, part: Part) -> None:
        """Test one part without cards; ``PartTested`` tells how it went."""
        await self._ask(TestPart(part))

    async def set_key(self, key: DeviceKey) -> None:
        """Give the machine its key; it takes one only in its trusted mode."""
        await self._ask(SetKey(key.value))

    async def self_test(self) -> SelfTested:
        """Run the sensors' self-test."""
        return _expect(SelfTested, await self._ask(SelfTest()))


def refusal(command: Command, reply: Refused) -> LinkError:
    """The error that a refusal is to whoever gave the command."""
    if reply.reason is Refusal.FAULT:
        return DeviceFaultError("a standing fault")
    return CommandRefusedError(type(command).__name__, words(reply.reason.name))


def words(name: str) -> str:
    """The name of an enumeration's member in lower case, with spaces."""
    return name.lower().replace("_", " ")


def _expect(kind: type[_ReplyT], reply: Reply) -> _ReplyT:
    if not isinstance(reply, kind):
        raise ProtocolError(f"asked for {kind.__name__}, the machine answered {reply}")
    return reply
