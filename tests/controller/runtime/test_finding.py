"""A table's machine is found again under whatever name its port comes back."""

from __future__ import annotations

import asyncio
import random

import pytest
from pytest_mock import MockerFixture

from controller.runtime import opening
from controller.runtime.config import ShufflerSection, TableConfig, TableSection
from controller.runtime.opening import connect_shuffler
from firmware_bridge import (
    LinkChanged,
    LinkState,
    PortAbsentError,
    SoftwareShuffler,
    WrongDeviceError,
)


async def test_a_replugged_machine_is_looked_for_by_its_number(mocker: MockerFixture) -> None:
    asked: list[tuple[str, str]] = []
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-7") as machine:

        def find(serial_number: str, usual: str) -> str:
            asked.append((serial_number, usual))
            if not machine.url:
                raise PortAbsentError(serial_number)
            return machine.url

        mocker.patch.object(opening, "find_machine", find)
        first = machine.url
        section = ShufflerSection(url=first, serial_number="SN-7")
        config = TableConfig(table=TableSection(name="T"), shuffler=section)
        async with await connect_shuffler(config) as shuffler, asyncio.timeout(20):
            machine.pull_cable()
            async for fact in shuffler.facts():
                if isinstance(fact, LinkChanged) and fact.new is LinkState.LOST:
                    machine.plug_in()
                elif asked and isinstance(fact, LinkChanged) and fact.new is LinkState.READY:
                    break

            assert shuffler.url == machine.url
            assert set(asked) == {("SN-7", first)}


async def test_a_machine_with_one_deck_is_refused_where_the_table_file_speaks_of_two() -> None:
    with SoftwareShuffler(rng=random.Random(1)) as machine:
        section = ShufflerSection(url=machine.url, second_deck="blue")
        config = TableConfig(table=TableSection(name="T", deck_back="red"), shuffler=section)

        with pytest.raises(WrongDeviceError, match="two decks"):
            await connect_shuffler(config)
