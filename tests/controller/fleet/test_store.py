"""The pit's database, a file and PostgreSQL: each record once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.fleet import PitDatabaseError, PitStore
from controller.fleet.messages import RecordMessage, StateMessage, StatusMessage
from controller.fleet.receiving import Tip
from tests.controller.fleet.house import HAND, SimulatedTable
from tests.postgres import Server


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "pit.db")
    server: Server = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture
def store(where: str) -> Iterator[PitStore]:
    store = PitStore.open(where, lambda: 99_000)
    yield store
    store.close()


@pytest.fixture
def messages(table: SimulatedTable) -> tuple[RecordMessage, ...]:
    table.happen(*HAND)
    return table.outbox().pending()


def state_at(message: RecordMessage) -> StateMessage:
    return StateMessage(
        table="t1",
        name="T1",
        rulebook="ck",
        seq=message.seq,
        id=message.id,
        hand=1,
        street="deal",
    )


def test_a_record_that_comes_twice_is_held_once(
    store: PitStore, messages: tuple[RecordMessage, ...]
) -> None:
    first = store.take(messages[:6])
    second = store.take(messages[3:])

    assert (first.stored, first.doubles, second.stored, second.doubles) == (
        6,
        0,
        len(messages) - 6,
        3,
    )
    assert store.tables()[0].records == len(messages)


def test_records_behind_a_gap_wait_for_those_before(
    store: PitStore, messages: tuple[RecordMessage, ...]
) -> None:
    taken = store.take((*messages[:2], *messages[4:6]))

    assert (taken.stored, taken.gaps) == (2, {"t1": Tip(2, messages[1].id)})
    assert store.take(messages[2:]).gaps == {}
    assert store.tables()[0].records == len(messages)


def test_a_state_ahead_of_the_records_is_a_gap(
    store: PitStore, messages: tuple[RecordMessage, ...]
) -> None:
    behind = store.take((*messages[:2], state_at(messages[4])))
    level = store.take((*messages[2:], state_at(messages[4])))

    assert behind.gaps == {"t1": Tip(2, messages[1].id)}
    assert level.gaps == {}


def test_a_table_is_shown_as_it_last_said(
    store: PitStore, messages: tuple[RecordMessage, ...]
) -> None:
    online = StatusMessage(table="t1", is_online=True)
    store.take((*messages, state_at(messages[-1]), online))
    store.take((StatusMessage(table="t0", is_online=False),))
    nobody, table = store.tables()

    assert (nobody.table, nobody.is_online, nobody.state) == ("t0", False, None)
    assert (table.table, table.is_online, table.heard_ms) == ("t1", True, 99_000)
    assert table.state == state_at(messages[-1])


def test_what_is_held_is_there_after_a_restart(
    where: str, store: PitStore, messages: tuple[RecordMessage, ...]
) -> None:
    store.take(messages[:3])
    store.close()
    again = PitStore.open(where, lambda: 0)
    taken = again.take(messages)
    again.close()

    assert (taken.stored, taken.doubles) == (len(messages) - 3, 3)


def test_the_database_server_may_be_restarted_between_two_batches(
    postgres: Server, messages: tuple[RecordMessage, ...]
) -> None:
    store = PitStore.open(postgres.database(), lambda: 0)
    store.take(messages[:3])
    postgres.stop()
    with pytest.raises(PitDatabaseError, match="cannot be reached"):
        store.take(messages[3:])
    postgres.start()

    assert store.take(messages[3:]).stored == len(messages) - 3
    store.close()


def test_a_database_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(PitDatabaseError, match="check the permissions"):
        PitStore.open(tmp_path / "absent" / "pit.db", lambda: 0)
    with pytest.raises(PitDatabaseError, match="no such file"):
        PitStore.open(tmp_path / "pit.db", lambda: 0, must_exist=True)


def test_the_way_of_a_record_is_measured(
    store: PitStore, messages: tuple[RecordMessage, ...]
) -> None:
    store.take(messages)

    assert store.lags_ms() == tuple(sorted(99_000 - m.written_ms for m in messages))
