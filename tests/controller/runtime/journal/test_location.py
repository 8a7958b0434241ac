"""Where a journal is: a path or a URL, and how the line to a server is protected."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from controller.runtime.errors import JournalError
from controller.runtime.journal import Journal
from controller.runtime.journal.database import connect
from controller.runtime.journal.location import Location
from tests.controller.runtime.journal.places import EVENTS, Place
from tests.postgres import Server


def test_a_path_is_a_file() -> None:
    location = Location.of(Path("night") / "t.journal")

    assert location.is_file
    assert location.shown == "night/t.journal"


@pytest.mark.parametrize(
    "url",
    [
        "postgres://u:secret@h/d",
        "postgresql://u:secret@h:5433/d",
        "postgresql+psycopg://u:secret@h/d",
    ],
)
def test_every_way_of_writing_a_postgresql_url_uses_the_one_driver_and_hides_the_password(
    url: str,
) -> None:
    location = Location.of(url)

    assert location.url is not None
    assert location.url.drivername == "postgresql+pg8000"
    assert location.url.password == "secret"
    assert "secret" not in location.shown


def test_keys_lie_beside_a_file() -> None:
    keys = Location.of("/night/t.journal").keys("T1")

    assert keys.private == Path("/night/t.journal.key")
    assert keys.public == Path("/night/t.journal.pub")


def test_keys_of_a_database_lie_with_the_user_whatever_the_table_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    keys = Location.of("postgresql://u@h/d").keys("../VIP 1.2")

    assert keys.private == tmp_path / "cutcard" / "keys" / "..%2FVIP 1.2.key"
    assert keys.public == tmp_path / "cutcard" / "keys" / "..%2FVIP 1.2.pub"


@pytest.mark.parametrize("mode", ["require", "verify-full"])
def test_the_line_to_a_server_is_encrypted_when_the_url_asks_for_it(
    mode: str, postgres: Server, tmp_path: Path
) -> None:
    url = f"{postgres.database()}?sslmode={mode}&sslrootcert={postgres.certificate}"
    with closing(Place(url, tmp_path / "t.key").open()) as journal:
        journal.append(EVENTS[0])
    engine = connect(Location.of(url), read_only=True)
    with engine.connect() as connection:
        is_encrypted = connection.execute(
            text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        ).scalar_one()
    engine.dispose()

    assert is_encrypted is True


def test_a_server_that_cannot_show_who_it_is_gets_nothing(postgres: Server, tmp_path: Path) -> None:
    url = f"{postgres.database()}?sslmode=verify-full"

    with pytest.raises(JournalError, match="the server cannot show who it is"):
        Journal.open(url, key=tmp_path / "t.key")


def test_a_certificate_file_that_is_not_there_is_one_line() -> None:
    url = "postgresql://u@127.0.0.1/d?sslmode=verify-full&sslrootcert=/nowhere.crt"

    with pytest.raises(JournalError, match=r"/nowhere\.crt: no certificate file"):
        Journal.open(url)
