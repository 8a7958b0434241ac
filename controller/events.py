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

Seat = Annotated[int, msgspec.Meta(ge=1, le=22)]
"""Seats 1 to 10 at a table; more can be reported, so that too many can be refused (ck.last.1)."""

NoSeat = Annotated[int, msgspec.Meta(ge=0, le=22)]
"""A seat, or 0 for none."""

Amount = Annotated[int, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Text = Annotated[str, msgspec.Meta(pattern=r"\S")]
"""A text that says something."""

Zone = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(seat:([1-9]|1[0-9]|2[0-2])|board:[1-5]|board|burn|muck|stub|shoe|pot|aside|off_table)$"
    ),
]


class Street(Enum):
    """The stretches of a hand; which of them a game has, and in which order, says its row."""

    BETWEEN = "between"
    DEAL = "deal"
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    THIRD = "third"
    FOURTH = "fourth"
    FIFTH = "fifth"
    SIXTH = "sixth"
    SEVENTH = "seventh"
    PREDRAW = "predraw"
    DRAW = "draw"
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


class Danger(Enum):
    """What happened to a hand that may kill it."""

    FOLD_ANNOUNCED = "fold_announced"
    PAST_THE_LINE = "past_the_line"
    FORWARD_MOTION = "forward_motion"
    TOUCHED_MUCK = "touched_muck"
    INTO_OTHER_HAND = "into_other_hand"
    DEAD_CARD_MIXED_IN = "dead_card_mixed_in"
    TAKEN_BY_DEALER = "taken_by_dealer"


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

    ``absent`` are players away from the table, ``asked`` those of them who
    expressly asked for a hand, ``sitting_out`` players who have no right to
    one, ``owes`` players who must ante or post before they get one.
    ``must_post`` says that the blinds are reported, so that the deal can wait
    for them.

    ``small_blinds`` and ``big_blinds`` name all who post one, where there are
    several (faq.button.move-3); ``ghosts`` are empty seats that keep their place
    in the turn of the blinds, ``big_blind_turn`` the seat, empty or not, whose
    turn the big blind is (fr1.button.1). ``date`` is the day on which the hand is
    dealt, such as ``2026-03-01``, for the age of the deck.
    """

    hand: Count
    seats: tuple[Seat, ...]
    button: Seat
    small_blind: NoSeat = 0
    big_blind: NoSeat = 0
    dealer: NoSeat = 0
    absent: tuple[Seat, ...] = ()
    asked: tuple[Seat, ...] = ()
    sitting_out: tuple[Seat, ...] = ()
    owes: tuple[Seat, ...] = ()
    must_post: bool = False
    small_blinds: tuple[Seat, ...] = ()
    big_blinds: tuple[Seat, ...] = ()
    ghosts: tuple[Seat, ...] = ()
    big_blind_turn: NoSeat = 0
    game: str = "holdem"
    deck_count: Annotated[int, msgspec.Meta(ge=1, le=104)] = 52
    deck_back: str = ""
    date: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""

    def __post_init__(self) -> None:
        """Refuse a hand that cannot be.

        Raises:
            ValueError: Fewer than two players, or a seat named twice.
        """
        if len(set(self.seats)) < 2:
            raise ValueError("a hand needs two players: name their seats in 'seats'")
        if len(set(self.seats)) < len(self.seats):
            raise ValueError(f"a seat stands twice in 'seats': {list(self.seats)}")
        if set(self.seats) & set(self.sitting_out):
            raise ValueError("a seat is in 'seats' and in 'sitting_out'")


class DeckShuffled(Event, frozen=True, kw_only=True, tag="deck_shuffled"):
    """The whole deck was shuffled; ``count`` is what the machine counted, -1 uncounted.

    ``sequence`` is what a dealer who shuffles by hand did, in order: ``R`` riffle,
    ``B`` box, ``W`` wash, ``S`` strip, ``C`` cut; empty when nobody watched.
    ``boxed`` is how many cards the machine felt lying the wrong way round.
    """

    count: int = -1
    boxed: Count = 0
    sequence: Annotated[str, msgspec.Meta(pattern=r"^[RBWSC]*$")] = ""


class DeckCut(Event, frozen=True, kw_only=True, tag="deck_cut"):
    """The deck was cut; ``smaller_pile`` is the thinner packet, -1 not measured.

    ``seat`` is the player who cut, 0 for the dealer or when it was not noted;
    ``refused`` means that the player declined to cut.
    """

    smaller_pile: int = -1
    seat: NoSeat = 0
    refused: bool = False


class BlindPosted(Event, frozen=True, kw_only=True, tag="blind_posted"):
    """A forced bet before the deal; ``dead`` is the part of ``amount`` that is no live bet."""

    seat: Seat
    amount: Amount
    kind: Literal["small", "big", "ante", "make_up", "bring_in"] = "big"
    dead: Amount = 0


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
    which left the deck first; ``order_logged`` that the shoe's log would know
    all the same. ``boxed`` as in CardDealt.
    """

    cards: tuple[Card, ...]
    order_known: bool = True
    order_logged: bool = False
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


class DealCompleted(Event, frozen=True, kw_only=True, tag="deal_completed"):
    """The dealer says that everybody has the cards of this round of dealing.

    For tables where no sensor sees each card: the hands are taken as complete.
    """


class PlayerDrew(Event, frozen=True, kw_only=True, tag="player_drew"):
    """In a draw game, a player threw cards away for as many new ones; 0 stands pat."""

    seat: Seat
    count: Count = 0


class HandCounted(Event, frozen=True, kw_only=True, tag="hand_counted"):
    """The cards of one player were counted; ``count`` is how many lie there."""

    seat: Seat
    count: Count


class PlayerLeft(Event, frozen=True, kw_only=True, tag="player_left"):
    """A player went away from the table."""

    seat: Seat


class PlayerSeated(Event, frozen=True, kw_only=True, tag="player_seated"):
    """A player is in the seat again, or new in it."""

    seat: Seat


class PlayerOut(Event, frozen=True, kw_only=True, tag="player_out"):
    """A player is out of the game: eliminated, or gone for good."""

    seat: Seat


class ButtonSeen(Event, frozen=True, kw_only=True, tag="button_seen"):
    """The dealer button lies before this seat, or the player of this seat deals."""

    seat: Seat


class FirstDealerDrawn(Event, frozen=True, kw_only=True, tag="first_dealer_drawn"):
    """One card each was dealt for the first dealer: seats and cards in the order dealt."""

    seats: tuple[Seat, ...]
    cards: tuple[Card, ...]


class HandEndangered(Event, frozen=True, kw_only=True, tag="hand_endangered"):
    """Something happened to a player's hand that may kill it.

    ``other`` is the second player concerned: whose cards they were sent into,
    or who acted because of it.
    """

    seat: Seat
    danger: Danger
    other: NoSeat = 0


class PotSplashed(Event, frozen=True, kw_only=True, tag="pot_splashed"):
    """A player threw chips straight into the pot."""

    seat: Seat
    amount: Amount = 0


class ChangeTaken(Event, frozen=True, kw_only=True, tag="change_taken"):
    """A player made change out of the pot or of another player's bet."""

    seat: Seat


class PlayingBehind(Event, frozen=True, kw_only=True, tag="playing_behind"):
    """A player plays chips that are not on the table yet."""

    seat: Seat
    amount: Amount = 0


class StubDropped(Event, frozen=True, kw_only=True, tag="stub_dropped"):
    """The dealer dropped the stub.

    ``top_known``: its order from the top can be told. ``questioned``: a player
    or anybody else doubts it. ``doubtful`` is how many cards of the stub can no
    longer be told from discards.
    """

    top_known: bool = True
    questioned: bool = False
    doubtful: Count = 0


class CardMarred(Event, frozen=True, kw_only=True, tag="card_marred"):
    """A card is bent, torn or marked."""

    card: Card = Card.UNKNOWN


class DeckRequested(Event, frozen=True, kw_only=True, tag="deck_requested"):
    """A player asks for another deck, or for a set-up."""

    seat: NoSeat = 0
    what: Literal["change", "set_up"] = "change"


class DeckChanged(Event, frozen=True, kw_only=True, tag="deck_changed"):
    """Another deck is in use from now on; ``is_new`` when it is a new set-up."""

    back: str = ""
    is_new: bool = False


class DeckPrepared(Event, frozen=True, kw_only=True, tag="deck_prepared"):
    """The deck that is not in play was shuffled and lies ready; ``count`` -1 uncounted."""

    back: str = ""
    count: int = -1


class CutCardChecked(Event, frozen=True, kw_only=True, tag="cut_card_checked"):
    """Somebody looked whether the cut card lies under the deck."""

    is_there: bool


class MachineCounted(Event, frozen=True, kw_only=True, tag="machine_counted"):
    """The machine's side of the ledger: cards it gave in this hand less those it took back.

    ``inside`` is how many it holds by its own count, -1 not known.
    """

    given: int
    inside: int = -1


class FouledDeckKnown(Event, frozen=True, kw_only=True, tag="fouled_deck_known"):
    """The floor finds that this player alone knew of the fouled deck and tried to win the pot."""

    seat: Seat


class Objected(Event, frozen=True, kw_only=True, tag="objected"):
    """A player objects to what is being done."""

    seat: Seat


class MisdealClaimed(Event, frozen=True, kw_only=True, tag="misdeal_claimed"):
    """A player says that the deal was irregular."""

    seat: Seat


class DoubtReported(Event, frozen=True, kw_only=True, tag="doubt_reported"):
    """Nobody can say what happened in a zone; ``detail`` says what is in doubt."""

    zone: Zone = "pot"
    detail: str = ""


class ProfessionalDealer(Event, frozen=True, kw_only=True, tag="professional_dealer"):
    """A professional dealer takes over the deal of a table that its players dealt."""


class SecuredShuffleOrdered(Event, frozen=True, kw_only=True, tag="secured_shuffle_ordered"):
    """The floor orders the slower, secured shuffle, or ends it (fr2.2-3.5)."""

    on: bool = True


class ClockTicked(Event, frozen=True, kw_only=True, tag="clock_ticked"):
    """Time passed and nothing else happened."""


class StepConfirmed(Event, frozen=True, kw_only=True, tag="step_confirmed"):
    """Somebody says that a step of an open ruling is done; ``step`` is its id."""

    step: str


class TapUndone(Event, frozen=True, kw_only=True, tag="tap_undone"):
    """The newest tap was a mistake: the hand is as if it had not been (``controller.undoing``).

    ``what`` and ``said_at_ms`` are the name and the time of the tap that is meant; empty
    and -1 for whichever is the newest.
    """

    what: str = ""
    said_at_ms: int = -1


class FloorDecided(Event, frozen=True, kw_only=True, tag="floor_decided"):
    """The floor confirmed or overruled a ruling, or sent it back; ``ruling`` is its id.

    Sent back, it stays as it is and the dealer looks again at what ``reason`` says.
    ``who`` is the name of the person who signed in, empty where nobody has to.
    """

    ruling: str
    decision: Literal["confirmed", "overruled", "sent_back"] = "confirmed"
    reason: str = ""
    who: str = ""


class AlarmAcknowledged(Event, frozen=True, kw_only=True, tag="alarm_acknowledged"):
    """A person answers for an alarm, with a name and a reason; ``alarm`` is its id."""

    alarm: Text
    by_whom: Text
    reason: Text


class DeviceReported(Event, frozen=True, kw_only=True, tag="device_reported"):
    """A device of the table changed health: ``lost``, ``ready``, ``fault``, ``unknown_outcome``.

    ``code`` names the fault where it has a name: ``jam``, ``double_feed`` and the others
    of the link, ``stranger`` for a device that is not the table's own, ``wrong_mode``
    for a machine that is set to anything but dealing.
    """

    device: Literal["shuffler", "camera"]
    health: Literal["ready", "degraded", "lost", "fault", "unknown_outcome"]
    detail: str = ""
    code: str = ""


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
    | DealCompleted
    | HandCounted
    | PlayerDrew
    | PlayerLeft
    | PlayerSeated
    | PlayerOut
    | ButtonSeen
    | FirstDealerDrawn
    | HandEndangered
    | PotSplashed
    | ChangeTaken
    | PlayingBehind
    | StubDropped
    | CardMarred
    | DeckRequested
    | DeckChanged
    | DeckPrepared
    | CutCardChecked
    | MachineCounted
    | FouledDeckKnown
    | Objected
    | MisdealClaimed
    | DoubtReported
    | ProfessionalDealer
    | SecuredShuffleOrdered
    | ClockTicked
    | StepConfirmed
    | TapUndone
    | FloorDecided
    | AlarmAcknowledged
    | DeviceReported
)
"""Everything that can happen at a table."""
