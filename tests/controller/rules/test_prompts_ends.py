"""Burns and the end of the hand: what is told when, and on which clause."""

from __future__ import annotations

import pytest

from controller.events import (
    Action,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardsGathered,
    ClockTicked,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    DeviceReported,
    PotPushed,
    Shown,
    StubCounted,
    Witness,
)
from controller.rulings import PromptKind, Verdict

from .playing import cards
from .prompted import Told, house

MINUTE_MS = 60_000


def dealt(book: str = "ck") -> Told:
    """A hand whose cards are all dealt, without a word of the bets."""
    table = Told(book)
    table.deal()
    return table


def on_the_river(book: str = "ck") -> Told:
    """The whole board lies there and its last round is open."""
    table = dealt(book)
    for board in ("As Kd 2c", "3h", "4h"):
        table.tell(BettingClosed(), CardBurned(), BoardShown(cards=cards(board)))
    return table


@pytest.mark.clause("ck.burn.3")
@pytest.mark.clause("ck.burn.4")
@pytest.mark.clause("ck.burn.5")
@pytest.mark.clause("fr1.burn.3")
@pytest.mark.parametrize("book", ["ck", "fr1"])
def test_a_burn_goes_under_the_earlier_ones_at_the_edge_of_the_pot(book: str) -> None:
    table = dealt(book)
    table.tell(BettingClosed())

    table.burn()

    clauses = {"ck.burn.3", "ck.burn.4", "ck.burn.5"} | ({"fr1.burn.3"} if book == "fr1" else set())
    assert set(table.one(PromptKind.PLACE_BURN).clauses) == clauses


def test_a_boxed_burn_is_no_burn() -> None:
    table = dealt()
    table.tell(BettingClosed(), CardBurned(card=cards("7h")[0], boxed=True))

    assert PromptKind.PLACE_BURN not in table.kinds()


@pytest.mark.clause("ck.end.1")
def test_the_stub_is_dropped_spread_once_the_last_card_is_dealt() -> None:
    table = on_the_river()
    assert table.one(PromptKind.SPREAD_STUB).clauses == ("ck.end.1",)

    table.tell(BettingClosed())

    assert PromptKind.SPREAD_STUB not in table.kinds()


@pytest.mark.clause("ck.end.1")
def test_when_all_others_fold_no_more_is_dealt_either() -> None:
    table = dealt()

    for seat in (3, 4, 5, 6, 1):
        table.act(seat, Action.FOLD)

    assert PromptKind.SPREAD_STUB in table.kinds()
    assert PromptKind.SPLIT_POT not in table.kinds()


@pytest.mark.clause("fr1.pot.3")
def test_at_the_showdown_equal_hands_split_the_pot() -> None:
    table = on_the_river("fr1")

    table.tell(BettingClosed())

    told = table.one(PromptKind.SPLIT_POT)
    assert (told.seats, told.clauses) == ((1, 2, 3, 4, 5, 6), ("fr1.pot.3",))


@pytest.mark.clause("ck.end.2")
@pytest.mark.clause("ck.end.3")
@pytest.mark.clause("ck.duties.6")
def test_after_the_showdown_the_hand_is_over_and_discards_go_into_the_stub() -> None:
    table = on_the_river()

    table.tell(BettingClosed(), PotPushed())

    assert table.one(PromptKind.CONFIRM_HAND_OVER).clauses == ("ck.end.2", "ck.duties.6")
    assert table.one(PromptKind.DISCARDS_INTO_STUB).clauses == ("ck.end.2", "ck.end.3")
    top = table.one(PromptKind.TOP_RETRIEVABLE)
    assert (top.detail, top.clauses) == ("", ("ck.end.3",))


@pytest.mark.clause("ck.end.4")
def test_under_the_alternate_rule_the_top_of_the_stub_is_never_retrievable() -> None:
    table = Told(house("ck", prompts__top_retrievable=False))
    table.deal()

    table.tell(PotPushed())

    assert table.one(PromptKind.TOP_RETRIEVABLE).detail == "never"


@pytest.mark.clause("ck.end.5")
def test_the_cards_of_all_hands_are_verified() -> None:
    table = on_the_river()

    table.tell(BettingClosed(), PotPushed())

    told = table.one(PromptKind.VERIFY_DISCARDS)
    assert (told.count, told.clauses) == (12, ("ck.end.5",))


@pytest.mark.clause("ck.end.7")
@pytest.mark.clause("fr1.button.0")
@pytest.mark.parametrize(("book", "clause"), [("ck", "ck.end.7"), ("fr1", "fr1.button.0")])
def test_the_button_moves_only_when_the_pot_is_pushed(book: str, clause: str) -> None:
    table = on_the_river(book)
    table.tell(BettingClosed())
    assert PromptKind.MOVE_BUTTON not in table.kinds()

    table.tell(PotPushed())

    assert table.kinds()[0] is PromptKind.MOVE_BUTTON
    assert clause in table.prompts[0].clauses


@pytest.mark.clause("ck.start.1")
def test_the_scramble_is_the_last_act_of_the_hand() -> None:
    table = on_the_river()
    table.tell(BettingClosed(), PotPushed())

    table.tell(CardsGathered())

    assert table.kinds() == [PromptKind.SCRAMBLE]
    assert table.prompts[0].clauses == ("ck.start.1",)


@pytest.mark.clause("ck.end.1")
@pytest.mark.clause("ck.start.1")
def test_at_a_machine_the_stub_is_in_its_shoe_and_the_scramble_comes_first() -> None:
    table = Told("ck")
    table.tell(DeckShuffled(count=52, by=Witness.MACHINE), DeckCut(), DealCompleted())
    for seat in (3, 4, 5, 6, 1):
        table.act(seat, Action.FOLD)
        assert PromptKind.SPREAD_STUB not in table.kinds()

    table.tell(PotPushed())
    pushed = table.kinds()

    assert PromptKind.DISCARDS_INTO_STUB not in pushed
    assert pushed[-1] is PromptKind.SCRAMBLE
    assert table.tell(CardsGathered()) == ()


@pytest.mark.clause("ck.stub.1")
def test_the_stub_is_counted_every_half_hour() -> None:
    table = dealt()
    assert table.tell(ClockTicked(at_ms=30 * MINUTE_MS - 1)) == ()

    table.tell(ClockTicked(at_ms=30 * MINUTE_MS))

    told = table.one(PromptKind.COUNT_STUB)
    assert (told.count, told.clauses) == (30, ("ck.stub.1",))
    assert table.tell(ClockTicked(at_ms=30 * MINUTE_MS + 1)) == ()


@pytest.mark.clause("ck.stub.1")
def test_a_count_still_due_stays_on_the_page_and_is_asked_again_at_the_end_of_the_hand() -> None:
    table = on_the_river()
    table.tell(ClockTicked(at_ms=31 * MINUTE_MS), BettingClosed(at_ms=31 * MINUTE_MS))
    assert table.state.prompts[0].kind is PromptKind.COUNT_STUB

    table.tell(PotPushed(at_ms=32 * MINUTE_MS))
    assert table.kinds().count(PromptKind.COUNT_STUB) == 1
    table.tell(StubCounted(count=table.state.stub, at_ms=33 * MINUTE_MS))

    assert table.state.prompts == ()
    assert table.tell(ClockTicked(at_ms=62 * MINUTE_MS)) == ()
    assert table.tell(ClockTicked(at_ms=63 * MINUTE_MS))[0].kind is PromptKind.COUNT_STUB


@pytest.mark.clause("ck.stub.1")
def test_a_machine_that_counts_the_deck_has_counted_it() -> None:
    table = Told("ck")

    table.tell(DeckShuffled(count=52, at_ms=29 * MINUTE_MS, by=Witness.MACHINE))

    assert table.tell(ClockTicked(at_ms=31 * MINUTE_MS)) == ()


def test_a_house_that_counts_no_stub_is_not_asked() -> None:
    table = Told(house("ck", stub__count_minutes=0))

    assert table.tell(ClockTicked(at_ms=90 * MINUTE_MS)) == ()


def misdeal(table: Told, **start: int) -> None:
    """The first card of a hand is turned up, which every text calls a misdeal."""
    table.start(**start)
    table.tell(DeckShuffled(), DeckCut())
    table.tell(CardDealt(seat=table.state.seat_due, card=cards("7h")[0], shown=Shown.UP))
    assert table.outcome.rulings[0].verdict is Verdict.MISDEAL


@pytest.mark.clause("fr2.2-9")
def test_the_floor_hears_of_a_player_whose_misdeals_repeat() -> None:
    table = Told("fr2")
    for hand, button in enumerate((4, 5, 4), start=1):
        misdeal(table, hand=hand, button=button)
        assert PromptKind.REPEATED_MISDEALS not in table.kinds()

    misdeal(table, hand=4, button=4)

    told = table.one(PromptKind.REPEATED_MISDEALS)
    assert (told.seat, told.count, told.for_floor) == (4, 3, True)
    assert told.clauses == ("fr2.2-9",)


@pytest.mark.clause("fr2.2-9")
def test_the_misdeals_of_a_house_dealer_are_his_wherever_the_button_is() -> None:
    table = Told("ck")
    for hand in (1, 2, 3):
        misdeal(table, hand=hand, button=hand)

    told = table.one(PromptKind.REPEATED_MISDEALS)
    assert (told.seat, told.count) == (0, 3)


def test_what_a_sensor_adds_ends_no_prompt() -> None:
    table = on_the_river()
    before = table.state.prompts

    table.tell(DeviceReported(device="camera", health="lost"), ClockTicked(at_ms=5))

    assert before
    assert table.state.prompts == before
