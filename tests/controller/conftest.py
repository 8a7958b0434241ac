"""What tests of several packages need: a PostgreSQL server."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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
