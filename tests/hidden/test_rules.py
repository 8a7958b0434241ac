"""Hands with every mistake on the level of events: no page's value and no message names a card
that nobody at the table has seen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.cards import Card
from controller.events import CardDealt, CardsMoved, HandStarted, Shown, TableEvent, Witness
from controller.fleet.messages import encoded
from controller.fleet.narrating import Narrator
from controller.histories import NoHistoryError, RecordedHand, history, summary
from controller.irregularities import Kind
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import Outcome, advance, new_table
from controller.runtime.journal import Journal
from controller.simulate.hand import Hand
from controller.simulate.mistakes import HandPlan, Mistake, plan_hand
from controller.table import TableState
from controller.view import LANGUAGES, Surroundings, floor_view, hand_view, house_view, table_view
from controller.web.drawing import draw_table
from controller.web.parts import alarm_html, instruction_html, prompts_html, steps_html
from tests.hidden.marks import Watch

CK = load_rulebook("ck")
AROUND = Surroundings(name="T", seats=10, devices={"shuffler": "ready", "camera": "ready"})
SEATS = (1, 2, 3, 4, 5)

Step = tuple[TableEvent, Outcome]


def plans() -> list[HandPlan]:
    """A hand for each mistake that can be made."""
    rng = random.Random(4)
    wanted = [mistake for mistake in Mistake if mistake is not Mistake.NONE]
    return [plan_hand(rng, len(SEATS), among=(mistake,), clean_share=0.0) for mistake in wanted]


def dealt(plan: HandPlan, book: Rulebook) -> Hand:
    """A hand with that mistake, played to its end."""
    hand = Hand(plan, SEATS, new_table(book), book, random.Random(11))
    hand.play(1)
    return hand


def steps(events: list[TableEvent], book: Rulebook) -> Iterator[Step]:
    """Each event and what came of it."""
    state = new_table(book)
    for event in events:
        outcome = advance(state, event, book)
        state = outcome.state
        yield event, outcome


def pages(state: TableState, events: tuple[TableEvent, ...], book: Rulebook) -> dict[str, str]:
    """What the three pages are made of, as values and as drawn, in both languages."""
    said: dict[str, list[str]] = {"/": [], "/floor": [], "/house": []}
    for lang in LANGUAGES:
        view = table_view(state, book, lang, AROUND)
        shown = msgspec.structs.replace(view, buttons=())
        drawn = (alarm_html, instruction_html, prompts_html, steps_html, draw_table)
        said["/"] += [text_of(shown), *(button.label for button in view.buttons)]
        said["/"] += [draw(view) for draw in drawn]
        said["/floor"].append(text_of(floor_view(state, book, lang, AROUND, events)))
        looked = hand_view(new_table(book), events, 0, book, (lang, AROUND))
        said["/floor"] += [text_of(looked), draw_table(looked.table)]
        said["/house"].append(text_of(house_view("T", book, 1, Counter(), lang)))
    return {page: "\n".join(texts) for page, texts in said.items()}


def text_of(value: object) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("plan", plans(), ids=lambda plan: plan.mistake.value)
def test_no_page_names_a_card_that_no_event_has_shown(plan: HandPlan) -> None:
    watch, past = Watch(), list[TableEvent]()

    for event, outcome in steps(dealt(plan, CK).events, CK):
        watch.public |= named(event)
        past.append(event)
        for page, said in pages(outcome.state, tuple(past), CK).items():
            watch.hear(page, said)
        for ruling in outcome.rulings:
            watch.hear("ruling", text_of(ruling))

    assert watch.leaks == []
    assert watch.shown["/"] >= watch.shown["/house"] == set()


def named(value: object) -> set[Card]:
    """Every card in an event: the simulated sensors name only those that lie face up."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, tuple):
        return set().union(*map(named, value))
    if isinstance(value, msgspec.Struct):
        return set().union(*(named(getattr(value, f)) for f in value.__struct_fields__))
    return set()


def test_the_board_is_named_on_the_pages_once_it_lies_there() -> None:
    watch, past = Watch(), list[TableEvent]()

    for event, outcome in steps(dealt(HandPlan(Mistake.NONE), CK).events, CK):
        watch.public |= named(event)
        past.append(event)
        for page, said in pages(outcome.state, tuple(past), CK).items():
            watch.hear(page, said)

    board = set(outcome.state.board) or {c for e in past for c in named(e) if c.is_known}
    assert board
    assert board <= watch.shown["/"] | watch.shown["/floor"]


KNOWING: tuple[TableEvent, ...] = (
    HandStarted(hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2),
    CardDealt(seat=1, card=Card.SQ, by=Witness.CAMERA),
    CardDealt(seat=2, card=Card.HT, by=Witness.CAMERA),
    CardDealt(seat=3, card=Card.D4, shown=Shown.UP, by=Witness.CAMERA),
    CardsMoved(cards=(Card.SQ,), origin="seat:1", target="muck"),
)
"""A sensor that knows too much names two cards that lie face down, one of them again later."""


def told(journal: Journal, watch: Watch) -> None:
    """Every message of a journal, and what the exports make of it."""
    narrator, previous = Narrator("t1", CK), b"\0" * 32
    for record in journal.records():
        message = narrator.tell(record, previous, is_first=not any(previous))
        watch.hear("mqtt", encoded(message).decode())
        watch.hear("mqtt", encoded(narrator.state(AROUND, record.seq, "")).decode())
        previous = record.hash


def test_a_sensor_that_knows_too_much_is_not_told_on(tmp_path: Path) -> None:
    watch = Watch(public={Card.D4})
    journal = Journal.open(tmp_path / "t.journal", table_id="t1", rulebook="ck")
    state = new_table(CK)

    for n, event in enumerate(KNOWING, start=1):
        outcome = advance(state, event, CK)
        state = outcome.state
        journal.record(journal.append(event, hand=1), outcome.rulings)
        for page, said in pages(state, KNOWING[:n], CK).items():
            watch.hear(page, said)
    told(journal, watch)
    hand = RecordedHand(KNOWING)
    watch.hear("csv", " ".join(map(str, summary(hand).cells)))
    try:
        watch.hear("phh", history(hand, 1))
    except NoHistoryError as error:
        watch.hear("phh", str(error))
    journal.close()

    assert watch.leaks == []
    assert {"/", "/floor", "mqtt"} <= {output for output, cards in watch.shown.items() if cards}


@pytest.mark.parametrize("page", ["/", "/floor"])
def test_the_search_finds_a_card_that_lies_open_where_it_should_not(page: str) -> None:
    """The same hand with nothing public: the exposed card is then a planted leak."""
    watch, state = Watch(), new_table(CK)

    for event in KNOWING[:4]:
        state = advance(state, event, CK).state
    watch.hear(page, pages(state, KNOWING[:4], CK)[page])

    assert (page, Card.D4.value) in {(leak.output, leak.card) for leak in watch.leaks}


def test_every_kind_of_irregularity_is_among_the_hands() -> None:
    found = {
        irregularity.kind
        for plan in plans()
        for _, outcome in steps(dealt(plan, CK).events, CK)
        for irregularity in outcome.irregularities
    }

    assert len(found) >= len(Kind) * 3 // 4
