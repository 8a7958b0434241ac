"""Whole hands at a running table, its machine in software and its firmware in the emulator."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.alarms import AlarmCause
from controller.cli.device_answers import fault_lines
from controller.cli.device_target import Target
from controller.cli.device_words import PART_CARE
from controller.events import MachineCounted, Street
from controller.rulings import StepKind
from firmware_bridge import (
    WIRES,
    BootCause,
    Deck,
    DeckSelected,
    Fault,
    FaultCode,
    Part,
    Patience,
    Settings,
    Shuffler,
)
from tests.firmware.hearing import hear, is_kind
from tests.firmware.machines import FirmwareMachine, Machine, SoftwareMachine
from tests.firmware.playing import Room, at_table

MakeMachine = Callable[..., Machine]

CARDS = 20
"""A deck for three players that the emulated machine shuffles in three seconds."""

EXIT_SENSOR = 1 << 8
"""Its bit in the firmware's sensors (firmware/core/parts.h)."""

everywhere = pytest.mark.parametrize("name", ["software", "simavr"])


@everywhere
async def test_hands_are_played_and_the_ledger_balances(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await room.play(1, CARDS)
        await room.play(2, CARDS)
        ledger = [e for e in room.kept(MachineCounted) if isinstance(e, MachineCounted)]

        life = room.table.state.watch.decks["red"]

        assert [event.given for event in ledger] == [14, 14]
        assert (life.shuffles, life.hands, life.days) == (2, 2, 1)
        assert room.causes == []
        assert machine.count() == CARDS


@everywhere
async def test_a_bad_line_changes_nothing_of_a_hand(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name, WIRES["bad"], seed=5)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await room.play(1, CARDS)

        assert room.causes == []
        assert machine.count() == CARDS


async def dealing(room: Room, drawn: int = 2) -> None:
    """A hand of which so many cards are dealt."""
    await room.start(1, CARDS)
    await room.play_until(lambda: room.table.state.cards_out == drawn)


async def finish(room: Room) -> None:
    """The hand goes to its end, and all cards are where they belong."""
    await room.play_until(lambda: room.step is StepKind.GATHER_ALL)
    room.verify(CARDS)
    await room.gather()
    assert room.machine.count() == CARDS


@everywhere
async def test_a_pulled_cable_back_under_another_name_loses_no_card(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await dealing(room)
        await room.until_open()
        machine.pull_cable()
        assert machine.draw()
        assert machine.draw()
        await room.until(lambda: room.health == "lost")
        machine.plug_in()
        await room.until(lambda: room.table.state.cards_out == 4)
        await finish(room)

        assert ("lost", "") in room.told()
        assert room.causes == []


@everywhere
@pytest.mark.parametrize("cause", [BootCause.WATCHDOG, BootCause.BROWNOUT])
async def test_restarts_between_cards_hold_the_gate_and_the_deal_goes_on(
    make_machine: MakeMachine, name: str, cause: BootCause, tmp_path: Path
) -> None:
    machine = make_machine(name)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await dealing(room)
        for _ in range(3 if cause is BootCause.BROWNOUT else 1):
            before = len(room.told())
            machine.reset(cause)
            await room.until_told(before + 1)
        await finish(room)

        assert ("unknown_outcome", "") in room.told()


async def test_firmware_that_hangs_in_the_deal_comes_back_and_the_deal_goes_on(
    make_machine: MakeMachine, tmp_path: Path
) -> None:
    machine = make_machine("simavr")
    assert isinstance(machine, FirmwareMachine)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await dealing(room)
        machine.say("hang")
        await room.until(lambda: ("unknown_outcome", "") in room.told())
        await finish(room)


async def shuffling(room: Room) -> None:
    """The machine is in the middle of the shuffle for a hand."""
    await room.start(1, CARDS)
    async with asyncio.timeout(20):
        is_busy = False
        while not is_busy:
            is_busy = (await room.shuffler.status()).is_busy


@everywhere
async def test_a_restart_in_the_middle_of_a_shuffle_is_answered_for_and_shuffled_anew(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name, shuffle_s=0.3)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await shuffling(room)
        machine.reset(BootCause.BROWNOUT)
        await room.until(lambda: room.step is StepKind.ACKNOWLEDGE)
        machine.clear(FaultCode.COUNT_DIFFERS)
        await room.acknowledge()
        await finish(room)


@everywhere
async def test_a_lid_opened_in_a_shuffle_is_answered_for_and_shuffled_anew(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name, shuffle_s=0.3)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await shuffling(room)
        machine.open_lid()
        await room.until(lambda: room.step is StepKind.ACKNOWLEDGE)
        machine.clear(FaultCode.LID_OPEN)
        await room.acknowledge()
        await finish(room)

        assert ("fault", "lid_open") in room.told()


@everywhere
async def test_two_cards_at_once_are_both_in_the_hand_and_the_gate_waits_for_the_clearing(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await dealing(room)
        machine.let_two_out()
        await room.draw()
        await room.until(lambda: room.health == "fault")
        await room.until(lambda: room.table.state.cards_out == 4)
        machine.draw()  # the second of the two, which hangs at the gate
        assert not machine.draw()
        machine.clear(FaultCode.DOUBLE_FEED)
        await room.until(lambda: room.health == "ready")
        await finish(room)

        assert ("fault", "double_feed") in room.told()


@everywhere
async def test_an_empty_machine_is_told_and_shuffles_once_the_deck_is_in(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine = make_machine(name)
    async with at_table(tmp_path, machine) as room:
        await room.start(1, CARDS)
        await room.until(lambda: room.step is StepKind.ACKNOWLEDGE)
        machine.insert(CARDS)
        await room.acknowledge()
        await finish(room)


@everywhere
@pytest.mark.parametrize(
    ("count", "boxed", "cause"),
    [
        (CARDS - 1, 0, AlarmCause.COUNT_SHORT),
        (CARDS + 1, 0, AlarmCause.COUNT_LONG),
        (CARDS, 1, AlarmCause.BOXED_DECK),
    ],
)
async def test_a_deck_that_is_not_right_is_not_dealt_before_a_person_has_answered(
    make_machine: MakeMachine,
    name: str,
    count: int,
    boxed: int,
    cause: AlarmCause,
    tmp_path: Path,
) -> None:
    machine = make_machine(name)
    machine.insert(count, boxed)
    async with at_table(tmp_path, machine) as room:
        await room.start(1, CARDS)
        await room.until(lambda: cause in room.causes)
        await room.table.idle()

        assert not machine.draw()
        assert room.table.state.cards_out == 0


async def test_cards_whose_events_are_lost_in_a_flood_are_missed_at_the_next_card(
    make_machine: MakeMachine, tmp_path: Path
) -> None:
    """The firmware bounces no sensor so fast; tests/firmware/test_firmware.py fills its ring."""
    machine = make_machine("software")
    assert isinstance(machine, SoftwareMachine)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await dealing(room)
        machine.pull_cable()
        await room.until(lambda: room.health == "lost")
        assert machine.draw()
        machine.shuffler.inject(Fault.FLOOD)
        machine.plug_in()
        await room.until(lambda: any("are lost" in detail for detail in room.details()))
        await room.draw()
        await room.until(lambda: AlarmCause.COUNTS_DIFFER in room.causes)

        assert machine.count() == CARDS - 4


@everywhere
async def test_the_wrong_one_of_two_like_machines_is_not_taken_when_the_cable_comes_back(
    make_machine: MakeMachine, name: str, tmp_path: Path
) -> None:
    machine, other = make_machine(name), make_machine(name, serial_number="FW-2")
    there = [machine]
    settings = Settings(discover=lambda: there[0].url, patience=Patience(first_retry_s=0.02))
    machine.insert(CARDS)
    other.insert(CARDS)
    async with at_table(tmp_path, machine, settings, serial_number="FW-1") as room:
        await dealing(room)
        there[0] = other
        machine.pull_cable()
        await room.until(lambda: any("FW-2 is another device" in said for said in room.details()))
        assert not other.draw()
        machine.plug_in()
        there[0] = machine
        await finish(room)


async def test_a_jam_that_clears_is_counted_and_one_that_does_not_is_located_and_told(
    make_machine: MakeMachine, tmp_path: Path
) -> None:
    machine = make_machine("simavr")
    assert isinstance(machine, FirmwareMachine)
    machine.insert(CARDS)
    machine.say("jam 1")
    async with at_table(tmp_path, machine) as room:
        await dealing(room, drawn=1)
        assert (await room.shuffler.meters()).retries == 1
        await room.play_until(lambda: room.step is StepKind.GATHER_ALL)
        await room.gather()
        machine.say("jam 255")
        await room.start(2, CARDS)
        await room.until(lambda: room.step is StepKind.ACKNOWLEDGE)
        machine.say("jam 0")
        machine.clear(FaultCode.JAM)
        await room.acknowledge()
        await room.play_until(lambda: room.table.state.cards_out == 1)
        room.verify(CARDS)

        assert ("fault", "jam") in room.told()
        assert "jam at the feed, 3 tries" in room.details()

    lines = await fault_lines(Target(machine.url, "", Settings()))
    located = {line["fault"]: line for line in lines}["jam"]
    assert (located["part"], located["tries"]) == ("feed", 3)
    assert located["do"] == PART_CARE[Part.FEED]


async def test_a_stuck_sensor_holds_the_gate_until_it_is_free(
    make_machine: MakeMachine, tmp_path: Path
) -> None:
    machine = make_machine("simavr")
    assert isinstance(machine, FirmwareMachine)
    machine.insert(CARDS)
    async with at_table(tmp_path, machine) as room:
        await dealing(room)
        machine.say(f"stick {EXIT_SENSOR} 0")
        await room.until(lambda: ("fault", "sensor_stuck") in room.told())
        assert not machine.draw()
        machine.say("stick 0 0")
        await room.until(lambda: room.health == "ready")
        await finish(room)

        assert "sensor stuck at the exit" in room.details()


async def test_hosts_suspended_for_600_ms_and_for_20_s_go_on_with_the_same_card(
    make_machine: MakeMachine, tmp_path: Path
) -> None:
    """Both tables live in this process, which stands still; both machines go on."""
    software, emulated = make_machine("software"), make_machine("simavr")
    software.insert(CARDS)
    emulated.insert(CARDS)
    folders = [tmp_path / "software", tmp_path / "emulated"]
    for folder in folders:
        folder.mkdir()
    async with at_table(folders[0], software) as one, at_table(folders[1], emulated) as other:
        for room in (one, other):
            await dealing(room)
        for pause_s in (0.6, 20.0):
            time.sleep(pause_s)  # noqa: ASYNC251 - the whole host is to stand still
            for room in (one, other):
                await room.draw()
        for room in (one, other):
            await finish(room)

            assert room.causes == []
            assert "lost" not in {health for health, _ in room.told()}


async def at_rest(room: Room) -> None:
    """The machine has ended what it moves by itself."""
    is_busy = True
    while is_busy:
        await room.table.idle()
        is_busy = (await room.shuffler.status()).is_busy


@pytest.mark.clause("fr1.shuffle.5")
async def test_the_second_deck_is_made_ready_while_the_first_is_in_play(
    make_machine: MakeMachine, tmp_path: Path
) -> None:
    machine = make_machine("simavr")
    async with await Shuffler.connect(machine.url) as hand:
        await hand.select_deck(Deck.B)
        await hear(hand, is_kind(DeckSelected))
        machine.insert(52)
        await hand.select_deck(Deck.A)
        await hear(hand, lambda fact: fact == DeckSelected(Deck.A))
        machine.insert(52)
    async with at_table(tmp_path, machine, book="fr1", second_deck="blue") as room:
        await room.start(1, 52)
        await room.play_until(lambda: room.table.state.street is Street.SHOWDOWN)
        await room.until(lambda: room.table.state.watch.ready == ("blue",))
        assert room.table.state.street is Street.SHOWDOWN
        await at_rest(room)
        await room.play_until(lambda: room.step is StepKind.GATHER_ALL)
        assert machine.count() == 52 + room.table.state.stub
        assert room.table.state.stub + room.table.state.cards_out == 52
        await room.gather()
        assert room.table.around().deck_back == "blue"
        before = (await room.shuffler.meters()).motions
        await room.start(2, 52)
        await room.until(lambda: room.step is StepKind.CUT)

        assert (await room.shuffler.meters()).motions == before + 1, "its deck is brought, no more"

        await room.play_until(lambda: room.table.state.cards_out == 1)
        lives = room.table.state.watch.decks
        assert (lives["red"].shuffles, lives["blue"].shuffles) == (1, 1)
        assert (lives["red"].hands, lives["blue"].hands) == (1, 1)
        assert (lives["red"].days, lives["red"].since_count) == (1, (1,))
        assert room.causes == []
        assert room.table.state.deck_back == "blue"
        assert machine.count() == 52 + 52 - 1
