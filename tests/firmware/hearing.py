"""Waiting for what a machine says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from firmware_bridge import (
    DeviceFact,
    LinkChanged,
    LinkState,
    Patience,
    PortAbsentError,
    Settings,
    Shuffler,
)
from tests.firmware.machines import Machine

_FactT = TypeVar("_FactT")


async def hear(shuffler: Shuffler, is_it: Callable[[DeviceFact], bool]) -> list[DeviceFact]:
    """The facts up to the first that fits."""
    heard: list[DeviceFact] = []
    async with asyncio.timeout(20):
        async for fact in shuffler.facts():
            heard.append(fact)
            if is_it(fact):
                break
    return heard


def is_kind(kind: type[DeviceFact]) -> Callable[[DeviceFact], bool]:
    return lambda fact: isinstance(fact, kind)


def is_lost(fact: DeviceFact) -> bool:
    return isinstance(fact, LinkChanged) and fact.new is LinkState.LOST


def of(kind: type[_FactT], heard: list[DeviceFact]) -> list[_FactT]:
    return [fact for fact in heard if isinstance(fact, kind)]


def back_on(machine: Machine) -> Settings:
    """Reopen under whatever name the machine is plugged in."""

    def discover() -> str:
        if not machine.url:
            raise PortAbsentError("the machine")
        return machine.url

    return Settings(discover=discover, patience=Patience(first_retry_s=0.02))
