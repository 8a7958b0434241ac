"""Where a journal is kept: a file of SQLite, or a PostgreSQL database by its URL."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from platformdirs import user_data_path
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from controller.runtime.errors import JournalError
from controller.runtime.journal.keys import KeyFiles

DRIVER: Final = "postgresql+pg8000"
"""Pure Python, BSD licence: nothing to install beside it, and no licence to pass on."""

_SCHEMES: Final = ("postgres", "postgresql")


@dataclass(frozen=True, slots=True)
class Location:
    """A place for journals.

    Attributes:
        shown: The place as it may be printed: without a password.
        path: The file; of no meaning for PostgreSQL.
        url: The database; None for a file.
    """

    shown: str
    path: Path
    url: URL | None = None

    @classmethod
    def of(cls, place: Path | str) -> Location:
        """Read a path or a URL.

        Raises:
            JournalError: A URL of no known kind.
        """
        text = str(place)
        if "://" not in text:
            return cls(text, Path(place))
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            url = None
        if url is None or url.get_backend_name() not in _SCHEMES or not url.database:
            shown = text.split("://")[0]
            raise JournalError(
                f"{shown}://...",
                "this is no journal; give a file, or postgresql://user@host/database",
            )
        url = url.set(drivername=DRIVER)
        return cls(url.render_as_string(hide_password=True), Path(), url)

    @property
    def is_file(self) -> bool:
        """Whether it is a file, which holds one table."""
        return self.url is None

    def keys(self, table_id: str) -> KeyFiles:
        """Where the keys lie unless somebody says otherwise.

        Beside a file: ``x.journal.key``. For a database in the user's own data folder,
        by the table's name, since the server's owner is one of those from whom the
        signatures protect.
        """
        if self.is_file:
            return KeyFiles.named(self.path.with_name(f"{self.path.name}.key"))
        folder = user_data_path("cutcard", appauthor=False) / "keys"
        return KeyFiles.named(folder / f"{quote(table_id, safe=' ')}.key")


def tls_options(url: URL) -> tuple[URL, ssl.SSLContext | None]:
    """The URL without ``sslmode`` and ``sslrootcert``, and what they ask for.

    The words are PostgreSQL's own (libpq, "SSL Support"): ``require`` encrypts,
    ``verify-full`` also checks who answers.

    Raises:
        JournalError: Another mode, or a certificate file that cannot be read.
    """
    mode, root = url.query.get("sslmode", "disable"), url.query.get("sslrootcert")
    bare = url.difference_update_query(("sslmode", "sslrootcert"))
    if mode == "disable":
        return bare, None
    try:
        context = ssl.create_default_context(cafile=str(root) if root else None)
    except (OSError, ssl.SSLError) as error:
        raise JournalError(str(root), f"no certificate file ({error})") from error
    if mode == "require":
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    elif mode != "verify-full":
        raise JournalError(
            f"sslmode={mode}", "this is not known; write disable, require or verify-full"
        )
    return bare, context
