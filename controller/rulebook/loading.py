"""Reads rulebook files and says exactly what is wrong with one."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Final

from controller.rulebook.book import FLOOR, Answer, Rulebook
from controller.rulebook.combinations import impossible
from controller.rulebook.errors import RulebookError
from controller.rulebook.naming import nearest
from controller.rulebook.parameters import PARAMETERS

_HEADER: Final = ("name", "title", "edition", "source")
_ENTRY_KEYS: Final = frozenset({"value", "clause", "fallback", "floor"})
_CLAUSE: Final = re.compile(r"^[a-z0-9]+\.[A-Za-z0-9.-]+$")
_FOLDER: Final = files("controller") / "rulebooks"

Document = dict[str, object]


def list_rulebooks() -> tuple[str, ...]:
    """Names of the rulebooks that come with cutcard."""
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name[:-5] for name in names if name.endswith(".toml")))


def load_rulebook(name: str | Path) -> Rulebook:
    """Load a rulebook by its name, or from a file.

    Raises:
        RulebookError: There is none, or it is wrong.
    """
    file, document, text = _read(str(name))
    return _Reader(file, document, text).book()


def _read(name: str) -> tuple[str, Document, str]:
    known = list_rulebooks()
    if name in known:
        file, text = f"{name}.toml", (_FOLDER / f"{name}.toml").read_text("utf-8")
    else:
        file, text = name, _read_file(name, known)
    try:
        return file, tomllib.loads(text), text
    except (ValueError, RecursionError) as error:  # also of a number with thousands of digits
        raise RulebookError(file, f"this is not TOML: {error}") from None


def _read_file(name: str, known: tuple[str, ...]) -> str:
    path = Path(name)
    if not path.suffix and not path.exists():
        raise RulebookError(name, f"no such rulebook; there are {', '.join(known)}, or give a file")
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise RulebookError(name, "this is not a text file in UTF-8") from None
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise RulebookError(name, f"{reason}; give the path of a rulebook file") from None


class _Reader:
    """Checks one document and resolves its fallbacks."""

    def __init__(self, file: str, document: Document, text: str) -> None:
        self._file, self._document, self._lines = file, document, text.splitlines()

    def book(self) -> Rulebook:
        header = {key: self._text(key) for key in _HEADER}
        self._refuse_unknown()
        answers = {key: self._answer(key, (header["name"],)) for key in PARAMETERS}
        for wrong in impossible(answers):
            raise self._wrong(wrong.key, f"against {wrong.other}: {wrong.why}")
        return Rulebook(**header, answers=answers)

    def _text(self, key: str) -> str:
        value = self._document.get(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(key, "missing; write it at the top of the file as text")
        return value

    def _refuse_unknown(self) -> None:
        topics = {key.split(".")[0] for key in PARAMETERS}
        for topic, table in self._document.items():
            if topic in _HEADER:
                continue
            if topic not in topics or not isinstance(table, dict):
                raise self._wrong(topic, f"unknown key{nearest(topic, sorted(topics))}")
            for name in table:
                key = f"{topic}.{name}"
                if key not in PARAMETERS:
                    raise self._wrong(key, f"unknown key{nearest(key, sorted(PARAMETERS))}")

    def _entry(self, key: str) -> Document:
        topic, name = key.split(".")
        table = self._document.get(topic, {})
        entry = table.get(name) if isinstance(table, dict) else None
        if entry is None:
            raise self._wrong(key, 'missing; write { value = ... } or { fallback = "ck" }')
        if not isinstance(entry, dict):
            raise self._wrong(key, f"write {{ value = {entry!r}, clause = ... }}")
        for unknown in entry.keys() - _ENTRY_KEYS:
            raise self._wrong(key, f"unknown word {unknown!r}{nearest(unknown, _ENTRY_KEYS)}")
        return entry

    def _answer(self, key: str, asked: tuple[str, ...]) -> Answer:
        entry = self._entry(key)
        if ("value" in entry) == ("fallback" in entry):
            raise self._wrong(key, "give either a value or a fallback, not both and not neither")
        floor = entry.get("floor", False)
        if not isinstance(floor, bool):
            raise self._wrong(key, f"floor is {floor!r}; write true or false")
        clauses = self._cited(key, entry)
        if "value" in entry:
            return self._given(key, entry["value"], clauses, floor=floor)
        fallen = self._fallen_back(key, entry["fallback"], asked)
        return Answer(fallen.value, clauses + fallen.clauses, floor or fallen.floor)

    def _given(self, key: str, value: object, clauses: tuple[str, ...], *, floor: bool) -> Answer:
        problem = PARAMETERS[key].problem_with(value)
        if problem:
            raise self._wrong(key, problem)
        if isinstance(value, list):
            return Answer(tuple(value), clauses, floor)
        assert isinstance(value, (bool, int, str))  # problem_with has refused anything else
        return Answer(value, clauses, floor)

    def _fallen_back(self, key: str, other: object, asked: tuple[str, ...]) -> Answer:
        if not isinstance(other, str) or other not in list_rulebooks():
            names = ", ".join(list_rulebooks())
            raise self._wrong(key, f"the fallback {other!r} is no rulebook; there are {names}")
        if other in asked:
            raise self._wrong(key, f"the fallbacks go round in a circle: {' > '.join(asked)}")
        file, document, text = _read(other)
        return _Reader(file, document, text)._answer(key, (*asked, other))  # noqa: SLF001 - itself

    def _cited(self, key: str, entry: Document) -> tuple[str, ...]:
        cited = entry.get("clause", [])
        clauses = [cited] if isinstance(cited, str) else cited
        if not isinstance(clauses, list) or not all(
            isinstance(c, str) and _CLAUSE.match(c) for c in clauses
        ):
            raise self._wrong(key, f"{cited!r} is no clause id; write one such as 'ck.exposed.6'")
        return tuple(clauses)

    def _wrong(self, key: str, problem: str) -> RulebookError:
        return RulebookError(self._file, problem, key=key, line=self._line_of(key))

    def _line_of(self, key: str) -> int:
        """The line where a dotted key stands; 0 when it stands nowhere."""
        topic, _, name = key.partition(".")
        inside = ""
        for number, line in enumerate(self._lines, start=1):
            if header := re.match(r"\s*\[([^\]]+)\]", line):
                inside = header.group(1).strip()
                if inside == topic and not name:
                    return number
            word = re.match(r'\s*"?([\w.-]+)"?\s*=', line)
            if word and ((inside == topic and word.group(1) == name) or word.group(1) == key):
                return number
        return 0


__all__ = ["FLOOR", "list_rulebooks", "load_rulebook"]
