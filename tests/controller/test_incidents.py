"""What went wrong in real card rooms, told to the table, and what it says to it.

Each incident is named by place and year with its public source. Those that no machine,
camera or prompt of a card table could have caught stand in ``NOT_CAUGHT`` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from controller.alarms import AlarmCause
from controller.cards import Card
from controller.events import (
    BackSeen,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardsMoved,
    ClockTicked,
    CutCardChecked,
    DeckCut,
    DeckPrepared,
    DeckShuffled,
    DeviceReported,
    HandShown,
    MachineCounted,
    Street,
)
from controller.irregularities import Kind
from controller.observer import (
    CardsEnteredShoe,
    LyingCard,
    MachineShuffled,
    Memory,
    Situation,
    ZoneContent,
    observe,
)
from controller.rules import legal_taps
from controller.rulings import Doer, PromptKind, StepKind, Verdict
from controller.runtime.devices import from_fact
from firmware_bridge import CardOut, FaultCode, FaultRaised, ShuffleFinished
from tests.controller.rules.prompted import house
from tests.controller.watched import Room, mixed_deck, sorted_deck

SOURCES: Final = {
    1: "SugarHouse, Philadelphia, May 2017: inquirer.com, state fines SugarHouse $100K",
    2: "SugarHouse, Philadelphia, September 2017: pennsylvaniacasinos.com, PGCB fines SugarHouse",
    3: "SugarHouse, Philadelphia, 2017: documentcloud.org 4953587, consent agreement",
    4: "Golden Nugget, Atlantic City, April 2012: ggbnews.com, unshuffled cards case",
    5: "Trump Taj Mahal, Atlantic City, December 2011: tocasino.net, casino blames decks",
    6: "Borgata, Atlantic City, 2007: twoplustwo.com, post 7856081",
    7: "Borgata, Atlantic City, 2007, the same table: twoplustwo.com, post 7856081",
    8: "A dealer's report, February 2007: murph4qs.blogspot.com",
    9: "A boxed turn from a shuffler: twoplustwo.com, one in a million mistake",
    10: "Four boxed cards in a row: pokertda.com forum, topic 384",
    11: "A boxed card seen at the cut: pokertda.com forum, topic 1696",
    12: "WPT bestbet Open, Jacksonville, 2013: worldpokertour.com, too many nines in the deck",
    13: "WSOP main event, Las Vegas, 2008: pokernews.com, post 73601",
    14: "Caesars, Las Vegas, 2012: pokergrump.blogspot.com, how can double deuce-four",
    15: "Two tens of diamonds, stuck cards: pokertda.com forum, topic 174",
    16: "A jack under the table: cardplayer.com, Negreanu, not playing with a full deck",
    17: "Borgata, Atlantic City, 2007, a spill: twoplustwo.com, post 7856081",
    18: "A mucked card on the flop: archives2.twoplustwo.com, t-55865",
    19: "Home machines that jam: winenfood.com, troubleshooting your automatic card shuffler",
    20: "Crown, Melbourne, alleged 2013: richardmarcus-pokercheats.blogspot.com",
    21: "Baccarat machines that jam: pokeronlineguru.com, shuffling machines",
}

NOT_CAUGHT: Final = {
    20: "Somebody in the shuffle room saw the order of cards before they reached a table. No "
    "sensor of a table is there; all a table can do is keep no order itself, and none is on "
    "the link or in an event (tests of the protocol hold that).",
    21: "Dealers dislike a machine that jams: a complaint about a product, with no wrong hand. "
    "Jams are counted (incident 19).",
}

Proof = Callable[..., None]
CAUGHT: dict[int, Proof] = {}


def incident(number: int) -> Callable[[Proof], Proof]:
    """Marks the test that shows an incident caught."""

    def mark(proof: Proof) -> Proof:
        CAUGHT[number] = proof
        return proof

    return mark


def test_every_incident_is_caught_or_said_why_not() -> None:
    assert CAUGHT.keys() | NOT_CAUGHT.keys() == SOURCES.keys() == set(range(1, 22))
    assert not CAUGHT.keys() & NOT_CAUGHT.keys()


def carry_on(room: Room) -> None:
    """Do what is asked, by its first tap, until an alarm blocks or nothing is open."""
    for _ in range(40):
        if room.is_blocked or not room.state.open:
            return
        room.tell(legal_taps(room.state, room.book)[0])
    raise AssertionError(f"no end: {room.step}")


def dealt(book: str = "ck") -> Room:
    """A hand whose cards lie before the players."""
    room = Room(book)
    room.start(1)
    room.shuffle()
    room.deal()
    return room


@incident(1)
def test_a_deck_that_came_short_out_of_the_machine_is_not_dealt() -> None:
    room = Room()
    for hand in range(1, 47):  # 46 rounds whose cards nobody had counted
        room.start(hand)
        room.shuffle(count=-1)
        room.deal()
        room.finish()
    room.start(47)
    room.shuffle(count=36)
    carry_on(room)

    assert room.causes == [AlarmCause.COUNT_SHORT]
    assert (room.alarm.expected, room.alarm.counted) == (52, 36)
    assert room.alarm.hands == tuple(range(1, 47)), "all of them may have to be refunded"
    assert room.is_blocked


@incident(2)
def test_a_machine_that_sorts_cannot_deal_and_its_order_shows_within_one_hand() -> None:
    told = Room()
    told.tell(DeviceReported(device="shuffler", health="fault", code="wrong_mode"))
    told.start(1)
    silent = Room()  # a machine that does not say in which mode it is
    silent.play(1, sorted_deck(17))

    assert told.is_blocked
    assert silent.causes == [AlarmCause.SORTED_ORDER]
    assert silent.alarm.hand == 1


@incident(3)
def test_a_warning_cannot_be_passed_over_and_goes_to_the_floor() -> None:
    room = Room(house("ck", alarm__escalate_s=60))
    room.start(1)
    room.shuffle(boxed=1)
    asked = room.step.doer
    room.tell(ClockTicked(at_ms=60_000))

    assert asked is Doer.DEALER
    assert room.is_blocked
    assert room.step.doer is Doer.FLOOR
    assert room.alarm.is_escalated


@incident(4)
def test_an_unshuffled_new_deck_is_told_within_the_first_twenty_cards() -> None:
    room = dealt()
    room.show_board(new_deck())

    assert room.causes == [AlarmCause.SORTED_ORDER]
    assert room.is_blocked
    assert 52 - room.state.stub == 20, "so many cards had left the deck"


def new_deck() -> tuple[Card, ...]:
    """Two suits from the ace to the king, two from the king to the ace, as it is bought."""
    ranks = "A23456789TJQK"
    up = [Card(r + s) for s in "sd" for r in ranks]
    return (*up, *(Card(r + s) for s in "ch" for r in reversed(ranks)))


@incident(5)
def test_unshuffled_cards_do_not_last_three_hours() -> None:
    room = Room()
    for hand in (1, 2, 3):  # hands that end on the flop show three cards each
        room.play(hand, new_deck(), 3)

    assert room.causes == [AlarmCause.SORTED_ORDER]
    assert room.alarm.hands == (1, 2, 3)


@incident(6)
def test_a_machine_that_counts_52_where_51_went_in_is_not_believed() -> None:
    memory, between = Memory(shoe=True, camera=True), Situation()
    room = Room()
    room.start(1)
    for told in (CardsEnteredShoe(51, 0), MachineShuffled(52, 100)):
        memory, events = observe(memory, between, told)
        room.tell(*events)

    assert room.causes == [AlarmCause.COUNTS_DIFFER]
    assert room.is_blocked


@incident(7)
def test_a_card_of_the_other_deck_in_a_deck_of_52_is_told_by_its_back() -> None:
    room = dealt()
    face_down = LyingCard(Card.UNKNOWN, up=False, back="blue")
    situation = Situation(street=Street.DEAL, deck_back="red", cards_out=True)
    seen = ZoneContent("seat:3", (face_down,), 0)
    _, events = observe(Memory(shoe=False), situation, seen)
    backs = [event for event in events if isinstance(event, BackSeen)]
    outcome = room.tell(*backs)

    assert room.causes == [AlarmCause.WRONG_BACK]
    assert [r.verdict for r in outcome.rulings] == [Verdict.FOULED_DECK]


@incident(8)
def test_a_card_used_as_the_cut_card_is_told_before_the_pitch_or_by_the_count() -> None:
    looked = Room("fr1")  # its cut card lies under the deck
    looked.start(1)
    looked.tell(DeckShuffled())
    prompts = looked.tell(DeckCut()).prompts
    looked.tell(CutCardChecked(is_there=False))
    counted = Room()
    for hand in range(1, 11):
        counted.start(hand, back="green")
        counted.shuffle(count=-1)
        counted.deal()
        counted.finish()
    counted.start(11, back="green")
    counted.shuffle(count=51)

    assert PromptKind.CUT_CARD in {prompt.kind for prompt in prompts}
    assert looked.is_blocked
    assert counted.alarm.deck == "green"
    assert counted.alarm.hands == tuple(range(1, 11))


@incident(9)
def test_a_boxed_turn_is_announced_with_its_clause_and_the_next_card_replaces_it() -> None:
    room = dealt()
    room.show_board(mixed_deck(9), 3)
    room.tell(BettingClosed(), CardBurned())
    outcome = room.tell(BoardShown(cards=(mixed_deck(9)[17],), boxed=True))

    (ruling,) = outcome.rulings
    assert ruling.irregularity.kind is Kind.BOXED_CARD
    assert ruling.verdict is Verdict.CONTINUE
    assert {"ck.boxed.1", "ck.boxed.3"} <= set(ruling.clauses)


@incident(10)
def test_boxed_cards_one_after_another_end_the_hand_at_the_limit_of_the_house() -> None:
    room = Room()
    room.start(1)
    room.shuffle()
    deck = mixed_deck(10)
    verdicts = [
        ruling.verdict
        for n in range(2)
        for ruling in room.tell(CardDealt(seat=1, card=deck[n], boxed=True)).rulings
    ]

    assert verdicts == [Verdict.CONTINUE, Verdict.FOULED_DECK]  # ck.boxed.2: two


@incident(11)
def test_a_boxed_card_that_the_machine_felt_is_told_before_the_first_pitch() -> None:
    shuffled = from_fact(ShuffleFinished(count=52, boxed=1), 0)
    assert isinstance(shuffled, MachineShuffled)
    room = Room()
    room.start(1)
    _, events = observe(Memory(), Situation(), shuffled)
    room.tell(*events)

    assert room.causes == [AlarmCause.BOXED_DECK]
    assert room.is_blocked


@incident(12)
def test_two_nines_of_hearts_foul_the_deck_and_so_do_two_kings_in_the_next_one() -> None:
    room = dealt()
    first = room.tell(BettingClosed(), CardBurned(), BoardShown(cards=(Card.H9, Card.H9, Card.C4)))
    carry_on(room)
    room.acknowledge()
    carry_on(room)
    room.deal()
    second = room.tell(BettingClosed(), CardBurned(), BoardShown(cards=(Card.HK, Card.HK, Card.C4)))

    for outcome, card in ((first, Card.H9), (second, Card.HK)):
        (ruling,) = outcome.rulings
        assert ruling.verdict is Verdict.FOULED_DECK
        assert StepKind.CHECK_DECK in {step.kind for step in ruling.steps}
        assert [alarm.cards for alarm in outcome.alarms] == [(card,)]


@incident(13)
def test_a_red_back_out_of_a_blue_deck_is_told_when_it_lands() -> None:
    room = Room()
    room.start(1, back="blue")
    room.shuffle()
    room.tell(CardDealt(seat=1))
    outcome = room.tell(BackSeen(zone="seat:1", back="red"))

    assert [ruling.irregularity.kind for ruling in outcome.rulings] == [Kind.WRONG_BACK]
    assert room.causes == [AlarmCause.WRONG_BACK]


@incident(14)
def test_two_mixed_decks_are_told_at_the_first_strange_back_and_all_hands_are_listed() -> None:
    room = Room()
    for hand in (1, 2, 3):
        room.play(hand, mixed_deck(hand), back="red border")
    room.start(4, back="red border")
    room.shuffle()  # 52 cards: a count alone passes
    room.tell(CardDealt(seat=1), BackSeen(zone="seat:1", back="black border"))

    assert room.alarm.cause is AlarmCause.WRONG_BACK
    assert room.alarm.hands == (1, 2, 3, 4)


@incident(15)
def test_two_cards_fed_together_hold_the_machine_and_a_double_is_told() -> None:
    fault = from_fact(FaultRaised(FaultCode.DOUBLE_FEED), 0)
    assert isinstance(fault, DeviceReported)
    fed = Room()
    fed.tell(fault)
    fed.start(1)
    room = dealt()
    room.tell(BettingClosed(), CardBurned(), BoardShown(cards=(Card.DT, Card.C3, Card.S8)))
    room.tell(HandShown(seat=2, cards=(Card.DT, Card.S4)))

    assert fed.is_blocked
    assert fed.alarm.detail == "double_feed"
    assert AlarmCause.DUPLICATE_CARD in room.causes


@incident(16)
def test_a_jack_under_the_table_is_missed_at_the_first_count() -> None:
    room = Room()
    room.start(1)
    room.shuffle(count=51)
    carry_on(room)
    lost = Room()  # it fell in the first hand: the machine's ledger of the hand tells
    lost.start(1)
    lost.shuffle()
    lost.deal()
    lost.tell(MachineCounted(given=13))

    assert room.causes == [AlarmCause.COUNT_SHORT]
    assert room.is_blocked
    assert lost.causes == [AlarmCause.COUNTS_DIFFER]


@incident(17)
def test_a_card_that_fell_onto_the_other_deck_makes_that_one_long_before_it_is_used() -> None:
    room = dealt()
    room.tell(DeckPrepared(back="blue", count=53))

    assert room.causes == [AlarmCause.COUNT_LONG]
    assert room.alarm.deck == "blue"
    assert room.state.watch.ready == ()


@incident(18)
def test_a_dead_card_that_comes_onto_the_flop_is_told_before_the_betting() -> None:
    room = dealt()
    folded = CardsMoved(cards=(Card.HQ, Card.UNKNOWN), origin="seat:1", target="muck")
    pulled = CardsMoved(cards=(Card.HQ,), origin="muck", target="board:1")
    room.tell(folded, BettingClosed(), CardBurned(), pulled)

    assert room.causes == [AlarmCause.CARD_CAME_BACK]
    assert room.alarm.cards == (Card.HQ,)
    assert room.is_blocked


@incident(19)
def test_jams_are_counted_by_deck_and_its_change_is_proposed() -> None:
    room = Room(house("ck", deck__most_jams=3))
    for _ in range(3):
        jam = from_fact(FaultRaised(FaultCode.JAM), 0)
        assert isinstance(jam, DeviceReported)
        room.start(1)
        room.tell(jam)
    room.play(2, mixed_deck(19))

    worn = [p for p in room.outcome.prompts if p.kind is PromptKind.DECK_WORN]
    assert [(p.detail, p.count) for p in worn] == [("jams", 3)]


@pytest.mark.parametrize("number", sorted(NOT_CAUGHT))
def test_what_is_not_caught_has_its_reason(number: int) -> None:
    assert len(NOT_CAUGHT[number].split()) > 10


def test_the_link_names_no_card() -> None:
    """Incident 20: nobody can read an order from a table that is never told one."""
    told = from_fact(CardOut(number=1, boxed=False), 0)
    names = {field for field in dir(told) if not field.startswith("_")}

    assert names == {"at_ms", "boxed", "number"}
