"""Hands are compared as the rules of poker rank them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.cards import Card
from controller.table import Held, TableState, start
from controller.table.showdown import is_shown, ranking


def _table(board: str, hands: dict[int, str], game: str = "holdem") -> TableState:
    return replace(
        start(),
        game=game,
        seats=tuple(hands),
        live=tuple(hands),
        board=tuple(Card(word) for word in board.split()),
        hands={
            seat: tuple(Held(Card(word), is_up=True) for word in held.split())
            for seat, held in hands.items()
        },
    )


@pytest.mark.parametrize(
    ("board", "hands", "best_first"),
    [
        # a flush beats a straight, which beats three of a kind
        ("2h 7h 9h Td Jc", {1: "8c Qs", 2: "Ah 3h", 3: "9c 9d"}, ((2,), (1,), (3,))),
        # the board is the best hand of both: they split
        ("Ts Js Qs Ks As", {4: "2c 3d", 7: "2d 3c"}, ((4, 7),)),
        # kickers decide, suits never
        ("Ac 8d 6h 4s 2c", {1: "Ad Kc", 2: "Ah Qc", 3: "As Kd"}, ((1, 3), (2,))),
    ],
)
def test_players_are_ranked_by_their_best_five_cards(
    board: str, hands: dict[int, str], best_first: tuple[tuple[int, ...], ...]
) -> None:
    assert ranking(_table(board, hands)) == best_first


def test_omaha_takes_exactly_two_cards_of_the_hand() -> None:
    # four hearts on the board: one heart in the hand makes no flush
    table = _table("2h 7h 9h Kh 3c", {1: "Ah Ac Qs Jd", 2: "3h 4h 5s 6s"}, game="omaha")

    assert ranking(table) == ((2,), (1,))


def test_a_hand_with_an_unknown_card_is_not_ranked() -> None:
    table = _table("2h 7h 9h Td Jc", {1: "8c Qs", 2: "Ah 3h"})
    hidden = {**table.hands, 2: (Held(Card("Ah")), Held())}
    table = replace(table, hands=hidden)

    assert not is_shown(table)
    with pytest.raises(ValueError, match="not every hand is shown"):
        ranking(table)
