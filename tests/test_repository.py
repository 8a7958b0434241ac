"""The repository as a whole: what the front documents say is there, is there."""

from __future__ import annotations

import ast
import importlib
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from controller.cli import main
from controller.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("controller", "firmware_bridge", "vision")
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
FRONT_DOORS = [path for path in SOURCES if path.name == "__init__.py"]

GROUPS = {name for name, c in vars(get_command(app))["commands"].items() if hasattr(c, "commands")}
"""Commands that have commands of their own."""

FORBIDDEN_NAMES = re.compile(r"(^|_)(utils?|helpers?|manager)(_|$)")
"""Words that name nothing (house style)."""

BROAD_EXCEPT_ALLOWED = ("controller/runtime/",)
"""Only the supervisor may catch everything: it stops the table and keeps the cause."""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def shell_lines() -> list[str]:
    """The commands in the README's shell blocks."""
    blocks = re.findall(r"```sh\n(.*?)```", README, flags=re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines() if line.strip()]


def documented_commands() -> list[str]:
    """Each ``cutcard`` command that the README mentions, such as ``rulebook list``."""
    typed = "\n".join([*re.findall(r"`[^`\n]+`", README), *shell_lines()])
    found = re.findall(r"^`?cutcard ([a-z]+)(?: ([a-z-]+)\b)?", typed, re.MULTILINE)
    return sorted({f"{name} {inner}" if name in GROUPS else name for name, inner in found})


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether it catches everything."""
    names = {"Exception", "BaseException"}
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in names)


def raises_again(handler: ast.ExceptHandler) -> bool:
    """Whether it only tidies up and lets the error pass."""
    return isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))


def test_the_readme_has_commands_to_test() -> None:
    assert len(documented_commands()) >= 8
    assert len(shell_lines()) >= 6


@pytest.mark.parametrize("command", documented_commands())
def test_every_documented_command_has_a_help_text_with_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [*command.split(), "--help"])

    assert result.exit_code == 0
    assert "Example" in result.output


def test_every_command_is_documented() -> None:
    commands = vars(get_command(app))["commands"]

    assert set(commands) <= {command.split()[0] for command in documented_commands()}


def test_every_make_target_in_the_readme_exists() -> None:
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", README, re.MULTILINE)) <= make_targets()


@pytest.mark.parametrize(
    "line", [line for line in shell_lines() if line.startswith(("cutcard judge", "cutcard rule"))]
)
def test_commands_of_the_readme_that_need_no_device_succeed(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)

    assert main(shlex.split(line)[1:]) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("document", DOCUMENTS, ids=relative)
def test_links_inside_the_repository_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8"))
    inside = [link for link in links if not re.match(r"[a-z]+:", link)]

    assert [link for link in inside if not (document.parent / link).exists()] == []


def test_decisions_are_short_and_dated() -> None:
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))

    assert decisions
    for path in decisions:
        text = path.read_text(encoding="utf-8")
        assert re.search(r"^Status: \w+, \d{4}-\d\d-\d\d\.$", text, flags=re.MULTILINE), path
        assert re.findall(r"^## (\w+)$", text, flags=re.MULTILINE) == [
            "Context",
            "Decision",
            "Consequences",
        ], path
        assert len(text.splitlines()) <= 60, path


@pytest.mark.parametrize("path", FRONT_DOORS, ids=relative)
def test_a_front_door_exports_what_it_says(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(ROOT).parts[:-1]))
    exported: list[str] = list(vars(module).get("__all__", ()))

    assert len(exported) == len(set(exported))
    assert [name for name in exported if not hasattr(module, name)] == []


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_a_module_has_a_docstring_and_a_name_that_says_something(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))

    assert ast.get_docstring(tree)
    assert not FORBIDDEN_NAMES.search(path.stem)


@pytest.mark.parametrize("path", SOURCES, ids=relative)
def test_only_the_supervisor_catches_everything(path: Path) -> None:
    if relative(path).startswith(BROAD_EXCEPT_ALLOWED):
        return
    handlers = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
    ]

    assert [h.lineno for h in handlers if is_broad(h) and not raises_again(h)] == []


def test_every_locked_package_has_a_version_and_a_hash_and_no_host() -> None:
    for name in ("requirements.lock", "requirements-run.lock", "requirements-build.lock"):
        text = (ROOT / name).read_text(encoding="utf-8")
        entries = [e for e in re.split(r"\n(?=\S)", text) if not e.startswith("#")]

        assert [e.split()[0] for e in entries if "==" not in e or "--hash=sha256:" not in e] == []
        assert "://" not in text


def test_everything_the_project_needs_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["test"], *extras["lint"]]
    locked = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.M))

    names = {re.split(r"[^\w-]", line)[0].lower() for line in needed}
    assert names - locked == set()


def test_what_is_installed_elsewhere_is_what_is_tested_here() -> None:
    pinned = re.compile(r"^[a-z0-9-]+==\S+", re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tested = set(pinned.findall((ROOT / "requirements.lock").read_text()))
    run = set(pinned.findall((ROOT / "requirements-run.lock").read_text()))
    needed = {re.split(r"[^\w-]", line)[0].lower() for line in project["dependencies"]}

    assert run < tested
    assert needed <= {line.split("==")[0] for line in run}


SHELL_SCRIPTS = [*sorted(relative(path) for path in (ROOT / "scripts").glob("*.sh")), ".ci/run"]


@pytest.mark.parametrize("script", SHELL_SCRIPTS)
def test_a_script_is_valid_shell_and_stops_at_the_first_error(script: str) -> None:
    path = ROOT / script

    assert "set -euo pipefail" in path.read_text()
    assert path.stat().st_mode & 0o111
    assert subprocess.run(["bash", "-n", str(path)], check=False).returncode == 0
