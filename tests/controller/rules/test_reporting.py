"""What a person may report that no sensor sees: what fits the moment, and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from controller.events import (
    Action,
    ButtonSeen,
    CardDealt,
    CardLookedAt,
    CardMarred,
    CardsGathered,
    ChangeTaken,
    Danger,
    DeckChanged,
    DeckCut,
    DeckRequested,
    DeckShuffled,
    DoubtReported,
    FouledDeckKnown,
    HandCounted,
    HandEndangered,
    HandStarted,
    JokerReported,
    MisdealClaimed,
    Objected,
    PlayerLeft,
    PlayerOut,
    PlayerSeated,
    PlayingBehind,
    PotPushed,
    PotSplashed,
    ProfessionalDealer,
    SecuredShuffleOrdered,
    StubCounted,
    StubDropped,
    TableEvent,
)
from controller.rules import Gate, gate, legal_taps, next_steps
from controller.rulings import StepKind, Verdict
from controller.table import start

from .prompted import Told


def offered(table: Told) -> tuple[TableEvent, ...]:
    """What the page offers now."""
    return legal_taps(table.state, table.book)


def of(table: Told, kind: type) -> list[TableEvent]:
    """The taps of one kind."""
    return [tap for tap in offered(table) if isinstance(tap, kind)]


def dealt(book: str = "ck", **start: object) -> Told:
    """A hand whose cards are all dealt."""
    table = Told(book, **start)
    table.deal()
    return table


def test_before_the_first_hand_nothing_can_be_reported() -> None:
    table = Told("ck")
    table.state = start()

    assert offered(table) == ()


def test_every_danger_can_be_reported_of_a_hand_that_is_in() -> None:
    dangers = {
        tap.danger
        for tap in of(dealt(), HandEndangered)
        if isinstance(tap, HandEndangered) and tap.seat == 3
    }

    assert dangers == set(Danger)


def test_a_hand_thrown_forward_names_who_acted_behind_it() -> None:
    table = dealt()
    forward = HandEndangered(seat=6, danger=Danger.FORWARD_MOTION, other=1)
    into = [HandEndangered(seat=6, danger=Danger.INTO_OTHER_HAND, other=n) for n in (1, 5)]

    assert forward in offered(table)
    assert [tap for tap in into if tap in offered(table)] == into


def test_a_folded_hand_is_in_no_danger() -> None:
    table = dealt()

    table.act(3, Action.FOLD)

    assert 3 not in {getattr(tap, "seat", 0) for tap in of(table, HandEndangered)}
    assert JokerReported(seat=3) not in offered(table)


@pytest.mark.parametrize(("game", "most"), [("holdem", 3), ("omaha", 5)])
def test_a_hand_may_be_counted_from_none_to_one_too_many(game: str, most: int) -> None:
    counts = [tap for tap in of(dealt(game=game), HandCounted) if getattr(tap, "seat", 0) == 2]

    assert counts == [HandCounted(seat=2, count=n) for n in range(most + 1)]


def test_a_player_who_asked_for_a_hand_and_was_dealt_around_can_be_reported() -> None:
    table = dealt(seats=(1, 2, 3), asked=(5,), absent=(5,), button=3)

    assert HandCounted(seat=5, count=0) in offered(table)


def test_players_go_and_come_back() -> None:
    table = dealt()
    assert PlayerLeft(seat=4) in offered(table)

    table.tell(PlayerLeft(seat=4))

    assert PlayerSeated(seat=4) in offered(table)
    assert PlayerLeft(seat=4) not in offered(table)


def test_a_player_is_eliminated_only_when_the_hand_is_played() -> None:
    table = dealt()
    assert of(table, PlayerOut) == []

    table.tell(PotPushed())

    assert PlayerOut(seat=4) in offered(table)


def test_the_deck_and_the_stub() -> None:
    table = dealt()

    for tap in (
        CardMarred(),
        DeckRequested(),
        DeckRequested(what="set_up"),
        StubDropped(),
        StubDropped(top_known=False),
        StubCounted(count=40),
    ):
        assert tap in offered(table)


def test_an_unshuffled_deck_is_no_stub() -> None:
    assert of(Told("ck"), StubDropped) == []


def test_chips_are_thrown_changed_or_owed_only_while_betting_is_open() -> None:
    table = Told("ck")
    table.tell(DeckShuffled())
    kinds = (PotSplashed, ChangeTaken, PlayingBehind)
    assert all(of(table, kind) == [] for kind in kinds)

    assert all(len(of(dealt(), kind)) == 6 for kind in kinds)


def test_a_misdeal_can_be_claimed_while_the_hand_is_played() -> None:
    table = dealt()
    assert MisdealClaimed(seat=2) in offered(table)

    table.tell(PotPushed())

    assert of(table, MisdealClaimed) == []


def test_an_objection_is_to_a_ruling_in_force() -> None:
    table = dealt()
    assert of(table, Objected) == []

    table.tell(StubDropped())

    assert Objected(seat=2) in offered(table)


def test_whether_a_card_was_looked_at_is_asked_of_the_player_who_got_it_wrongly() -> None:
    table = Told("ck")
    table.tell(DeckShuffled(), DeckCut())
    table.tell(CardDealt(seat=1), CardDealt(seat=3))

    assert of(table, CardLookedAt) == [CardLookedAt(seat=3)]


def test_doubt_has_a_place_where_cards_or_chips_lie() -> None:
    table = dealt()
    assert [getattr(tap, "zone", "") for tap in of(table, DoubtReported)] == ["pot", "stub"]

    table.burn()

    assert DoubtReported(zone="burn") in offered(table)


def test_who_knew_of_a_fouled_deck_is_asked_once_there_is_one() -> None:
    table = dealt()
    assert of(table, FouledDeckKnown) == []

    table.tell(StubCounted(count=41))

    assert table.outcome.rulings[0].verdict is Verdict.FOULED_DECK
    assert FouledDeckKnown(seat=2) in offered(table)


def test_the_button_can_be_reported_elsewhere_during_the_deal() -> None:
    table = Told("ck")

    assert ButtonSeen(seat=5) in offered(table)
    assert ButtonSeen(seat=6) not in offered(table)
    assert of(dealt(), ButtonSeen) == []


@pytest.mark.parametrize(("book", "can"), [("fr2", True), ("ck", False)])
def test_where_players_deal_the_floor_can_change_who_does(book: str, can: bool) -> None:
    table = Told(book)
    assert (ProfessionalDealer() in offered(table)) is can
    assert (SecuredShuffleOrdered() in offered(table)) is can

    table.deal()

    assert of(table, SecuredShuffleOrdered) == []


@pytest.mark.clause("ck.start.3")
def test_once_the_riffle_has_begun_the_hand_must_be_dealt() -> None:
    table = Told("fr2")
    table.tell(DeckShuffled())

    changes = {HandStarted, CardsGathered, DeckChanged, ProfessionalDealer, SecuredShuffleOrdered}

    assert changes.isdisjoint({type(tap) for tap in offered(table)})
    assert next_steps(table.state, table.book)[0].kind is StepKind.CUT


@pytest.mark.clause("ck.start.4")
def test_only_a_misdeal_or_a_matter_for_the_floor_stops_it() -> None:
    misdealt, in_doubt = Told("ck"), Told("ck")
    for table in (misdealt, in_doubt):
        table.tell(DeckShuffled(), DeckCut())

    misdealt.tell(CardDealt(seat=2))
    in_doubt.tell(DoubtReported(zone="stub"))

    kinds = [step.kind for step in misdealt.outcome.rulings[0].steps]
    assert misdealt.outcome.rulings[0].verdict is Verdict.MISDEAL
    assert kinds.index(StepKind.SHUFFLE) < kinds.index(StepKind.REDEAL)
    assert next_steps(in_doubt.state, in_doubt.book)[0].kind is StepKind.CALL_FLOOR
    assert gate(in_doubt.state, in_doubt.book) is Gate.HELD


def test_the_secured_shuffle_can_be_ended() -> None:
    table = Told("fr2")

    table.tell(SecuredShuffleOrdered())

    assert of(table, SecuredShuffleOrdered) == [SecuredShuffleOrdered(on=False)]


def test_between_two_hands_players_and_decks_change() -> None:
    table = dealt()
    table.tell(PotPushed(), CardsGathered())

    assert {PlayerLeft, PlayerOut, DeckChanged} <= {type(tap) for tap in offered(table)}
    assert of(table, CardMarred) == []


@pytest.mark.parametrize("book", ["ck", "fr1", "fr2", "fr3", "faq"])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_tapped_the_table_goes_on(book: str, seed: int) -> None:
    rng, table = Random(seed), Told(book)

    for number in range(120):
        taps = offered(table)
        assert len(set(map(repr, taps))) == len(taps), "a tap is offered twice"
        if not taps or not table.state.live:
            table.tell(PotPushed(), CardsGathered())
            table.start(hand=number + 2)
            continue
        table.tell(rng.choice(taps))
        assert table.state.stub >= 0
