"""The mechanism of the software shuffler: magazine, gate, faults. No wire, no clock.

It holds opaque cards: a token says which card it is to whoever put it in, and
never leaves this side of the wire.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_bridge.messages import (
    Accepted,
    Burn,
    Capacity,
    CardOut,
    CardsIn,
    Command,
    CommitEntropy,
    Deal,
    DeviceEvent,
    DeviceStatus,
    Eject,
    EntropyCommitted,
    EntropyOpened,
    FaultCleared,
    FaultCode,
    FaultRaised,
    Gate,
    GateChanged,
    Hold,
    Lock,
    LockChanged,
    MixEntropy,
    OpenEntropy,
    Part,
    PartTested,
    ReadCapacity,
    ReadStatus,
    Refusal,
    Refused,
    Reply,
    Resume,
    SelfTest,
    SelfTested,
    SetLight,
    Shuffle,
    ShuffleFinished,
    ShuffleStarted,
    TestPart,
)
from firmware_bridge.shuffle import (
    STARTUP_SAMPLES,
    Design,
    EntropyMixer,
    HealthMonitor,
    HealthTest,
    Stream,
    draw_slots,
    order_after,
)

_ENTROPY_BITS = 7.0
"""Claimed of each sample for its health tests; the generator gives all eight."""

_SAMPLES = 256
"""Hashed into one secret: far more than the 256 bits that it needs."""


@dataclass(frozen=True, slots=True)
class MagazineCard:
    """A card in the machine; ``token`` never goes on the wire, ``boxed`` lies face up."""

    token: str
    boxed: bool = False


CAPACITY = Capacity(shelves=0, cards=416, decks=1)
"""It mixes without shelves; eight decks fit, the largest shoe in use."""


PARTS = frozenset({Part.FEED, Part.GATE, Part.EXIT, Part.LID, Part.HOPPER})
"""What it has of the parts that can be tested."""


class Machine:
    """What the motors and sensors do.

    Args:
        rng: the source of the shuffles.
        emit: where its events go.
    """

    def __init__(self, rng: random.Random, emit: Callable[[DeviceEvent], None]) -> None:
        self._rng = rng
        self._emit = emit
        self._cards: list[MagazineCard] = []
        self._stuck: MagazineCard | None = None
        self._fixed_order = False
        self._faults: set[FaultCode] = set()
        self._double_feed = False
        self._drawn = 0
        self._permitted = 0
        self._is_locked = False
        self.noise: Callable[[int], bytes] = rng.randbytes
        """Samples of one byte each for what is drawn with the host."""
        self._health = HealthMonitor(_ENTROPY_BITS)
        self._mixer = EntropyMixer()
        self._seed = b""
        self.gate = Gate.HELD
        self.is_shuffling = False
        self.broken: set[Part] = set()
        """Parts that fail their test."""
        self.passed = 0
        """Cards that left the gate, all told."""
        self.moves = 0
        """Motion commands carried out, for those who check that none ran twice."""

    @property
    def count(self) -> int:
        """Cards in the machine."""
        return len(self._cards)

    @property
    def status(self) -> DeviceStatus:
        """The state that the machine reports."""
        faults = sum(1 << (code - 1) for code in self._faults)
        return DeviceStatus(
            self.gate, self._permitted, self.count, self._drawn, faults, self.is_shuffling
        )

    # --- commands -------------------------------------------------------------------------

    def execute(self, command: Command) -> Reply:
        """Carry one command out, or refuse it."""
        match command:
            case ReadStatus():
                return self.status
            case SelfTest():
                return SelfTested(self.status.faults)
            case ReadCapacity():
                return CAPACITY
            case SetLight():
                return Accepted()
            case Hold():
                self._set_gate(Gate.HELD)
                return Accepted()
            case Lock(is_locked):
                return self._lock(is_locked)
            case CommitEntropy() | MixEntropy() | OpenEntropy():
                return self._mix_entropy(command)
            case Shuffle() | Deal() | Burn() | Resume() | Eject():
                return self._move_cards(command)
            case TestPart(part):
                return self._test(part)
            case _:
                return Refused(Refusal.UNKNOWN_COMMAND)

    def _mix_entropy(self, command: CommitEntropy | MixEntropy | OpenEntropy) -> Reply:
        match command:
            case CommitEntropy():
                secret = self._draw_secret()
                if not secret:
                    self.raise_fault(FaultCode.NO_ENTROPY)
                    return Refused(Refusal.FAULT)
                self.clear_fault(FaultCode.NO_ENTROPY)
                return EntropyCommitted(self._mixer.commit(secret))
            case MixEntropy(nonce):
                is_taken = self._mixer.mix(nonce)
                return Accepted() if is_taken else Refused(Refusal.BAD_VALUE)
            case OpenEntropy():
                secret = self._mixer.opening()
                return EntropyOpened(secret) if secret else Refused(Refusal.BUSY)

    def _draw_secret(self) -> bytes:
        """A secret from samples that passed the health tests; empty where they did not."""
        if self._health.failed is not HealthTest.NONE:
            self._health.restart()
        if not self._health.is_usable and not self._health.feed(self.noise(STARTUP_SAMPLES)):
            return b""
        samples = self.noise(_SAMPLES)
        return hashlib.sha256(samples).digest() if self._health.feed(samples) else b""

    def _lock(self, is_locked: bool) -> Reply:
        if self.is_shuffling:
            return Refused(Refusal.BUSY)
        if is_locked != self._is_locked:
            self._is_locked = is_locked
            self._emit(LockChanged(is_locked))
        return Accepted()

    def _move_cards(self, command: Shuffle | Deal | Burn | Resume | Eject) -> Reply:
        if self.is_shuffling:
            return Refused(Refusal.BUSY)
        if self._faults - {FaultCode.HOPPER_EMPTY}:
            return Refused(Refusal.FAULT)
        if isinstance(command, Deal) and command.count == 0:
            return Refused(Refusal.BAD_VALUE)
        if not self._cards:
            return Refused(Refusal.NO_CARDS)
        self.moves += 1
        match command:
            case Shuffle():
                self._set_gate(Gate.HELD)
                self.is_shuffling = True
                self._seed = self._mixer.begin_shuffle()
                self._emit(ShuffleStarted())
            case Deal(count):
                self._set_gate(Gate.COUNTED, count)
            case Burn():
                self._set_gate(Gate.BURN, 1)
            case Resume():
                self._set_gate(Gate.OPEN)
            case Eject():
                self.take_all()
        return Accepted()

    def _test(self, part: Part) -> Reply:
        if self.is_shuffling:
            return Refused(Refusal.BUSY)
        if self._faults - {FaultCode.HOPPER_EMPTY}:
            return Refused(Refusal.FAULT)
        if part not in PARTS:
            return Refused(Refusal.BAD_VALUE)
        self.moves += 1
        self._emit(PartTested(part, part not in self.broken))
        return Accepted()

    def finish_shuffle(self) -> None:
        """The motors stop: the cards lie in their new order."""
        if not self.is_shuffling:
            return
        if not self._fixed_order:
            self._mix_cards()
        self._fixed_order = False
        self.is_shuffling = False
        self._drawn = 0
        self._emit(ShuffleFinished(self.count, sum(card.boxed for card in self._cards)))

    def _mix_cards(self) -> None:
        """As a carousel with a slot for each card, where both ends have drawn for it."""
        if not self._seed or not self._cards:
            self._rng.shuffle(self._cards)
            return
        plan = draw_slots(Design.CAROUSEL, self.count, self.count, Stream(self._seed))
        self._cards = [self._cards[place] for place in order_after(plan)]

    def _set_gate(self, gate: Gate, permitted: int = 0) -> None:
        if (gate, permitted) == (self.gate, self._permitted):
            return
        self.gate, self._permitted = gate, permitted
        self._emit(GateChanged(gate, permitted))

    def _close_counted_gate(self) -> None:
        """The last permitted card has passed."""
        self.gate = Gate.HELD
        self._emit(GateChanged(Gate.HELD, 0))

    # --- hands ----------------------------------------------------------------------------

    def insert(self, cards: Sequence[MagazineCard]) -> None:
        """A person puts cards in, below those already there."""
        self._cards.extend(cards)
        self._clear(FaultCode.HOPPER_EMPTY)
        self._emit(CardsIn(self.count))

    def stack(self, cards: Sequence[MagazineCard]) -> None:
        """Fill with cards whose order the next shuffle leaves as it is: a test's known deck."""
        self._cards = list(cards)
        self._fixed_order = True
        self._clear(FaultCode.HOPPER_EMPTY)
        self._emit(CardsIn(self.count))

    def draw(self) -> MagazineCard | None:
        """A person takes the next card; None when the gate is held or nothing is there."""
        if self._stuck is not None:
            card, self._stuck = self._stuck, None
            return card
        if self.gate is Gate.HELD:
            return None
        if not self._cards:
            self.raise_fault(FaultCode.HOPPER_EMPTY)
            return None
        card = self._pass_gate()
        if self._double_feed and self._cards:
            self._double_feed = False
            self._stuck = self._pass_gate()
            self.raise_fault(FaultCode.DOUBLE_FEED)
        elif self.gate in (Gate.COUNTED, Gate.BURN):
            self._permitted -= 1
            if self._permitted == 0:
                self._close_counted_gate()
        return card

    def _pass_gate(self) -> MagazineCard:
        card = self._cards.pop(0)
        self._drawn += 1
        self.passed += 1
        self._emit(CardOut(self._drawn, card.boxed))
        return card

    def take_all(self) -> tuple[MagazineCard, ...]:
        """A person opens the lid and empties the machine."""
        cards, self._cards = tuple(self._cards), []
        self.is_shuffling = False
        self._set_gate(Gate.HELD)
        self._emit(CardsIn(0))
        return cards

    # --- faults ---------------------------------------------------------------------------

    def raise_fault(self, code: FaultCode) -> None:
        """A sensor trips: everything stops, the gate is held."""
        if code in self._faults:
            return
        self._faults.add(code)
        self.is_shuffling = False
        self._emit(FaultRaised(code))
        self._set_gate(Gate.HELD)

    def clear_fault(self, code: FaultCode) -> None:
        """A person removes the cause."""
        self._clear(code)

    def _clear(self, code: FaultCode) -> None:
        if code in self._faults:
            self._faults.remove(code)
            self._emit(FaultCleared(code))

    def arm_double_feed(self) -> None:
        """The next draw feeds two cards."""
        self._double_feed = True

    def power_cut(self) -> None:
        """What a reset leaves: the cards where they lie, the gate held, counters at zero."""
        self.is_shuffling = False
        self.gate = Gate.HELD
        self._permitted = self._drawn = 0
        self._mixer = EntropyMixer()
