"""The deal: who gets which card, and how many."""

from __future__ import annotations

from controller.cards import Card
from controller.events import (
    CardDealt,
    CardExposed,
    CardLookedAt,
    Cause,
    DealCompleted,
    HandCounted,
    HandStarted,
    JokerReported,
    Shown,
    Street,
)
from controller.irregularities import Irregularity, Kind
from controller.rules.detecting import facts
from controller.rules.detecting.facts import Found
from controller.table import TableState

_BY_PLAYER = frozenset({Cause.PLAYER_ACCIDENT, Cause.PLAYER_DELIBERATE, Cause.DISCARD})


def hand_started(before: TableState, after: TableState, event: HandStarted) -> Found:
    """More players than the deck has cards for (ck.last.1).

    Where players drop out before all is dealt, ``round_began`` asks again.
    """
    game = after.rules_of_game
    if not game.is_community:
        return ()
    needed = len(event.seats) * game.cards_each + game.shared_cards
    if needed < event.deck_count:
        return ()
    return (Irregularity(kind=Kind.NOT_ENOUGH_CARDS, street=after.street, count=needed),)


def card_dealt(before: TableState, after: TableState, event: CardDealt) -> Found:
    """Wrong seat (ck.pitch.1), wrong player, wrong side up (ck.pitch.2); see also ``facts``."""
    index = before.dealt + 1 if before.street is Street.DEAL else 0
    started = _deal_began(before, index)
    if event.boxed:
        return (*started, facts.boxed(before, after, event.card, seat=event.seat, index=index))
    if event.card is Card.JOKER:
        return (*started, facts.joker(before, seat=event.seat, index=index))
    wrong = (
        *started,
        *_wrong_player(before, event, index),
        *_wrong_place(before, after, event, index),
    )
    up = event.shown is not Shown.DOWN or event.landed == "off_table"
    seen = facts.duplicates(after, (event.card,), before.street) if up else ()
    spent = facts.last_card(before, after)
    misplaced = [fault for fault in wrong if fault.kind is Kind.WRONG_SEAT]
    if not up or (wrong and not misplaced) or _is_dealt_up(before, index):
        return (*wrong, *seen, *spent)
    exposed = Irregularity(
        kind=Kind.EXPOSED_CARD,
        street=before.street,
        seat=misplaced[0].due_seat if misplaced else event.seat,
        cards=(event.card,),
        deal_index=index,
        nth=before.exposed + 1,
        off_table=event.landed == "off_table",
        zone=f"seat:{event.seat}",
        detail="suspected" if event.shown is Shown.SUSPECTED else "",
    )
    return (*wrong, exposed, *seen, *spent)


def _is_dealt_up(before: TableState, index: int) -> bool:
    """Whether the card lies face up by the rules of the game."""
    game = before.rules_of_game
    if before.street is Street.DEAL:
        lap = (index - 1) // max(1, len(before.seats)) + 1
        return game.is_dealt_up(before.street, lap)
    return game.is_dealt_up(game.next_street(before.street), 0)


def _deal_began(before: TableState, index: int) -> Found:
    """The first card left a deck that was not shuffled, or not cut."""
    if index != 1 or (before.is_shuffled and before.is_cut):
        return ()
    lacking = "cut" if before.is_shuffled else "shuffle"
    return (Irregularity(kind=Kind.NOT_SHUFFLED, street=before.street, detail=lacking),)


def _wrong_player(before: TableState, event: CardDealt, index: int) -> Found:
    """The card's player has no right to it, or there is nobody."""
    kind = None
    if event.seat in before.sitting_out:
        kind = Kind.UNENTITLED_PLAYER
    elif event.seat in before.owes:
        kind = Kind.UNPOSTED_PLAYER
    elif event.seat not in before.seats:
        kind = Kind.EMPTY_SEAT
    if kind is None or before.hands.get(event.seat):
        return ()
    zone = f"seat:{event.seat}"
    return (
        Irregularity(kind=kind, street=before.street, seat=event.seat, deal_index=index, zone=zone),
    )


def _wrong_place(before: TableState, after: TableState, event: CardDealt, index: int) -> Found:
    """The card went past the seat it belongs to, or nobody was due one."""
    if facts.is_card_asked_for(before, event.seat) or event.seat not in before.seats:
        return ()
    if event.seat == before.seat_due:
        return ()
    if before.street is Street.DEAL:
        up = event.shown is not Shown.DOWN
        nth = before.misdirected + 1
        return (wrong_seat(before, event.seat, index, nth=nth, looked_at=up),)
    if before.seat_due:
        return (facts.unexpected(before, event.seat, "wrong_seat"),)
    return (extra_card(before, after, event.seat),)


def wrong_seat(
    state: TableState, seat: int, index: int, *, nth: int, looked_at: bool = False
) -> Irregularity:
    """A card of the deal lies before a player to whom it does not belong."""
    return Irregularity(
        kind=Kind.WRONG_SEAT,
        street=state.street,
        seat=seat,
        due_seat=state.owner_of(index),
        deal_index=index,
        nth=nth,
        looked_at=looked_at,
        zone=f"seat:{seat}",
    )


def extra_card(
    before: TableState,
    after: TableState,
    seat: int,
    *,
    looked_at: bool = False,
    last_dealt: bool = True,
) -> Irregularity:
    """A player has more cards than the game gives."""
    wanted = before.cards_required
    surplus = sum(max(0, len(hand) - wanted) for hand in after.hands.values())
    others = all(len(after.hands.get(s, ())) >= wanted for s in after.live if s != seat)
    return Irregularity(
        kind=Kind.EXTRA_CARD,
        street=before.street,
        seat=seat,
        count=len(after.hands.get(seat, ())),
        nth=surplus,
        looked_at=looked_at,
        others_done=others,
        zone=f"seat:{seat}",
        detail="last_dealt" if last_dealt else "counted",
    )


def card_exposed(before: TableState, after: TableState, event: CardExposed) -> Found:
    """A card in a hand was turned up or fell."""
    if event.card is Card.JOKER:
        return (facts.joker(before, seat=event.seat),)
    hand = before.hands.get(event.seat, ())
    downs = [held.deal_index for held in hand if not held.is_up]
    index = hand[event.nth - 1].deal_index if 0 < event.nth <= len(hand) else max(downs, default=0)
    exposed = Irregularity(
        kind=Kind.EXPOSED_CARD,
        street=before.street,
        seat=event.seat,
        cards=(event.card,),
        deal_index=index,
        nth=before.exposed + 1,
        by_player=event.cause in _BY_PLAYER,
        off_table=event.landed == "off_table",
        detail=event.cause.value if event.cause in _BY_PLAYER else "",
    )
    return (exposed, *facts.duplicates(after, (event.card,), before.street))


def card_looked_at(before: TableState, after: TableState, event: CardLookedAt) -> Found:
    """A card that was to be moved has been seen by the wrong player (ck.misdeal.c1, .e2)."""
    for opened in before.open:
        fault = opened.ruling.irregularity
        if fault.seat != event.seat or fault.looked_at:
            continue
        if fault.kind is Kind.WRONG_SEAT:
            nth = before.misdirected
            return (wrong_seat(before, event.seat, fault.deal_index, nth=nth, looked_at=True),)
        if fault.kind is Kind.EXTRA_CARD:
            return (extra_card(before, after, event.seat, looked_at=True),)
    return ()


def joker_reported(before: TableState, after: TableState, event: JokerReported) -> Found:
    """A player holds a joker."""
    return (facts.joker(before, seat=event.seat),)


def hand_counted(before: TableState, after: TableState, event: HandCounted) -> Found:
    """A hand with too many cards, too few, or none."""
    if event.seat not in before.seats:
        asked = event.seat in before.asked and not event.count
        return (_left_out(before, after, event.seat),) if asked else ()
    wanted = before.cards_required
    if event.count > wanted:
        return (extra_card(before, after, event.seat, last_dealt=False),)
    if event.count == wanted or _is_still_dealt(before, event):
        return ()
    kind = Kind.SHORT_HAND if event.count else Kind.NO_CARDS
    return (_left_out(before, after, event.seat, kind=kind),)


def _is_still_dealt(before: TableState, event: HandCounted) -> bool:
    """The hand is short only because the deal is not over."""
    if before.street is not Street.DEAL:
        return False
    is_last_to_get = before.dealt + 1 == before.cards_to_deal and before.seat_due == event.seat
    return event.count == len(before.hands.get(event.seat, ())) and not is_last_to_get


def _lacks_the_last_card(before: TableState, after: TableState, seat: int) -> bool:
    """Only the last card of the deal was not given, and nothing has left the deck since."""
    if before.street is not before.rules_of_game.first_street or before.burns or before.board:
        return False
    is_last = seat == before.owner_of(before.cards_to_deal)
    out = sum(map(len, after.hands.values())) + len(after.muck)
    return is_last and out == before.cards_to_deal - 1


def _left_out(
    before: TableState, after: TableState, seat: int, *, kind: Kind = Kind.NO_CARDS
) -> Irregularity:
    wanted = before.cards_required
    others = all(len(before.hands.get(s, ())) >= wanted for s in before.seats if s != seat)
    due = before.seat_due == seat and before.dealt + 1 == before.cards_to_deal
    due = due or (kind is Kind.SHORT_HAND and _lacks_the_last_card(before, after, seat))
    return Irregularity(
        kind=kind,
        street=before.street,
        seat=seat,
        count=len(before.hands.get(seat, ())),
        due_seat=seat if due else 0,
        others_done=others,
        zone=f"seat:{seat}",
    )


def deal_over(before: TableState, after: TableState) -> Found:
    """Players who are away when the last card of the deal falls (fr2.2-18)."""
    if before.street is not Street.DEAL or after.street is Street.DEAL:
        return ()
    return tuple(
        Irregularity(kind=Kind.ABSENT_PLAYER, street=after.street, seat=seat)
        for seat in after.absent
        if after.hands.get(seat)
    )


def round_began(before: TableState, after: TableState) -> Found:
    """The next cards are due, and the stub is too thin for them (ck.last.1)."""
    waited = before.betting_open or before.to_draw
    if not waited or after.betting_open or after.to_draw or after.rules_of_game.is_community:
        return ()
    wanted = after.rules_of_game.cards_held(after.rules_of_game.next_street(after.street))
    owed = sum(max(0, wanted - len(after.hands.get(seat, ()))) for seat in after.live)
    needed = owed + after.burns_due - after.burns_now
    if not owed or needed < after.stub:
        return ()
    return (Irregularity(kind=Kind.NOT_ENOUGH_CARDS, street=after.street, count=needed),)


def deal_completed(before: TableState, after: TableState, event: DealCompleted) -> Found:
    """Nobody saw the cards, but the first of them left the deck."""
    if before.street is not Street.DEAL:
        return ()
    return _deal_began(before, before.dealt + 1)
