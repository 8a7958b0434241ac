"""Every clause of the five texts is done and verified, or exempt with a reason; and no other."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from controller.rulebook import list_clauses, list_rulebooks, load_rulebook

ROOT = Path(__file__).parents[2]
_ID = re.compile(r"\b(?:ck|fr1|fr2|fr3|faq)\.[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")
_MARK = re.compile(r'pytest\.mark\.clause\("([^"]+)"\)')
_LISTED = re.compile(r"^clauses = (\[[^\]]*\])", re.MULTILINE)

ALL = {clause.id for clause in list_clauses()}
EXEMPT = {clause.id for clause in list_clauses() if clause.exempt}


@cache
def _done() -> set[str]:
    """The clause ids that code and rulebooks rest on."""
    files = [p for p in (ROOT / "controller").rglob("*") if p.suffix in (".py", ".toml")]
    read = (p.read_text("utf-8") for p in files if p.parent.name != "clauses")
    return {found for text in read for found in _ID.findall(text)} & ALL


@cache
def _verified() -> set[str]:
    """The clause ids that tests and scenarios name."""
    tests = ROOT / "tests" / "controller"
    marked = (_MARK.findall(p.read_text("utf-8")) for p in tests.rglob("test_*.py"))
    listed = (_LISTED.findall(p.read_text("utf-8")) for p in tests.rglob("*.toml"))
    in_scenarios = {found for lists in listed for one in lists for found in _ID.findall(one)}
    return {found for ids in marked for found in ids} | in_scenarios


def test_the_texts_have_two_hundred_and_seventy_seven_clauses() -> None:
    assert len(list_clauses()) == len(ALL) == 277


def test_every_clause_is_done_by_code_or_data() -> None:
    assert ALL - EXEMPT - _done() == set()


def test_every_clause_that_is_done_is_verified_by_a_test() -> None:
    assert ALL - EXEMPT - _verified() == set()


def test_no_test_names_a_clause_that_is_not_there_or_exempt() -> None:
    assert _verified() - ALL == set()
    assert _verified() & EXEMPT == set()


def test_every_exemption_gives_its_reason_in_a_sentence() -> None:
    assert all(len(c.exempt.split()) > 5 for c in list_clauses() if c.exempt)


def test_a_rulebook_cites_only_clauses_that_there_are() -> None:
    cited = {
        clause
        for name in list_rulebooks()
        for answer in load_rulebook(name).answers.values()
        for clause in answer.clauses
        if clause.split(".")[0] in ("ck", "fr1", "fr2", "fr3", "faq")
    }
    assert cited - ALL == set()
