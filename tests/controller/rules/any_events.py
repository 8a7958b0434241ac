"""Strategies for any event at all, and for events that a table could see."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from controller.cards import FULL_DECK, Card
from controller.events import (
    Action,
    AlarmAcknowledged,
    BackSeen,
    BlindPosted,
    BoardShown,
    ButtonSeen,
    CardBurned,
    CardDealt,
    CardExposed,
    CardLookedAt,
    CardMarred,
    CardsGathered,
    CardsMoved,
    Cause,
    ChangeTaken,
    Danger,
    DeckChanged,
    DeckCut,
    DeckPrepared,
    DeckRequested,
    DeckShuffled,
    DeviceReported,
    DoubtReported,
    FirstDealerDrawn,
    FloorDecided,
    FouledDeckKnown,
    HandCounted,
    HandEndangered,
    HandShown,
    HandStarted,
    JokerReported,
    MachineCounted,
    MisdealClaimed,
    Objected,
    PlayerActed,
    PlayerDrew,
    PlayerLeft,
    PlayerOut,
    PlayerSeated,
    PlayingBehind,
    PotPushed,
    PotSplashed,
    SecuredShuffleOrdered,
    Shown,
    StepConfirmed,
    StubCounted,
    StubDropped,
    StubReshuffled,
    TableEvent,
    TapUndone,
)
from controller.table import GAMES

SEATS = st.integers(1, 22)
NO_SEAT = st.integers(0, 22)
COUNTS = st.integers(0, 60)
AMOUNTS = st.integers(0, 500)
CARDS = st.sampled_from([*FULL_DECK, Card.UNKNOWN, Card.JOKER])
SOME_CARDS = st.lists(CARDS, max_size=5).map(tuple)
ZONES = st.sampled_from(
    [*(f"seat:{n}" for n in range(1, 11)), "board", "board:1", "burn", "muck", "stub", "aside"]
)
SOME_SEATS = st.lists(SEATS, max_size=10, unique=True).map(tuple)

_ANY = {
    HandStarted: st.builds(
        HandStarted,
        hand=COUNTS,
        seats=st.lists(SEATS, min_size=2, max_size=10, unique=True).map(tuple),
        button=SEATS,
        small_blind=NO_SEAT,
        big_blind=NO_SEAT,
        dealer=NO_SEAT,
        absent=SOME_SEATS,
        asked=SOME_SEATS,
        owes=SOME_SEATS,
        must_post=st.booleans(),
        game=st.sampled_from(sorted(GAMES)),
        deck_count=st.integers(1, 104),
        deck_back=st.sampled_from(["", "red"]),
    ),
    DeckShuffled: st.builds(
        DeckShuffled, count=st.integers(-1, 60), sequence=st.sampled_from(["", "RRBR", "RBBR"])
    ),
    DeckCut: st.builds(
        DeckCut, smaller_pile=st.integers(-1, 26), seat=NO_SEAT, refused=st.booleans()
    ),
    BlindPosted: st.builds(BlindPosted, seat=SEATS, amount=AMOUNTS, dead=AMOUNTS),
    CardDealt: st.builds(
        CardDealt,
        seat=SEATS,
        card=CARDS,
        shown=st.sampled_from(Shown),
        boxed=st.booleans(),
        landed=st.sampled_from(["seat", "off_table"]),
    ),
    CardExposed: st.builds(
        CardExposed, seat=SEATS, card=CARDS, cause=st.sampled_from(Cause), nth=st.integers(0, 4)
    ),
    CardLookedAt: st.builds(CardLookedAt, seat=SEATS),
    JokerReported: st.builds(JokerReported, seat=SEATS),
    CardBurned: st.builds(CardBurned, card=CARDS, boxed=st.booleans()),
    BoardShown: st.builds(
        BoardShown, cards=SOME_CARDS, order_known=st.booleans(), boxed=st.booleans()
    ),
    CardsMoved: st.builds(CardsMoved, cards=SOME_CARDS, origin=ZONES, target=ZONES),
    StubReshuffled: st.builds(StubReshuffled, count=st.integers(-1, 60)),
    StubCounted: st.builds(StubCounted, count=COUNTS),
    BackSeen: st.builds(BackSeen, zone=ZONES, back=st.sampled_from(["red", "blue"])),
    PlayerActed: st.builds(PlayerActed, seat=SEATS, action=st.sampled_from(Action), amount=AMOUNTS),
    HandShown: st.builds(HandShown, seat=SEATS, cards=SOME_CARDS),
    PotPushed: st.builds(PotPushed, seats=SOME_SEATS),
    CardsGathered: st.builds(CardsGathered, count=st.integers(-1, 60)),
    HandCounted: st.builds(HandCounted, seat=SEATS, count=st.integers(0, 8)),
    PlayerDrew: st.builds(PlayerDrew, seat=SEATS, count=st.integers(0, 8)),
    PlayerLeft: st.builds(PlayerLeft, seat=SEATS),
    PlayerSeated: st.builds(PlayerSeated, seat=SEATS),
    PlayerOut: st.builds(PlayerOut, seat=SEATS),
    ButtonSeen: st.builds(ButtonSeen, seat=SEATS),
    FirstDealerDrawn: st.builds(FirstDealerDrawn, seats=SOME_SEATS, cards=SOME_CARDS),
    HandEndangered: st.builds(
        HandEndangered, seat=SEATS, danger=st.sampled_from(Danger), other=NO_SEAT
    ),
    PotSplashed: st.builds(PotSplashed, seat=SEATS, amount=AMOUNTS),
    ChangeTaken: st.builds(ChangeTaken, seat=SEATS),
    PlayingBehind: st.builds(PlayingBehind, seat=SEATS, amount=AMOUNTS),
    StubDropped: st.builds(
        StubDropped, top_known=st.booleans(), questioned=st.booleans(), doubtful=COUNTS
    ),
    CardMarred: st.builds(CardMarred, card=CARDS),
    DeckRequested: st.builds(
        DeckRequested, seat=NO_SEAT, what=st.sampled_from(["change", "set_up"])
    ),
    DeckChanged: st.builds(DeckChanged, is_new=st.booleans()),
    FouledDeckKnown: st.builds(FouledDeckKnown, seat=SEATS),
    Objected: st.builds(Objected, seat=SEATS),
    MisdealClaimed: st.builds(MisdealClaimed, seat=SEATS),
    DoubtReported: st.builds(DoubtReported, zone=ZONES),
    SecuredShuffleOrdered: st.builds(SecuredShuffleOrdered, on=st.booleans()),
    TapUndone: st.builds(TapUndone),
    StepConfirmed: st.builds(
        StepConfirmed, step=st.sampled_from(["1/1.1", "1/1.2", "1/2.1", "0/1.1", "next", ""])
    ),
    FloorDecided: st.builds(
        FloorDecided,
        ruling=st.sampled_from(["1/1", "1/2", "0/1", ""]),
        decision=st.sampled_from(["confirmed", "overruled"]),
    ),
    DeviceReported: st.builds(
        DeviceReported,
        device=st.sampled_from(["shuffler", "camera"]),
        health=st.sampled_from(["ready", "lost", "fault"]),
        code=st.sampled_from(["", "jam", "stranger", "wrong_mode", "count_differs"]),
    ),
    AlarmAcknowledged: st.builds(
        AlarmAcknowledged,
        alarm=st.sampled_from(["alarm/1", "alarm/2", "alarm/3"]),
        by_whom=st.just("Ada"),
        reason=st.just("seen"),
    ),
    MachineCounted: st.builds(
        MachineCounted, given=st.integers(-2, 54), inside=st.integers(-1, 54)
    ),
    DeckPrepared: st.builds(
        DeckPrepared, back=st.sampled_from(["", "red", "blue"]), count=st.integers(-1, 54)
    ),
}

ANY_EVENT: st.SearchStrategy[TableEvent] = st.one_of(
    *(_ANY.get(kind, st.builds(kind)) for kind in get_args(TableEvent))
)
"""Any event with any facts, whether it makes sense or not."""
