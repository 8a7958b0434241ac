"""Built firmware, and machines that run it: natively and in the emulator."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "firmware"


def build(*targets: str) -> Path:
    """Make targets; one worker at a time, for they share the folder."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(
            ["make", "--no-print-directory", "-C", str(ROOT / "firmware"), *targets],
            capture_output=True,
            text=True,
        )
    assert made.returncode == 0, made.stdout + made.stderr
    return BUILT


@pytest.fixture(scope="session")
def native_build() -> Path:
    if shutil.which("gcc") is None or shutil.which("make") is None:
        pytest.skip("no C compiler on this machine: make setup-firmware installs it")
    return build("native", "unit", "fuzz")


@pytest.fixture(scope="session")
def avr_build(native_build: Path) -> Path:
    if shutil.which("avr-gcc") is None or not Path("/usr/include/simavr/sim_avr.h").exists():
        pytest.skip("no AVR compiler or no simavr: make setup-firmware installs them")
    assert native_build.exists()
    return build("avr", "emulator")
