"""What the engine decides: a ruling, made of atomic steps that can be seen done."""

from __future__ import annotations

from enum import Enum

import msgspec

from controller.cards import Card
from controller.irregularities import Irregularity


class Verdict(Enum):
    """How the hand stands after the irregularity."""

    CONTINUE = "continue"
    MISDEAL = "misdeal"
    FOULED_DECK = "fouled_deck"
    HAND_DEAD = "hand_dead"
    PLAY_ON = "play_on"
    FLOOR_DECIDES = "floor_decides"


class StepKind(Enum):
    """What a step asks for: one physical act, or one thing said."""

    CALL_FLOOR = "call_floor"
    ANNOUNCE = "announce"
    FINISH_DEAL = "finish_deal"
    FINISH_HAND = "finish_hand"
    COMPLETE_BETTING = "complete_betting"
    DEAL_TO_SEAT = "deal_to_seat"
    MOVE_TO_BURN = "move_to_burn"
    MOVE_TO_BOARD = "move_to_board"
    SET_ASIDE = "set_aside"
    REMOVE_CARD = "remove_card"
    RETURN_TO_STUB = "return_to_stub"
    RESHUFFLE_STUB = "reshuffle_stub"
    BURN = "burn"
    DEAL_BOARD = "deal_board"
    KILL_HAND = "kill_hand"
    RETURN_MONEY = "return_money"
    WASH = "wash"
    GATHER_ALL = "gather_all"
    CHECK_DECK = "check_deck"
    CHANGE_DECK = "change_deck"
    SHUFFLE = "shuffle"
    CUT = "cut"
    REDEAL = "redeal"
    AWARD_POT = "award_pot"
    MOVE_TO_SEAT = "move_to_seat"
    TOP_OF_STUB = "top_of_stub"
    PICK_BURN = "pick_burn"
    PICK_UP_STUB = "pick_up_stub"
    LEAVE_OUT = "leave_out"
    DISCARD = "discard"
    PUSH_BACK_CHIPS = "push_back_chips"
    POST_BLIND = "post_blind"
    PLACE_BUTTON = "place_button"
    SPREAD_FACE_UP = "spread_face_up"
    WASH_FACE_UP = "wash_face_up"
    WASH_FACE_DOWN = "wash_face_down"
    RIFFLE = "riffle"
    FIND_CARD = "find_card"
    REFUSE = "refuse"
    PAY = "pay"
    DRAW_CARDS = "draw_cards"
    ACKNOWLEDGE = "acknowledge"


class Doer(Enum):
    """Who carries a step out."""

    DEALER = "dealer"
    MACHINE = "machine"
    FLOOR = "floor"


class Money(msgspec.Struct, frozen=True):
    """Chips that go to a seat."""

    seat: int
    amount: int


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do, with what would show it done.

    ``id`` is ``<ruling id>.<n>`` for the step of a ruling, ``next`` for the next
    move of the ordinary procedure. ``cards`` are those concerned and publicly
    known; ``count`` is how many cards when that is what matters (cards of a
    street, cards that must be in the reshuffled stub). ``seen_by`` says who can
    show it done: ``camera``, ``machine`` or ``tap``.
    """

    id: str
    kind: StepKind
    doer: Doer = Doer.DEALER
    seat: int = 0
    cards: tuple[Card, ...] = ()
    origin: str = ""
    target: str = ""
    count: int = 0
    street: str = ""
    money: tuple[Money, ...] = ()
    clauses: tuple[str, ...] = ()
    seen_by: tuple[str, ...] = ("tap",)


class PromptKind(Enum):
    """What the ordinary procedure has the dealer say or do besides the next move."""

    TELL_TURN = "tell_turn"
    TELL_PLAYERS_LEFT = "tell_players_left"
    TELL_ALL_IN = "tell_all_in"
    TELL_RAISE = "tell_raise"
    TELL_PLAYING_BEHIND = "tell_playing_behind"
    TELL_MAKE_UP_BLIND = "tell_make_up_blind"
    TELL_BRING_IN = "tell_bring_in"
    TELL_HIGH_HAND = "tell_high_hand"
    TELL_FIRST_DEALER = "tell_first_dealer"
    ASK_OPTION = "ask_option"
    TAP_TABLE = "tap_table"
    PLACE_BURN = "place_burn"
    PLACE_FLOP = "place_flop"
    BETS_STAY_IN_FRONT = "bets_stay_in_front"
    VERIFY_AND_SCOOP = "verify_and_scoop"
    GATHER_BLINDS = "gather_blinds"
    DEAD_BLIND_TO_CENTRE = "dead_blind_to_centre"
    SIDE_POT_APART = "side_pot_apart"
    SPLIT_POT = "split_pot"
    GATHER_FOLDED = "gather_folded"
    LAST_DOWN_CARD_APART = "last_down_card_apart"
    COUNT_STUB = "count_stub"
    SPREAD_STUB = "spread_stub"
    CONFIRM_HAND_OVER = "confirm_hand_over"
    DISCARDS_INTO_STUB = "discards_into_stub"
    TOP_RETRIEVABLE = "top_retrievable"
    VERIFY_DISCARDS = "verify_discards"
    MOVE_BUTTON = "move_button"
    SCRAMBLE = "scramble"
    WASH = "wash"
    SAY_WHO_DEALS = "say_who_deals"
    SAY_WHO_SHUFFLES = "say_who_shuffles"
    SAY_WHO_CUTS = "say_who_cuts"
    SAY_LIVE_DECK = "say_live_deck"
    CUT_CARD = "cut_card"
    PROTECT_HANDS = "protect_hands"
    WATCH_ABSENT_CHIPS = "watch_absent_chips"
    OTHER_RULES_APPLY = "other_rules_apply"
    REPEATED_MISDEALS = "repeated_misdeals"
    DECK_WORN = "deck_worn"
    DECK_READY = "deck_ready"


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to say or to mind now; it passes by itself and is not followed up.

    ``seats`` are the players of a side pot; ``detail`` is a word that chooses
    between the sentences of a kind. ``for_floor`` is true when the floor, not
    the dealer, is told.
    """

    kind: PromptKind
    seat: int = 0
    seats: tuple[int, ...] = ()
    count: int = 0
    amount: int = 0
    cards: tuple[Card, ...] = ()
    street: str = ""
    money: tuple[Money, ...] = ()
    detail: str = ""
    clauses: tuple[str, ...] = ()
    for_floor: bool = False


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of one rulebook on one irregularity.

    ``id`` is ``<hand>/<n>``, n counting the rulings of that hand from 1.
    ``replaces`` names an earlier ruling that this one puts out of force.
    """

    id: str
    rulebook: str
    verdict: Verdict
    irregularity: Irregularity
    steps: tuple[Step, ...]
    clauses: tuple[str, ...]
    call_floor: bool = False
    replaces: str = ""
