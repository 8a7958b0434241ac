"""Mistakes of the deal, of players and of the house, each made at its moment.

Every row says at which step of the ordinary hand the mistake is made, how, which kind
of irregularity it is, and under which rulebooks that is one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from controller.events import (
    Action,
    BlindPosted,
    ButtonSeen,
    CardMarred,
    ChangeTaken,
    Danger,
    DeckCut,
    DeckRequested,
    DeckShuffled,
    DoubtReported,
    FouledDeckKnown,
    HandCounted,
    HandEndangered,
    MisdealClaimed,
    Objected,
    PlayerActed,
    PlayerLeft,
    PotSplashed,
    Street,
    StubDropped,
    TableEvent,
)
from controller.irregularities import Kind
from controller.rulebook import Rulebook
from controller.rulings import Step, StepKind
from controller.simulate.dealing import Dealer
from controller.simulate.felt import Felt
from controller.simulate.mistakes import Mistake
from controller.table import TableState

SEATS: Final = tuple(range(1, 11))


class Table(Protocol):
    """What a mistake needs of the hand."""

    felt: Felt
    dealer: Dealer
    rng: random.Random
    book: Rulebook
    seats: tuple[int, ...]

    @property
    def state(self) -> TableState:
        """The table as the engine knows it."""
        ...

    def tell(self, event: TableEvent, expected: Kind | None = None) -> None:
        """Report an event, and the kind that must be found in it."""
        ...


@dataclass(frozen=True, slots=True)
class Wrong:
    """One mistake: when, how, what it is, and whether a rulebook minds it."""

    mistake: Mistake
    kind: Kind
    is_time: Callable[[Table, Step], bool]
    make: Callable[[Table, Kind | None], None]
    is_minded: Callable[[Rulebook], bool] = lambda book: True

    def expected(self, book: Rulebook) -> Kind | None:
        """What must be found under a rulebook; None when it finds nothing wrong in it."""
        return self.kind if self.is_minded(book) else None


def _tells(make: Callable[[Table], TableEvent]) -> Callable[[Table, Kind | None], None]:
    return lambda table, kind: table.tell(make(table), kind)


def _in_betting(table: Table, step: Step) -> bool:
    return step.kind is StepKind.COMPLETE_BETTING and table.state.betting_open


def _before_action(table: Table, step: Step) -> bool:
    first = table.state.street is Street.PREFLOP and not table.state.acts
    return first and step.kind is StepKind.COMPLETE_BETTING


def _at(kind: StepKind) -> Callable[[Table, Step], bool]:
    return lambda table, step: step.kind is kind


def _in_deal(table: Table, step: Step) -> bool:
    """In the second lap, where a card has a wrong neighbour to go to."""
    lap = len(table.seats)
    return table.state.street is Street.DEAL and lap < table.state.dealt < 2 * lap - 1


def _in_deal_with_empty_seat(table: Table, step: Step) -> bool:
    return _in_deal(table, step) and len(table.seats) < len(SEATS)


def _owing_is_asked(table: Table, step: Step) -> bool:
    return step.kind is StepKind.POST_BLIND and step.seat in table.state.owes


def _at_last_card(table: Table, step: Step) -> bool:
    return table.state.street is Street.DEAL and table.state.dealt == 2 * len(table.seats) - 1


def _burning_on_flop(table: Table, step: Step) -> bool:
    return step.kind is StepKind.BURN and table.state.street in (Street.PREFLOP, Street.FLOP)


def _not_due(table: Table) -> int:
    """A player who is not due the next card."""
    return table.rng.choice([s for s in table.seats if s != table.state.seat_due])


def _to_wrong_seat(table: Table, kind: Kind | None) -> None:
    table.dealer.deal(_not_due(table), wrong=kind)


def _to_empty_seat(table: Table, kind: Kind | None) -> None:
    table.dealer.deal(next(s for s in SEATS if s not in table.seats), wrong=kind)


def _to_owing(table: Table, kind: Kind | None) -> None:
    """A player who owes a blind is dealt in, and pays it before the cards are dealt again."""
    while table.state.seat_due not in table.state.owes:
        table.dealer.deal(table.state.seat_due)
    table.dealer.deal(table.state.seat_due, wrong=kind)
    for seat in table.state.owes:
        table.tell(BlindPosted(seat=seat, amount=10, kind="make_up"))


def _to_absent(table: Table, kind: Kind | None) -> None:
    """Somebody leaves the table before the last card of the deal."""
    table.tell(PlayerLeft(seat=table.state.deal_order[0]))
    table.dealer.deal(table.state.seat_due, wrong=kind)


def _extra_card(table: Table, kind: Kind | None) -> None:
    table.dealer.deal(table.state.deal_order[0], wrong=kind)


def _short_hand(table: Table, kind: Kind | None) -> None:
    seat = table.state.seat_due
    table.tell(HandCounted(seat=seat, count=1), kind)


def _no_cards(table: Table, kind: Kind | None) -> None:
    """The cards of a player are still in the stub: the deal went around the seat."""
    seat = table.state.deal_order[-1]
    table.felt.stub[:0] = table.felt.zones.pop(f"seat:{seat}", [])
    table.tell(HandCounted(seat=seat, count=0), kind)


def _uncut(table: Table, kind: Kind | None) -> None:
    table.dealer.deal(table.state.seat_due, wrong=kind)


def _thin_cut(table: Table, kind: Kind | None) -> None:
    table.tell(DeckCut(smaller_pile=1), kind)


def _box_first_and_last(table: Table, kind: Kind | None) -> None:
    table.felt.shuffle(table.rng)
    count = len(table.felt.stub)
    table.tell(DeckShuffled(count=count, sequence="BRRRB"), kind)


def _extra_burn(table: Table, kind: Kind | None) -> None:
    table.dealer.burn()
    table.dealer.burn(wrong=kind)


def _action_on_faulty_flop(table: Table, kind: Kind | None) -> None:
    """The flop came without a burn, and a player acts on it."""
    table.dealer.deal_board(3, Kind.MISSING_BURN)
    table.tell(PlayerActed(seat=table.state.live_in_order[0], action=Action.CHECK), kind)


def _muck_contact(table: Table, kind: Kind | None) -> None:
    seat = table.rng.choice(table.state.live)
    table.tell(HandEndangered(seat=seat, danger=Danger.TOUCHED_MUCK), kind)


def _out_of_turn(table: Table) -> PlayerActed:
    seat = table.state.to_act[1]
    owes = table.state.bet > table.state.street_bets.get(seat, 0)
    if owes:
        return PlayerActed(seat=seat, action=Action.CALL, amount=table.state.bet)
    return PlayerActed(seat=seat, action=Action.CHECK)


def _two_to_act(table: Table, step: Step) -> bool:
    return _in_betting(table, step) and len(table.state.to_act) > 1


def _three_left(table: Table, step: Step) -> bool:
    return _in_betting(table, step) and len(table.state.live) > 2


def _doubtful_stub(table: Table) -> StubDropped:
    return StubDropped(top_known=False, doubtful=table.rng.randint(0, 3))


def _anybody(table: Table) -> int:
    return table.rng.choice(table.state.live)


def _another(table: Table) -> int:
    return next(s for s in table.seats if s != table.state.button)


WRONGS: Final[dict[Mistake, Wrong]] = {
    wrong.mistake: wrong
    for wrong in (
        Wrong(
            Mistake.BAD_SHUFFLE,
            Kind.SHUFFLE_SEQUENCE,
            _at(StepKind.SHUFFLE),
            _box_first_and_last,
            lambda book: bool(book["shuffle.sequences"].value),
        ),
        Wrong(
            Mistake.THIN_CUT,
            Kind.BAD_CUT,
            _at(StepKind.CUT),
            _thin_cut,
            lambda book: book["cut.least_pile"].number > 1,
        ),
        Wrong(
            Mistake.UNCUT,
            Kind.NOT_SHUFFLED,
            _at(StepKind.CUT),
            _uncut,
            lambda book: book["shuffle.not_done"].value == "misdeal",
        ),
        Wrong(Mistake.WRONG_SEAT, Kind.WRONG_SEAT, _in_deal, _to_wrong_seat),
        Wrong(Mistake.EMPTY_SEAT, Kind.EMPTY_SEAT, _in_deal_with_empty_seat, _to_empty_seat),
        Wrong(
            Mistake.SITTING_OUT, Kind.UNENTITLED_PLAYER, _in_deal_with_empty_seat, _to_empty_seat
        ),
        Wrong(Mistake.OWING, Kind.UNPOSTED_PLAYER, _owing_is_asked, _to_owing),
        Wrong(
            Mistake.ABSENT,
            Kind.ABSENT_PLAYER,
            _at_last_card,
            _to_absent,
            lambda book: book["deal.absent_player"].value == "hand_dead",
        ),
        Wrong(Mistake.SHORT_HAND, Kind.SHORT_HAND, _at_last_card, _short_hand),
        Wrong(Mistake.NO_CARDS, Kind.NO_CARDS, _before_action, _no_cards),
        Wrong(Mistake.EXTRA_CARD, Kind.EXTRA_CARD, _before_action, _extra_card),
        Wrong(
            Mistake.WRONG_BUTTON,
            Kind.WRONG_BUTTON,
            _in_deal,
            _tells(lambda table: ButtonSeen(seat=_another(table))),
        ),
        Wrong(Mistake.EXTRA_BURN, Kind.EXTRA_BURN, _burning_on_flop, _extra_burn),
        Wrong(
            Mistake.LATE_BURN_ERROR,
            Kind.LATE_BURN_ERROR,
            lambda table, step: step.kind is StepKind.BURN and table.state.street is Street.PREFLOP,
            _action_on_faulty_flop,
            lambda book: book["burn.corrected"].value == "before_the_betting",
        ),
        Wrong(Mistake.MUCK_CONTACT, Kind.ENDANGERED_HAND, _three_left, _muck_contact),
        Wrong(Mistake.OUT_OF_TURN, Kind.OUT_OF_TURN, _two_to_act, _tells(_out_of_turn)),
        Wrong(
            Mistake.POT_SPLASHED,
            Kind.POT_SPLASHED,
            _in_betting,
            _tells(lambda table: PotSplashed(seat=_anybody(table), amount=10)),
        ),
        Wrong(
            Mistake.OWN_CHANGE,
            Kind.CHANGE_TAKEN,
            _in_betting,
            _tells(lambda table: ChangeTaken(seat=_anybody(table))),
        ),
        Wrong(
            Mistake.STUB_DROPPED,
            Kind.STUB_DROPPED,
            _in_betting,
            _tells(lambda table: StubDropped()),
        ),
        Wrong(Mistake.STUB_IN_DOUBT, Kind.STUB_DROPPED, _in_betting, _tells(_doubtful_stub)),
        Wrong(
            Mistake.MARRED_CARD,
            Kind.MARRED_CARD,
            _in_betting,
            _tells(lambda table: CardMarred()),
        ),
        Wrong(
            Mistake.DECK_REQUESTED,
            Kind.DECK_REQUESTED,
            _in_betting,
            _tells(lambda table: DeckRequested(seat=_anybody(table))),
        ),
        Wrong(
            Mistake.FOULED_KNOWN,
            Kind.KNEW_OF_FOULED_DECK,
            _in_betting,
            _tells(lambda table: FouledDeckKnown(seat=_anybody(table))),
        ),
        Wrong(
            Mistake.OBJECTION,
            Kind.OBJECTION,
            _in_betting,
            _tells(lambda table: Objected(seat=_anybody(table))),
            lambda book: book["floor.on_objection"].value is True,
        ),
        Wrong(
            Mistake.CLAIM,
            Kind.CLAIM,
            _in_betting,
            _tells(lambda table: MisdealClaimed(seat=_anybody(table))),
        ),
        Wrong(
            Mistake.DOUBT,
            Kind.DOUBT,
            _in_betting,
            _tells(lambda table: DoubtReported(zone="board")),
        ),
    )
}
"""Every mistake that is made in one go."""
