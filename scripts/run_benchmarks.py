"""Run every ``scripts/bench_*.py`` in one go and print what they measured.

Each of them prints lines of the form ``name value unit``; a ratio against the
reference measured in the same run has the unit ``ratio`` or ``x``. Lines that
start with ``#`` are remarks. Exit 1 when one of them fails.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

SCRIPTS = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measured number with its unit."""

    name: str
    value: float
    unit: str


def parse(line: str) -> Measurement | None:
    """Read ``name value unit``; None for a remark or anything else."""
    words = line.split()
    if line.startswith("#") or len(words) < 2:
        return None
    try:
        value = float(words[1])
    except ValueError:
        return None
    return Measurement(words[0], value, " ".join(words[2:]))


def measure(script: Path) -> tuple[tuple[Measurement, ...], str]:
    """Run one script; its measurements, and its last words when it failed."""
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    found = tuple(m for line in run.stdout.splitlines() if (m := parse(line)) is not None)
    if run.returncode != 0:
        words = (run.stderr or run.stdout).strip().splitlines() or ["no message"]
        return found, f"{script.name} ended with {run.returncode}: {words[-1]}"
    if not found:
        return found, f"{script.name} printed no measurement"
    return found, ""


def main() -> int:
    """Run the scripts in the order of their names."""
    console = Console()
    table = Table("benchmark", "what", "value", "unit")
    failures = []
    for script in sorted(SCRIPTS.glob("bench_*.py")):
        console.print(f"running {script.name} ...", style="dim")
        found, failure = measure(script)
        for m in found:
            table.add_row(script.stem.removeprefix("bench_"), m.name, f"{m.value:,.4g}", m.unit)
        if failure:
            failures.append(failure)
    console.print(table)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
