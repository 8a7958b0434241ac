"""A broker, a table that plays on the level of events, and a pit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controller.fleet.house import Pit, SimulatedTable
from tests.mosquitto import Mosquitto, running


@pytest.fixture
def mosquitto() -> Iterator[Mosquitto]:
    """A running broker that lets everybody in."""
    with running() as broker:
        yield broker


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedTable]:
    """Table t1, at which nothing has happened."""
    with SimulatedTable.opened(tmp_path, "t1") as table:
        yield table


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    """A pit that keeps a file."""
    pit = Pit(str(tmp_path / "pit.db"))
    yield pit
    pit.close()
