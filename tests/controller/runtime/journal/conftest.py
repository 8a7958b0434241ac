"""Both kinds of journal, so that each test says the same of a file and of PostgreSQL."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.controller.runtime.journal.places import Place
from tests.postgres import Server


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running server."""
    # Not below pytest's own folder, which only root may enter.
    folder = Path(tempfile.mkdtemp(prefix="cutcard-postgres-"))
    server = Server(folder)
    server.make()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


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
