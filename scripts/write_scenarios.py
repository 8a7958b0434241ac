"""Write an event file of every worked scenario, and the page that lists them.

Usage: python -m scripts.write_scenarios [--check], from the root of the repository. With
``--check`` nothing is written and the exit code is 1 when a file is not as its scenario.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

import msgspec

from controller.events import TableEvent
from tests.controller.rules.staging import Scenario, Stage, scenarios

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "examples" / "scenarios"
INDEX: Final = "README.md"
_HEAD: Final = """\
# Worked scenarios

One event file for each worked scenario of the five rule texts, written by
`python -m scripts.write_scenarios`. What each of them must end in is held by
`tests/controller/rules/scenarios/`. Any of them can be judged, or changed and
judged again; [the event file](../../events.md) explains the form:

```sh
cutcard judge docs/examples/scenarios/SC-002-fr1.jsonl --rulebook fr1
```

Where a house has answered a question otherwise than its text, the answer is given:
copy the rulebook, change it, and judge with the copy.

Six players, the button at seat 6, unless the file says otherwise. A verdict stands
in brackets where the floor is called.

| file | what happens | rulebook | rulings |
| --- | --- | --- | --- |
"""


def files() -> dict[str, str]:
    """What the folder must hold: content by file name."""
    staged = [(scenario, played(scenario)) for scenario in scenarios()]
    pages = {f"{s.name}.jsonl": "".join(map(line, stage.told)) for s, stage in staged}
    rows = "".join(_row(scenario, stage) for scenario, stage in staged)
    return {**pages, INDEX: _HEAD + rows}


def played(scenario: Scenario) -> Stage:
    """The scenario acted out to its end."""
    stage = Stage(scenario)
    for part in scenario.part:
        for act in part.do:
            stage.act(act)
    return stage


def line(event: TableEvent) -> str:
    """A line of an event file, without what is as usual."""
    usual = {field.name: field.default for field in msgspec.structs.fields(event)}
    told = {
        name: value
        for name, value in msgspec.to_builtins(event).items()
        if name not in usual or getattr(event, name) != usual[name]
    }
    return json.dumps(told) + "\n"


def _row(scenario: Scenario, stage: Stage) -> str:
    name = scenario.name
    changed = ", ".join(f"`{key} = {json.dumps(value)}`" for key, value in scenario.house.items())
    book = f"{scenario.rulebook}, {changed}" if changed else scenario.rulebook
    verdicts = (f"({r.verdict.value})" if r.call_floor else r.verdict.value for r in stage.rulings)
    rulings = ", ".join(verdicts) or "none"
    return f"| [{name}]({name}.jsonl) | {scenario.title} | {book} | {rulings} |\n"


def stale() -> list[str]:
    """Names of files that are missing, not as their scenario, or of no scenario."""
    wanted = files()
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*") if path.is_file()}
    return sorted(n for n in wanted.keys() | there.keys() if wanted.get(n) != there.get(n))


def write() -> None:
    """Make the folder hold what it must, and nothing else."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = files()
    for path in FOLDER.glob("*"):
        if path.name not in wanted:
            path.unlink()
    for name, content in wanted.items():
        (FOLDER / name).write_text(content, "utf-8")


def main(arguments: list[str]) -> int:
    """Write, or check; see the module.

    Returns:
        0; 1 when a checked file is stale; 2 for an unknown argument.
    """
    if arguments not in ([], ["--check"]):
        print("usage: python -m scripts.write_scenarios [--check]", file=sys.stderr)
        return 2
    if not arguments:
        write()
        return 0
    wrong = stale()
    for name in wrong:
        print(f"{name} is not as its scenario: run python -m scripts.write_scenarios")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
