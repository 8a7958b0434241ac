"""The checks of ``cutcard doctor`` that need no device: files, folders, the page's port."""

from __future__ import annotations

import errno
import os
import platform
import socket
import sys
from pathlib import Path

from controller.cli.findings import Finding, failure, ok, warning
from controller.runtime import Journal
from controller.runtime.config import TableConfig, load_config
from controller.runtime.errors import ConfigError, JournalError

OLDEST_PYTHON = (3, 11)
"""What pyproject.toml asks for (``requires-python``)."""


def check_python() -> Finding:
    """The running interpreter."""
    found = f"Python {platform.python_version()} at {sys.executable}"
    if sys.version_info < OLDEST_PYTHON:
        return failure("python", found, "install Python 3.11 or newer and run make demo again")
    return ok("python", found)


def check_table_file(path: Path) -> tuple[Finding, TableConfig | None]:
    """The table file, and its content when it can be read."""
    try:
        config = load_config(path)
    except ConfigError as error:
        return failure("table file", str(error), "correct the file"), None
    return ok("table file", f"{path}: table {config.table.name!r}"), config


def check_journal(journal: Path) -> Finding:
    """Whether the journal can be written where it is meant to be."""
    if os.path.isdir(journal):  # noqa: PTH112 - pathlib raises for a name that is too long
        return failure("journal", f"{journal} is a folder", "name a file in [journal] path")
    if not journal.parent.is_dir():
        folder = journal.parent
        return failure("journal", f"folder {folder} does not exist", f"mkdir -p '{folder}'")
    is_there = os.path.exists(journal)  # noqa: PTH110 - as above
    for target in (journal, journal.parent) if is_there else (journal.parent,):
        if not os.access(target, os.W_OK):
            return failure(
                "journal", f"{target} may not be written", "change its owner or name another file"
            )
    return _check_content(journal) if is_there else ok("journal", f"{journal} can be written")


def _check_content(journal: Path) -> Finding:
    """Whether a file that is there already is a journal; an empty one becomes one."""
    try:
        if journal.stat().st_size:
            Journal.open(journal, read_only=True).close()
    except JournalError as error:
        return failure("journal", str(error), "name another file in [journal] path")
    return ok("journal", f"{journal} can be written and goes on")


def check_page(host: str, port: int) -> Finding:
    """Whether the page's port is free."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, ValueError) as error:  # ValueError: no name that a computer can have
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            return warning(
                "page",
                f"port {port} on {host} is not free",
                "stop the other program (another table?) or choose another [page] port",
            )
        reason = getattr(error, "strerror", None) or "not a name of a computer"
        fact = f"the page cannot be served at {host} port {port} ({reason})"
        return failure("page", fact, "give an address of this computer in [page] host")
    return ok("page", f"http://{host}:{port} is free")
