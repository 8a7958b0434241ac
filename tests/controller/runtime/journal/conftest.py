"""Both kinds of journal, so that each test says the same of a file and of PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.controller.runtime.journal.places import Place
from tests.postgres import Server


@pytest.fixture
def file_place(tmp_path: Path) -> Place:
    """A file that is not there yet."""
    return Place(str(tmp_path / "t.journal"), tmp_path / "t.journal.key")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, file_place: Place, tmp_path: Path) -> Place:
    """Where there is no journal yet: a file, and a database."""
    if request.param == "sqlite":
        return file_place
    server: Server = request.getfixturevalue("postgres")
    return Place(server.database(), tmp_path / "t.key")
