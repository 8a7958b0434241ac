"""A hand in the Poker Hand History format (PHH), as poker software reads it.

The format: J. Kim, "Recording and Describing Poker Hands" (2023), and the PHH file
format specification. One hand is one TOML table; a file of many has one section each.
Cards that nobody at the table could see are ``??``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from controller.cards import Card
from controller.histories.played import BOARD, Act, PlayedHand, RecordedHand, played

VARIANT: Final = {"holdem": ("NT", 2)}
"""The format's name of the game and the number of hole cards."""

UNKNOWN_STACK: Final = "inf"
"""The table does not know how much a player has before it is all in."""


def history(hand: RecordedHand, section: int) -> str:
    """One section of a file of hands.

    Args:
        hand: The hand.
        section: Its place in the file, from 1.

    Raises:
        NoHistoryError: It cannot be told as a hand history.
    """
    told = played(hand)
    lines = [f"[{section}]", *_setting(told), f"actions = {_list(_quoted(a) for a in _acts(told))}"]
    lines += [f"hand = {told.number}", f"seats = {_list(map(str, told.order))}"]
    if hand.table_id:
        lines.append(f"table = {_quoted(hand.table_id)}")
    if hand.written_ms:
        lines += _time(hand.written_ms)
    return "\n".join(lines) + "\n"


def _setting(told: PlayedHand) -> Iterator[str]:
    variant, _ = VARIANT[told.game]
    # Between two players too the small blind is named first, although it is the button's.
    blinds = (*told.blinds, *(0 for _ in told.order[2:]))
    stacks = (str(told.stacks.get(seat, UNKNOWN_STACK)) for seat in told.order)
    yield f"variant = {_quoted(variant)}"
    yield f"antes = {_list(str(told.antes.get(seat, 0)) for seat in told.order)}"
    yield f"blinds_or_straddles = {_list(map(str, blinds))}"
    yield f"min_bet = {told.blinds[1]}"
    yield f"starting_stacks = {_list(stacks)}"


def _acts(told: PlayedHand) -> Iterator[str]:
    _, hole_cards = VARIANT[told.game]
    number = {seat: n for n, seat in enumerate(told.order, start=1)}
    for seat in told.order:
        yield f"d dh p{number[seat]} {'??' * hole_cards}"
    sizes = (0, *BOARD[told.game])
    for step, acts in enumerate(told.rounds):
        if step:
            yield f"d db {_cards(told.board[sizes[step - 1] : sizes[step]])}"
        yield from (_act(act, number[act.seat]) for act in acts)
    yield from _showdown(told, number)


def _showdown(told: PlayedHand, number: dict[int, int]) -> Iterator[str]:
    """Hands are shown before the rest of the board when no more bets are possible."""
    folded = {act.seat for acts in told.rounds for act in acts if act.kind == "fold"}
    left = [seat for seat in told.order if seat not in folded]
    if len(left) < 2:
        return
    for seat in left:
        shown = told.shown.get(seat, ())
        yield f"p{number[seat]} sm {_cards(shown)}".rstrip()
    sizes = (0, *BOARD[told.game])
    for step in range(len(told.rounds), len(sizes)):
        yield f"d db {_cards(told.board[sizes[step - 1] : sizes[step]])}"


def _act(act: Act, number: int) -> str:
    match act.kind:
        case "fold":
            return f"p{number} f"
        case "call":
            return f"p{number} cc"
        case "raise":
            return f"p{number} cbr {act.amount}"


def _cards(cards: tuple[Card, ...]) -> str:
    return "".join(card.value for card in cards)


def _time(written_ms: int) -> tuple[str, ...]:
    at = datetime.fromtimestamp(written_ms // 1000, UTC)
    return (
        f"time = {at:%H:%M:%S}",
        'time_zone = "UTC"',
        f"day = {at.day}",
        f"month = {at.month}",
        f"year = {at.year}",
    )


def _list(words: Iterator[str] | map[str]) -> str:
    return f"[{', '.join(words)}]"


def _quoted(text: str) -> str:
    """A TOML string; JSON's are such but for one control character (TOML 1.0, "String")."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
