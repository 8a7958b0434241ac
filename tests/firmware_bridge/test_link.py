"""The link does what docs/protocol.md promises, over good wires and bad ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import ProtocolError
from firmware_bridge.faults import WIRES, FaultPlan
from firmware_bridge.framing import Frame, encode
from firmware_bridge.link import HostLink
from firmware_bridge.messages import (
    Accepted,
    BootCause,
    Booted,
    Capability,
    CardsIn,
    Deal,
    Hold,
    Identity,
    Kind,
    Light,
    SetLight,
)
from firmware_bridge.outputs import (
    DeviceRefused,
    DeviceRestarted,
    EventPosition,
    EventSeen,
    EventsLost,
    Expected,
    LinkChanged,
    Unanswered,
    VersionRefused,
)
from firmware_bridge.states import LinkState

if TYPE_CHECKING:
    from tests.firmware_bridge.conftest import Joined
IDENTITY = Identity(Kind.SHUFFLER, "bench", "S-1", "1.0", Capability.NONE, BootCause.POWER)
LIVE_WIRES = [name for name in WIRES if name != "silent"]


def counts(joined: Joined) -> list[int]:
    """The counts that the host heard, in order."""
    return [
        output.event.count
        for output in joined.outputs
        if isinstance(output, EventSeen) and isinstance(output.event, CardsIn)
    ]


@pytest.mark.parametrize("name", LIVE_WIRES)
def test_every_command_runs_once_and_in_order(join: type[Joined], name: str) -> None:
    joined = join(WIRES[name], seed=11)
    joined.connect()

    for n in range(1, 301):
        assert joined.ask(Deal(n)) == Accepted()

    assert joined.executed == [Deal(n) for n in range(1, 301)]


@pytest.mark.parametrize("name", LIVE_WIRES)
def test_every_event_arrives_once_and_in_order(join: type[Joined], name: str) -> None:
    joined = join(WIRES[name], seed=12)
    joined.connect()

    for n in range(200):
        joined.emit(n)
        joined.step()
    joined.until(lambda: len(counts(joined)) >= 200)

    assert counts(joined) == list(range(200))


def test_three_thousand_commands_over_a_bad_wire_none_lost_none_twice(
    join: type[Joined],
) -> None:
    joined = join(WIRES["bad"], seed=5)
    joined.connect()

    tickets = [joined.host.send(Deal(n), joined.now_s) for n in range(1, 3001)]
    joined.until(lambda: len(joined.executed) == 3000 and joined.host.counters.sends > 0, 1e5)

    assert joined.executed == [Deal(n) for n in range(1, 3001)]
    assert len(tickets) == len(set(tickets))
    assert joined.host.counters.noise.total > 100


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # the fixture is a class
)
@given(
    seed=st.integers(0, 2**20),
    lose=st.floats(0, 0.3),
    flip=st.floats(0, 0.02),
    double=st.floats(0, 0.3),
    swap=st.floats(0, 0.2),
    resets=st.sets(st.integers(1, 39), max_size=3),
    pulls=st.sets(st.integers(1, 39), max_size=3),
)
def test_no_motion_runs_twice_whatever_the_line_and_the_device_do(
    join: type[Joined],
    seed: int,
    lose: float,
    flip: float,
    double: float,
    swap: float,
    resets: set[int],
    pulls: set[int],
) -> None:
    plan = FaultPlan(lose=lose, flip=flip, double=double, swap=swap, delay=0.05, delay_s=0.3)
    joined = join(plan, seed)
    joined.connect()

    for n in range(1, 41):
        joined.host.send(Deal(n), joined.now_s)
        if n in resets:
            joined.step()
            joined.step()
            joined.reset()
        if n in pulls:
            joined.step()
            joined.host.port_closed("pulled")
            joined.there.clear()
            joined.host.port_opened(joined.now_s)
        joined.until_settled(n)

    ran = [command.count for command in joined.executed if isinstance(command, Deal)]
    assert ran == sorted(set(ran))
    assert set(range(1, 41)) - set(ran) <= joined.unknown_tickets()


def test_a_command_survives_a_pulled_cable(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.during(0.1)

    joined.host.send(Deal(3), joined.now_s)
    joined.until(lambda: joined.executed == [Deal(3)])
    joined.host.port_closed("pulled")
    joined.back.clear()
    joined.device.data_to_send()
    joined.host.port_opened(joined.now_s)
    joined.until(lambda: bool(joined.answers()))

    assert joined.executed == [Deal(3)]
    assert joined.of(Unanswered) == []


def test_a_motion_across_a_restart_is_unknown_and_never_repeated(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.during(0.1)

    ticket = joined.host.send(Deal(3), joined.now_s)
    joined.until(lambda: joined.executed == [Deal(3)])
    joined.reset()
    joined.back.clear()
    joined.during(5.0)

    assert joined.executed == [Deal(3)]
    assert joined.of(Unanswered) == [Unanswered(ticket, may_have_run=True)]
    assert joined.of(DeviceRestarted) == [DeviceRestarted(joined.epoch)]


@pytest.mark.parametrize("command", [Hold(), SetLight(Light.RED)])
def test_a_harmless_command_across_a_restart_is_repeated(
    join: type[Joined], command: Hold | SetLight
) -> None:
    joined = join()
    joined.connect()
    joined.during(0.1)

    joined.host.send(command, joined.now_s)
    joined.reset()
    joined.until(lambda: bool(joined.answers()))

    assert joined.executed == [command]


def test_another_host_in_between_makes_the_outcome_unknown(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.during(0.1)
    ticket = joined.host.send(Deal(3), joined.now_s)
    joined.until(lambda: joined.executed == [Deal(3)])
    joined.host.port_closed("pulled")
    joined.back.clear()
    joined.device.data_to_send()

    other = HostLink(8)
    other.port_opened(joined.now_s)
    joined.device.receive(other.data_to_send())
    joined.device.data_to_send()
    joined.host.port_opened(joined.now_s)
    joined.during(2.0)

    assert joined.executed == [Deal(3)]
    assert joined.of(Unanswered) == [Unanswered(ticket, may_have_run=True)]


def test_abandoned_commands_never_run_later(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.ask(Hold())

    late = joined.host.send(Deal(9), joined.now_s)
    copy = joined.host.data_to_send()
    joined.host.abandon(joined.now_s)
    joined.during(1.0)
    joined.device.receive(copy)
    joined.during(1.0)

    assert joined.executed == [Hold()]
    assert joined.of(Unanswered) == [Unanswered(late, may_have_run=True)]


def test_events_missed_while_unplugged_are_replayed(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.host.port_closed("pulled")
    joined.emit(*range(40))
    joined.device.data_to_send()

    joined.host.port_opened(joined.now_s)
    joined.until(lambda: len(counts(joined)) == 40)

    assert counts(joined) == list(range(40))
    assert joined.of(EventsLost) == []


def test_events_older_than_the_ring_are_reported_lost(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.host.port_closed("pulled")
    joined.emit(*range(300))
    joined.device.data_to_send()

    joined.host.port_opened(joined.now_s)
    joined.until(lambda: len(counts(joined)) == 256)

    # Booted is event 1, so the count n is event n + 2; the ring keeps 256 (protocol.md).
    assert joined.of(EventsLost) == [EventsLost(2, 45)]
    assert counts(joined) == list(range(44, 300))


def test_a_late_answer_of_another_kind_or_session_is_no_answer(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    for n in range(1, 5):
        joined.ask(Deal(n))
    sequence = joined.host.send(Deal(5), joined.now_s) + 1  # ReadStatus had number 1
    stray_count = joined.host.counters.strays

    for late in (
        Frame(IDENTITY, sequence, 7, joined.epoch, 1),
        Frame(Accepted(), sequence, 6, joined.epoch, 1),
        Frame(Accepted(), sequence - 1, 7, joined.epoch, 1),
    ):
        joined.host.receive(encode(late), joined.now_s)

    assert joined.host.counters.strays == stray_count + 3
    assert len(joined.answers()) == 4


def test_a_later_run_resumes_where_the_last_one_ended(join: type[Joined]) -> None:
    joined = join(position=EventPosition(1000, 3))
    joined.emit(10, 11, 12, 13)
    joined.device.data_to_send()

    joined.connect()
    joined.until(lambda: len(counts(joined)) == 2)

    assert counts(joined) == [12, 13]


def test_a_restart_tells_its_cause_first(join: type[Joined]) -> None:
    joined = join()
    joined.connect()

    joined.reset()
    joined.until(lambda: bool(joined.of(EventSeen)))

    seen = joined.of(EventSeen)[0]
    assert isinstance(seen, EventSeen)
    assert isinstance(seen.event, Booted)
    assert seen.event.cause.name == "WATCHDOG"


def test_another_protocol_version_is_refused_before_any_motion(join: type[Joined]) -> None:
    joined = join(FaultPlan(version=2))
    joined.reopens = False
    joined.host.port_opened(joined.now_s)
    joined.host.send(Deal(1), joined.now_s)

    joined.until(lambda: joined.host.state is LinkState.LOST)

    assert joined.of(VersionRefused) == [VersionRefused(2)]
    assert joined.executed == []


@pytest.mark.parametrize(
    ("plan", "expected"),
    [(FaultPlan(kind=Kind.OTHER), Expected()), (FaultPlan(), Expected("S-2"))],
    ids=["another kind", "another serial number"],
)
def test_another_device_is_refused_before_any_motion(
    join: type[Joined], plan: FaultPlan, expected: Expected
) -> None:
    joined = join(plan, expected=expected)
    joined.reopens = False
    joined.host.port_opened(joined.now_s)
    joined.host.send(Deal(1), joined.now_s)

    joined.until(lambda: joined.host.state is LinkState.LOST)

    assert len(joined.of(DeviceRefused)) == 1
    assert joined.executed == []


def test_a_line_that_goes_silent_is_degraded_then_lost(join: type[Joined]) -> None:
    joined = join()
    joined.connect()
    joined.outputs.clear()
    joined.reopens = False

    joined.there.plan = FaultPlan(silent=True)
    joined.until(lambda: joined.host.state is LinkState.LOST, 10.0)

    changes = [c.new for c in joined.outputs if isinstance(c, LinkChanged)]
    assert changes == [LinkState.DEGRADED, LinkState.LOST]


def test_a_degraded_line_recovers(join: type[Joined]) -> None:
    joined = join()
    joined.connect()

    joined.there.plan = FaultPlan(silent=True)
    joined.until(lambda: joined.host.state is LinkState.DEGRADED)
    joined.there.plan = FaultPlan()

    joined.until(lambda: joined.host.state is LinkState.READY, 10.0)


def test_a_session_outside_its_range_is_our_mistake() -> None:
    with pytest.raises(ProtocolError, match="session is 1 to 65535, not 0"):
        HostLink(0)
