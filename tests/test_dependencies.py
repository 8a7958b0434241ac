"""What the packages import is what pyproject.toml says they need."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = ("controller", "firmware_bridge", "vision")


def plain(name: str) -> str:
    """A distribution's name as registries compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def named(requirements: list[str]) -> set[str]:
    return {plain(re.split(r"[^\w.-]", line, maxsplit=1)[0]) for line in requirements}


def imported(path: Path) -> Iterator[str]:
    """The first words of every import in a module, functions included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).split(".")[0]


def test_every_package_that_is_imported_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    always = named(project["dependencies"])
    extras = named(project["optional-dependencies"]["train"])
    brought_by = packages_distributions()
    missing = set()

    for path in (p for package in OURS for p in (ROOT / package).rglob("*.py")):
        allowed = always | extras if "training" in path.parts else always
        for name in set(imported(path)) - set(OURS) - sys.stdlib_module_names:
            # What is not installed here can only be a part of the extra: named like its package.
            sources = {plain(source) for source in brought_by.get(name, [name])}
            if not sources & allowed:
                missing.add(f"{path.relative_to(ROOT)}: {name}")

    assert missing == set()


def test_the_page_speaks_websocket_by_a_package_that_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    server = (ROOT / "controller" / "web" / "server.py").read_text(encoding="utf-8")

    (ws,) = re.findall(r'ws="(\w+)"', server)

    assert ws in named(project["dependencies"])
