"""What happened at the table: past-tense facts, each with its time as data.

An event is what a sensor, a machine, a person's tap or the clock reported; it
says nothing of what it means. Meaning is the rules engine's work
(``controller.rules``). The same values are the lines of an event file
(``docs/events.md``) and the records of the journal.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Literal

import msgspec

from controller.cards import Card

Seat = Annotated[int, msgspec.Meta(ge=1, le=10)]
Place = Annotated[int, msgspec.Meta(ge=1, le=10)]
Amount = Annotated[int, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Zone = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(seat:([1-9]|10)|board:[1-5]|board|burn|muck|stub|shoe|pot|aside|off_table)$"
    ),
]


class Street(Enum):
    """The stretches of a hand, in order."""

    BETWEEN = "between"
    DEAL = "deal"
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    SHOWDOWN = "showdown"


class Witness(Enum):
    """Who reported the fact."""

    TAP = "tap"
    CAMERA = "camera"
    MACHINE = "machine"
    CLOCK = "clock"
    SYSTEM = "system"


class Action(Enum):
    """A player's action in a betting round."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    FOLD = "fold"
    ALL_IN = "all_in"


class Shown(Enum):
    """How a dealt card's face stood towards the table."""

    DOWN = "down"
    UP = "up"
    SUSPECTED = "suspected"


class Cause(Enum):
    """Who turned a card up that had been dealt face down."""

    DEALER = "dealer"
    STRUCK_PLAYER = "struck_player"
    PLAYER_ACCIDENT = "player_accident"
    PLAYER_DELIBERATE = "player_deliberate"
    DISCARD = "discard"


class Event(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True
):
    """Base of all events: when it happened and who said so.

    ``at_ms`` is milliseconds on the table's own clock; it never goes back.
    """

    at_ms: Count = 0
    by: Witness = Witness.TAP


class HandStarted(Event, frozen=True, kw_only=True, tag="hand_started"):
    """A new hand: who is dealt in, where the button is, which deck is used.

    ``seats`` are in seat order. ``small_blind`` and ``big_blind`` are 0 where
    nobody has that blind; ``dealer`` is the seat of the player who deals, 0 for
    a house dealer.
    """

    hand: Count
    seats: tuple[Seat, ...]
    button: Seat
    small_blind: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    big_blind: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    dealer: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    game: str = "holdem"
    deck_count: Count = 52
    deck_back: str = ""


class DeckShuffled(Event, frozen=True, kw_only=True, tag="deck_shuffled"):
    """The whole deck was shuffled; ``count`` is what the machine counted, -1 uncounted."""

    count: int = -1


class DeckCut(Event, frozen=True, kw_only=True, tag="deck_cut"):
    """The deck was cut; ``smaller_pile`` is the thinner packet, -1 not measured."""

    smaller_pile: int = -1


class BlindPosted(Event, frozen=True, kw_only=True, tag="blind_posted"):
    """A forced bet before the deal."""

    seat: Seat
    amount: Amount
    kind: Literal["small", "big", "ante", "make_up"] = "big"


class CardDealt(Event, frozen=True, kw_only=True, tag="card_dealt"):
    """The top card of the stub went to a seat.

    ``boxed``: it lay face up in the deck. ``landed`` ``off_table``: it was
    pitched to the seat and fell to the floor. ``card`` stays ``??`` unless
    everybody at the table can see it.
    """

    seat: Seat
    card: Card = Card.UNKNOWN
    shown: Shown = Shown.DOWN
    boxed: bool = False
    landed: Literal["seat", "off_table"] = "seat"


class CardExposed(Event, frozen=True, kw_only=True, tag="card_exposed"):
    """A card already in a seat's hand was turned up or fell off the table.

    ``nth`` is which of the seat's cards (1 first); 0 not known.
    """

    seat: Seat
    card: Card = Card.UNKNOWN
    cause: Cause = Cause.DEALER
    nth: Count = 0
    landed: Literal["seat", "off_table"] = "seat"


class CardLookedAt(Event, frozen=True, kw_only=True, tag="card_looked_at"):
    """The player at ``seat`` has looked at the card or cards dealt there."""

    seat: Seat


class JokerReported(Event, frozen=True, kw_only=True, tag="joker_reported"):
    """A player says that the hand at ``seat`` holds a joker."""

    seat: Seat


class CardBurned(Event, frozen=True, kw_only=True, tag="card_burned"):
    """The top card of the stub went to the burn pile; ``boxed`` as in CardDealt."""

    card: Card = Card.UNKNOWN
    boxed: bool = False


class BoardShown(Event, frozen=True, kw_only=True, tag="board_shown"):
    """Cards came off the stub onto the board, face up.

    ``order_known`` is false when they came as a pile, so that nobody can say
    which left the deck first; ``boxed`` as in CardDealt.
    """

    cards: tuple[Card, ...]
    order_known: bool = True
    boxed: bool = False


class CardsMoved(Event, frozen=True, kw_only=True, tag="cards_moved"):
    """Cards already out of the stub went from one zone to another.

    To the stub (``target`` ``stub``) they are returned but not yet shuffled in.
    From the stub to a zone is not a move but a deal, a burn or a board card.
    """

    cards: tuple[Card, ...]
    origin: Zone
    target: Zone


class StubReshuffled(Event, frozen=True, kw_only=True, tag="stub_reshuffled"):
    """The stub, with what was returned to it, was shuffled; ``count`` -1 uncounted."""

    count: int = -1


class StubCounted(Event, frozen=True, kw_only=True, tag="stub_counted"):
    """The stub was counted down, by the dealer or by the machine."""

    count: Count


class BackSeen(Event, frozen=True, kw_only=True, tag="back_seen"):
    """The back of a face-down card in a zone was read (``red``, ``blue``, ...)."""

    zone: Zone
    back: str


class PlayerActed(Event, frozen=True, kw_only=True, tag="player_acted"):
    """A player acted; ``amount`` is what the action brings the player's bet to on this street."""

    seat: Seat
    action: Action
    amount: Amount = 0


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting_closed"):
    """The dealer says that the betting round is complete (tables that enter no bets)."""


class HandShown(Event, frozen=True, kw_only=True, tag="hand_shown"):
    """A player's cards are face up at showdown."""

    seat: Seat
    cards: tuple[Card, ...]


class PotPushed(Event, frozen=True, kw_only=True, tag="pot_pushed"):
    """The pot went to its winners."""

    seats: tuple[Seat, ...] = ()


class CardsGathered(Event, frozen=True, kw_only=True, tag="cards_gathered"):
    """All cards are back together; ``count`` as counted, -1 uncounted."""

    count: int = -1


class StepConfirmed(Event, frozen=True, kw_only=True, tag="step_confirmed"):
    """Somebody says that a step of an open ruling is done; ``step`` is its id."""

    step: str


class FloorDecided(Event, frozen=True, kw_only=True, tag="floor_decided"):
    """The floor confirmed or overruled a ruling; ``ruling`` is its id."""

    ruling: str
    decision: Literal["confirmed", "overruled"] = "confirmed"
    reason: str = ""


class DeviceReported(Event, frozen=True, kw_only=True, tag="device_reported"):
    """A device of the table changed health: ``lost``, ``ready``, ``fault``, ``unknown_outcome``."""

    device: Literal["shuffler", "camera"]
    health: Literal["ready", "degraded", "lost", "fault", "unknown_outcome"]
    detail: str = ""


TableEvent = (
    HandStarted
    | DeckShuffled
    | DeckCut
    | BlindPosted
    | CardDealt
    | CardExposed
    | CardLookedAt
    | JokerReported
    | CardBurned
    | BoardShown
    | CardsMoved
    | StubReshuffled
    | StubCounted
    | BackSeen
    | PlayerActed
    | BettingClosed
    | HandShown
    | PotPushed
    | CardsGathered
    | StepConfirmed
    | FloorDecided
    | DeviceReported
)
"""Everything that can happen at a table."""
