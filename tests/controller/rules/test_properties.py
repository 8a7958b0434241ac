"""What holds for every rulebook, whatever happens at the table."""

from __future__ import annotations

import random

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.cards import FULL_DECK, Card
from controller.events import (
    CardBurned,
    CardDealt,
    ClockTicked,
    DeviceReported,
    HandStarted,
    TableEvent,
)
from controller.rulebook import list_rulebooks, load_rulebook
from controller.rules import advance, gate, legal_taps, new_table, next_steps
from controller.rulings import Ruling
from controller.simulate.hand import Hand
from controller.simulate.mistakes import HandPlan, Mistake, plan_hand
from controller.table import TableState
from tests.controller.rules.any_events import ANY_EVENT

BOOKS = {name: load_rulebook(name) for name in list_rulebooks()}
EVERY = [mistake for mistake in Mistake if mistake is not Mistake.NONE]

some_book = st.sampled_from(sorted(BOOKS))
seeds = st.integers(0, 2**32 - 1)
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _judged(events: list[TableEvent], name: str) -> tuple[TableState, list[Ruling]]:
    book = BOOKS[name]
    state, rulings = new_table(book), list[Ruling]()
    for event in events:
        outcome = advance(state, event, book)
        state = outcome.state
        rulings.extend(outcome.rulings)
    return state, rulings


def _played(seed: int, name: str) -> Hand:
    """A random hand with a random mistake."""
    rng, book = random.Random(seed), BOOKS[name]
    seats = tuple(sorted(rng.sample(range(1, 11), rng.randint(3, 9))))
    plan: HandPlan = plan_hand(rng, len(seats), among=EVERY, clean_share=0.1)
    hand = Hand(plan, seats, new_table(book), book, rng)
    hand.play(1)
    return hand


@given(events=st.lists(ANY_EVENT, max_size=30), book=some_book)
@settings(parent=slow, max_examples=300)
def test_no_sequence_of_events_whatever_upsets_the_engine(
    events: list[TableEvent], book: str
) -> None:
    rules = BOOKS[book]
    state = new_table(rules)
    for event in events:
        state = advance(state, event, rules).state
        next_steps(state, rules)
        legal_taps(state, rules)
        gate(state, rules)


@given(seed=seeds, book=some_book, events=st.lists(ANY_EVENT, max_size=6), at=st.integers(0, 80))
@settings(parent=slow, max_examples=100)
def test_nonsense_in_the_middle_of_a_hand_does_not_upset_it_either(
    seed: int, book: str, events: list[TableEvent], at: int
) -> None:
    told = _played(seed, book).events
    at = min(at, len(told))

    _judged([*told[:at], *events, *told[at:]], book)


@given(seed=seeds, book=some_book)
@settings(parent=slow, max_examples=60)
def test_cards_are_conserved_and_every_player_left_has_a_whole_hand(seed: int, book: str) -> None:
    # ``Hand`` compares the engine's table with the real cards after every event, and hands
    # and board at the showdown with what the game gives.
    assert _played(seed, book).problems == ()


@given(seed=seeds, book=some_book)
@settings(parent=slow, max_examples=40)
def test_the_same_events_are_judged_the_same_byte_for_byte(seed: int, book: str) -> None:
    events = _played(seed, book).events

    first, second = _judged(events, book), _judged(events, book)
    assert msgspec.json.encode(first[1]) == msgspec.json.encode(second[1])
    assert first[0] == second[0]


@given(seed=seeds, book=some_book, places=st.lists(st.integers(0, 200), max_size=5))
@settings(parent=slow, max_examples=40)
def test_what_does_not_bear_on_the_cards_does_not_bear_on_the_rulings(
    seed: int, book: str, places: list[int]
) -> None:
    events = _played(seed, book).events
    mixed = list(events)
    for place in places:
        mixed.insert(place, ClockTicked())
        mixed.insert(place, DeviceReported(device="camera", health="degraded"))

    assert _judged(mixed, book)[1] == _judged(events, book)[1]


@given(seed=seeds, book=some_book)
@settings(parent=slow, max_examples=40)
def test_no_ruling_depends_on_a_face_that_nobody_may_know(seed: int, book: str) -> None:
    # A machine that reads faces must not be able to change a ruling by telling them.
    events = _played(seed, book).events
    rng = random.Random(seed)
    told = [_with_face(event, rng.choice(FULL_DECK)) for event in events]

    assert _judged(told, book) == _judged(events, book)


def _with_face(event: TableEvent, face: Card) -> TableEvent:
    """The event as a machine would tell it that reads cards lying face down."""
    if isinstance(event, (CardDealt, CardBurned)) and event.card is Card.UNKNOWN:
        return replace(event, card=face)
    return event


@given(seed=seeds, book=some_book)
@settings(parent=slow, max_examples=20)
def test_the_number_of_a_hand_changes_nothing_but_the_names_of_rulings(
    seed: int, book: str
) -> None:
    events = _played(seed, book).events
    renamed = [replace(e, hand=77) if isinstance(e, HandStarted) else e for e in events]

    first = [r.verdict for r in _judged(events, book)[1]]
    assert [r.verdict for r in _judged(_steps_renamed(renamed), book)[1]] == first


def _steps_renamed(events: list[TableEvent]) -> list[TableEvent]:
    """Confirmations and decisions name the rulings of hand 77."""
    return [
        msgspec.convert(
            {
                **msgspec.to_builtins(event),
                **{
                    key: value.replace("1/", "77/", 1)
                    for key, value in msgspec.to_builtins(event).items()
                    if key in ("step", "ruling") and value.startswith("1/")
                },
            },
            TableEvent,
        )
        for event in events
    ]
