"""The machine's side of the ledger, from its own numbers."""

from __future__ import annotations

from controller.events import DeckShuffled, MachineCounted, Street, Witness
from controller.observer import (
    CardLeftShoe,
    CardsEnteredShoe,
    Input,
    MachineShuffled,
    Memory,
    Situation,
    TableCleared,
    counted,
    observe,
)

BETWEEN = Situation()
PLAYED = Situation(street=Street.PREFLOP, cards_out=True)


def after(*inputs: Input, situation: Situation = PLAYED) -> Memory:
    memory, _ = observe(Memory(), BETWEEN, MachineShuffled(52, 0))
    for told in inputs:
        memory, _ = observe(memory, situation, told)
    return memory


def given(memory: Memory) -> int:
    ledger = counted(memory, 0)
    assert ledger is not None
    return ledger.given


def test_what_the_shoe_gave_less_what_it_took_back() -> None:
    memory = after(
        *(CardLeftShoe(n, boxed=False, at_ms=n) for n in range(1, 8)), CardsEnteredShoe(47, 9)
    )

    assert given(memory) == 5


def test_a_card_whose_fact_was_lost_is_counted_by_the_number_of_the_next() -> None:
    memory = after(CardLeftShoe(1, boxed=False, at_ms=1), CardLeftShoe(3, boxed=False, at_ms=2))

    assert given(memory) == 3


def test_a_reshuffled_stub_begins_its_numbers_anew_and_the_ledger_goes_on() -> None:
    memory = after(
        CardLeftShoe(1, boxed=False, at_ms=1),
        CardLeftShoe(2, boxed=False, at_ms=2),
        MachineShuffled(50, 3),
        CardLeftShoe(1, boxed=False, at_ms=4),
    )

    assert given(memory) == 3


def test_nothing_is_said_before_the_first_shuffle_and_after_the_table_is_cleared() -> None:
    assert counted(Memory(), 0) is None
    assert counted(after(CardLeftShoe(1, boxed=False, at_ms=1), TableCleared(2)), 0) is None


def test_cards_gathered_into_the_machine_are_not_taken_back_in_the_hand() -> None:
    memory = after(CardLeftShoe(1, boxed=False, at_ms=1))
    memory, _ = observe(memory, BETWEEN, CardsEnteredShoe(52, 2))

    assert given(memory) == 1


def test_two_counters_of_the_machine_that_differ_are_both_said() -> None:
    memory, _ = observe(Memory(), BETWEEN, CardsEnteredShoe(51, 0))
    _, events = observe(memory, BETWEEN, MachineShuffled(52, 1, boxed=1))

    machine = Witness.MACHINE
    assert events == (
        MachineCounted(at_ms=1, by=machine, given=0, inside=51),
        DeckShuffled(at_ms=1, by=machine, count=52, boxed=1),
    )
