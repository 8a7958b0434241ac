"""The table under the real rules: what ``cutcard run`` and the demo start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.alarms import OF_MACHINE
from controller.cards import Card
from controller.events import (
    Action,
    AlarmAcknowledged,
    BettingClosed,
    BlindPosted,
    CardBurned,
    CardDealt,
    CardExposed,
    FloorDecided,
    HandStarted,
    JokerReported,
    PlayerActed,
    StepConfirmed,
    Street,
    TableEvent,
    TapUndone,
)
from controller.observer import LyingCard, Situation
from controller.rulebook import Rulebook, list_rulebooks, load_rulebook
from controller.rules import (
    Gate,
    advance,
    escalates_at_ms,
    gate,
    is_standing,
    new_table,
    next_steps,
    undo_taps,
)
from controller.rulings import Doer, Step, StepKind
from controller.runtime.camera import Feed
from controller.runtime.config import TableConfig
from controller.runtime.devices import Machine
from controller.runtime.effects import Wish
from controller.runtime.engine import Advanced
from controller.runtime.errors import TapRefusedError
from controller.runtime.evidence import evidence_folder
from controller.runtime.evidence_album import EvidenceAlbum
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.evidence_keeper import EvidenceKeeper
from controller.runtime.journal import Journal
from controller.runtime.supervisor import Supervisor, monotonic_ms
from controller.table import TableState
from controller.view import (
    DifferenceView,
    FloorView,
    HandLine,
    HandView,
    HouseView,
    OtherView,
    Surroundings,
    TableView,
    difference_views,
    floor_view,
    hand_view,
    house_view,
    other_views,
    sent_back,
    table_view,
    text,
)

_SHUFFLES: Final = frozenset({StepKind.SHUFFLE, StepKind.RESHUFFLE_STUB})
_SEATED: Final = (CardDealt, CardExposed, JokerReported, PlayerActed)


class HouseRules:
    """The rules engine under one rulebook, as the supervisor asks for it."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book

    def fresh(self) -> TableState:
        """A table at which nothing has happened."""
        return new_table(self._book)

    def advance(self, state: TableState, event: TableEvent) -> Advanced[TableState]:
        """Take one event in."""
        outcome = advance(state, event, self._book)
        return Advanced(outcome.state, outcome.rulings)

    def hand(self, state: TableState) -> int:
        """The number of the hand, 0 before the first."""
        return state.hand

    def situation(self, state: TableState) -> Situation:
        """What the observer must know to read the next fact."""
        steps = next_steps(state, self._book)
        gathering = bool(steps) and steps[0].kind is StepKind.GATHER_ALL
        return Situation(
            street=state.street,
            due=_due(steps[0]) if steps else "",
            cards_out=state.cards_out > 0 and not gathering,
            deck_back=state.deck_back,
            folded=frozenset(state.seats) - frozenset(state.live) if state.live else frozenset(),
            order=_order(state),
        )

    def wish(self, state: TableState) -> Wish:
        """What the machine should do now."""
        steps = next_steps(state, self._book)
        key = f"{state.hand}:{steps[0].id}" if steps and _for_machine(steps[0]) else ""
        alarms = state.watch.alarms
        return Wish(
            is_open=gate(state, self._book) is Gate.OPEN,
            shuffle_for=key,
            has_alarm=any(alarm.cause in OF_MACHINE for alarm in alarms),
            answered=state.watch.raised - len(alarms),
            deck=state.deck_back,
            prepares=self._is_dealt_out(state),
        )

    def _is_dealt_out(self, state: TableState) -> bool:
        """No card of the deck in play is wanted any more (fr1.shuffle.5)."""
        is_over = state.street is Street.SHOWDOWN and not state.open and not state.watch.alarms
        return is_over and self._book["deck.two_decks"].value == "with_a_machine"

    def wakes_at_ms(self, state: TableState) -> int:
        """When the clock alone changes something: an alarm nobody answers for; -1 for never."""
        return escalates_at_ms(state, self._book)

    def verify(self, state: TableState, tap: TableEvent) -> None:
        """Check that a person can report this now.

        Raises:
            TapRefusedError: It does not fit what the table waits for.
        """
        key, seat = _refusal(state, tap)
        if key:
            raise TapRefusedError(text(key, "en", seat=seat), key=key, seat=seat)

    def lying(self, state: TableState) -> dict[str, tuple[LyingCard, ...]]:
        """Where the camera will find cards when it looks at this state again."""
        zones: dict[str, tuple[LyingCard, ...]] = {}
        for seat, hand in state.hands.items():
            for held in hand:
                zone = "off_table" if held.off_table else f"seat:{seat}"
                zones[zone] = (*zones.get(zone, ()), _lies(held.card, up=held.is_up))
        board = tuple(_lies(card, up=True) for card in state.board)
        zones |= {f"board:{n}": (card,) for n, card in enumerate(board, start=1)}
        zones["board"] = board
        zones["burn"] = tuple(_lies(card, up=card.is_known) for card in state.burns)
        zones["muck"] = tuple(_lies(Card.UNKNOWN, up=False) for _ in state.muck)
        zones["aside"] = tuple(
            _lies(card, up=card.is_known) for card in (*state.aside, *state.removed)
        )
        return zones

    def view(self, state: TableState, lang: str, around: Surroundings) -> TableView:
        """The dealer's page."""
        return table_view(state, self._book, lang, around)


class Table(Supervisor[TableState]):
    """A running table under a rulebook; see ``Supervisor`` for what it does.

    Args:
        config: The table file.
        book: The rulebook in force.
        journal: Open for writing; a hand that it holds is taken up again.
        shuffler: A connected machine, none for a table without one.
        camera: A camera and what watches it, none for a table without one.
        clock: Milliseconds of any steady clock.

    Raises:
        JournalError: The journal cannot be read.
    """

    def __init__(
        self,
        config: TableConfig,
        book: Rulebook,
        journal: Journal,
        *,
        shuffler: Machine | None = None,
        camera: Feed | None = None,
        clock: Callable[[], int] = monotonic_ms,
    ) -> None:
        super().__init__(
            config, HouseRules(book), journal, shuffler=shuffler, camera=camera, clock=clock
        )
        self._book = book
        self.album: EvidenceAlbum | None = None

    def keep_pictures(self) -> None:
        """Keep evidence beside the journal, for the floor's page; to be called before ``run``.

        Raises:
            JournalError: What was kept before cannot be read.
        """
        journal = self._journal
        folder = EvidenceFolder(evidence_folder(journal.location, journal.table_id))
        keeper = EvidenceKeeper(journal, folder)
        self.keep_evidence(keeper)
        self.album = EvidenceAlbum(keeper, journal, folder)

    @property
    def book(self) -> Rulebook:
        """The rulebook in force."""
        return self._book

    def around(self) -> Surroundings:
        """As for any table, with what the floor wants looked at again."""
        hand = self.past.present
        asked = sent_back(self.state, hand.events if hand else ())
        around = replace(super().around(), asked=tuple(asked.values()))
        return replace(around, deck_back=self._next_deck() or around.deck_back)

    def _next_deck(self) -> str:
        """The deck for the next hand where two are in use: the one that lies ready."""
        if not self._config.shuffler.second_deck:
            return ""
        return self.state.watch.ready[-1] if self.state.watch.ready else self.state.deck_back

    def floor(self, lang: str) -> FloorView:
        """What the floor's page shows, in ``en`` or ``fr``."""
        hand = self.past.present
        events = hand.events if hand else ()
        return floor_view(self.state, self._book, lang, self.around(), events)

    def hands(self) -> tuple[HandLine, ...]:
        """The hands that can be looked at again, oldest first."""
        return tuple(
            HandLine(hand.number, tuple(hand.kinds), tuple(hand.verdicts))
            for hand in self.past.hands
        )

    def hand(self, number: int, event: int, lang: str) -> HandView | None:
        """A hand after one of its events, 0 for the last; None when it is not kept."""
        hand = self.past.hand(number)
        if hand is None:
            return None
        around = Surroundings(
            name=self._config.table.name, seats=self._config.table.seats, devices={}
        )
        return hand_view(hand.start, tuple(hand.events), event, self._book, (lang, around))

    def house(self, lang: str) -> HouseView:
        """What the manager's page shows, in ``en`` or ``fr``."""
        past = self.past
        return house_view(self._config.table.name, self._book, past.played, past.counts, lang)

    def rulebooks(self) -> tuple[str, ...]:
        """The rulebooks that there are to compare with."""
        return list_rulebooks()

    async def differing(self, other: str, lang: str) -> tuple[DifferenceView, ...]:
        """What another rulebook answers differently.

        Raises:
            RulebookError: There is no such rulebook.
        """
        book = await asyncio.to_thread(load_rulebook, other)
        return difference_views(self._book, book, lang)

    async def others(self, ruling: str, lang: str) -> tuple[OtherView, ...]:
        """What other rulebooks say to what a ruling of the present hand was made on."""
        hand = self.past.present
        if hand is None:
            return ()
        books = (self._book, *await asyncio.to_thread(_other_books, self._book.name))
        return other_views(ruling, hand.start, tuple(hand.events), books, lang)


def _other_books(name: str) -> tuple[Rulebook, ...]:
    return tuple(load_rulebook(other) for other in list_rulebooks() if other != name)


def _alarm_refusal(state: TableState, tap: AlarmAcknowledged) -> str:
    """An alarm is acknowledged by name and with a reason, and not while its cause lasts."""
    alarm = next((a for a in state.watch.alarms if a.id == tap.alarm), None)
    if alarm is None:
        return "refused.alarm"
    if not tap.by_whom.strip() or not tap.reason.strip():
        return "refused.alarm_name"
    return "refused.alarm_standing" if is_standing(state.watch, alarm) else ""


def _lies(card: Card, *, up: bool) -> LyingCard:
    return LyingCard(card, up=True) if up and card.is_known else LyingCard(Card.UNKNOWN, up=False)


def _for_machine(step: Step) -> bool:
    by_machine = step.doer is Doer.MACHINE or "machine" in step.seen_by
    return step.kind in _SHUFFLES and by_machine


def _order(state: TableState) -> tuple[int, ...]:
    """The seats of the deal from the one that is due on; none outside the deal."""
    if state.street is not Street.DEAL or not state.seat_due:
        return ()
    at = state.deal_order.index(state.seat_due)
    return (*state.deal_order[at:], *state.deal_order[:at])


def _due(step: Step) -> str:
    match step.kind:
        case StepKind.DEAL_TO_SEAT:
            return f"seat:{step.seat}"
        case StepKind.BURN:
            return "burn"
        case StepKind.DEAL_BOARD:
            return "board"
        case _:
            return ""


def _is_too_little(state: TableState, tap: PlayerActed | BlindPosted) -> bool:
    """Whether the amount cannot be what the tap says: most often none was entered."""
    if isinstance(tap, BlindPosted) or tap.action is Action.ALL_IN:
        return tap.amount < 1
    return tap.action in (Action.BET, Action.RAISE) and tap.amount <= state.bet


def _refusal(state: TableState, tap: TableEvent) -> tuple[str, int]:
    """The key of the sentence that refuses the tap, empty when it fits, and the seat meant."""
    match tap:
        case StepConfirmed(step=step):
            open_ids = {s.id for o in state.open for s in o.ruling.steps if s.id not in o.done}
            return ("" if step in open_ids else "refused.step"), 0
        case FloorDecided(ruling=ruling):
            in_force = any(o.ruling.id == ruling for o in state.open)
            return ("" if in_force else "refused.ruling"), 0
        case HandStarted():
            return ("" if state.street is Street.BETWEEN else "refused.hand"), 0
        case AlarmAcknowledged():
            return _alarm_refusal(state, tap), 0
        case TapUndone(what=what, said_at_ms=said):
            fits = any((t.what, t.said_at_ms) == (what, said) for t in undo_taps(state))
            return ("" if fits else "refused.undo"), 0
    if isinstance(tap, PlayerActed | BettingClosed) and not state.betting_open:
        return "refused.betting", 0
    if isinstance(tap, PlayerActed | BlindPosted) and _is_too_little(state, tap):
        return "refused.amount", 0
    if isinstance(tap, _SEATED) and tap.seat not in state.seats:
        return "refused.seat", tap.seat
    if isinstance(tap, CardBurned | CardDealt) and state.street is Street.BETWEEN:
        return "refused.no_hand", 0
    return "", 0
