"""From the first dealer to the last card of the deal: who is told what, and on which clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import Card
from controller.events import (
    BlindPosted,
    CardDealt,
    CardsGathered,
    DeckChanged,
    DeckCut,
    DeckShuffled,
    FirstDealerDrawn,
    PlayerLeft,
    PotPushed,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    Witness,
)
from controller.rulings import PromptKind

from .playing import cards
from .prompted import Told, house

DEALS, SHUFFLES = PromptKind.SAY_WHO_DEALS, PromptKind.SAY_WHO_SHUFFLES
CUTS, DECK = PromptKind.SAY_WHO_CUTS, PromptKind.SAY_LIVE_DECK


def drawn(text: str) -> FirstDealerDrawn:
    """One card each for seats 1, 2, 3, ... in this order."""
    faces = cards(text)
    return FirstDealerDrawn(seats=tuple(range(1, len(faces) + 1)), cards=faces)


@pytest.mark.clause("fr1.first-dealer.1")
@pytest.mark.clause("fr2.2-2")
@pytest.mark.parametrize("book", ["fr1", "fr2"])
def test_the_highest_card_deals_first(book: str) -> None:
    table = Told(book)

    table.tell(drawn("7c Kd 2s Jh"))

    told = table.one(PromptKind.TELL_FIRST_DEALER)
    assert told.seat == 2
    assert {"fr1": "fr1.first-dealer.1", "fr2": "fr2.2-2"}[book] in told.clauses


@pytest.mark.clause("fr1.first-dealer.2")
def test_of_two_aces_the_one_dealt_first_wins_the_draw() -> None:
    table = Told("fr1")

    table.tell(drawn("7c Ad 2s Ah"))

    told = table.one(PromptKind.TELL_FIRST_DEALER)
    assert told.seat == 2
    assert "fr1.first-dealer.2" in told.clauses


def test_where_the_house_draws_again_the_tied_players_are_named() -> None:
    table = Told(house("fr1", first_dealer__tie="redraw"))

    table.tell(drawn("7c Ad 2s Ah"))

    told = table.one(PromptKind.TELL_FIRST_DEALER)
    assert (told.seat, told.seats, told.detail) == (0, (2, 4), "again")


@pytest.mark.clause("fr1.first-dealer.3")
def test_the_first_player_seated_may_deal_first_without_a_draw() -> None:
    table = Told(house("fr1", first_dealer__by="first_seated"))

    table.tell(FirstDealerDrawn(seats=(4,), cards=()))

    assert table.one(PromptKind.TELL_FIRST_DEALER).seat == 4


@given(
    seats=st.lists(st.integers(1, 10), max_size=4).map(tuple),
    faces=st.lists(st.sampled_from([Card.UNKNOWN, Card.JOKER, Card.SA, Card.HA]), max_size=4),
)
def test_no_draw_whatever_breaks_the_engine(seats: tuple[int, ...], faces: list[Card]) -> None:
    table = Told("fr1")

    table.tell(FirstDealerDrawn(seats=seats, cards=tuple(faces)))

    assert len(table.prompts) <= 1


@pytest.mark.clause("ck.shuffle.1")
def test_the_cards_are_washed_before_the_first_shuffle() -> None:
    assert PromptKind.WASH in Told("ck").kinds()


@pytest.mark.clause("ck.shuffle.1")
def test_the_scramble_that_ends_a_hand_is_the_wash_of_the_next() -> None:
    table = Told("ck")
    table.deal()
    table.tell(PotPushed(), CardsGathered())

    table.start(hand=2)

    assert PromptKind.WASH not in table.kinds()


@pytest.mark.clause("ck.shuffle.1")
def test_another_deck_is_washed_too() -> None:
    table = Told("ck")

    assert table.tell(DeckChanged(back="blue"))[0].kind is PromptKind.WASH
    assert table.tell(DeckChanged(back="red", is_new=True)) == ()


@pytest.mark.clause("fr1.shuffle.2")
@pytest.mark.clause("fr2.2-3.1")
@pytest.mark.parametrize("book", ["fr1", "fr2"])
def test_at_a_players_table_the_way_of_shuffling_is_free(book: str) -> None:
    assert PromptKind.WASH not in Told(book).kinds()


@pytest.mark.clause("ck.cut.1")
def test_a_house_dealer_releases_the_deck_and_cuts_onto_the_cut_card() -> None:
    table = Told("ck")

    table.tell(DeckShuffled())

    told = table.one(PromptKind.CUT_CARD)
    assert (told.detail, told.clauses) == ("cut_onto", ("ck.cut.1",))
    assert {DEALS, SHUFFLES, CUTS}.isdisjoint(table.kinds())


@pytest.mark.clause("fr1.cut.1")
def test_the_cut_card_goes_under_the_deck_before_the_deal() -> None:
    table = Told("fr1")
    table.tell(DeckShuffled())
    assert PromptKind.CUT_CARD not in table.kinds()

    table.tell(DeckCut())

    assert table.one(PromptKind.CUT_CARD).detail == "under_the_deck"


@pytest.mark.clause("fr1.cut.1")
def test_a_shoe_hides_the_bottom_card_without_a_cut_card() -> None:
    table = Told("fr1")

    table.tell(DeckShuffled(count=52, by=Witness.MACHINE), DeckCut())

    assert PromptKind.CUT_CARD not in table.kinds()


@pytest.mark.clause("fr1.rotate.1")
@pytest.mark.clause("fr1.deal.3")
def test_the_player_with_the_button_deals() -> None:
    table = Told("fr1", button=3)

    assert table.one(DEALS).seat == 3
    assert set(table.one(DEALS).clauses) == {"fr1.rotate.1", "fr1.deal.3"}


@pytest.mark.clause("fr1.roles.1")
def test_the_player_right_of_the_dealer_shuffles() -> None:
    assert Told("fr1", button=1).one(SHUFFLES).seat == 6


@pytest.mark.clause("fr1.roles.1")
def test_with_a_shuffling_machine_nobody_is_named() -> None:
    table = Told("fr1")
    table.tell(DeckShuffled(count=52, by=Witness.MACHINE))

    table.start(hand=2)

    assert SHUFFLES not in table.kinds()


@pytest.mark.clause("fr1.roles.3")
def test_where_the_dealer_shuffles_himself_another_still_cuts() -> None:
    table = Told(house("fr1", shuffle__by="dealer"))
    assert table.one(SHUFFLES).seat == 6

    table.tell(DeckShuffled())

    assert table.one(CUTS).seat == 1


@pytest.mark.clause("fr1.roles.2")
@pytest.mark.clause("fr1.cut.3")
def test_the_player_left_of_the_dealer_cuts_every_shuffle() -> None:
    table = Told("fr1", button=3)

    table.tell(DeckShuffled())

    told = table.one(CUTS)
    assert told.seat == 4
    assert {"fr1.roles.2", "fr1.cut.3"} <= set(told.clauses)


@pytest.mark.clause("fr1.shuffle.5")
def test_a_machine_shuffles_one_deck_while_the_other_is_dealt() -> None:
    table = Told("fr1")
    assert DECK not in table.kinds()
    table.tell(DeckShuffled(count=52, by=Witness.MACHINE))

    table.start(hand=2)
    second = table.one(DECK)
    table.start(hand=3)

    assert (second.count, table.one(DECK).count) == (2, 1)
    assert "fr1.shuffle.5" in second.clauses


@pytest.mark.clause("fr2.2-1.1")
@pytest.mark.clause("fr2.2-3.2")
@pytest.mark.clause("fr2.2-3.3")
def test_in_the_tournament_the_dealer_shuffles_and_his_right_neighbour_must_cut() -> None:
    table = Told("fr2", button=4)
    assert (table.one(DEALS).seat, table.one(SHUFFLES).seat) == (4, 4)
    assert table.one(DEALS).clauses == ("fr2.2-1.1",)

    table.tell(DeckShuffled())

    assert table.one(CUTS).seat == 3
    assert table.one(CUTS).clauses == ("fr2.2-3.2", "fr2.2-3.3")
    assert PromptKind.CUT_CARD not in table.kinds()


@pytest.mark.clause("fr2.2-3.5")
def test_in_doubt_the_small_blind_shuffles_and_the_cut_off_cuts_with_a_cut_card() -> None:
    table = Told("fr2", button=4, small_blind=5, big_blind=6)

    table.tell(SecuredShuffleOrdered())
    assert table.one(SHUFFLES).seat == 5
    table.tell(DeckShuffled())

    assert (table.one(CUTS).seat, table.one(PromptKind.CUT_CARD).detail) == (3, "cut_onto")
    assert "fr2.2-3.5" in table.one(CUTS).clauses


@pytest.mark.clause("fr2.2-3.5")
def test_the_order_lasts_until_the_floor_ends_it() -> None:
    table = Told("fr2")
    table.tell(SecuredShuffleOrdered())

    table.start(hand=2, button=1, small_blind=2, big_blind=3)
    secured = table.one(SHUFFLES).seat
    table.tell(SecuredShuffleOrdered(on=False))

    assert (secured, table.one(SHUFFLES).seat) == (2, 1)


@pytest.mark.clause("fr2.2-1.2")
@pytest.mark.clause("fr2.2-1.3")
def test_with_a_professional_dealer_the_floor_is_told_that_other_rules_apply() -> None:
    table = Told("fr2")

    table.tell(ProfessionalDealer())

    told = table.one(PromptKind.OTHER_RULES_APPLY)
    assert told.for_floor
    assert told.clauses == ("fr2.2-1.2", "fr2.2-1.3")
    table.start(hand=2)
    assert {DEALS, SHUFFLES}.isdisjoint(table.kinds())


def test_where_the_same_rules_hold_for_a_professional_nobody_is_told() -> None:
    table = Told(house("fr2", floor__professional_dealer="same_rules"))

    assert table.tell(ProfessionalDealer()) == ()


@pytest.mark.clause("ck.player-dealt.1")
@pytest.mark.clause("ck.player-dealt.2")
@pytest.mark.clause("ck.player-dealt.4")
def test_where_players_must_deal_the_button_deals_and_its_left_cuts() -> None:
    table = Told("ck", dealer=6)
    told = table.one(DEALS)

    table.tell(DeckShuffled())

    assert (told.seat, table.one(CUTS).seat) == (6, 1)
    assert {"ck.player-dealt.1", "ck.player-dealt.2"} <= set(told.clauses)


@pytest.mark.clause("ck.player-dealt.3")
@pytest.mark.clause("ck.player-dealt.5")
@pytest.mark.clause("ck.player-dealt.6")
def test_of_two_decks_the_dealers_right_shuffles_the_one_just_dealt() -> None:
    table = Told("ck", dealer=6)
    first = [(told.seat, told.count) for told in table.prompts if told.kind is SHUFFLES]

    table.start(hand=2, button=1, dealer=1)

    assert first == [(4, 1), (5, 2)]
    assert table.one(DECK).count == 2
    assert (table.one(SHUFFLES).seat, table.one(SHUFFLES).count) == (6, 1)


@given(
    seats=st.sets(st.integers(1, 10), min_size=3).map(lambda s: tuple(sorted(s))),
    hand=st.integers(2, 40),
    data=st.data(),
)
def test_shuffler_cutter_and_dealer_are_three_people(
    seats: tuple[int, ...], hand: int, data: st.DataObject
) -> None:
    dealer = data.draw(st.sampled_from(seats))
    table = Told("ck", seats=seats, hand=hand, button=dealer, dealer=dealer)
    shuffler = table.one(SHUFFLES).seat
    table.tell(DeckShuffled())

    assert len({dealer, table.one(CUTS).seat, shuffler}) == 3


@pytest.mark.clause("ck.chips.1")
def test_the_chips_of_a_player_who_is_away_are_watched() -> None:
    table = Told("ck", absent=(3,))
    assert table.one(PromptKind.WATCH_ABSENT_CHIPS).seat == 3

    table.tell(PlayerLeft(seat=5))

    assert table.one(PromptKind.WATCH_ABSENT_CHIPS).seat == 5


@pytest.mark.clause("ck.announce.d")
def test_a_make_up_blind_is_announced() -> None:
    table = Told("ck")

    table.tell(BlindPosted(seat=4, amount=15, dead=5, kind="make_up"))

    told = table.one(PromptKind.TELL_MAKE_UP_BLIND)
    assert (told.seat, told.amount, told.clauses) == (4, 15, ("ck.announce.d",))


@pytest.mark.clause("ck.scoop.3")
def test_its_dead_part_goes_to_the_centre_between_the_cut_and_the_first_card() -> None:
    early, late = Told("ck"), Told("ck")
    posted = BlindPosted(seat=4, amount=15, dead=5, kind="make_up")

    early.tell(posted, DeckShuffled())
    assert PromptKind.DEAD_BLIND_TO_CENTRE not in early.kinds()
    early.tell(DeckCut())
    late.tell(DeckShuffled(), DeckCut(), posted)

    for table in (early, late):
        told = table.one(PromptKind.DEAD_BLIND_TO_CENTRE)
        assert (told.seat, told.amount) == (4, 5)


@pytest.mark.clause("ck.announce.g")
def test_in_stud_the_bring_in_is_announced() -> None:
    table = Told("ck", game="stud", small_blind=0, big_blind=0)

    table.tell(BlindPosted(seat=3, amount=2, kind="bring_in"))

    assert table.one(PromptKind.TELL_BRING_IN).seat == 3


@pytest.mark.clause("faq.protect.1")
@pytest.mark.clause("faq.protect.2")
def test_once_all_have_cards_players_are_told_to_protect_them() -> None:
    table = Told("faq")
    table.tell(DeckShuffled(), DeckCut(), CardDealt(seat=1))
    assert PromptKind.PROTECT_HANDS not in table.kinds()

    table.deal()

    told = table.one(PromptKind.PROTECT_HANDS)
    assert told.clauses == ("faq.protect.1", "faq.protect.2")
