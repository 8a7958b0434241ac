"""The checks of ``cutcard doctor`` that need no device: files, folders, the page's port."""

from __future__ import annotations

import os
import platform
import socket
import sys
from pathlib import Path

from controller.cli.findings import Finding, failure, ok, warning
from controller.runtime.config import TableConfig, load_config
from controller.runtime.errors import ConfigError

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
    if journal.is_dir():
        return failure("journal", f"{journal} is a folder", "name a file in [journal] path")
    target = journal if journal.exists() else journal.parent
    if not target.exists():
        return failure("journal", f"folder {target} does not exist", f"mkdir -p '{target}'")
    if not os.access(target, os.W_OK):
        return failure(
            "journal", f"{target} may not be written", "change its owner or name another file"
        )
    return ok("journal", f"{journal} can be written")


def check_page(host: str, port: int) -> Finding:
    """Whether the page's port is free."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return warning(
            "page",
            f"port {port} on {host} is not free ({error.strerror})",
            "stop the other program (another table?) or choose another [page] port",
        )
    return ok("page", f"http://{host}:{port} is free")
