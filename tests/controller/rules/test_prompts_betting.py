"""Betting rounds: what is announced, asked, verified and gathered, when and on which clause."""

from __future__ import annotations

import pytest

from controller.events import (
    Action,
    BettingClosed,
    BlindPosted,
    BoardShown,
    CardDealt,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    PlayingBehind,
    Shown,
)
from controller.rules.award import pots_now
from controller.rulings import Money, PromptKind, Verdict

from .playing import cards
from .prompted import Told, house

CALL, CHECK, FOLD = Action.CALL, Action.CHECK, Action.FOLD
BET, RAISE, ALL_IN = Action.BET, Action.RAISE, Action.ALL_IN
FLOP = BoardShown(cards=cards("As Kd 2c"))


def dealt(book: str = "ck") -> Told:
    """A hand with its blinds posted and every card dealt."""
    table = Told(book)
    table.tell(BlindPosted(seat=1, amount=5, kind="small"), BlindPosted(seat=2, amount=10))
    table.deal()
    return table


def on_the_flop(book: str = "ck") -> Told:
    """Seats 3 to 6 have folded, the blinds have seen the flop for 10 each."""
    table = dealt(book)
    for seat in (3, 4, 5, 6):
        table.act(seat, FOLD)
    table.act(1, CALL, 10)
    table.act(2, CHECK)
    table.burn()
    table.tell(FLOP)
    return table


def stud() -> Told:
    """Two players of seven-card stud before their first card."""
    table = Told("ck", game="stud", small_blind=0, big_blind=0, seats=(1, 2), button=2)
    table.tell(DeckShuffled(), DeckCut())
    return table


@pytest.mark.clause("ck.duties.4")
@pytest.mark.clause("ck.announce.f")
def test_each_street_begins_with_the_number_of_players_left() -> None:
    before = dealt().one(PromptKind.TELL_PLAYERS_LEFT)
    flop = on_the_flop().one(PromptKind.TELL_PLAYERS_LEFT)

    assert (before.count, before.street) == (6, "preflop")
    assert (flop.count, flop.street) == (2, "flop")
    assert flop.clauses == ("ck.duties.4", "ck.announce.f")


def test_a_deal_that_nobody_watched_opens_the_round_as_well() -> None:
    table = Told("ck")
    table.tell(DeckShuffled(), DeckCut())

    table.tell(DealCompleted())

    assert table.one(PromptKind.TELL_PLAYERS_LEFT).count == 6


@pytest.mark.clause("ck.duties.3")
def test_who_acts_out_of_turn_is_told_whose_turn_it_is() -> None:
    table = dealt()

    table.act(5, CALL, 10)

    told = table.one(PromptKind.TELL_TURN)
    assert (told.seat, told.clauses) == (3, ("ck.duties.3",))


def test_in_turn_nobody_is_told() -> None:
    assert dealt().act(3, CALL, 10) == ()


@pytest.mark.clause("ck.announce.e")
def test_every_raise_is_announced() -> None:
    table = dealt()

    table.act(3, RAISE, 30)

    told = table.one(PromptKind.TELL_RAISE)
    assert (told.seat, told.amount, told.clauses) == (3, 30, ("ck.announce.e",))


@pytest.mark.clause("ck.announce.c")
def test_an_all_in_is_announced_and_when_it_raises_that_too() -> None:
    table = dealt()

    table.act(3, ALL_IN, 8)
    short = table.kinds()
    table.act(4, ALL_IN, 50)

    assert short == [PromptKind.TELL_ALL_IN]
    assert table.kinds() == [PromptKind.TELL_ALL_IN, PromptKind.TELL_RAISE]
    assert table.one(PromptKind.TELL_ALL_IN).clauses == ("ck.announce.c",)


@pytest.mark.clause("ck.announce.a")
def test_playing_behind_is_announced() -> None:
    table = dealt()

    table.tell(PlayingBehind(seat=4, amount=200))

    told = table.one(PromptKind.TELL_PLAYING_BEHIND)
    assert (told.seat, told.amount, told.clauses) == (4, 200, ("ck.announce.a",))


@pytest.mark.clause("ck.blinds.1")
def test_the_big_blind_is_asked_when_nobody_has_raised() -> None:
    table = dealt()
    for seat in (3, 4, 5, 6):
        table.act(seat, CALL, 10)
        assert PromptKind.ASK_OPTION not in table.kinds()

    table.act(1, CALL, 10)

    assert table.one(PromptKind.ASK_OPTION).seat == 2


@pytest.mark.clause("ck.blinds.1")
def test_where_no_chips_are_entered_the_option_is_named_as_the_round_opens() -> None:
    table = Told("ck")

    table.deal()

    assert table.one(PromptKind.ASK_OPTION).seat == 2
    assert PromptKind.ASK_OPTION not in dealt().kinds()


@pytest.mark.clause("ck.blinds.1")
def test_a_raised_blind_has_no_option() -> None:
    table = dealt()
    table.act(3, RAISE, 30)

    for seat in (4, 5, 6, 1):
        table.act(seat, CALL, 30)

    assert PromptKind.ASK_OPTION not in table.kinds()


@pytest.mark.clause("ck.blinds.1")
def test_every_live_blind_is_asked_also_one_that_was_made_up() -> None:
    table = Told("ck")
    table.tell(
        BlindPosted(seat=1, amount=5, kind="small"),
        BlindPosted(seat=2, amount=10),
        BlindPosted(seat=4, amount=15, dead=5, kind="make_up"),
    )
    table.deal()

    table.act(3, CALL, 10)

    assert table.one(PromptKind.ASK_OPTION).seat == 4


@pytest.mark.clause("ck.scoop.1")
@pytest.mark.clause("ck.scoop.2")
def test_bets_and_blinds_stay_before_the_players() -> None:
    first, later = dealt(), on_the_flop()
    assert PromptKind.BETS_STAY_IN_FRONT not in later.kinds()

    later.act(1, BET, 20)

    assert first.one(PromptKind.BETS_STAY_IN_FRONT).clauses == ("ck.scoop.1", "ck.scoop.2")
    assert later.kinds() == [PromptKind.BETS_STAY_IN_FRONT]


@pytest.mark.clause("fr1.pot.1")
def test_under_fr1_the_blinds_are_gathered_instead() -> None:
    table = dealt("fr1")

    told = table.one(PromptKind.GATHER_BLINDS)
    assert (told.amount, told.clauses) == (15, ("fr1.pot.1",))
    assert PromptKind.BETS_STAY_IN_FRONT not in table.kinds()
    assert PromptKind.GATHER_BLINDS not in dealt("ck").kinds()


@pytest.mark.clause("ck.scoop.5")
@pytest.mark.clause("ck.duties.5")
def test_bets_are_verified_before_they_are_scooped() -> None:
    table = on_the_flop()
    table.act(1, BET, 20)
    assert PromptKind.VERIFY_AND_SCOOP not in table.kinds()

    table.act(2, CALL, 20)

    told = table.one(PromptKind.VERIFY_AND_SCOOP)
    assert told.money == (Money(1, 20), Money(2, 20))
    assert told.clauses == ("ck.scoop.5", "ck.duties.5")


def test_there_is_nothing_to_scoop_when_all_have_checked() -> None:
    table = on_the_flop()

    table.check_round()

    assert table.kinds() == [PromptKind.TAP_TABLE]


def test_where_no_bets_are_entered_they_are_scooped_all_the_same() -> None:
    table = Told("ck")
    table.deal()

    table.tell(BettingClosed())

    assert table.one(PromptKind.VERIFY_AND_SCOOP).money == ()


@pytest.mark.clause("fr1.pot.2")
@pytest.mark.clause("ck.layout.2")
@pytest.mark.clause("ck.layout.3")
@pytest.mark.parametrize("book", ["ck", "fr1"])
def test_an_all_in_for_less_leaves_a_side_pot_to_the_others(book: str) -> None:
    table = dealt(book)
    table.act(3, ALL_IN, 6)
    for seat in (4, 5, 6):
        table.act(seat, FOLD)
    table.act(1, CALL, 10)

    table.act(2, CHECK)

    told = table.one(PromptKind.SIDE_POT_APART)
    assert (told.seats, told.amount, told.count) == ((1, 2), 8, 1)
    expected = {"ck": ("ck.layout.2", "ck.layout.3"), "fr1": ("fr1.pot.2",)}
    assert told.clauses == expected[book]


def test_two_all_ins_leave_two_side_pots() -> None:
    table = dealt()
    table.act(3, ALL_IN, 20)
    table.act(4, ALL_IN, 30)
    table.act(5, RAISE, 50)
    table.act(6, FOLD)
    table.act(1, CALL, 50)

    table.act(2, FOLD)

    sides = [told for told in table.prompts if told.kind is PromptKind.SIDE_POT_APART]
    assert [(told.seats, told.amount) for told in sides] == [((1, 4, 5), 30), ((1, 5), 40)]


@pytest.mark.clause("ck.scoop.3")
@pytest.mark.parametrize(
    "forced",
    [
        BlindPosted(seat=3, amount=15, dead=5, kind="make_up"),
        BlindPosted(seat=2, amount=5, kind="ante"),
    ],
)
def test_chips_that_nobody_matches_are_in_the_main_pot(forced: BlindPosted) -> None:
    table = Told("ck", seats=(1, 2, 3), button=3)
    table.tell(BlindPosted(seat=1, amount=5, kind="small"), BlindPosted(seat=2, amount=10), forced)
    table.deal()
    while table.state.to_act[0] != 1:
        table.act(table.state.to_act[0], CALL, 10)
    table.act(1, ALL_IN, 8)
    while table.state.to_act:
        table.act(table.state.to_act[0], CHECK)

    main, side = pots_now(table.state)

    assert (main.chips, main.seats) == (8 * 3 + 5, (1, 2, 3))
    assert (side.chips, side.seats) == (4, (2, 3))


def test_with_everybody_in_for_the_same_there_is_no_side_pot() -> None:
    table = on_the_flop()
    table.act(1, ALL_IN, 20)

    table.act(2, CALL, 20)

    assert PromptKind.SIDE_POT_APART not in table.kinds()


@pytest.mark.clause("fr1.duties.2")
def test_folded_cards_are_gathered() -> None:
    table = dealt("fr1")

    table.act(3, FOLD)

    told = table.one(PromptKind.GATHER_FOLDED)
    assert (told.seat, told.clauses) == (3, ("fr1.duties.2",))


@pytest.mark.clause("ck.burn.2")
def test_the_table_is_tapped_when_the_burn_is_next() -> None:
    table = on_the_flop()
    table.act(1, CHECK)
    assert PromptKind.TAP_TABLE not in table.kinds()

    table.act(2, CHECK)

    assert table.one(PromptKind.TAP_TABLE).clauses == ("ck.burn.2",)


@pytest.mark.clause("fr1.burn.2")
def test_under_fr1_the_warning_comes_when_everybody_has_spoken() -> None:
    table = on_the_flop("fr1")

    table.check_round()

    assert "fr1.burn.2" in table.one(PromptKind.TAP_TABLE).clauses


@pytest.mark.clause("ck.burn.2")
def test_with_all_players_all_in_every_burn_is_announced_by_a_tap() -> None:
    table = on_the_flop()
    table.act(1, ALL_IN, 20)
    table.act(2, ALL_IN, 20)
    assert PromptKind.TAP_TABLE in table.kinds()

    table.burn()
    table.tell(BoardShown(cards=cards("3h")))

    assert PromptKind.TAP_TABLE in table.kinds()


@pytest.mark.clause("ck.layout.1")
def test_the_flop_lies_in_the_centre_and_only_the_flop_is_placed() -> None:
    table = on_the_flop()
    assert table.one(PromptKind.PLACE_FLOP).clauses == ("ck.layout.1",)

    table.check_round()
    table.burn()
    table.tell(BoardShown(cards=cards("3h")))

    assert PromptKind.PLACE_FLOP not in table.kinds()


def test_a_misdeal_is_no_end_of_a_betting_round() -> None:
    table = Told("ck")
    table.tell(CardDealt(seat=1))

    assert table.outcome.rulings[0].verdict is Verdict.MISDEAL  # neither shuffled nor cut
    assert PromptKind.VERIFY_AND_SCOOP not in table.kinds()
    assert PromptKind.TAP_TABLE not in table.kinds()


def test_a_prompt_passes_with_the_next_thing_that_happens() -> None:
    table = dealt()
    table.act(3, RAISE, 30)
    assert [told.kind for told in table.state.prompts] == [PromptKind.TELL_RAISE]

    table.act(4, CALL, 30)

    assert table.state.prompts == ()


@pytest.mark.clause("ck.announce.g")
def test_in_stud_the_high_hand_is_announced_on_each_later_street() -> None:
    table = stud()
    up = iter(cards("3c Kd As Td"))
    while table.state.seat_due:
        is_up = len(table.state.hands.get(table.state.seat_due, ())) == 2
        face = next(up) if is_up else cards("??")[0]
        shown = Shown.UP if is_up else Shown.DOWN
        table.tell(CardDealt(seat=table.state.seat_due, card=face, shown=shown))
    assert PromptKind.TELL_HIGH_HAND not in table.kinds()
    table.tell(BettingClosed())
    table.burn()

    for face in up:
        table.tell(CardDealt(seat=table.state.seat_due, card=face, shown=Shown.UP))

    high = table.one(PromptKind.TELL_HIGH_HAND)
    assert (high.seat, high.clauses) == (table.state.to_act[0], ("ck.announce.g",))


@pytest.mark.clause("ck.pitch.3")
def test_in_stud_the_last_down_card_is_dealt_apart() -> None:
    table = stud()
    told = []
    for _ in range(40):
        if table.state.betting_open:
            table.tell(BettingClosed())
            told.append(PromptKind.LAST_DOWN_CARD_APART in table.kinds())
        elif table.state.seat_due:
            table.tell(CardDealt(seat=table.state.seat_due))
        else:
            table.burn()
        if table.state.street.value == "showdown":
            break

    assert told == [False, False, False, True, False]


def test_a_house_that_wants_no_announcements_hears_none() -> None:
    book = house("ck", prompts__tell_raise=False, prompts__tell_all_in=False)
    table = Told(book)
    table.deal()

    assert table.act(3, RAISE, 30) == ()
