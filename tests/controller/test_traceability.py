"""Every clause that a rulebook rests on is verified by a test, and no test cites another."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_ID = re.compile(r"\b(?:ck|fr1|fr2|fr3|faq)\.[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_MARK = re.compile(r'pytest\.mark\.clause\("([^"]+)"\)')


def _named(book: str) -> set[str]:
    """The clause ids that a rulebook file names in its answers."""
    text = (ROOT / "controller" / "rulebooks" / f"{book}.toml").read_text("utf-8")
    answers = [
        entry
        for topic, table in tomllib.loads(text).items()
        if isinstance(table, dict) and topic != "clauses"
        for entry in table.values()
    ]
    named: set[str] = set()
    for entry in answers:
        clause = entry.get("clause", [])
        named.update([clause] if isinstance(clause, str) else clause)
    return named


def _cited() -> set[str]:
    """The clause ids that the tests cite, by a mark or in a worked scenario."""
    files = (ROOT / "tests").rglob("test_*.py")
    marked = {found for path in files for found in _MARK.findall(path.read_text("utf-8"))}
    worked = (ROOT / "tests" / "controller" / "rules" / "scenarios").glob("*.toml")
    staged = [s for path in worked for s in tomllib.loads(path.read_text("utf-8"))["scenario"]]
    return marked.union(*(scenario["clauses"] for scenario in staged))


_UNFINISHED = pytest.mark.xfail(reason="the tests of ck and fr2 are still being written")


@pytest.mark.parametrize(
    "book",
    [
        pytest.param("ck", marks=_UNFINISHED),
        pytest.param("fr2", marks=_UNFINISHED),
        "fr1",
        "fr3",
        "faq",
    ],
)
def test_every_clause_of_a_rulebook_is_verified_by_a_test(book: str) -> None:
    named = _named(book)
    assert len(named) > 10
    assert named - _cited() == set()


def _cited_in_code() -> set[str]:
    """The clause ids that stand in the code of the controller, rulebooks included."""
    files = [p for p in (ROOT / "controller").rglob("*") if p.suffix in (".py", ".toml")]
    return {found for path in files for found in _ID.findall(path.read_text("utf-8"))}


def test_no_test_cites_a_clause_that_the_code_does_not_name() -> None:
    assert _cited() - _cited_in_code() == set()
