"""The clauses of the five rule texts: where each stands, what it says, whether it is done."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

import msgspec

_FOLDER: Final = files("controller") / "rulebooks" / "clauses"


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause.

    Attributes:
        id: ``<text>.<point>``, such as ``ck.exposed.6``.
        heading: The heading under which it stands.
        lines: The lines of the text.
        topic: What it is about.
        says: Situation and remedy, in short.
        exempt: Why cutcard does not do it; empty when it does.
    """

    id: str
    heading: str
    lines: tuple[int, ...]
    topic: str
    says: str
    exempt: str = ""

    @property
    def place(self) -> str:
        """Where to look it up."""
        return f"{self.heading}, line {', '.join(map(str, self.lines))}"


class _File(msgspec.Struct, forbid_unknown_fields=True):
    clause: tuple[Clause, ...]


@cache
def list_clauses() -> tuple[Clause, ...]:
    """Every clause of every text, text by text in its order."""
    names = sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".toml"))
    documents = (tomllib.loads((_FOLDER / name).read_text("utf-8")) for name in names)
    return tuple(c for document in documents for c in msgspec.convert(document, _File).clause)


@cache
def _by_id() -> dict[str, Clause]:
    return {clause.id: clause for clause in list_clauses()}


def find_clause(clause_id: str) -> Clause | None:
    """The clause of an id; None for one of a house's own text."""
    return _by_id().get(clause_id)
