"""The words of a tap, and the heading under which the page folds it away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.events import (
    AlarmAcknowledged,
    BettingClosed,
    BlindPosted,
    BoardShown,
    ButtonSeen,
    CardBurned,
    CardDealt,
    CardLookedAt,
    CardMarred,
    CardsGathered,
    ChangeTaken,
    CutCardChecked,
    DealCompleted,
    DeckChanged,
    DeckCut,
    DeckPrepared,
    DeckRequested,
    DeckShuffled,
    DoubtReported,
    FirstDealerDrawn,
    FloorDecided,
    FouledDeckKnown,
    HandCounted,
    HandEndangered,
    HandStarted,
    JokerReported,
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
    ProfessionalDealer,
    SecuredShuffleOrdered,
    StubCounted,
    StubDropped,
    StubReshuffled,
    TableEvent,
)
from controller.view.texts import text

Key = str | Callable[[Any], str]

_KEYS: Final[dict[type, Key]] = {
    AlarmAcknowledged: "tap.acknowledge",
    BettingClosed: "tap.betting_closed",
    BlindPosted: lambda tap: f"tap.blind_{tap.kind}",
    BoardShown: "tap.board",
    ButtonSeen: "tap.button",
    CardBurned: "tap.burned",
    CardDealt: "tap.dealt",
    CardLookedAt: "tap.looked",
    CardMarred: "tap.marred",
    CardsGathered: "tap.gathered",
    ChangeTaken: "tap.change",
    DealCompleted: "tap.deal_completed",
    DeckChanged: "tap.deck_changed",
    DeckCut: lambda tap: "tap.cut_refused" if tap.refused else "tap.cut",
    CutCardChecked: lambda tap: "tap.cut_card" if tap.is_there else "tap.no_cut_card",
    DeckPrepared: "tap.deck_prepared",
    DeckRequested: lambda tap: f"tap.deck_{tap.what}",
    DeckShuffled: "tap.shuffled",
    DoubtReported: "tap.doubt",
    FirstDealerDrawn: "tap.first_dealer",
    FloorDecided: lambda tap: f"tap.floor_{tap.decision}",
    FouledDeckKnown: "tap.knew",
    HandCounted: "tap.hand_counted",
    HandEndangered: lambda tap: f"danger.{tap.danger.value}",
    HandStarted: "tap.start",
    JokerReported: "tap.joker",
    MisdealClaimed: "tap.claim",
    Objected: "tap.objected",
    PlayerActed: lambda tap: f"action.{tap.action.value}",
    PlayerDrew: "tap.drew",
    PlayerLeft: "tap.left",
    PlayerOut: "tap.out",
    PlayerSeated: "tap.seated",
    PlayingBehind: "tap.behind",
    PotPushed: "tap.pushed",
    PotSplashed: "tap.splashed",
    ProfessionalDealer: "tap.professional",
    SecuredShuffleOrdered: lambda tap: "tap.secured_on" if tap.on else "tap.secured_off",
    StubCounted: "tap.counted",
    StubDropped: lambda tap: "tap.dropped" if tap.top_known else "tap.dropped_in_doubt",
    StubReshuffled: "tap.reshuffled",
}
"""Key of the text of each tap, or how it follows from what the tap says."""

_DECK: Final = frozenset(
    {
        CardMarred,
        CutCardChecked,
        DeckPrepared,
        DeckRequested,
        StubDropped,
        StubCounted,
        DoubtReported,
    }
)


def label(tap: TableEvent, lang: str) -> str:
    """The words on the button."""
    key = _KEYS.get(type(tap), "tap.done")
    zone = getattr(tap, "zone", "")
    words = text(
        key if isinstance(key, str) else key(tap),
        lang,
        seat=tap.seats[0] if isinstance(tap, FirstDealerDrawn) else getattr(tap, "seat", 0),
        other=getattr(tap, "other", 0),
        n=tap.hand if isinstance(tap, HandStarted) else getattr(tap, "count", 0),
        zone=text(f"zone.{zone}", lang) if zone else "",
    )
    return f"{words} {tap.amount}" if isinstance(tap, PlayerActed) and tap.amount else words


def undo_label(tap: TableEvent, lang: str) -> str:
    """The words on the button that takes a tap back, with the seat that it spoke of."""
    words, seat = label(tap, lang), getattr(tap, "seat", 0)
    named = isinstance(tap, PlayerActed) and seat
    said = f"{text('seat', lang, seat=seat)}, {words}" if named else words
    return text("tap.undo", lang, tap=said)


def topic(tap: TableEvent, lang: str) -> str:
    """What a report is about: a seat, the deck, or the house."""
    seat = getattr(tap, "seat", 0)
    if seat:
        return text("seat", lang, seat=seat)
    return text("topic.deck" if type(tap) in _DECK else "topic.house", lang)
