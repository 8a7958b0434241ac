"""Measure the rules engine: events a second, against decoding the same events from JSON.

The events are those of hands played with every kind of fault (``controller.simulate``),
under ``ck``. Decoding with msgspec is the least that any reader of an event file must do;
the ratio says how many times longer deciding takes. Both are measured in this run, in
turns, and the median of the rounds is printed.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence

import msgspec
from pokerkit import Automation, NoLimitTexasHoldem

from controller.cards import FULL_DECK
from controller.events import TableEvent
from controller.rulebook import Rulebook, load_rulebook
from controller.rules import advance, new_table
from controller.simulate.hand import Hand
from controller.simulate.mistakes import plan_hand

HANDS = 60
ROUNDS = 5

_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def played(book: Rulebook) -> tuple[TableEvent, ...]:
    """The events of seeded hands of nine players, one after the other."""
    rng, state = random.Random(1), new_table(book)
    events: list[TableEvent] = []
    seats = tuple(range(1, 10))
    for number in range(1, HANDS + 1):
        hand = Hand(plan_hand(rng, len(seats)), seats, state, book, rng)
        hand.play(number)
        state = hand.state
        events.extend(hand.events)
    return tuple(events)


def decide(events: Sequence[TableEvent], book: Rulebook) -> None:
    """Give every event to the engine."""
    state = new_table(book)
    for event in events:
        state = advance(state, event, book).state


def decode(lines: Sequence[bytes]) -> None:
    """Read every event from its line."""
    decoder = msgspec.json.Decoder(TableEvent)
    for line in lines:
        decoder.decode(line)


def seconds(work: Callable[[], None]) -> float:
    """Time that a piece of work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def pokerkit_hands() -> tuple[int, float]:
    """Operations of clean hold'em hands of nine players played by PokerKit, and their time.

    PokerKit keeps chips and hands too and knows no irregularities; it is what other
    programs play hands with, so it says what an engine in Python can be expected to do.
    """
    operations, rng = 0, random.Random(1)
    started = time.perf_counter()
    for _ in range(HANDS):
        state = NoLimitTexasHoldem.create_state(_AUTOMATIONS, True, 0, (5, 10), 10, (1000,) * 9, 9)
        deck = [str(card) for card in rng.sample(FULL_DECK, len(FULL_DECK))]
        while state.status:
            if state.can_burn_card():
                state.burn_card(deck.pop())
            elif state.can_deal_hole():
                state.deal_hole(deck.pop())
            elif state.can_deal_board():
                cards = 1 if state.board_cards else 3
                state.deal_board("".join(deck.pop() for _ in range(cards)))
            else:
                state.check_or_call()
        operations += len(state.operations)
    return operations, time.perf_counter() - started


def main() -> None:
    """Print the measurements."""
    book = load_rulebook("ck")
    events = played(book)
    lines = [msgspec.json.encode(event) for event in events]
    deciding, decoding = [], []
    for _ in range(ROUNDS):
        deciding.append(seconds(lambda: decide(events, book)))
        decoding.append(seconds(lambda: decode(lines)))
    decide_s, decode_s = statistics.median(deciding), statistics.median(decoding)
    print(f"# {len(events)} events of {HANDS} hands, median of {ROUNDS} rounds")
    print(f"advance {len(events) / decide_s:.0f} events/s")
    print(f"json_decoding {len(events) / decode_s:.0f} events/s")
    print(f"advance_time_over_json_decoding {decide_s / decode_s:.2f} ratio")
    operations, poker_s = pokerkit_hands()
    print(f"pokerkit {operations / poker_s:.0f} operations/s")
    print(f"advance_over_pokerkit {len(events) / decide_s / (operations / poker_s):.2f} x")


if __name__ == "__main__":
    main()
