"""A mistaken tap taken back: the table is as if it had not been, and what was seen stays."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.cards import Card
from controller.events import (
    Action,
    AlarmAcknowledged,
    BettingClosed,
    BoardShown,
    CardBurned,
    CardDealt,
    CardExposed,
    CardMarred,
    CutCardChecked,
    DealCompleted,
    DeckCut,
    DeckShuffled,
    HandStarted,
    JokerReported,
    PlayerActed,
    Street,
    TableEvent,
    TapUndone,
    Witness,
)
from controller.irregularities import Kind
from controller.rulebook import list_rulebooks, load_rulebook
from controller.rules import Outcome, advance, new_table, tap_to_undo, undo_taps
from controller.table import TableState
from tests.controller.rules.any_events import ANY_EVENT

CK = load_rulebook("ck")
BOOKS = {name: load_rulebook(name) for name in list_rulebooks()}
READY: tuple[TableEvent, ...] = (
    HandStarted(hand=1, seats=(1, 2, 3), button=3, small_blind=1, big_blind=2),
    DeckShuffled(count=52, by=Witness.MACHINE),
    DeckCut(),
    DealCompleted(),
)
CALL = PlayerActed(seat=3, action=Action.CALL, amount=10)
BURN = CardBurned(by=Witness.CAMERA)
FLOP = BoardShown(cards=(Card.C7, Card.D9, Card.SK), by=Witness.CAMERA)


def after(*events: TableEvent, start: TableState | None = None) -> Outcome:
    outcome = Outcome(start or new_table(CK))
    for event in events:
        outcome = advance(outcome.state, event, CK)
    return outcome


def test_a_call_taken_back_gives_the_turn_back() -> None:
    before = after(*READY).state

    state = after(*READY, CALL, TapUndone()).state

    assert (state.to_act, state.paid) == (before.to_act, before.paid)


def test_taps_are_taken_back_one_after_another_to_the_start_of_the_hand() -> None:
    state = after(*READY, CALL, *[TapUndone()] * 3).state

    assert (state.street, state.is_shuffled, state.is_cut) == (Street.DEAL, True, False)
    assert undo_taps(state) == ()


def test_what_the_camera_saw_after_the_tap_is_still_there() -> None:
    state = after(*READY, CALL, BURN, TapUndone()).state

    assert len(state.burns) == 1


def test_a_flop_becomes_premature_when_the_closing_of_the_betting_is_taken_back() -> None:
    outcome = after(*READY, BettingClosed(), BURN, FLOP, TapUndone())

    assert [r.irregularity.kind for r in outcome.rulings] == [Kind.PREMATURE_FLOP]


def test_a_ruling_made_on_a_mistaken_tap_falls_with_it_and_its_number_is_not_used_again() -> None:
    ruled = after(*READY, JokerReported(seat=2))
    taken_back = after(TapUndone(), start=ruled.state)

    again = after(JokerReported(seat=1), start=taken_back.state)

    assert taken_back.closed == (ruled.rulings[0].id,)
    assert taken_back.state.open == ()
    assert again.rulings[0].id != ruled.rulings[0].id


def test_a_misdeal_ruled_by_mistake_is_not_counted_against_the_dealer() -> None:
    dealt = after(*READY[:3], CardDealt(seat=1)).state
    misdealt = after(CardExposed(seat=1), start=dealt).state
    assert misdealt.misdeals == {0: 1}

    assert after(TapUndone(), start=misdealt).state.misdeals == {}


def test_an_alarm_is_answered_for_and_not_taken_back() -> None:
    raised = after(*READY[:2], CutCardChecked(is_there=False)).state
    assert raised.watch.alarms

    assert undo_taps(raised) == ()
    assert after(TapUndone(), start=raised).state.watch == raised.watch


def test_nothing_before_an_answer_for_an_alarm_is_taken_back() -> None:
    raised = after(*READY[:2], CutCardChecked(is_there=False)).state
    alarm = raised.watch.alarms[0].id

    answered = AlarmAcknowledged(alarm=alarm, by_whom="Ana", reason="laid under the deck")

    assert undo_taps(after(answered, start=raised).state) == ()


def test_a_page_that_was_slower_takes_nothing_back() -> None:
    (shown,) = undo_taps(after(*READY, replace(CALL, at_ms=100)).state)
    fold = PlayerActed(seat=1, action=Action.FOLD, at_ms=200)
    state = after(*READY, replace(CALL, at_ms=100), fold).state

    assert after(shown, start=state).state.live == (2, 3)
    assert tap_to_undo(state) == fold


def _bare(state: TableState) -> TableState:
    """Without what goes on counting, and without what was being said."""
    watch = replace(state.watch, raised=0)
    return replace(state, past=(), rulings_made=0, open=(), prompts=(), watch=watch)


@given(
    book=st.sampled_from(sorted(BOOKS)),
    events=st.lists(ANY_EVENT.filter(lambda e: not isinstance(e, TapUndone)), max_size=25),
    seen=st.lists(st.sampled_from([BURN, FLOP, CardMarred(by=Witness.CAMERA)]), max_size=3),
)
@settings(deadline=None, max_examples=300)
def test_the_table_is_as_if_the_tap_had_not_been(
    book: str, events: list[TableEvent], seen: list[TableEvent]
) -> None:
    rules = BOOKS[book]
    state = new_table(rules)
    for event in (*READY, *events):
        state = advance(state, event, rules).state
    for offered in undo_taps(state):
        expected = state.past[-1].before if state.past[-1].event is tap_to_undo(state) else None
        if expected is None:
            return
        for event in seen:
            state, expected = (advance(s, event, rules).state for s in (state, expected))
        if undo_taps(state) != (offered,):  # an alarm came of it
            return

        undone = advance(state, offered, rules).state

        assert _bare(undone) == _bare(expected)
