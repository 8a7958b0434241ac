"""Players: hands in danger, acts out of turn, chips, claims and doubts."""

from __future__ import annotations

from controller.events import (
    ButtonSeen,
    ChangeTaken,
    DoubtReported,
    HandEndangered,
    MisdealClaimed,
    Objected,
    PlayerActed,
    PotSplashed,
)
from controller.irregularities import Irregularity, Kind
from controller.rules.detecting import board
from controller.rules.detecting.facts import Found
from controller.table import TableState


def player_acted(before: TableState, after: TableState, event: PlayerActed) -> Found:
    """Out of turn, or on a street whose burn error still stands."""
    late = board.player_acted(before, after, event)
    if late or not before.betting_open or not before.to_act or before.to_act[0] == event.seat:
        return late
    if not before.rules_of_game.has_button:
        return ()  # who is to act depends on the cards that lie face up
    return (
        Irregularity(
            kind=Kind.OUT_OF_TURN,
            street=before.street,
            seat=event.seat,
            due_seat=before.to_act[0],
            detail=event.action.value,
        ),
    )


def hand_endangered(before: TableState, after: TableState, event: HandEndangered) -> Found:
    """What happened to a hand that may kill it."""
    facing_bet = before.bet > before.street_bets.get(event.seat, 0)
    return (
        Irregularity(
            kind=Kind.ENDANGERED_HAND,
            street=before.street,
            seat=event.seat,
            due_seat=event.other,
            others_done=facing_bet,
            zone=f"seat:{event.seat}",
            detail=event.danger.value,
        ),
    )


def button_seen(before: TableState, after: TableState, event: ButtonSeen) -> Found:
    """The button is not where it belongs, or the wrong player deals."""
    if event.seat == before.button or not before.button:
        return ()
    return (
        Irregularity(
            kind=Kind.WRONG_BUTTON,
            street=before.street,
            seat=event.seat,
            due_seat=before.button,
        ),
    )


def pot_splashed(before: TableState, after: TableState, event: PotSplashed) -> Found:
    """Chips went straight into the pot."""
    return (
        Irregularity(
            kind=Kind.POT_SPLASHED, street=before.street, seat=event.seat, count=event.amount
        ),
    )


def change_taken(before: TableState, after: TableState, event: ChangeTaken) -> Found:
    """A player made change."""
    return (Irregularity(kind=Kind.CHANGE_TAKEN, street=before.street, seat=event.seat),)


def objected(before: TableState, after: TableState, event: Objected) -> Found:
    """A player objects."""
    return (Irregularity(kind=Kind.OBJECTION, street=before.street, seat=event.seat),)


def misdeal_claimed(before: TableState, after: TableState, event: MisdealClaimed) -> Found:
    """A player calls a misdeal."""
    return (Irregularity(kind=Kind.CLAIM, street=before.street, seat=event.seat),)


def doubt_reported(before: TableState, after: TableState, event: DoubtReported) -> Found:
    """Nobody can say what happened."""
    return (
        Irregularity(kind=Kind.DOUBT, street=before.street, zone=event.zone, detail=event.detail),
    )
