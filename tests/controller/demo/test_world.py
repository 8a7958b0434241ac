"""Matter is never lost: every card of the simulated table is in one place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cards import FULL_DECK, Card
from controller.demo.world import World, WorldError

ZONES = ("seat:1", "seat:2", "board:1", "burn", "muck", "aside")


def test_a_new_world_has_the_52_cards_in_the_shoe() -> None:
    world = World()

    assert sorted(str(card.face) for card in world.shoe) == sorted(map(str, FULL_DECK))
    assert world.on_table() == 0


@given(st.lists(st.tuples(st.sampled_from(ZONES), st.sampled_from(ZONES)), max_size=40))
def test_cards_moved_about_stay_52(moves: list[tuple[str, str]]) -> None:
    world = World()
    for origin, target in moves:
        if world.zone(origin):
            world.lay(world.pick_up(origin), target, up=True)
        else:
            world.lay(world.leave_shoe(world.shoe[0].uid), target, up=False)

    assert world.total() == 52


def test_a_card_that_is_not_there_cannot_be_picked_up() -> None:
    world = World()
    world.lay(world.leave_shoe(world.shoe[0].uid), "burn", up=True)

    with pytest.raises(WorldError, match="Ah in burn"):
        world.pick_up("burn", Card.HA)


def test_a_new_deck_leaves_nothing_of_the_old_one_in_play() -> None:
    world = World()
    world.lay(world.leave_shoe(world.shoe[0].uid), "seat:1", up=True)

    fresh = world.new_deck()

    assert world.on_table() == 0
    assert {card.uid for card in world.shoe} == {card.uid for card in fresh}
    assert len(fresh) == 52
