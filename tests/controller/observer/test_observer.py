"""What the observer says of a table, told by camera and shoe in either order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import FULL_DECK, Card
from controller.events import (
    BackSeen,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsMoved,
    DeckShuffled,
    HandShown,
    Shown,
    Street,
    StubReshuffled,
    TableEvent,
    Witness,
)
from controller.observer import (
    CardLeftShoe,
    CardsEnteredShoe,
    Input,
    LyingCard,
    MachineShuffled,
    Memory,
    Situation,
    TableCleared,
    TimePassed,
    ZoneContent,
    observe,
)

DEALING = Situation(street=Street.DEAL, due="seat:3", cards_out=True, deck_back="red")
DOWN = LyingCard(Card.UNKNOWN, up=False, back="red")


def up(text: str) -> LyingCard:
    return LyingCard(Card(text), up=True)


def zone(name: str, *cards: LyingCard, at_ms: int = 0) -> ZoneContent:
    return ZoneContent(name, cards, at_ms)


def out(number: int = 1, *, boxed: bool = False, at_ms: int = 0) -> CardLeftShoe:
    return CardLeftShoe(number, boxed, at_ms)


def told(
    *inputs: Input, memory: Memory | None = None, situation: Situation = DEALING
) -> list[TableEvent]:
    memory = memory or Memory()
    events: list[TableEvent] = []
    for each in inputs:
        memory, found = observe(memory, situation, each)
        events.extend(found)
    return events


DEAL_ORDER = replace(DEALING, order=(3, 4, 1, 2))
"""Seat 3 is due, then 4, 1 and 2."""


def test_two_cards_that_one_frame_shows_are_told_in_the_order_of_the_deal() -> None:
    # The camera's zones come one after another, the later seat first.
    facts = (out(1), out(2), zone("seat:4", DOWN), zone("seat:3", DOWN))

    events = told(*facts, situation=DEAL_ORDER)

    assert [event.seat for event in events if isinstance(event, CardDealt)] == [3, 4]


def test_a_hand_that_looks_one_card_longer_for_a_moment_takes_nobodys_card() -> None:
    # Seat 4 has its card; its picture says two while the card for seat 3 is on its way.
    memory, first = observe(Memory(), replace(DEALING, order=(4, 1, 2, 3)), out(1))
    memory, first = observe(memory, replace(DEALING, order=(4, 1, 2, 3)), zone("seat:4", DOWN))
    rest = told(
        out(2, at_ms=100),
        zone("seat:4", DOWN, DOWN, at_ms=200),
        zone("seat:3", DOWN, at_ms=500),
        zone("seat:4", DOWN, at_ms=600),
        TimePassed(60_000),
        memory=memory,
        situation=DEAL_ORDER,
    )

    assert [type(event) for event in first] == [CardDealt]
    assert rest == [CardDealt(at_ms=500, by=Witness.CAMERA, seat=3)]


@pytest.mark.parametrize("shoe", [True, False])
def test_a_card_before_its_turn_is_told_when_the_one_before_it_does_not_come(shoe: bool) -> None:
    gave: list[Input] = [out(1), out(2)] if shoe else []

    facts = [*gave, zone("seat:4", DOWN), TimePassed(500)]
    assert told(*facts, memory=Memory(shoe=shoe), situation=DEAL_ORDER) == []

    facts = [*gave, zone("seat:4", DOWN), TimePassed(700)]
    assert told(*facts, memory=Memory(shoe=shoe), situation=DEAL_ORDER) == [
        CardDealt(by=Witness.CAMERA, seat=4)
    ]


@pytest.mark.parametrize("shoe_first", [True, False])
def test_a_card_of_the_shoe_that_lands_at_a_seat_was_dealt_there(shoe_first: bool) -> None:
    facts: list[Input] = [out(), zone("seat:3", DOWN)]

    events = told(*(facts if shoe_first else reversed(facts)))

    assert events == [CardDealt(by=Witness.CAMERA, seat=3)]


def test_a_card_that_lands_face_up_is_said_with_its_face() -> None:
    events = told(out(boxed=True), zone("seat:3", up("As")))

    assert events == [
        CardDealt(by=Witness.CAMERA, seat=3, card=Card.SA, shown=Shown.UP, boxed=True)
    ]


def test_a_card_without_a_fact_of_the_shoe_is_not_a_dealt_card() -> None:
    assert told(zone("seat:3", DOWN), TimePassed(60_000)) == []


def test_a_burn_and_a_board_card_come_off_the_stub() -> None:
    events = told(out(1), zone("burn", DOWN), out(2), zone("board:1", up("Kd")))

    assert events == [
        CardBurned(by=Witness.CAMERA),
        BoardShown(by=Witness.CAMERA, cards=(Card.DK,)),
    ]


def test_a_heap_on_one_board_place_has_no_order() -> None:
    heap = zone("board:1", up("2c"), up("3c"), up("4c"), up("5c"))

    events = told(*(out(n) for n in range(1, 5)), heap)

    assert events == [
        BoardShown(
            by=Witness.CAMERA,
            cards=(Card.C2, Card.C3, Card.C4, Card.C5),
            order_known=False,
        )
    ]


def test_board_places_filled_in_turn_keep_their_order() -> None:
    inputs = [each for n in (1, 2, 3) for each in (out(n), zone(f"board:{n}", up(f"{n + 1}c")))]

    events = told(*inputs)

    assert [e.cards for e in events if isinstance(e, BoardShown)] == [
        (Card.C2,),
        (Card.C3,),
        (Card.C4,),
    ]
    assert all(e.order_known for e in events if isinstance(e, BoardShown))


def test_an_exposed_card_that_becomes_the_burn_moved() -> None:
    events = told(
        out(), zone("seat:3", up("As")), zone("seat:3", at_ms=10), zone("burn", up("As"), at_ms=20)
    )

    assert events[1:] == [
        CardsMoved(at_ms=20, by=Witness.CAMERA, cards=(Card.SA,), origin="seat:3", target="burn")
    ]


def test_the_move_is_the_same_when_the_new_place_is_seen_first() -> None:
    events = told(
        out(), zone("seat:3", up("As")), zone("burn", up("As"), at_ms=10), zone("seat:3", at_ms=20)
    )

    assert [type(event) for event in events] == [CardDealt, CardsMoved]


def test_a_hand_thrown_in_as_one_heap_moves_whole() -> None:
    events = told(
        out(1),
        zone("seat:3", DOWN),
        out(2),
        zone("seat:3", DOWN, DOWN),
        zone("seat:3"),
        zone("muck", DOWN),
    )

    assert events[2:] == [
        CardsMoved(by=Witness.CAMERA, cards=(Card.UNKNOWN,) * 2, origin="seat:3", target="muck")
    ]


@pytest.mark.parametrize("camera_first", [True, False])
def test_a_board_card_put_back_into_the_shoe_went_to_the_stub(camera_first: bool) -> None:
    first: list[Input] = [MachineShuffled(52, 0), out(), zone("board:4", up("Jd"))]
    back: list[Input] = [zone("board:4"), CardsEnteredShoe(52, 0)]

    events = told(*first, *(back if camera_first else reversed(back)))

    assert events[-1] == CardsMoved(
        by=Witness.CAMERA, cards=(Card.DJ,), origin="board:4", target="stub"
    )


def test_a_card_that_turns_up_at_a_seat_was_exposed() -> None:
    events = told(out(), zone("seat:3", DOWN), zone("seat:3", up("9h")))

    assert events[1:] == [CardExposed(by=Witness.CAMERA, seat=3, card=Card.H9, nth=1)]


def test_at_showdown_a_hand_turned_up_is_shown() -> None:
    dealt = told_memory(out(1), zone("seat:3", DOWN), out(2), zone("seat:3", DOWN, DOWN))
    showdown = Situation(street=Street.SHOWDOWN, cards_out=True)

    events = told(zone("seat:3", up("9h"), up("9d")), memory=dealt, situation=showdown)

    assert events == [HandShown(by=Witness.CAMERA, seat=3, cards=(Card.H9, Card.D9))]


def told_memory(*inputs: Input) -> Memory:
    memory = Memory()
    for each in inputs:
        memory, _ = observe(memory, DEALING, each)
    return memory


def test_a_card_on_the_floor_was_dealt_to_the_seat_that_is_due() -> None:
    events = told(out(), zone("off_table", up("4s")))

    assert events == [
        CardDealt(by=Witness.CAMERA, seat=3, card=Card.S4, shown=Shown.UP, landed="off_table")
    ]


def test_a_strange_back_is_said_once() -> None:
    blue = LyingCard(Card.UNKNOWN, up=False, back="blue")

    events = told(out(1), zone("seat:3", blue), out(2), zone("seat:3", blue, DOWN))

    assert [e for e in events if isinstance(e, BackSeen)] == [
        BackSeen(by=Witness.CAMERA, zone="seat:3", back="blue")
    ]


def test_without_a_shoe_a_new_card_comes_off_the_stub_at_once() -> None:
    events = told(zone("seat:3", DOWN), memory=Memory(shoe=False))

    assert events == [CardDealt(by=Witness.CAMERA, seat=3)]


def test_without_a_shoe_a_face_that_still_lies_elsewhere_waits_for_it_to_leave() -> None:
    events = told(
        zone("seat:3", up("As")),
        zone("burn", up("As")),
        zone("seat:3"),
        memory=Memory(shoe=False),
    )

    assert [type(event) for event in events] == [CardDealt, CardsMoved]


def test_without_a_shoe_two_equal_faces_that_both_stay_are_two_cards() -> None:
    events = told(
        zone("seat:3", up("As")),
        zone("board:1", up("As")),
        TimePassed(5_000),
        memory=Memory(shoe=False),
    )

    assert [type(event) for event in events] == [CardDealt, BoardShown]


def test_without_a_camera_the_card_goes_where_it_is_due() -> None:
    burning = replace(DEALING, due="burn")

    assert told(out(), memory=Memory(camera=False)) == [CardDealt(by=Witness.MACHINE, seat=3)]
    assert told(out(), memory=Memory(camera=False), situation=burning) == [
        CardBurned(by=Witness.MACHINE)
    ]


def test_a_burn_pile_that_looks_one_card_higher_for_a_moment_takes_no_board_card() -> None:
    flop = Situation(street=Street.PREFLOP, due="board", cards_out=True)
    lying = Memory(zones={"burn": (DOWN,)})

    events = told(
        out(1),
        zone("burn", DOWN, DOWN, at_ms=100),
        zone("burn", DOWN, at_ms=400),
        zone("board:1", up("As"), at_ms=900),
        TimePassed(60_000),
        memory=lying,
        situation=flop,
    )

    assert [type(event) for event in events] == [BoardShown]


def test_a_second_burn_that_stays_is_told() -> None:
    flop = Situation(street=Street.PREFLOP, due="board", cards_out=True)
    lying = Memory(zones={"burn": (DOWN,)})
    facts = (out(1), zone("burn", DOWN, DOWN, at_ms=100), TimePassed(1400))

    events = told(*facts, memory=lying, situation=flop)

    assert [type(event) for event in events] == [CardBurned]


def test_a_burn_that_the_camera_shows_too_late_is_not_burned_twice() -> None:
    memory, burn = Memory(), Situation(street=Street.PREFLOP, due="burn", cards_out=True)
    board = replace(burn, due="board")

    memory, _ = observe(memory, burn, out(1))
    memory, assumed = observe(memory, burn, TimePassed(3000))
    memory, _ = observe(memory, board, out(2, at_ms=3100))
    memory, late = observe(memory, board, zone("burn", DOWN, at_ms=3200))
    memory, flop = observe(memory, board, zone("board:1", up("As"), at_ms=3300))

    assert [type(event) for event in assumed] == [CardBurned]
    assert late == ()
    assert [type(event) for event in flop] == [BoardShown]


def test_a_burn_hidden_under_another_counts_when_the_shoe_gave_it() -> None:
    burning = replace(DEALING, due="burn")

    events = told(out(), TimePassed(10_000), situation=burning)

    assert events == [CardBurned(at_ms=10_000, by=Witness.MACHINE)]


def test_a_shuffle_in_mid_hand_is_a_reshuffle_of_the_stub() -> None:
    assert told(MachineShuffled(41, 7)) == [StubReshuffled(at_ms=7, by=Witness.MACHINE, count=41)]
    assert told(MachineShuffled(52, 7), situation=Situation()) == [
        DeckShuffled(at_ms=7, by=Witness.MACHINE, count=52)
    ]


def test_cards_carried_off_after_the_gathering_say_nothing() -> None:
    lying = told_memory(out(), zone("seat:3", DOWN), out(), zone("board:1", up("As")))

    events = told(TableCleared(0), zone("seat:3"), zone("board:1"), memory=lying)

    assert events == []


def test_a_face_that_is_not_read_yet_waits_for_a_better_look() -> None:
    events = told(
        out(),
        zone("seat:3", LyingCard(Card.UNKNOWN, up=True)),
        zone("seat:3", up("7c"), at_ms=90),
    )

    assert events == [CardDealt(at_ms=90, by=Witness.CAMERA, seat=3, card=Card.C7, shown=Shown.UP)]


def lying_in(events: Iterable[TableEvent]) -> Counter[str]:
    """Cards in each zone, as somebody who hears only the events would count them."""
    count: Counter[str] = Counter()
    for event in events:
        match event:
            case CardDealt(seat=seat):
                count[f"seat:{seat}"] += 1
            case CardBurned():
                count["burn"] += 1
            case BoardShown(cards=cards):
                count["board"] += len(cards)
            case CardsMoved(cards=cards, origin=origin, target=target):
                count[origin.split(":")[0] if "board" in origin else origin] -= len(cards)
                count[target.split(":")[0] if "board" in target else target] += len(cards)
            case _:
                pass
    return +count


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["seat", "burn", "board", "move"]),
        st.integers(1, 10),
        st.booleans(),
        st.booleans(),
    ),
    max_size=30,
)


@given(ACTS)
def test_the_count_of_cards_never_drifts(acts: list[tuple[str, int, bool, bool]]) -> None:
    deck, truth = list(FULL_DECK), dict[str, list[LyingCard]]()
    inputs: list[Input] = []

    for at_ms, (act, seat, shown, shoe_first) in enumerate(acts):
        if act == "move":
            origin = f"seat:{seat}"
            if not truth.get(origin):
                continue
            truth.setdefault("aside", []).append(truth[origin].pop())
            changed = [origin, "aside"] if shoe_first else ["aside", origin]
            inputs += [zone(z, *truth[z], at_ms=at_ms) for z in changed]
            continue
        card = deck.pop()
        target = {"seat": f"seat:{seat}", "burn": "burn", "board": "board"}[act]
        face_up = shown or act == "board"
        lying = LyingCard(card, up=True) if face_up else DOWN
        truth.setdefault(target, []).append(lying)
        pair: list[Input] = [out(at_ms=at_ms), zone(target, *truth[target], at_ms=at_ms)]
        inputs += pair if shoe_first else reversed(pair)

    events = told(*inputs)

    assert lying_in(events) == +Counter({z: len(cards) for z, cards in truth.items()})


@given(ACTS, st.integers(2, 3))
def test_saying_a_sighting_again_changes_nothing(
    acts: list[tuple[str, int, bool, bool]], times: int
) -> None:
    deck, truth = list(FULL_DECK), dict[str, list[LyingCard]]()
    inputs: list[Input] = []
    for act, seat, shown, _ in acts:
        target = f"seat:{seat}" if act == "seat" else "burn"
        card = deck.pop()
        truth.setdefault(target, []).append(LyingCard(card, up=True) if shown else DOWN)
        inputs += [out(), zone(target, *truth[target])]

    repeated = [
        again
        for each in inputs
        for again in [each] * (times if isinstance(each, ZoneContent) else 1)
    ]

    assert told(*repeated) == told(*inputs)


def test_the_second_hand_thrown_on_a_heap_is_in_the_muck_though_the_heap_looks_the_same() -> None:
    hand = (LyingCard(Card.UNKNOWN, up=False, back="red"),) * 2
    heap = (LyingCard(Card.UNKNOWN, up=False, back="red"),)
    memory = Memory(shoe=True, camera=True, zones={"seat:2": hand, "muck": heap})
    situation = Situation(street=Street.FLOP, cards_out=True, folded=frozenset({2}))

    _, events = observe(memory, situation, ZoneContent("seat:2", (), 1000))

    unread = (Card.UNKNOWN, Card.UNKNOWN)
    assert events == (
        CardsMoved(at_ms=1000, by=Witness.CAMERA, cards=unread, origin="seat:2", target="muck"),
    )
