"""Compares what the engine believes with where the cards are."""

from __future__ import annotations

from collections.abc import Iterator

from controller.cards import Card
from controller.demo.world import World
from controller.table import TableState


def differences(world: World, state: TableState) -> tuple[str, ...]:
    """Every place where belief and matter differ, and hands of the wrong size.

    Args:
        world: Where the cards are.
        state: Where the engine believes them to be, the hand dealt to its end.
    """
    return (*_piles(world, state), *_hands(world, state))


def _piles(world: World, state: TableState) -> Iterator[str]:
    board = [lying.card.face for n in range(1, 6) for lying in world.zone(f"board:{n}") if lying.up]
    if sorted(map(str, board)) != sorted(map(str, state.board)):
        yield f"board: {_named(board)} lie there, {_named(state.board)} believed"
    counts = {
        "burns": (len(world.zone("burn")), len(state.burns)),
        "muck": (len(world.zone("muck")), len(state.muck)),
        "stub": (len(world.shoe), state.stub),
    }
    for name, (there, believed) in counts.items():
        if there != believed:
            yield f"{name}: {there} cards there, {believed} believed"


def _hands(world: World, state: TableState) -> Iterator[str]:
    for seat in state.seats:
        there, believed = len(world.zone(f"seat:{seat}")), len(state.hands.get(seat, ()))
        if there != believed:
            yield f"seat {seat}: {there} cards there, {believed} believed"
        wanted = state.rules_of_game.hole_cards
        if seat in state.live and there != wanted:
            yield f"seat {seat}: {there} cards instead of {wanted}"


def _named(cards: list[Card] | tuple[Card, ...]) -> str:
    return " ".join(map(str, cards)) or "none"
