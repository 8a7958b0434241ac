"""What the machine is told: once for each difference, never twice in doubt, the deck first."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from pytest_mock import MockerFixture

from controller.runtime import effects
from controller.runtime.decks import TwoDecks
from controller.runtime.devices import UNKNOWN_SHUFFLE, Health
from controller.runtime.effects import Effects, Wish
from firmware_bridge import (
    CardsIn,
    CommandRefusedError,
    Deck,
    DeckSelected,
    DeviceFact,
    DeviceFaultError,
    FaultCleared,
    FaultCode,
    FaultRaised,
    LinkError,
    OutcomeUnknownError,
    ShuffleFinished,
)

SHUFFLE = Wish(is_open=False, shuffle_for="1:next")


@dataclass
class FakeMachine:
    """Does what it is told, or fails as its list says."""

    orders: list[str] = field(default_factory=list)
    failures: list[LinkError | None] = field(default_factory=list)
    finished: ShuffleFinished = field(default_factory=lambda: ShuffleFinished(52, 0))

    async def facts(self) -> AsyncIterator[DeviceFact]:
        nothing: tuple[DeviceFact, ...] = ()
        for fact in nothing:
            yield fact

    async def shuffle(self) -> ShuffleFinished:
        self._order("shuffle")
        return self.finished

    async def hold(self) -> None:
        self._order("hold")

    async def resume(self) -> None:
        self._order("resume")

    async def select_deck(self, deck: Deck) -> None:
        self._order(f"deck {deck.name}")

    def _order(self, name: str) -> None:
        self.orders.append(name)
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure


class Bench:
    """Effects on a fake machine, and what was told."""

    def __init__(self, *failures: LinkError | None, decks: TwoDecks | None = None) -> None:
        self.machine = FakeMachine(failures=list(failures))
        self.told: list[tuple[Health, str]] = []
        self.shuffled: list[ShuffleFinished] = []
        self.decks = decks
        self.effects = Effects(self.machine, self.tell, decks, self.shuffled.append)

    def tell(self, health: Health, detail: str, *, code: str = "") -> None:
        assert isinstance(detail, str)
        self.told.append((health, code))

    def note(self, fact: DeviceFact) -> None:
        """As the supervisor: the decks learn too."""
        if self.decks is not None:
            self.decks.note(fact)
        self.effects.note(fact)


@pytest.fixture(autouse=True)
def impatient(mocker: MockerFixture) -> None:
    mocker.patch.object(effects, "BUSY_PAUSE_S", 0.0)


async def test_a_busy_machine_is_asked_again_and_not_reported() -> None:
    bench = Bench(CommandRefusedError("Shuffle", "busy"))

    assert not await bench.effects.reconcile(SHUFFLE)
    assert await bench.effects.reconcile(SHUFFLE)
    assert bench.machine.orders == ["shuffle", "shuffle"]
    assert bench.told == []


async def test_a_machine_that_stays_busy_is_out_of_order(mocker: MockerFixture) -> None:
    mocker.patch.object(effects, "BUSY_TRIES", 2)
    bench = Bench(*[CommandRefusedError("Shuffle", "busy")] * 9)
    while not await bench.effects.reconcile(SHUFFLE):
        continue

    assert bench.machine.orders == ["shuffle"] * 3
    assert bench.told == [("fault", "")]


async def test_a_shuffle_in_doubt_is_ordered_again_only_when_a_person_has_answered() -> None:
    bench = Bench(OutcomeUnknownError("Shuffle", "it restarted"))
    latched = Wish(is_open=False, has_alarm=True)
    for wish in (SHUFFLE, SHUFFLE, latched, SHUFFLE):
        await bench.effects.reconcile(wish)
    before = bench.machine.orders.count("shuffle")
    await bench.effects.reconcile(Wish(is_open=False, shuffle_for="1:next", answered=1))

    assert bench.told[0] == ("unknown_outcome", UNKNOWN_SHUFFLE)
    assert before == 1
    assert bench.machine.orders.count("shuffle") == 2


async def test_a_gate_in_doubt_is_set_again_at_once_and_the_machine_is_well_then() -> None:
    bench = Bench(OutcomeUnknownError("Resume", "it restarted"))
    for _ in range(2):
        await bench.effects.reconcile(Wish(is_open=True))

    assert bench.machine.orders == ["resume", "resume"]
    assert bench.told == [("unknown_outcome", ""), ("ready", "")]


@pytest.mark.parametrize(
    ("failure", "cure"),
    [
        (CommandRefusedError("Shuffle", "no cards"), CardsIn(52)),
        (DeviceFaultError("jam"), FaultCleared(FaultCode.JAM)),
    ],
)
async def test_nothing_is_sent_to_a_machine_at_fault_before_somebody_has_put_it_right(
    failure: LinkError, cure: DeviceFact
) -> None:
    bench = Bench(failure)
    for _ in range(3):
        await bench.effects.reconcile(SHUFFLE)
    before = list(bench.machine.orders)
    bench.note(cure)
    await bench.effects.reconcile(SHUFFLE)

    assert before == ["shuffle"]
    assert bench.machine.orders == ["shuffle", "shuffle"]


RED = Wish(is_open=False, deck="red")
PREPARE = Wish(is_open=False, deck="red", prepares=True)
BLUE = Wish(is_open=False, deck="blue", shuffle_for="2:next")


async def prepared(*failures: LinkError | None) -> Bench:
    """The red deck was in play; the blue one was to be made ready meanwhile."""
    bench = Bench(*failures, decks=TwoDecks("red", "blue"))
    bench.note(DeckSelected(Deck.A))
    await bench.effects.reconcile(PREPARE)
    bench.note(DeckSelected(Deck.B))
    await bench.effects.reconcile(PREPARE)
    await bench.effects.reconcile(PREPARE)
    bench.note(DeckSelected(Deck.A))
    bench.machine.failures.clear()
    await bench.effects.reconcile(PREPARE)
    return bench


async def test_the_other_deck_is_shuffled_once_and_the_one_in_play_brought_back() -> None:
    bench = await prepared()

    assert bench.machine.orders == ["deck B", "shuffle", "deck A", "hold"]


async def test_a_deck_that_lies_ready_is_brought_and_not_shuffled_again() -> None:
    bench = await prepared()
    await bench.effects.reconcile(BLUE)
    bench.note(DeckSelected(Deck.B))
    await bench.effects.reconcile(BLUE)

    assert bench.machine.orders[4:] == ["deck B"]
    assert bench.shuffled == [ShuffleFinished(52, 0)]


@pytest.mark.parametrize("touched", [FaultRaised(FaultCode.LID_OPEN), CardsIn(51)])
async def test_a_deck_that_was_touched_since_is_shuffled_again(touched: DeviceFact) -> None:
    bench = await prepared()
    await bench.effects.reconcile(BLUE)
    bench.note(DeckSelected(Deck.B))
    bench.note(touched)
    await bench.effects.reconcile(BLUE)

    assert bench.machine.orders[4:] == ["deck B", "shuffle"]
    assert bench.shuffled == []


async def test_where_there_is_no_second_deck_the_first_goes_on_alone() -> None:
    bench = await prepared(None, CommandRefusedError("Shuffle", "no cards"))
    await bench.effects.reconcile(RED)

    assert bench.machine.orders == ["deck B", "shuffle", "deck A", "hold"]
    assert bench.told == []
