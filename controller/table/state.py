"""The state of one table: where every card is, as far as the table may know it."""

from __future__ import annotations

import msgspec

from controller.alarms import NOTHING_SEEN, Watch
from controller.cards import Card
from controller.events import Action, Street, TableEvent
from controller.rulings import Prompt, Ruling, StepKind
from controller.table.button import Positions
from controller.table.games import GAMES, Game

NO_POSITIONS = Positions(seats=(), button=0, small_blind=0, big_blind=0, dealer=0, big_blind_turn=0)
"""Button and blinds before the first hand."""


class Held(msgspec.Struct, frozen=True):
    """A card in a player's hand.

    ``card`` is known only when everybody has seen it. ``deal_index`` is its
    place in the deal, 1 first, 0 for a card given later.
    """

    card: Card = Card.UNKNOWN
    deal_index: int = 0
    is_up: bool = False
    off_table: bool = False


class Act(msgspec.Struct, frozen=True):
    """One player's act in the first betting round."""

    seat: int
    action: Action

    @property
    def brings_chips(self) -> bool:
        """Whether it put chips into the pot."""
        return self.action in _CHIPS


_CHIPS = frozenset({Action.CALL, Action.BET, Action.RAISE, Action.ALL_IN})


class OpenRuling(msgspec.Struct, frozen=True):
    """A ruling in force and the ids of its steps that were seen done."""

    ruling: Ruling
    done: tuple[str, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether every step was seen done."""
        return len(self.done) == len(self.ruling.steps)

    @property
    def is_reshuffle_due(self) -> bool:
        """Whether cards must go back and be shuffled in before the next card of the board."""
        left = [step.kind for step in self.ruling.steps if step.id not in self.done]
        if not any(step.kind is StepKind.RETURN_TO_STUB for step in self.ruling.steps):
            return False
        first = (kind for kind in left if kind in (StepKind.RESHUFFLE_STUB, StepKind.DEAL_BOARD))
        return next(first, None) is StepKind.RESHUFFLE_STUB


class Past(msgspec.Struct, frozen=True):
    """An event of this hand and the table before it, whose own past is left out."""

    event: TableEvent
    before: TableState


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the engine remembers of the hand.

    Cards out of the stub are in ``hands``, ``board``, ``burns``, ``muck``,
    ``aside`` or ``removed``; ``returned`` are back with the stub but not yet
    shuffled in. ``stub`` counts the cards left undealt, ``returned`` included.
    ``burns_now`` of the ``burns_due`` before the next street are taken;
    ``burn_debt`` is what later streets must make up for an error that stands.
    ``blinds`` are all forced bets, ``antes`` those of them that are antes and
    ``dead`` the parts of made-up blinds that are no bets. ``acts`` are those of
    the first betting round, ``prompts`` what the dealer is told now besides the
    next move. The last block outlives the hand: time, players out of the game,
    misdeals by dealer, hands played with the deck, when it was set up and when
    the stub was last counted, who was drawn to deal first, whether the floor has
    ordered the secured shuffle, a professional has taken over the deal, and a
    machine shuffles; ``watch`` is what the alarms rest on.
    ``past`` are the newest events of the hand, so that a mistaken tap can be taken back.
    """

    hand: int = 0
    game: str = "holdem"
    street: Street = Street.BETWEEN
    seats: tuple[int, ...] = ()
    button: int = 0
    small_blind: int = 0
    big_blind: int = 0
    dealer: int = 0
    deck_count: int = 52
    deck_back: str = ""
    is_shuffled: bool = False
    is_cut: bool = False
    absent: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    sitting_out: tuple[int, ...] = ()
    owes: tuple[int, ...] = ()
    must_post: bool = False

    dealt: int = 0
    hands: dict[int, tuple[Held, ...]] = {}
    board: tuple[Card, ...] = ()
    burns: tuple[Card, ...] = ()
    muck: tuple[Card, ...] = ()
    aside: tuple[Card, ...] = ()
    removed: tuple[Card, ...] = ()
    returned: tuple[Card, ...] = ()
    stub: int = 52
    burns_now: int = 0
    burns_due: int = 1
    burn_debt: int = 0

    live: tuple[int, ...] = ()
    to_act: tuple[int, ...] = ()
    to_draw: tuple[int, ...] = ()
    bet: int = 0
    street_bets: dict[int, int] = {}
    blinds: dict[int, int] = {}
    antes: dict[int, int] = {}
    dead: dict[int, int] = {}
    paid: dict[int, int] = {}
    acts: tuple[Act, ...] = ()
    all_in: tuple[int, ...] = ()
    street_actions: int = 0
    betting_open: bool = False

    exposed: int = 0
    exposed_by_players: int = 0
    boxed: int = 0
    misdirected: int = 0
    rulings_made: int = 0
    open: tuple[OpenRuling, ...] = ()
    prompts: tuple[Prompt, ...] = ()

    now_ms: int = 0
    out: tuple[int, ...] = ()
    misdeals: dict[int, int] = {}
    hands_on_deck: int = 0
    set_up_ms: int = 0
    stub_counted_ms: int = 0
    first_dealer: int = 0
    secured: bool = False
    professional: bool = False
    machine_shuffles: bool = False
    is_over: bool = False
    is_cancelled: bool = False
    positions: Positions = NO_POSITIONS
    watch: Watch = NOTHING_SEEN
    past: tuple[Past, ...] = ()

    @property
    def is_reshuffle_due(self) -> bool:
        """Whether a ruling in force wants the stub shuffled before the next card of the board."""
        return any(opened.is_reshuffle_due for opened in self.open)

    @property
    def burn_taken(self) -> bool:
        """Whether the burns due before the next street lie there."""
        return self.burns_now >= self.burns_due

    @property
    def live_blinds(self) -> dict[int, int]:
        """The forced bets that count as bets: without antes and the dead part of made-up blinds."""
        antes, dead = self.antes, self.dead
        return {s: all_ - antes.get(s, 0) - dead.get(s, 0) for s, all_ in self.blinds.items()}

    @property
    def rules_of_game(self) -> Game:
        """The game's row."""
        return GAMES[self.game]

    @property
    def deal_order(self) -> tuple[int, ...]:
        """Seats in the order in which they get a card: left of the button first (fr1.deal.2)."""
        ordered = sorted(self.seats)
        after = [s for s in ordered if s > self.button]
        return (*after, *(s for s in ordered if s <= self.button))

    @property
    def cards_to_deal(self) -> int:
        """Down cards of the whole deal."""
        return len(self.seats) * self.rules_of_game.hole_cards

    def owner_of(self, deal_index: int) -> int:
        """The seat to which a card of the deal belongs (1 = the very first card)."""
        order = self.deal_order
        return order[(deal_index - 1) % len(order)]

    @property
    def live_in_order(self) -> tuple[int, ...]:
        """The players left, in the order in which they get cards."""
        return tuple(seat for seat in self.deal_order if seat in self.live)

    @property
    def seat_due(self) -> int:
        """The seat that gets the next card face down or up; 0 when nobody is due one."""
        if self.street is Street.DEAL:
            return self.owner_of(self.dealt + 1) if self.dealt < self.cards_to_deal else 0
        game = self.rules_of_game
        if game.is_community or self.betting_open or self.street not in game.streets[:-1]:
            return 0
        if self.to_draw or not self.burn_taken:
            return 0
        wanted = game.cards_held(game.next_street(self.street))
        short = (s for s in self.live_in_order if len(self.hands.get(s, ())) < wanted)
        return next(short, 0)

    @property
    def cards_required(self) -> int:
        """Cards that every player left must hold now."""
        return self.rules_of_game.cards_held(self.street)

    @property
    def board_due(self) -> int:
        """How many board cards the next street still lacks, once its betting is closed."""
        upcoming = self.rules_of_game.next_street(self.street)
        return max(0, self.rules_of_game.board_size(upcoming) - len(self.board))

    @property
    def cards_out(self) -> int:
        """Cards that are not in the stub, removed ones included."""
        piles = (self.board, self.burns, self.muck, self.aside, self.removed)
        return sum(map(len, piles)) + sum(map(len, self.hands.values()))


def start() -> TableState:
    """A table before its first hand."""
    return TableState()
