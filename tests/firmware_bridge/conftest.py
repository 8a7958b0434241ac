"""A host and a device joined by wires in memory, in simulated time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from firmware_bridge.device_link import DeviceLink
from firmware_bridge.faults import FaultPlan, Wire
from firmware_bridge.link import HostLink
from firmware_bridge.messages import (
    Accepted,
    BootCause,
    Capability,
    CardsIn,
    Command,
    DeviceStatus,
    Gate,
    Identity,
    Kind,
    ReadStatus,
    Reply,
)
from firmware_bridge.outputs import Answered, EventPosition, Expected, LinkOutput, Unanswered
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_device import DeviceGuard, KeyMemory
from firmware_bridge.security_host import HostGuard
from firmware_bridge.software_shuffler import SoftwareShuffler
from firmware_bridge.states import LinkState

IDENTITY = Identity(
    Kind.SHUFFLER,
    "bench",
    "S-1",
    "1.0",
    Capability.COUNTED_DEAL | Capability.SEALED,
    BootCause.POWER,
)
LATENCY_S = 0.001


class Joined:
    """Both ends and the wires between them; ``now_s`` jumps from deadline to deadline."""

    def __init__(
        self,
        plan: FaultPlan | None = None,
        seed: int = 1,
        expected: Expected | None = None,
        position: EventPosition | None = None,
        keys: Mapping[str, DeviceKey] | None = None,
        memory: KeyMemory | None = None,
    ) -> None:
        self.now_s = 100.0
        self.memory = memory or KeyMemory()
        self.nonces = random.Random(seed)
        self.plan = plan or FaultPlan()
        rng = random.Random(seed)
        self.there = Wire(self.plan, random.Random(rng.random()))
        self.back = Wire(self.plan, random.Random(rng.random()))
        self.executed: list[Command] = []
        self.epoch = 1000
        self.device = self._boot(IDENTITY)
        guard = HostGuard(keys, lambda: self.nonces.randbytes(32))
        self.host = HostLink(7, expected or Expected(), position or EventPosition(), guard=guard)
        self.outputs: list[LinkOutput] = []
        self.reopens = True

    def _boot(self, identity: Identity) -> DeviceLink:
        who = replace(identity, kind=self.plan.kind)
        guard = DeviceGuard(self.memory, who, self.epoch, lambda: self.nonces.randbytes(32))
        link = DeviceLink(who, self.epoch, self.execute, self.plan.version, guard)
        link.data_to_send()  # what a device says before anybody listens is lost
        return link

    def execute(self, command: Command) -> Reply:
        if isinstance(command, ReadStatus):
            return DeviceStatus(Gate.HELD, 0, 0, 0, 0, False)
        self.executed.append(command)
        return Accepted()

    def reset(self) -> None:
        """The device restarts: new epoch, nothing remembered, nothing more on its wire."""
        self.epoch += 1
        self.device = self._boot(replace(IDENTITY, boot_cause=BootCause.WATCHDOG))
        self.there.clear()

    def connect(self) -> None:
        self.host.port_opened(self.now_s)
        self.until(lambda: self.host.state is LinkState.READY)

    def step(self) -> None:
        """To the next instant at which anything happens."""
        self._exchange()
        due_s = min(self.host.deadline_s, self.there.due_s, self.back.due_s)
        self.now_s = max(self.now_s, min(due_s, self.now_s + 1.0))
        for piece in self.there.take(self.now_s):
            self.device.receive(piece)
        for piece in self.back.take(self.now_s):
            self.host.receive(piece, self.now_s)
        self.host.tick(self.now_s)
        self.outputs.extend(self.host.take_outputs())
        if self.host.state is LinkState.LOST and self.reopens:
            self.host.port_opened(self.now_s)

    def _exchange(self) -> None:
        self.there.put(self.host.data_to_send(), self.now_s + LATENCY_S)
        self.back.put(self.device.data_to_send(), self.now_s + LATENCY_S)

    def until(self, is_done: Callable[[], bool], limit_s: float = 300.0) -> None:
        end_s = self.now_s + limit_s
        while not is_done():
            assert self.now_s < end_s, f"not within {limit_s} s: {self.outputs[-5:]}"
            self.step()

    def during(self, span_s: float) -> None:
        end_s = self.now_s + span_s
        self.until(lambda: self.now_s >= end_s)

    def ask(self, command: Command) -> Reply:
        ticket = self.host.send(command, self.now_s)
        found: list[Reply] = []

        def is_answered() -> bool:
            found.extend(
                o.reply for o in self.outputs if isinstance(o, Answered) and o.ticket == ticket
            )
            return bool(found)

        self.until(is_answered)
        return found[0]

    def answers(self) -> list[Answered]:
        return [output for output in self.outputs if isinstance(output, Answered)]

    def outputs_of_commands(self) -> list[LinkOutput]:
        return [o for o in self.outputs if isinstance(o, Answered | Unanswered)]

    def until_settled(self, count: int) -> None:
        """Until that many commands have their answer or their failure."""
        self.until(lambda: len(self.outputs_of_commands()) >= count, 1000)

    def unknown_tickets(self) -> set[int]:
        return {o.ticket for o in self.outputs if isinstance(o, Unanswered) and o.may_have_run}

    def emit(self, *counts: int) -> None:
        """The device reports these counts, one event each."""
        for count in counts:
            self.device.emit(CardsIn(count))

    def of(self, kind: type[LinkOutput]) -> list[LinkOutput]:
        return [output for output in self.outputs if isinstance(output, kind)]


@pytest.fixture
def join() -> type[Joined]:
    return Joined


@pytest.fixture
def machine() -> Iterator[SoftwareShuffler]:
    with SoftwareShuffler(rng=random.Random(3)) as shuffler:
        yield shuffler
