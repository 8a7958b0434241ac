"""A few kills in every run of the tests; ``scripts/kill_test.py`` makes 200."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "kill_test.py"


def test_a_table_killed_at_random_instants_goes_on_in_the_same_hand() -> None:
    ended = subprocess.run(
        [sys.executable, str(SCRIPT), "--runs", "10", "--seed", "7"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stderr + ended.stdout
    seen = json.loads(ended.stdout.splitlines()[-1])
    assert (seen["runs"], seen["lost"], seen["other_hand"], seen["broken_chains"]) == (10, 0, 0, 0)
    assert seen["events"] > 0
