"""The audit file: one line for each incident, chained so that a removed line shows.

A line is JSON and holds the SHA-256 of the line before it. Whoever may write the
file can make a whole new chain; copy its newest hash elsewhere to notice that
(docs/security.md).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from firmware_bridge.errors import AuditFileError
from firmware_bridge.security_host import SecurityIncident

_FIRST: Final = "0" * 64
"""What the first line names as the hash before it."""

_MODE: Final = 0o600


def _now() -> datetime:
    return datetime.now(UTC)


class AuditFile:
    """Appends incidents to a file; the same one over and over is written at 1, 2, 4, 8, ... times.

    Args:
        path: the file; made at the first incident.
        now: the clock.

    Raises:
        AuditFileError: the file cannot be read, or its chain is broken.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = _now) -> None:
        self._path = path
        self._now = now
        self._last = verify_audit(path)[1] if path.exists() else _FIRST
        self._times: dict[SecurityIncident, int] = {}

    def record(self, incident: SecurityIncident) -> None:
        """Write the incident, durable when this returns.

        Raises:
            AuditFileError: the file cannot be written.
        """
        times = self._times[incident] = self._times.get(incident, 0) + 1
        if times & (times - 1):
            return  # a stranger that stays connected is retried every 2 s, for days
        line = json.dumps(
            {
                "at": self._now().isoformat(timespec="milliseconds"),
                "breach": incident.breach.value,
                "serial_number": incident.serial_number,
                "detail": incident.detail,
                "times": times,
                "before": self._last,
            }
        )
        try:
            self._append(line)
        except OSError as error:
            words = f"it cannot be written ({error.strerror})"
            raise AuditFileError(self._path, words) from error
        self._last = _hash(line)

    def _append(self, line: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _MODE)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())


def verify_audit(path: Path) -> tuple[int, str]:
    """The number of lines and the newest hash of an audit file.

    Raises:
        AuditFileError: it cannot be read, or a line was changed, removed or added.
    """
    before = _FIRST
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AuditFileError(path, f"it cannot be read ({error})") from error
    for number, line in enumerate(lines, start=1):
        try:
            fits = json.loads(line)["before"] == before
        except (ValueError, KeyError, TypeError, RecursionError):
            fits = False
        if not fits:
            words = f"line {number} does not follow the one before it: keep the file and say so"
            raise AuditFileError(path, words)
        before = _hash(line)
    return len(lines), before


def _hash(line: str) -> str:
    return hashlib.sha256(line.encode()).hexdigest()
