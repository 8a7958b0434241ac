"""What a check of the set-up found: a health, a fact and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import Enum

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text


class Health(Enum):
    """How a checked thing stands."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


_STYLE = {Health.OK: "green", Health.WARNING: "yellow", Health.FAILURE: "bold red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One checked thing.

    Attributes:
        check: What was looked at, such as ``camera``.
        health: How it stands.
        fact: What was found, one sentence.
        remedy: What to do; empty when nothing needs doing.
    """

    check: str
    health: Health
    fact: str
    remedy: str = ""

    def as_json(self) -> str:
        """One line: ``{"check", "health", "fact", "remedy"}``."""
        return json.dumps({**asdict(self), "health": self.health.value})


def ok(check: str, fact: str) -> Finding:
    """Nothing to do."""
    return Finding(check, Health.OK, fact)


def warning(check: str, fact: str, remedy: str) -> Finding:
    """The table works without it."""
    return Finding(check, Health.WARNING, fact, remedy)


def failure(check: str, fact: str, remedy: str) -> Finding:
    """The table does not work like this."""
    return Finding(check, Health.FAILURE, fact, remedy)


def has_failure(findings: Iterable[Finding]) -> bool:
    """Whether anything must be put right first."""
    return any(f.health is Health.FAILURE for f in findings)


def print_findings(findings: Sequence[Finding], as_json: bool) -> None:
    """Print them as JSON lines, or as a table that a person reads."""
    if as_json:
        for finding in findings:
            print(finding.as_json())
        return
    whole = (Column(title, overflow="fold") for title in ("check", "state", "found", "what to do"))
    table = Table(*whole, box=None, pad_edge=False)
    for f in findings:
        state = Text(f.health.value, _STYLE[f.health])
        table.add_row(Text(f.check), state, Text(f.fact), Text(f.remedy))
    Console().print(table)
